/**
 * The learner (Kalal, Mikolajczyk, Matas 2012, sections 4 and 5.6). At the start the model is made from warped copies of
 * the windows nearest to the box and from the windows far from it; later every trusted box teaches it.
 */
import type { Box } from '../results/types.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { overlap } from './boxes.ts';
import type { Candidate, Detection } from './detector.ts';
import { FERNS } from './ferns.ts';
import type { SharedFrame } from './frame.ts';
import { PATCH_FLOATS, type Similarity } from './patch-model.ts';
import type { Target } from './target.ts';
import { closestWindows } from './windows.ts';

/** Windows that overlap the box this much are examples of the target, at most this many of them. */
const POSITIVE_OVERLAP = 0.6;
const NEAREST = 10;
/** Patches of the background that the first model is offered. */
const FIRST_NEGATIVES = 100;
/** A negative that looks this much like the target is worth keeping. */
const HARD_NEGATIVE = 0.5;
/** Below this relative similarity the appearance changed too fast to be trusted. */
const TOO_DIFFERENT = 0.5;
/** Changes of place and size of warped copies, shares of the side; their rotation in degrees. */
const WARP = { shift: 0.01, scale: 0.01, firstDegrees: 10, degrees: 5 };

export class Learner {
  readonly #side: WasmSide;
  readonly #target: Target;

  constructor(side: WasmSide, target: Target) {
    this.#side = side;
    this.#target = target;
  }

  /** How much the frame at `box` looks like the target. */
  similarity(frame: SharedFrame, box: Box): Similarity {
    return this.#withPatch(frame, box, (patch) => this.#target.patches.similarity(patch));
  }

  #withPatch<T>({ sums, width, height }: SharedFrame, box: Box, use: (patch: number) => T): T {
    const { arena } = this.#side;
    return this.#side.temporary(4 * PATCH_FLOATS + 16, (patch) => {
      const at = patch + 4 * PATCH_FLOATS;
      arena.f32.set([box.x, box.y, box.width, box.height], at >> 2);
      this.#side.once('patchesOfBoxes', [sums.address, sums.stride, width, height, at, 1, patch], 256);
      return use(patch);
    });
  }

  begin(frame: SharedFrame, box: Box): void {
    const target = this.#target;
    const { values, random, patches, ferns } = target;
    const detector = target.detector(frame);
    target.leastVariance = this.variance(frame, box) / 2;
    this.#learnPositives(frame, box, values.firstWarps, WARP.firstDegrees);
    this.#withPatch(frame, box, (patch) => patches.add(patch, true, random));

    // The windows far from the box: one half teaches, the other half sets the thresholds.
    detector.variance(frame, target.leastVariance);
    const isFar = (window: Box) => overlap(window, box) < values.negativeOverlap;
    const teaches = new Map<number, boolean>();
    const half = (window: { number: number }) => {
      let taught = teaches.get(window.number);
      if (taught === undefined) teaches.set(window.number, (taught = random.uniform() < 0.5));
      return taught;
    };
    const least = FERNS * target.fernThreshold;
    for (let round = 0; round < 2; round++) {
      const far = detector.votes(frame, ferns, least).filter((window) => isFar(window) && half(window));
      if (!far.length) break;
      this.#learnNegatives(frame, far, least);
    }
    const kept = detector.votes(frame, ferns, least).filter((window) => isFar(window) && !half(window));
    if (kept.length) target.fernThreshold = Math.max(target.fernThreshold, kept[0]!.vote / FERNS);

    const windows = this.#anyWindows(frame, FIRST_NEGATIVES * 2, isFar);
    windows.forEach((window, i) =>
      this.#withPatch(frame, window, (patch) => {
        const { relative } = patches.similarity(patch);
        if (i & 1) target.nearestThreshold = Math.max(target.nearestThreshold, Math.min(relative, 0.9));
        else if (relative > HARD_NEGATIVE) patches.add(patch, false, random);
      }),
    );
    target.validThreshold = Math.max(target.validThreshold, target.nearestThreshold);
  }

  /** Windows of the grid, drawn at random among those that vary enough. */
  #anyWindows(frame: SharedFrame, most: number, wanted: (window: Box) => boolean): Box[] {
    const target = this.#target;
    const { scales } = target.detector(frame).windows.grid;
    const found: Box[] = [];
    for (let tries = 0; scales.length && tries < 20 * most && found.length < most; tries++) {
      const { lefts, tops, width, height } = scales[target.random.below(scales.length)]!;
      const x = lefts[target.random.below(lefts.length)]!;
      const window = { x, y: tops[target.random.below(tops.length)]!, width, height };
      if (wanted(window) && this.variance(frame, window) > target.leastVariance) found.push(window);
    }
    return found;
  }

  /** Variance of the gray values of a box, to whole pixels, inside the frame. */
  variance(frame: SharedFrame, box: Box): number {
    const { width, height } = frame;
    const x = Math.min(width - 1, Math.max(0, Math.round(box.x)));
    const y = Math.min(height - 1, Math.max(0, Math.round(box.y)));
    const w = Math.max(1, Math.min(width - x, Math.round(box.width)));
    const h = Math.max(1, Math.min(height - y, Math.round(box.height)));
    return frame.variance(x, y, w, h);
  }

  #learnPositives(frame: SharedFrame, box: Box, warps: number, degrees: number): void {
    const target = this.#target;
    const windows = closestWindows(target.detector(frame).windows.grid, box, POSITIVE_OVERLAP, NEAREST);
    if (!windows.length) return;
    const most = FERNS * target.fernThreshold;
    for (const window of windows) {
      const codes = target.detector(frame).codes(frame, window, [window]);
      if (target.ferns.vote(codes) <= most) target.ferns.learn(codes, 0, true);
    }
    if (!warps) return;
    const codes = this.#warpedCodes(frame, windows, warps, degrees);
    for (let at = 0; at < codes.length; at += FERNS)
      if (target.ferns.vote(codes, at) <= most) target.ferns.learn(codes, at, true);
  }

  #warpedCodes(frame: SharedFrame, windows: readonly Box[], warps: number, degrees: number): Uint16Array {
    const { table, random, values } = this.#target;
    const { arena, kernels } = this.#side;
    const { address, stride } = frame.blurredAround(windows);
    const within = (range: number) => (2 * random.uniform() - 1) * range;
    const matrices = Array.from({ length: warps }, () => {
      const angle = (within(degrees) * Math.PI) / 180;
      const scale = 1 + within(WARP.scale);
      return [scale * Math.cos(angle), scale * Math.sin(angle), within(WARP.shift), within(WARP.shift)];
    }).flat();
    const boxes = windows.flatMap(({ x, y, width, height }) => [x, y, width, height]);
    const count = warps * windows.length * FERNS;
    const floats = boxes.length + matrices.length + table.length;
    return this.#side.temporary(4 * floats + 2 * count, (block) => {
      const at = block >> 2;
      arena.f32.set(boxes, at);
      arena.f32.set(matrices, at + boxes.length);
      arena.f32.set(table, at + boxes.length + matrices.length);
      const warpsAt = block + 4 * boxes.length;
      const tableAt = warpsAt + 4 * matrices.length;
      const out = tableAt + 4 * table.length;
      const { width, height } = frame;
      kernels.call(
        'fernWarped',
        ...[address, stride, width, height, block, windows.length, warpsAt, warps, tableAt],
        ...[values.noise, random.bits() | 0, out],
      );
      return new Uint16Array(arena.u8.slice(out, out + 2 * count).buffer);
    });
  }

  #learnNegatives(frame: SharedFrame, windows: readonly Candidate[], least: number): void {
    const { ferns } = this.#target;
    const detector = this.#target.detector(frame);
    for (const window of windows) {
      const codes = detector.codesOf(frame, window);
      if (ferns.vote(codes) >= least) ferns.learn(codes, 0, false);
    }
  }

  /** Teaches with a trusted box; not when its appearance changed too fast, is flat, or is known not to be the target. */
  learn(frame: SharedFrame, box: Box, candidates: readonly Candidate[], detections: readonly Detection[]): boolean {
    const target = this.#target;
    const { values } = target;
    if (this.variance(frame, box) < target.leastVariance) return false;
    const now = this.similarity(frame, box);
    if (now.relative < TOO_DIFFERENT || now.nearestNegative > values.sameThreshold) return false;
    this.teach(frame, box, candidates, detections, now);
    return true;
  }

  /** Teaches with a box that is trusted for other reasons. */
  teach(
    frame: SharedFrame,
    box: Box,
    candidates: readonly Candidate[],
    detections: readonly Detection[],
    now = this.similarity(frame, box),
  ): void {
    const target = this.#target;
    const { values, patches, random } = target;
    const isFar = (window: Box) => overlap(window, box) < values.negativeOverlap;
    this.#learnPositives(frame, box, values.warps, WARP.degrees);
    this.#learnNegatives(frame, candidates.filter(isFar), FERNS * 0.5);
    if (now.relative <= target.nearestThreshold)
      this.#withPatch(frame, box, (patch) => patches.add(patch, true, random));
    for (const detection of detections)
      if (isFar(detection) && patches.similarity(detection.patch).relative > HARD_NEGATIVE)
        patches.add(detection.patch, false, random);
  }

  /** A box that is the target by the user's word; where it was believed before, if far from it, it is not. */
  correct(frame: SharedFrame, box: Box, before: Box | null): void {
    const target = this.#target;
    const { patches, random, values } = target;
    target.leastVariance = Math.min(target.leastVariance, this.variance(frame, box) / 2);
    if (before && overlap(before, box) < values.negativeOverlap)
      this.#withPatch(frame, before, (patch) => {
        patches.forget(patch, values.sameThreshold);
        patches.add(patch, false, random);
      });
    this.#learnPositives(frame, box, values.warps, WARP.degrees);
    this.#withPatch(frame, box, (patch) => patches.add(patch, true, random));
    patches.promote();
  }
}
