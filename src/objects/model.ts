/**
 * What a target looks like to the detector: the ferns' counts and posteriors, the patches of the target and of what it is
 * not, and the thresholds; all on the arena, where the kernels learn (assembly/objects/learner.ts).
 */
import type { WasmSide } from '../runtime/wasm-side.ts';
import { CODES, FERNS } from './ferns.ts';
import type { ObjectValues } from './parameters.ts';
import { randomState } from './random.ts';
import { RecordView, type RecordOf } from '../runtime/record.ts';
import { ObjectModelRecord } from '../runtime/records.ts';

/** Floats of a stored patch: 225 values, zero mean and unit norm, and padding. */
export const PATCH_FLOATS = 240;
const PATCH_BYTES = 4 * PATCH_FLOATS;
const ALL_CODES = FERNS * CODES;

export class ObjectModel {
  readonly record: RecordOf<typeof ObjectModelRecord>;
  readonly #side: WasmSide;
  readonly #block: number;

  /** `table`: the points of the ferns' comparisons as fractions. */
  constructor(side: WasmSide, table: ArrayLike<number>, values: ObjectValues, seed: number) {
    this.#side = side;
    const { arena } = side;
    const { positives, negatives, fernThreshold, nearestThreshold, validThreshold } = values;
    const patches = positives + negatives;
    const head = (ObjectModelRecord.bytes + 15) & ~15;
    const bytes = head + 4 * table.length + 8 * ALL_CODES + (PATCH_BYTES + 4) * patches + PATCH_BYTES;
    this.#block = arena.allocate(bytes);
    let at = this.#block;
    const take = (size: number) => (at += size) - size;
    this.record = new RecordView(arena, ObjectModelRecord, take(head)).clear().set({
      patch: take(PATCH_BYTES),
      positives: take(PATCH_BYTES * positives),
      negatives: take(PATCH_BYTES * negatives),
      fractions: take(4 * table.length),
      posteriors: take(4 * ALL_CODES),
      correlations: take(4 * patches),
      fernPositives: take(2 * ALL_CODES),
      fernNegatives: take(2 * ALL_CODES),
      mostPositives: positives,
      mostNegatives: negatives,
      random: randomState(seed),
      ...{ fernThreshold, nearestThreshold, validThreshold },
    });
    this.values = values;
    arena.f32.set(table, this.record.get('fractions') >> 2);
    arena.f32.fill(0, this.posteriors >> 2, (this.posteriors >> 2) + ALL_CODES);
    for (const counts of [this.fernPositives, this.fernNegatives]) counts.fill(0);
  }

  get address(): number {
    return this.record.address;
  }

  /** By which it learns from now on; thresholds and sizes stay as they are. */
  set values({ negativeOverlap, sameThreshold, noise, warps, firstWarps }: ObjectValues) {
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
    return new Uint16Array(this.#side.arena.u8.buffer, address, ALL_CODES);
  }

  /** Posteriors from the counts, after these were set. */
  restoreFerns(): void {
    this.#side.kernels.call('fernPosteriors', this.address);
  }

  /** The stored patches as floats, 240 each, for export. */
  patches(list: 'positives' | 'negatives'): Float32Array {
    const at = this.record.get(list) >> 2;
    const count = this.record.get(list === 'positives' ? 'positiveCount' : 'negativeCount');
    return this.#side.arena.f32.slice(at, at + PATCH_FLOATS * count);
  }

  restorePatches(positives: Float32Array, negatives: Float32Array): void {
    const { f32 } = this.#side.arena;
    f32.set(positives, this.record.get('positives') >> 2);
    f32.set(negatives, this.record.get('negatives') >> 2);
    this.record.set({
      positiveCount: positives.length / PATCH_FLOATS,
      negativeCount: negatives.length / PATCH_FLOATS,
    });
  }

  dispose(): void {
    this.#side.arena.free(this.#block);
  }
}
