/** What is drawn over a picture: lines through points, in source pixels. */
export interface Mark {
  /** x, y, x, y ... */
  points: ArrayLike<number>;
  /** 'dots': a small cross at each point. */
  kind: 'closed' | 'dots';
}

const SIDES = 72;

export function ellipse(e: { x: number; y: number; major: number; minor: number; angle: number }): Mark {
  const points: number[] = [];
  for (let i = 0; i < SIDES; i++) {
    const t = (2 * Math.PI * i) / SIDES;
    const [u, v] = [(e.major / 2) * Math.cos(t), (e.minor / 2) * Math.sin(t)];
    points.push(
      e.x + u * Math.cos(e.angle) - v * Math.sin(e.angle),
      e.y + u * Math.sin(e.angle) + v * Math.cos(e.angle),
    );
  }
  return { points, kind: 'closed' };
}

export const box = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Mark => ({
  points: [x, y, x + width, y, x + width, y + height, x, y + height],
  kind: 'closed',
});

/** Calls `dot` for each pixel of the marks. `thick`: pixels across a line. */
export function draw(marks: readonly Mark[], thick: number, dot: (x: number, y: number) => void): void {
  const square = (x: number, y: number) => {
    const from = -(thick >> 1);
    for (let dy = from; dy < from + thick; dy++)
      for (let dx = from; dx < from + thick; dx++) dot(Math.round(x) + dx, Math.round(y) + dy);
  };
  const line = (x0: number, y0: number, x1: number, y1: number) => {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (let i = 0; i <= steps; i++) square(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps);
  };
  for (const { points, kind } of marks) {
    const count = points.length >> 1;
    for (let i = 0; i < count; i++) {
      const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
      if (kind === 'dots') {
        line(x - 2, y, x + 2, y);
        line(x, y - 2, x, y + 2);
        continue;
      }
      const next = (i + 1) % count;
      line(x, y, points[2 * next]!, points[2 * next + 1]!);
    }
  }
}
