/**
 * The ensemble of random ferns (Kalal, Mikolajczyk, Matas 2012, section 5.3.2): 10 ferns of 13 comparisons between points
 * of one row or one column of the blurred window. A posterior is the share of positives among the examples that gave a
 * code; a window's vote is the sum of the 10 posteriors.
 */
import type { Arena } from '../runtime/arena.ts';
import type { GridScale } from './grid.ts';
import { Random } from './random.ts';

export const FERNS = 10;
export const COMPARISONS = 13;
const CODES = 1 << COMPARISONS;
const POINTS = 2 * FERNS * COMPARISONS;
/** Counts are halved when one gets here, so that what was learned long ago weighs less. */
const FULL = 4096;

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
  arena: Arena,
  table: ArrayLike<number>,
  scales: readonly GridScale[],
  stride: number,
): number {
  const address = arena.allocate(4 * POINTS * Math.max(1, scales.length));
  scales.forEach((scale, s) => arena.i32.set(fernOffsets(table, scale, stride), (address >> 2) + s * POINTS));
  return address;
}

/** What the ferns have learned: counts here, posteriors on the arena for the kernels. */
export class Ferns {
  readonly #arena: Arena;
  readonly posteriors: number;
  readonly positives = new Uint16Array(FERNS * CODES);
  readonly negatives = new Uint16Array(FERNS * CODES);

  constructor(arena: Arena) {
    this.#arena = arena;
    this.posteriors = arena.allocate(4 * FERNS * CODES);
    this.#f32.fill(0);
  }

  get #f32(): Float32Array {
    return this.#arena.f32.subarray(this.posteriors >> 2, (this.posteriors >> 2) + FERNS * CODES);
  }

  /** The sum of the posteriors of 10 codes, 0..10. */
  vote(codes: ArrayLike<number>, at = 0): number {
    const posteriors = this.#f32;
    let sum = 0;
    for (let f = 0; f < FERNS; f++) sum += posteriors[f * CODES + codes[at + f]!]!;
    return sum;
  }

  /** Counts an example. */
  learn(codes: ArrayLike<number>, at: number, positive: boolean): void {
    const posteriors = this.#f32;
    const counts = positive ? this.positives : this.negatives;
    for (let f = 0; f < FERNS; f++) {
      const i = f * CODES + codes[at + f]!;
      if (++counts[i]! >= FULL) {
        this.positives[i]! >>= 1;
        this.negatives[i]! >>= 1;
      }
      posteriors[i] = this.positives[i]! / (this.positives[i]! + this.negatives[i]!);
    }
  }

  /** Posteriors from the counts, after these were set. */
  restore(): void {
    const posteriors = this.#f32;
    for (let i = 0; i < FERNS * CODES; i++)
      posteriors[i] = this.positives[i] ? this.positives[i]! / (this.positives[i]! + this.negatives[i]!) : 0;
  }

  dispose(): void {
    this.#arena.free(this.posteriors);
  }
}
