/**
 * The ensemble of random ferns (Kalal, Mikolajczyk, Matas 2012, section 5.3.2): 10 ferns of 13 comparisons between points
 * of one row or one column of the blurred window. Here are the tables of these points; votes and learning are kernels.
 */
import type { Block, Scope } from '../runtime/scope.ts';
import type { GridScale } from './grid.ts';
import { Random } from './random.ts';

export const FERNS = 10;
export const COMPARISONS = 13;
export const CODES = 1 << COMPARISONS;
const POINTS = 2 * FERNS * COMPARISONS;

/**
 * Points of the comparisons as fractions of the window's sides, x1, y1, x2, y2 each: pairs on the crossings of a 14x14
 * raster that share a row or a column, in an order drawn from the seed, and shared out among the ferns.
 */
export function fernTable(seed: number): Float32Array {
  const random = new Random(seed);
  const table = new Float32Array(2 * POINTS);
  for (let c = 0; c < FERNS * COMPARISONS; c++) {
    const shared = random.uniform();
    const first = random.uniform();
    let second = random.uniform();
    while (Math.abs(second - first) < 0.05) second = random.uniform();
    table.set(c & 1 ? [first, shared, second, shared] : [shared, first, shared, second], 4 * c);
  }
  return table.map((v) => Math.round(v * 1000) / 1000).map((v) => Math.min(0.999, v));
}

/** Byte offsets of a table's points in a window of this size: dy stride + dx, two i32 a comparison. */
export function fernOffsets(
  table: ArrayLike<number>,
  { width, height }: { width: number; height: number },
  stride: number,
): Int32Array {
  const out = new Int32Array(POINTS);
  for (let p = 0; p < POINTS; p++)
    out[p] = Math.floor(table[2 * p]! * width) + stride * Math.floor(table[2 * p + 1]! * height);
  return out;
}

/** The same points as whole pixels, x1, y1, x2, y2 of each comparison. */
export function fernPoints(table: ArrayLike<number>, { width, height }: { width: number; height: number }): Int16Array {
  return Int16Array.from({ length: 2 * POINTS }, (_, i) => Math.floor(table[i]! * (i & 1 ? height : width)));
}

/** Offsets for every scale of a grid, one after the other, on the arena. */
export function scaleOffsets(
  scope: Scope,
  table: ArrayLike<number>,
  scales: readonly GridScale[],
  stride: number,
): Block {
  const offsets = new Int32Array(POINTS * Math.max(1, scales.length));
  scales.forEach((scale, s) => offsets.set(fernOffsets(table, scale, stride), s * POINTS));
  return scope.table(offsets);
}
