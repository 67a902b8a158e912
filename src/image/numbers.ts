/** Functions of numbers and boxes that several capabilities use. */
import type { Box } from '../results/types.ts';

/** Intersection over union. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (!(width > 0 && height > 0)) return 0;
  const both = width * height;
  return both / (a.width * a.height + b.width * b.height - both);
}

/** Number functions for several capabilities that round or summarize in the same way. */

/** Rounds to the nearest integer. Ties round to even, like C's rint and OpenCV. */
export function roundEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
}

/** Median of the values. It is the upper one of two middle values, and NaN without values. */
export function median(values: ArrayLike<number>): number {
  return new Float64Array(values).sort()[values.length >> 1] ?? NaN;
}

/** First bin of a histogram at which a share of the counts is reached. */
export function quantileBin(counts: Uint32Array, total: number, share: number): number {
  let below = 0;
  for (let i = 0; i < counts.length; i++) if ((below += counts[i]!) >= share * total) return i;
  return counts.length - 1;
}
