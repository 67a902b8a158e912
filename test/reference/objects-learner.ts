/**
 * The ferns and the learner (Kalal, Mikolajczyk, Matas 2012, sections 4 and 5), by windows, codes and counts in plain
 * arrays. Codes are in single precision as the kernels have them, so that no comparison falls the other way.
 */
import type { Random } from '../../src/objects/model.ts';
import type { Box, GrayImage } from '../../src/results/types.ts';
import { overlap, type GridWindow } from './objects-boxes.ts';
import { boxPatch, boxVariance, PatchLists } from './objects-model-patches.ts';

const FERNS = 10;
const COMPARISONS = 13;
const CODES = 8192;
const f = Math.fround;

/** Codes of a window of the blurred image. `table`: x1, y1, x2, y2 of the comparisons as shares of the sides. */
export function fernCodes(blurred: GrayImage, { x, y, width, height }: Box, table: ArrayLike<number>): number[] {
  const at = (p: number) =>
    blurred.data[(y + Math.floor(table[p + 1]! * height)) * blurred.width + x + Math.floor(table[p]! * width)]!;
  return Array.from({ length: FERNS }, (_, fern) => {
    let code = 0;
    for (let c = 0; c < COMPARISONS; c++) {
      const p = 4 * (fern * COMPARISONS + c);
      code = 2 * code + Number(at(p) > at(p + 2));
    }
    return code;
  });
}

export interface Warp {
  a: number;
  b: number;
  tx: number;
  ty: number;
}

/** Gray value between pixels. */
function sample({ width, height, data }: GrayImage, x: number, y: number): number {
  const ix = Math.min(Math.trunc(x), width - 2);
  const iy = Math.min(Math.trunc(y), height - 2);
  const row = (k: number) => {
    const left = data[(iy + k) * width + ix]!;
    return f(left + f(f(x - ix) * (data[(iy + k) * width + ix + 1]! - left)));
  };
  const upper = row(0);
  return f(upper + f(f(y - iy) * f(row(1) - upper)));
}

/** Codes of a warped, noisy copy of a window; `noise` draws 32 bits. */
export function warpedCodes(
  blurred: GrayImage,
  window: Box,
  { a, b, tx, ty }: Warp,
  table: ArrayLike<number>,
  level: number,
  noise: () => number,
): number[] {
  const halfWidth = f(f(window.width - 1) * 0.5);
  const halfHeight = f(f(window.height - 1) * 0.5);
  const cx = f(f(window.x + halfWidth) + f(tx * window.width));
  const cy = f(f(window.y + halfHeight) + f(ty * window.height));
  const value = (p: number) => {
    const px = f(Math.floor(f(f(table[p]!) * window.width)) - halfWidth);
    const py = f(Math.floor(f(f(table[p + 1]!) * window.height)) - halfHeight);
    const x = Math.max(0, Math.min(blurred.width - 1, f(f(cx + f(a * px)) - f(b * py))));
    const y = Math.max(0, Math.min(blurred.height - 1, f(f(cy + f(b * px)) + f(a * py))));
    return sample(blurred, x, y);
  };
  return Array.from({ length: FERNS }, (_, fern) => {
    let code = 0;
    for (let c = 0; c < COMPARISONS; c++) {
      const p = 4 * (fern * COMPARISONS + c);
      const difference = f(value(p) - value(p + 2));
      const bits = noise();
      const four = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
      code = 2 * code + Number(f(difference + f(f(level * (four - 510)) * f(0.009568))) > 0);
    }
    return code;
  });
}

/** How often each code was an example of the target and how often not. */
export class FernCounts {
  readonly positives = new Uint16Array(FERNS * CODES);
  readonly negatives = new Uint16Array(FERNS * CODES);

  vote(codes: readonly number[]): number {
    return codes.reduce((sum, code, fern) => {
      const i = fern * CODES + code;
      const [p, n] = [this.positives[i]!, this.negatives[i]!];
      return sum + (p ? f(p / (p + n)) : 0);
    }, 0);
  }

  /** Both counts of a code are halved when one is full. */
  learn(codes: readonly number[], positive: boolean): void {
    codes.forEach((code, fern) => {
      const i = fern * CODES + code;
      const counts = positive ? this.positives : this.negatives;
      counts[i]!++;
      if (counts[i]! < 4096) return;
      this.positives[i]! >>= 1;
      this.negatives[i]! >>= 1;
    });
  }
}

export interface Scene {
  gray: GrayImage;
  blurred: GrayImage;
}

export interface LearnerValues {
  negativeOverlap: number;
  sameThreshold: number;
  noise: number;
  warps: number;
  firstWarps: number;
  positives: number;
  negatives: number;
}

export class ReferenceLearner {
  readonly ferns = new FernCounts();
  readonly patches: PatchLists;
  leastVariance = 0;
  fernThreshold: number;
  nearestThreshold: number;
  validThreshold: number;
  readonly #random: Random;
  readonly #table: ArrayLike<number>;
  readonly #values: LearnerValues;

  constructor(
    random: Random,
    table: ArrayLike<number>,
    values: LearnerValues & { fernThreshold: number; nearestThreshold: number; validThreshold: number },
  ) {
    this.#random = random;
    this.#table = table;
    this.#values = values;
    this.patches = new PatchLists(values, random);
    this.fernThreshold = values.fernThreshold;
    this.nearestThreshold = values.nearestThreshold;
    this.validThreshold = values.validThreshold;
  }

  #isFar(window: Box, box: Box): boolean {
    return overlap(window, box) < this.#values.negativeOverlap;
  }

  #positives({ blurred }: Scene, near: readonly Box[], warps: number, degrees: number): void {
    if (!near.length) return;
    const learn = (codes: readonly number[]) => {
      if (this.ferns.vote(codes) <= FERNS * this.fernThreshold) this.ferns.learn(codes, true);
    };
    for (const window of near) learn(fernCodes(blurred, window, this.#table));
    if (!warps) return;
    const within = (range: number) => (2 * this.#random.uniform() - 1) * range;
    const list = Array.from({ length: warps }, () => {
      const angle = (within(degrees) * Math.PI) / 180;
      const scale = 1 + within(0.01);
      const [a, b] = [f(scale * Math.cos(angle)), f(scale * Math.sin(angle))];
      return { a, b, tx: f(within(0.01)), ty: f(within(0.01)) };
    });
    let state = this.#random.bits() | 1;
    const noise = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    };
    for (const warp of list)
      for (const window of near) learn(warpedCodes(blurred, window, warp, this.#table, this.#values.noise, noise));
  }

  #negative({ blurred }: Scene, window: Box, least: number): void {
    const codes = fernCodes(blurred, window, this.#table);
    if (this.ferns.vote(codes) >= least) this.ferns.learn(codes, false);
  }

  first(scene: Scene, box: Box, near: readonly Box[]): void {
    this.leastVariance = boxVariance(scene.gray, box) / 2;
    this.#positives(scene, near, this.#values.firstWarps, 10);
    this.patches.add(boxPatch(scene.gray, box), 'positives');
  }

  readonly #drawn = new Map<number, boolean>();

  #teaches({ number }: GridWindow): boolean {
    if (!this.#drawn.has(number)) this.#drawn.set(number, this.#random.uniform() < 0.5);
    return this.#drawn.get(number)!;
  }

  /** One half of the windows far from the box teaches; returns how many. */
  far(scene: Scene, box: Box, candidates: readonly GridWindow[]): number {
    const teachers = candidates.filter((window) => this.#isFar(window, box) && this.#teaches(window));
    for (const window of teachers) this.#negative(scene, window, FERNS * this.fernThreshold);
    return teachers.length;
  }

  /** The other half: none of them may pass. */
  raise(box: Box, candidates: readonly (GridWindow & { vote: number })[]): void {
    const kept = candidates.filter((window) => this.#isFar(window, box) && !this.#teaches(window));
    this.fernThreshold = Math.max(this.fernThreshold, ...kept.map(({ vote }) => vote / FERNS));
  }

  background(
    { gray }: Scene,
    box: Box,
    scales: readonly { lefts: Int32Array; tops: Int32Array; width: number; height: number }[],
  ): void {
    const found: Box[] = [];
    for (let tries = 0; tries < 4000 && found.length < 200; tries++) {
      const { lefts, tops, width, height } = scales[this.#random.below(scales.length)]!;
      const x = lefts[this.#random.below(lefts.length)]!;
      const window = { x, y: tops[this.#random.below(tops.length)]!, width, height };
      if (this.#isFar(window, box) && boxVariance(gray, window) > this.leastVariance) found.push(window);
    }
    found.forEach((window, i) => {
      const patch = boxPatch(gray, window);
      const { relative } = this.patches.compare(patch);
      if (i % 2) this.nearestThreshold = Math.max(this.nearestThreshold, Math.min(relative, 0.9));
      else if (relative > 0.5) this.patches.add(patch, 'negatives');
    });
    this.validThreshold = Math.max(this.validThreshold, this.nearestThreshold);
  }

  mayLearn({ gray }: Scene, box: Box): boolean {
    const { relative, nearestNegative } = this.patches.compare(boxPatch(gray, box));
    return (
      boxVariance(gray, box) >= this.leastVariance && relative >= 0.5 && nearestNegative <= this.#values.sameThreshold
    );
  }

  teach(scene: Scene, box: Box, near: readonly Box[], candidates: readonly Box[], detections: readonly Box[]): void {
    const patch = boxPatch(scene.gray, box);
    const { relative } = this.patches.compare(patch);
    this.#positives(scene, near, this.#values.warps, 5);
    for (const window of candidates) if (this.#isFar(window, box)) this.#negative(scene, window, FERNS * 0.5);
    if (relative <= this.nearestThreshold) this.patches.add(patch, 'positives');
    for (const detection of detections) {
      const other = boxPatch(scene.gray, detection);
      if (this.#isFar(detection, box) && this.patches.compare(other).relative > 0.5)
        this.patches.add(other, 'negatives');
    }
  }

  correct(scene: Scene, box: Box, near: readonly Box[], before: Box | null): void {
    this.leastVariance = Math.min(this.leastVariance, boxVariance(scene.gray, box) / 2);
    if (before && this.#isFar(before, box)) {
      const wrong = boxPatch(scene.gray, before);
      this.patches.forget(wrong, this.#values.sameThreshold);
      this.patches.add(wrong, 'negatives');
    }
    this.#positives(scene, near, this.#values.warps, 5);
    this.patches.add(boxPatch(scene.gray, box), 'positives');
    this.patches.promote();
  }
}
