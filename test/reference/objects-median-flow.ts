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

/** A grid of points inside a box, x and y in turn, 5 pixels from its edges or a quarter of a small one's sides. */
export function pointsIn({ x, y, width, height }: Box, across: number): Float32Array {
  const at = (start: number, size: number, i: number) => {
    const margin = Math.min(5, size / 4);
    return start + margin + (i * (size - 1 - 2 * margin)) / (across - 1);
  };
  return Float32Array.from({ length: 2 * across * across }, (_, k) => {
    const i = k >> 1;
    return k & 1 ? at(y, height, Math.floor(i / across)) : at(x, width, i % across);
  });
}

const f = Math.fround;

/** 10x10 samples around a point, between pixels in single precision, as whole gray levels; the edge repeated. */
function samplesAround({ width, height, data }: Image, [x, y]: readonly [number, number]): number[] {
  const [left, top] = [f(x - 4.5), f(y - 4.5)];
  const [ix, iy] = [Math.floor(left), Math.floor(top)];
  const [fx, fy] = [f(left - ix), f(top - iy)];
  const pixel = (i: number, j: number) =>
    data[Math.max(0, Math.min(height - 1, j)) * width + Math.max(0, Math.min(width - 1, i))]!;
  const row = (i: number, j: number) => f(f(pixel(i, j) * f(1 - fx)) + f(pixel(i + 1, j) * fx));
  return Array.from({ length: 100 }, (_, k) => {
    const [i, j] = [ix + (k % 10), iy + Math.floor(k / 10)];
    return Math.floor(f(f(f(row(i, j) * f(1 - fy)) + f(row(i, j + 1) * fy)) + 0.5));
  });
}

interface Image {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
}

/** How much the surroundings of a point in two frames look alike; 0 where they are plain. */
export function correlationAt(
  from: Image,
  to: Image,
  before: readonly [number, number],
  after: readonly [number, number],
): number {
  const [p, q] = [samplesAround(from, before), samplesAround(to, after)];
  const sum = (value: (i: number) => number) => p.reduce((all, _, i) => all + value(i), 0);
  const [a, b] = [sum((i) => p[i]!), sum((i) => q[i]!)];
  const variances = (100 * sum((i) => p[i]! ** 2) - a * a) * (100 * sum((i) => q[i]! ** 2) - b * b);
  return variances > 0 ? f((100 * sum((i) => p[i]! * q[i]!) - a * b) / Math.sqrt(variances)) : 0;
}
