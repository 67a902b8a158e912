/** Rectangles on shelves of one texture, so that one pass treats all scales of a search. */

export interface Corner {
  readonly x: number;
  readonly y: number;
}

export interface Atlas {
  readonly width: number;
  readonly height: number;
  /** In the order of the sizes. */
  readonly corners: readonly Corner[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Shelves as wide as `width`, the tallest rectangles first. */
function shelves(sizes: readonly Size[], width: number): Atlas {
  const corners = new Array<Corner>(sizes.length);
  const order = sizes.map((_, i) => i).sort((a, b) => sizes[b]!.height - sizes[a]!.height);
  let [x, y, shelf] = [0, 0, 0];
  for (const i of order) {
    const size = sizes[i]!;
    if (x + size.width > width) {
      y += shelf;
      x = shelf = 0;
    }
    corners[i] = { x, y };
    x += size.width;
    shelf = Math.max(shelf, size.height);
  }
  return { width, height: y + shelf, corners };
}

/** The smallest of a few layouts whose sides are at most `limit`; null when there is none. */
export function layOut(sizes: readonly Size[], limit: number): Atlas | null {
  const widest = Math.max(...sizes.map(({ width }) => width));
  const area = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  let best: Atlas | null = null;
  for (const factor of [1, 1.25, 1.5, 1.75, 2, 2.5, 3]) {
    const width = Math.min(limit, Math.max(widest, Math.ceil(factor * Math.sqrt(area / 2))));
    const atlas = shelves(sizes, width);
    if (width < widest || atlas.height > limit) continue;
    if (!best || atlas.width * atlas.height < best.width * best.height) best = atlas;
  }
  return best;
}
