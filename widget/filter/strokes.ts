/** What a brush paints: a mask of the picture's size, 255 where painted. Strokes are kept, so that they can be undone. */

export interface Stroke {
  /** x and y of each point, in pixels of the picture. */
  readonly points: readonly number[];
  readonly radius: number;
  readonly erase: boolean;
}

/** Part of a picture; `right` and `bottom` are outside of it. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Squared distance of (x, y) from the segment between two points. */
function squaredDistance(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2;
}

export class StrokeMask {
  readonly width: number;
  readonly height: number;
  data: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.data = new Uint8Array(width * height);
  }

  /** Painted pixels. */
  get count(): number {
    return this.data.reduce((sum, v) => sum + (v ? 1 : 0), 0);
  }

  /** Paints the stroke from its point `from` on; returns what may have changed, null where that is outside. */
  paint({ points, radius, erase }: Stroke, from = 0): Area | null {
    const all: Area = { left: this.width, top: this.height, right: 0, bottom: 0 };
    for (let i = Math.max(0, from - 1); i < points.length >> 1; i++) {
      const [ax, ay] = [points[2 * i]!, points[2 * i + 1]!];
      const bx = points[2 * i + 2] ?? ax;
      const by = points[2 * i + 3] ?? ay;
      const left = Math.max(0, Math.ceil(Math.min(ax, bx) - radius));
      const top = Math.max(0, Math.ceil(Math.min(ay, by) - radius));
      const right = Math.min(this.width, Math.floor(Math.max(ax, bx) + radius) + 1);
      const bottom = Math.min(this.height, Math.floor(Math.max(ay, by) + radius) + 1);
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++)
          if (squaredDistance(x, y, ax, ay, bx, by) <= radius * radius) this.data[y * this.width + x] = erase ? 0 : 255;
      all.left = Math.min(all.left, left);
      all.top = Math.min(all.top, top);
      all.right = Math.max(all.right, right);
      all.bottom = Math.max(all.bottom, bottom);
    }
    return all.right > all.left && all.bottom > all.top ? all : null;
  }
}
