/** Patches and variances from pixels, and the list of patches that is a target's look, with arrays and double precision. */
import type { Box, GrayImage } from '../../src/results/types.ts';
import type { Random } from '../../src/objects/model.ts';

const SIDE = 15;

const rounded = (v: number) => Math.floor(v + 0.5);

/** Variance of the gray values of a box, to whole pixels, inside the image. */
export function boxVariance({ width, height, data }: GrayImage, box: Box): number {
  const left = Math.min(width - 1, Math.max(0, rounded(box.x)));
  const top = Math.min(height - 1, Math.max(0, rounded(box.y)));
  const right = left + Math.max(1, Math.min(width - left, rounded(box.width)));
  const bottom = top + Math.max(1, Math.min(height - top, rounded(box.height)));
  const values: number[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) values.push(data[y * width + x]!);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
}

/** 15x15 means of a box's part in the image, each of the area it covers, with zero mean and unit norm. */
export function boxPatch({ width, height, data }: GrayImage, box: Box): number[] {
  const x0 = Math.max(0, box.x);
  const y0 = Math.max(0, box.y);
  const stepX = (Math.min(width, box.x + box.width) - x0) / SIDE;
  const stepY = (Math.min(height, box.y + box.height) - y0) / SIDE;
  if (!(stepX > 0 && stepY > 0)) return Array.from({ length: SIDE * SIDE }, () => 0);
  const shared = (pixel: number, from: number, to: number) => Math.min(pixel + 1, to) - Math.max(pixel, from);
  const cells: number[] = [];
  for (let j = 0; j < SIDE; j++)
    for (let i = 0; i < SIDE; i++) {
      const [left, right] = [x0 + i * stepX, x0 + (i + 1) * stepX];
      const [top, bottom] = [y0 + j * stepY, y0 + (j + 1) * stepY];
      let sum = 0;
      for (let y = Math.floor(top); y < Math.min(height, bottom); y++)
        for (let x = Math.floor(left); x < Math.min(width, right); x++)
          sum += data[y * width + x]! * shared(x, left, right) * shared(y, top, bottom);
      cells.push(sum / (stepX * stepY));
    }
  const mean = cells.reduce((a, b) => a + b, 0) / cells.length;
  const norm = Math.hypot(...cells.map((v) => v - mean));
  return cells.map((v) => (norm > 1e-3 ? (v - mean) / norm : 0));
}

export type Patch = readonly number[];

const correlation = (a: Patch, b: Patch) => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** The patches of a target and of what it is not (Kalal, Mikolajczyk, Matas 2012, section 5.2). */
export class PatchLists {
  readonly positives: Patch[] = [];
  readonly negatives: Patch[] = [];
  readonly #most: { positives: number; negatives: number };
  readonly #random: Random;

  constructor(most: { positives: number; negatives: number }, random: Random) {
    this.#most = most;
    this.#random = random;
  }

  compare(patch: Patch) {
    const nearest = (list: readonly Patch[]) => Math.max(-1, ...list.map((one) => correlation(one, patch)));
    const [nearestPositive, nearestNegative] = [nearest(this.positives), nearest(this.negatives)];
    const share = (positive: number) => {
      if (!this.positives.length) return 0;
      if (!this.negatives.length) return 1;
      const [far, near] = [1 - (nearestNegative + 1) / 2, 1 - (positive + 1) / 2];
      return far + near > 0 ? far / (far + near) : 0.5;
    };
    const half = nearest(this.positives.slice(0, Math.ceil(this.positives.length / 2)));
    return { nearestPositive, nearestNegative, relative: share(nearestPositive), conservative: share(half) };
  }

  /** A full list loses a random patch first, among the positives one of the later half. */
  add(patch: Patch, list: 'positives' | 'negatives'): void {
    const most = this.#most[list];
    const first = list === 'positives' ? most >> 1 : 0;
    if (this[list].length === most) this[list].splice(first + this.#random.below(most - first), 1);
    this[list].push(patch);
  }

  /** Removes the positives that are the same as a patch. */
  forget(patch: Patch, same: number): void {
    const kept = this.positives.filter((one) => correlation(one, patch) <= same);
    this.positives.splice(0, Infinity, ...kept);
  }

  /** The last positive comes first. */
  promote(): void {
    this.positives.unshift(this.positives.pop()!);
  }
}
