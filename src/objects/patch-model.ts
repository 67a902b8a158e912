/**
 * The nearest-neighbour part of the object model (Kalal, Mikolajczyk, Matas 2012, section 5.2): 15x15 patches of the
 * target and of what it is not. With S = (NCC + 1) / 2, S+ and S- the similarity to the nearest positive and negative and
 * S50 that to the nearest among the first half of the positives:
 *   relative      d- / (d- + d+), d = 1 - S     (the published program; the paper writes S+ / (S+ + S-))
 *   conservative  the same with S50
 * Both lists are bounded. Forgetting takes a random one, among the positives of the later half.
 */
import type { Arena } from '../runtime/arena.ts';
import type { Kernels } from '../runtime/kernels.ts';
import type { Random } from './random.ts';

export const PATCH_SIDE = 15;
/** Floats of a stored patch: 225 values, zero mean and unit norm, and padding. */
export const PATCH_FLOATS = 240;
const PATCH_BYTES = 4 * PATCH_FLOATS;

export interface Similarity {
  relative: number;
  conservative: number;
  /** Correlation with the nearest positive and negative, -1..1. */
  nearestPositive: number;
  nearestNegative: number;
}

export class PatchModel {
  readonly #arena: Arena;
  readonly #kernels: Kernels;
  readonly #most: { positives: number; negatives: number };
  readonly #block: number;
  readonly #correlations: number;
  positives = 0;
  negatives = 0;

  constructor(arena: Arena, kernels: Kernels, most: { positives: number; negatives: number }) {
    this.#arena = arena;
    this.#kernels = kernels;
    this.#most = most;
    const all = most.positives + most.negatives;
    this.#block = arena.allocate(all * (PATCH_BYTES + 4));
    this.#correlations = this.#block + all * PATCH_BYTES;
  }

  #address(positive: boolean, i: number): number {
    return this.#block + (positive ? i : this.#most.positives + i) * PATCH_BYTES;
  }

  /** How much the stored patch at `patch` looks like the target. */
  similarity(patch: number): Similarity {
    const out = this.#correlations;
    this.#kernels.call('patchCorrelations', patch, this.#address(true, 0), this.positives, out);
    const later = out + 4 * this.#most.positives;
    this.#kernels.call('patchCorrelations', patch, this.#address(false, 0), this.negatives, later);
    const f32 = this.#arena.f32;
    const greatest = (address: number, count: number) => {
      let best = -1;
      for (let i = address >> 2; i < (address >> 2) + count; i++) if (f32[i]! > best) best = f32[i]!;
      return best;
    };
    const nearestPositive = greatest(out, this.positives);
    const nearestNegative = greatest(later, this.negatives);
    const half = greatest(out, Math.ceil(this.positives / 2));
    return {
      nearestPositive,
      nearestNegative,
      relative: share(nearestPositive, nearestNegative, this.positives, this.negatives),
      conservative: share(half, nearestNegative, this.positives, this.negatives),
    };
  }

  /** Adds a patch; a full list loses a random one first. */
  add(patch: number, positive: boolean, random: Random): void {
    const most = positive ? this.#most.positives : this.#most.negatives;
    let count = positive ? this.positives : this.negatives;
    if (count === most) {
      const first = positive ? most >> 1 : 0;
      this.#remove(positive, first + random.below(most - first));
      count--;
    }
    this.#arena.u8.copyWithin(this.#address(positive, count), patch, patch + PATCH_BYTES);
    if (positive) this.positives = count + 1;
    else this.negatives = count + 1;
  }

  /** Moves the last positive to the front, among those that forgetting spares. */
  promote(): void {
    const last = this.#address(true, this.positives - 1);
    const patch = this.#arena.u8.slice(last, last + PATCH_BYTES);
    this.#arena.u8.copyWithin(this.#address(true, 1), this.#address(true, 0), last);
    this.#arena.u8.set(patch, this.#address(true, 0));
  }

  /** Removes the positives whose correlation with `patch` is above `same`. */
  forget(patch: number, same: number): void {
    this.similarity(patch);
    const correlations = this.#arena.f32.slice(this.#correlations >> 2, (this.#correlations >> 2) + this.positives);
    for (let i = correlations.length - 1; i >= 0; i--) if (correlations[i]! > same) this.#remove(true, i);
  }

  #remove(positive: boolean, i: number): void {
    const end = this.#address(positive, positive ? this.positives : this.negatives);
    this.#arena.u8.copyWithin(this.#address(positive, i), this.#address(positive, i + 1), end);
    if (positive) this.positives--;
    else this.negatives--;
  }

  /** The patches as floats, 240 each, for export. */
  values(positive: boolean): Float32Array {
    const count = positive ? this.positives : this.negatives;
    const at = this.#address(positive, 0) >> 2;
    return this.#arena.f32.slice(at, at + count * PATCH_FLOATS);
  }

  restore(positives: Float32Array, negatives: Float32Array): void {
    this.#arena.f32.set(positives, this.#address(true, 0) >> 2);
    this.#arena.f32.set(negatives, this.#address(false, 0) >> 2);
    this.positives = positives.length / PATCH_FLOATS;
    this.negatives = negatives.length / PATCH_FLOATS;
  }

  dispose(): void {
    this.#arena.free(this.#block);
  }
}

function share(positive: number, negative: number, positives: number, negatives: number): number {
  if (!positives) return 0;
  if (!negatives) return 1;
  const far = 1 - (negative + 1) / 2;
  const near = 1 - (positive + 1) / 2;
  return far + near > 0 ? far / (far + near) : 0.5;
}
