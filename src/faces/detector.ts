/** Detection on images of one size: reduction, search, grouping, and conversion back to pixels of the source. */
import type { Cascade } from '../models/cascade.ts';
import type { FaceJudge } from '../models/face-judge.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { boolean } from '../runtime/parameters.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { searchCascade, stepsOf, windowsOf, planScales, type ScaleOptions } from './cascade-search.ts';
import { cascadeFits, searchCascadeGpu } from './cascade.gpu.ts';
import { judgeGroups } from './confirmation.ts';
import { groupAll, groupWindows, listOfFaces, type FaceBox } from './grouping.ts';
import { judgeByGradients, shortenCascade } from './judge.ts';
import { detectionParameters, type DetectionValues } from './parameters.ts';
import { reduceOnGpu, reduceTo } from './resize.ts';

const { scaling, scaleFactor, step, minSize, maxSize } = detectionParameters;

/** The cascades of a stage: none or one. */
declare module '../runtime/kinds.ts' {
  interface Kinds {
    'cascade[]': readonly Cascade[];
  }
}

/** The image size of a search. */
export interface SearchPlan {
  /** Longest side of the searched image. 0 if the source itself is searched. */
  readonly longest: number;
  /** Size of the searched image. */
  readonly width: number;
  readonly height: number;
  readonly options: ScaleOptions;
}

export function planSearch(width: number, height: number, values: DetectionValues): SearchPlan {
  const { maxSide, minSize, maxSize } = values;
  const longest = Math.max(width, height);
  const scale = maxSide && longest > maxSide ? maxSide / longest : 1;
  return {
    longest: scale < 1 ? maxSide : 0,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    options: {
      ...values,
      minSize: Math.round(minSize * scale),
      maxSize: maxSize && Math.max(1, Math.round(maxSize * scale)),
    },
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Converts boxes of a searched image to pixels of the source, clipped to it. */
export function placeBoxes(boxes: readonly FaceBox[], source: Size, searched: Size): FaceBox[] {
  const [fx, fy] = [source.width / searched.width, source.height / searched.height];
  return boxes.map(({ x, y, width, height, ...rest }) => {
    const left = Math.max(0, x * fx);
    const top = Math.max(0, y * fy);
    const right = Math.min(source.width, (x + width) * fx);
    const bottom = Math.min(source.height, (y + height) * fy);
    return { x: left, y: top, width: right - left, height: bottom - top, ...rest };
  });
}

/** Amount of work in WASM: windows, and steps (scope.turn), without the work on results. */
export function searchWork(cascade: Cascade, { width, height }: Size, values: DetectionValues) {
  const searched = planSearch(width, height, values);
  const scales = planScales(cascade, searched.width, searched.height, searched.options);
  return { windows: windowsOf(scales), steps: stepsOf(scales) };
}

/** Tilted rectangles would need a second, rotated integral image. The thesis leaves them out as well. */
export function checkTilted({ stages }: Cascade): void {
  if (stages.some(({ trees }) => trees.some((nodes) => nodes.some(({ tilted }) => tilted))))
    throw new FoveolaError(
      'model-format',
      'The cascade has tilted features, which are not supported. Use another cascade.',
    );
}

/** Returns the cascade for the search. It ends early if a face verifier follows. */
const searching = (cascade: Cascade, second: Cascade | null, judge: FaceJudge | null): Cascade =>
  second && judge ? shortenCascade(cascade, judge.stages) : cascade;

/** Chooses the faces among the windows that were found. */
function* decide(
  scope: Scope,
  windows: Int32Array,
  image: () => Plan<Plane>,
  second: Cascade | null,
  judge: FaceJudge | null,
  values: DetectionValues,
): Plan<FaceBox[]> {
  const groups = yield* second && judge
    ? groupAll(scope, windows)
    : groupWindows(scope, windows, values.grouping, values.minNeighbors);
  if (!second || !groups.length) return groups;
  const picture = yield* image();
  if (judge) return yield* judgeByGradients(scope, judge, second, picture, groups, values);
  return yield* judgeGroups(scope, second, picture, groups, values);
}

/**
 * Finds faces in an image, which must exist until the end. It yields after steps of a few milliseconds. If a second
 * cascade is set, a score decides. If a face verifier is set, its score decides.
 */
export function* findFaces(
  scope: Scope,
  source: Plane,
  cascade: Cascade,
  second: Cascade | null,
  values: DetectionValues,
  judge: FaceJudge | null = null,
): Plan<FaceBox[]> {
  const searched = planSearch(source.width, source.height, values);
  const image = searched.longest ? yield* reduceTo(scope, source, searched.longest) : source;
  const { windows } = yield* searchCascade(scope, searching(cascade, second, judge), image, {
    ...searched.options,
    faint: second !== null,
  });
  const faces = yield* decide(scope, windows, function* () { return image; }, second, judge, values); // prettier-ignore
  return placeBoxes(faces, source, searched);
}

/** Like findFaces, with the search on the GPU. The image may be on either backend. */
function* findFacesGpu(
  scope: Scope,
  source: Plane,
  cascade: Cascade,
  second: Cascade | null,
  values: DetectionValues,
  judge: FaceJudge | null,
): Plan<FaceBox[]> {
  const plan = planSearch(source.width, source.height, values);
  const { longest, options } = plan;
  const searched = longest ? reduceOnGpu(scope, source, longest) : source;
  const hits = yield* searchCascadeGpu(scope, searching(cascade, second, judge), searched, {
    ...options,
    faint: second !== null,
  });
  if (hits) {
    // Results are verified in WASM.
    const image = function* (): Plan<Plane> {
      yield* scope.onArena(source);
      return longest ? yield* reduceTo(scope, source, longest) : source;
    };
    return placeBoxes(yield* decide(scope, hits.windows, image, second, judge, values), source, plan);
  }
  yield* scope.onArena(source);
  return yield* findFaces(scope, source, cascade, second, values, judge);
}

/**
 * Searches with fewer windows run in WASM if the engine chooses, because passes cost some milliseconds however little
 * work there is. With 200,000 windows, graphics hardware took less than half the time (lab/results/performance.md).
 */
const WORTH_PASSES = 100_000;

/**
 * Inputs: an image, the cascade, the second cascade or none, the face verifier or none. Output: faces in the format of
 * `facesOfList`.
 */
export const faceDetection = defineStage({
  name: 'faces/detect',
  params: {
    ...detectionParameters,
    tracked: boolean({ default: false, effect: 'Runs alongside other frames, on the GPU only on request.' }),
  },
  inputs: ['u8', 'cascade', 'cascade[]', 'judge[]'],
  outputs: ['f64[]'],
  tolerance: 1e-9,
  fits(gpu, [{ width, height }, cascade], values) {
    if (gpu.lost || !gpu.fits(width, height)) return false;
    const searched = planSearch(width, height, values);
    return cascadeFits(gpu, cascade, searched.width, searched.height, searched.options);
  },
  pays([{ width, height }, cascade], { tracked, ...values }) {
    return !tracked && searchWork(cascade, { width, height }, values).windows >= WORTH_PASSES;
  },
  *gpu(scope, [source, cascade, [second], [judge]], { tracked: _, ...values }) {
    for (const one of second ? [cascade, second] : [cascade]) checkTilted(one);
    return [listOfFaces(yield* findFacesGpu(scope, source, cascade, second ?? null, values, judge ?? null))];
  },
  *wasm(scope, [source, cascade, [second], [judge]], { tracked: _, ...values }) {
    for (const one of second ? [cascade, second] : [cascade]) checkTilted(one);
    return [listOfFaces(yield* findFaces(scope, source, cascade, second ?? null, values, judge ?? null))];
  },
});

/** The windows that a cascade accepts: x, y, width, height of each. */
export const cascadeWindows = defineStage({
  name: 'faces/cascade',
  params: {
    scaling,
    scaleFactor,
    step,
    minSize,
    maxSize,
    faint: boolean({ default: false, effect: 'Includes faint windows.' }),
  },
  inputs: ['u8', 'cascade'],
  outputs: ['i32[]'],
  tolerance: 0,
  fits: (gpu, [{ width, height }, cascade], options) => cascadeFits(gpu, cascade, width, height, options),
  *gpu(scope, [source, cascade], options) {
    const hits = yield* searchCascadeGpu(scope, cascade, source, options);
    if (hits) return [hits.windows];
    yield* scope.onArena(source);
    return [(yield* searchCascade(scope, cascade, source, options)).windows];
  },
  *wasm(scope, [source, cascade], options) {
    return [(yield* searchCascade(scope, cascade, source, options)).windows];
  },
});
