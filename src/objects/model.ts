/**
 * What a target looks like to the detector: the ferns' counts and posteriors, the patches of the target and of what it is
 * not, and the thresholds; all on the arena, where the kernels learn (assembly/objects/learner.ts).
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { ObjectModelRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { CODES, FERNS } from './ferns.ts';
import type { ObjectValues } from './parameters.ts';
import { randomState } from './random.ts';

/** Floats of a stored patch: 225 values, zero mean and unit norm, and padding. */
export const PATCH_FLOATS = 240;
const PATCH_BYTES = 4 * PATCH_FLOATS;
const ALL_CODES = FERNS * CODES;

/** By which a model is made, and by which it learns. */
export type ModelValues = Pick<
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

  /** What it holds belongs to the scope. `table`: the points of the ferns' comparisons as fractions. */
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

  /** By which it learns from now on; thresholds and sizes stay as they are. */
  set values({ negativeOverlap, sameThreshold, noise, warps, firstWarps }: ModelValues) {
    this.record.set({ negativeOverlap, sameThreshold, noise, warps, firstWarps });
  }

  get posteriors(): number {
    return this.record.get('posteriors');
  }

  /** How often each code was an example of the target, in place until the arena grows. */
  get fernPositives(): Uint16Array {
    return this.#counts(this.record.get('fernPositives'));
  }

  /** How often it was not. */
  get fernNegatives(): Uint16Array {
    return this.#counts(this.record.get('fernNegatives'));
  }

  #counts(address: number): Uint16Array {
    return new Uint16Array(this.#scope.arena.u8.buffer, address, ALL_CODES);
  }

  /** Posteriors from the counts, after these were set. */
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
