/** Brush strokes on a mask, pixel by pixel. */

/** Part of an image. `right` and `bottom` are exclusive. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Squared distance of (x, y) from the line segment between two points. */
function squaredDistance(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2;
}

/**
 * Sets mask pixels to `value` if their centers are within `radius` of the line through `points`. Points are x and y
 * pairs in pixels, and (0, 0) is the center of the first pixel. `from` is the index of the first new point. Returns the
 * area that may have changed, or null if it is outside the mask.
 */
export function paintStroke(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Uint8Array },
  points: readonly number[],
  radius: number,
  value: number,
  from = 0,
): Area | null {
  const all: Area = { left: width, top: height, right: 0, bottom: 0 };
  for (let i = Math.max(0, from - 1); i < points.length >> 1; i++) {
    const [ax, ay] = [points[2 * i]!, points[2 * i + 1]!];
    const bx = points[2 * i + 2] ?? ax;
    const by = points[2 * i + 3] ?? ay;
    const left = Math.max(0, Math.ceil(Math.min(ax, bx) - radius));
    const top = Math.max(0, Math.ceil(Math.min(ay, by) - radius));
    const right = Math.min(width, Math.floor(Math.max(ax, bx) + radius) + 1);
    const bottom = Math.min(height, Math.floor(Math.max(ay, by) + radius) + 1);
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++)
        if (squaredDistance(x, y, ax, ay, bx, by) <= radius * radius) data[y * width + x] = value;
    all.left = Math.min(all.left, left);
    all.top = Math.min(all.top, top);
    all.right = Math.max(all.right, right);
    all.bottom = Math.max(all.bottom, bottom);
  }
  return all.right > all.left && all.bottom > all.top ? all : null;
}
