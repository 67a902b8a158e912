/**
 * A target's appearance for the detector: counts and posteriors of the ferns, the patches of the target and of the
 * background, and the thresholds. All of it is in the arena, where the kernels learn (assembly/objects/learner.ts).
 */
import type { Block, Scope } from '../runtime/scope.ts';
import type { GridScale } from './windows.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { ObjectModelRecord } from '../runtime/wasm/records.ts';
import type { ObjectValues } from './parameters.ts';

// The ensemble of random ferns (Kalal, Mikolajczyk, Matas 2012, section 5.3.2): 10 ferns of 13 comparisons between
// points in one row or one column of the blurred window. The tables of these points are made here. Votes and learning
// are kernels.

/** xorshift32 (Marsaglia 2003). All browsers and the kernels generate equal numbers, so a seed determines a track. */
/** Initial state for a seed. */
const randomState = (seed: number): number => (Math.imul(seed | 0, 2654435761) ^ 0x9e3779b9) | 0 || 1;

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = randomState(seed);
  }

  /** Returns 32 uniform bits. */
  bits(): number {
    let s = this.#state;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.#state = s;
    return s >>> 0;
  }

  /** Returns a uniform number in [0, 1). */
  uniform(): number {
    return this.bits() / 4294967296;
  }

  /** Returns an integer in 0..n-1. */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }
}

export const FERNS = 10;
export const COMPARISONS = 13;
const CODES = 1 << COMPARISONS;
const POINTS = 2 * FERNS * COMPARISONS;

/**
 * Makes the points of the comparisons as fractions of the window's sides, x1, y1, x2, y2 each. They are pairs on the
 * crossings of a 14x14 raster that share a row or a column, in a random order from the seed, and split among the ferns.
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

/** Byte offsets of a table's points in a window of this size: dy stride + dx, two i32 per comparison. */
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

/** Points of the comparisons as integer pixels, x1, y1, x2, y2 of each. */
export function fernPoints(table: ArrayLike<number>, { width, height }: { width: number; height: number }): Int16Array {
  return Int16Array.from({ length: 2 * POINTS }, (_, i) => Math.floor(table[i]! * (i & 1 ? height : width)));
}

/** Offsets for every scale of a grid, one after the other, in the arena. */
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

/** Number of floats in a stored patch: 225 values with zero mean and unit norm, and padding. */
export const PATCH_FLOATS = 240;
const PATCH_BYTES = 4 * PATCH_FLOATS;
const ALL_CODES = FERNS * CODES;

/** Parameters to make and update a model. */
type ModelValues = Pick<
  ObjectValues,
  | 'positives'
  | 'negatives'
  | 'fernThreshold'
  | 'nearestThreshold'
  | 'validThreshold'
  | 'negativeOverlap'
  | 'sameThreshold'
  | 'noise'
  | 'warps'
  | 'firstWarps'
>;

export class ObjectModel {
  readonly record: RecordOf<typeof ObjectModelRecord>;
  readonly #scope: Scope;

  /** The scope owns the memory. `table` has the points of the ferns' comparisons as fractions. */
  constructor(scope: Scope, table: ArrayLike<number>, values: ModelValues, seed: number) {
    this.#scope = scope;
    const { positives, negatives, fernThreshold, nearestThreshold, validThreshold } = values;
    const room = (bytes: number) => scope.block(bytes).address;
    this.record = scope.record(ObjectModelRecord, {
      patch: room(PATCH_BYTES),
      positives: room(PATCH_BYTES * positives),
      negatives: room(PATCH_BYTES * negatives),
      fractions: scope.table(Float32Array.from(table)).address,
      posteriors: scope.zeros(4 * ALL_CODES).address,
      correlations: room(4 * (positives + negatives)),
      fernPositives: scope.zeros(2 * ALL_CODES).address,
      fernNegatives: scope.zeros(2 * ALL_CODES).address,
      mostPositives: positives,
      mostNegatives: negatives,
      random: randomState(seed),
      ...{ fernThreshold, nearestThreshold, validThreshold },
    });
    this.values = values;
  }

  get address(): number {
    return this.record.address;
  }

  /** Sets the parameters for further learning. Thresholds and sizes do not change. */
  set values({ negativeOverlap, sameThreshold, noise, warps, firstWarps }: ModelValues) {
    this.record.set({ negativeOverlap, sameThreshold, noise, warps, firstWarps });
  }

  get posteriors(): number {
    return this.record.get('posteriors');
  }

  /** How often each code was a positive example. The array is valid until the arena grows. */
  get fernPositives(): Uint16Array {
    return this.#counts(this.record.get('fernPositives'));
  }

  /** How often each code was a negative example. */
  get fernNegatives(): Uint16Array {
    return this.#counts(this.record.get('fernNegatives'));
  }

  #counts(address: number): Uint16Array {
    return new Uint16Array(this.#scope.arena.u8.buffer, address, ALL_CODES);
  }

  /** Computes posteriors from the counts, after the counts were set. */
  *restoreFerns(): Plan<void> {
    yield* this.#scope.kernels.fernPosteriors({ model: this });
  }

  /** The stored patches as floats, 240 each, for export. */
  patches(list: 'positives' | 'negatives'): Float32Array {
    const count = this.record.get(list === 'positives' ? 'positiveCount' : 'negativeCount');
    return this.#scope.f32({ address: this.record.get(list) }, PATCH_FLOATS * count).slice();
  }

  restorePatches(positives: Float32Array, negatives: Float32Array): void {
    const { f32 } = this.#scope.arena;
    f32.set(positives, this.record.get('positives') >> 2);
    f32.set(negatives, this.record.get('negatives') >> 2);
    this.record.set({
      positiveCount: positives.length / PATCH_FLOATS,
      negativeCount: negatives.length / PATCH_FLOATS,
    });
  }
}
