/** Median flow by its definition (Kalal, Mikolajczyk, Matas 2010). */
import type { Box } from '../../src/results/types.ts';
import { median } from './objects-boxes.ts';

export interface TrackedPoint {
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  valid: boolean;
  error: number;
  correlation: number;
}

export interface Motion {
  box: Box;
  residual: number;
  error: number;
  kept: number;
}

const distance = (a: readonly [number, number], b: readonly [number, number]) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Null when fewer than 4 points are left. */
export function medianFlow(box: Box, points: readonly TrackedPoint[]): Motion | null {
  const valid = points.filter((point) => point.valid);
  const error = median(valid.map((point) => point.error));
  const correlation = median(valid.map((point) => point.correlation));
  const kept = valid.filter((point) => point.error <= error && point.correlation >= correlation);
  if (kept.length < 4) return null;
  const dx = median(kept.map(({ from, to }) => to[0] - from[0]));
  const dy = median(kept.map(({ from, to }) => to[1] - from[1]));
  const ratios = kept.flatMap((a, i) => kept.slice(0, i).map((b) => distance(a.to, b.to) / distance(a.from, b.from)));
  const grow = median(ratios) - 1;
  // A box is its corner pixels, width - 1 apart.
  const [growX, growY] = [grow * (box.width - 1), grow * (box.height - 1)];
  return {
    box: {
      x: box.x + dx - growX / 2,
      y: box.y + dy - growY / 2,
      width: box.width + growX,
      height: box.height + growY,
    },
    residual: median(kept.map(({ from, to }) => distance(to, [from[0] + dx, from[1] + dy]))),
    error,
    kept: kept.length,
  };
}
