/** Landmarks of boxes in one image. The model's numbers are loaded once per engine, in the arena or in textures. */
import { TRACES, type PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { KeptModels, boxesOf, flat, inPixels, untold } from './landmark-data.ts';
import { fitLandmarksGpu, modelFitsGpu } from './landmarks.gpu.ts';
import { fitSimilarity } from '../image/similarity.ts';

/** Converts a box of the detector to a box of the kind that the model was trained with. */
export function mapBox({ x, y, width, height }: Box, { box }: PackedLandmarks): Box {
  const [w, h] = [width * box.size, height * box.size];
  return { x: x + width * (0.5 + box.x) - w / 2, y: y + height * (0.5 + box.y) - h / 2, width: w, height: h };
}

/** Inverse of mapBox. */
export function unmapBox({ x, y, width, height }: Box, { box }: PackedLandmarks): Box {
  const [w, h] = [width / box.size, height / box.size];
  return { x: x + width / 2 - w * (0.5 + box.x), y: y + height / 2 - h * (0.5 + box.y), width: w, height: h };
}

/**
 * Returns the model's box for a shape. It is where the mean shape, scaled and moved but not rotated, fits best, so a
 * fit from this box has the smallest amount of work.
 */
export function boxOfShape(shape: ArrayLike<number>, model: PackedLandmarks): Box | null {
  const fit = fitSimilarity(model.mean, shape, { rotation: false });
  // The unit square spans one pixel less than the box, because its sides are the centers of the first and last pixels.
  return fit && fit.a > 0 ? { x: fit.x, y: fit.y, width: fit.a + 1, height: fit.a + 1 } : null;
}

/** Minimum size in bytes of a model to cache. Smaller ones are copied each time. */
const LARGE = 1 << 16;

/** Addresses of models in the arena. */
const loaded = new KeptModels<number>(
  ({ arena }, { payload }) => {
    const address = arena.allocate(payload.length);
    arena.u8.set(payload, address);
    return address;
  },
  ({ arena }, address) => arena.free(address),
);

/** Address of the model in the arena. It is valid at least as long as the scope. */
const addressOf = (scope: Scope, model: PackedLandmarks): number =>
  model.payload.length < LARGE ? scope.table(model.payload).address : loaded.of(scope, model);

export interface FitOptions {
  /**
   * Number of cascades to run, once. By default all of them run, and for models with a patch some run before to find
   * the pose.
   */
  cascades?: number;
  /** Whether to return the inputs of the confidence as `numbers`. */
  numbers?: boolean;
  /** Whether to retry a face with a low confidence from other boxes. */
  again?: boolean;
}

/** Result for one box. */
export interface Fit {
  /** x and y of each point, in pixels of the image. */
  readonly shape: Float32Array;
  /** 0..1: probability that the points are accurate. NaN for models that do not report it. */
  readonly confidence: number;
  /** Feature pixels of the last cascade, and traces of the fit. */
  readonly numbers: Float32Array;
}

/** Share of the cascades that find the pose of a face. More of them do not improve it (renders, helen and afw). */
const FIRST_ROUND = 1 / 3;
/** Number of bytes per row in addition to its points. */
const ROOM = 32;

/** Confidence at which one fit is enough. Of 600 unseen rendered faces, 85 % reach it. */
const ENOUGH = 0.8;
/** Other start boxes of a face: offset from the center of its box, and side, in sides of the box. */
const OTHERS = [
  [0.12, 0, 1],
  [-0.12, 0, 1],
  [0, 0.1, 1],
  [0, -0.1, 1],
  [0, 0, 0.85],
  [0, 0, 1.18],
] as const;

const othersOf = ({ x, y, width, height }: Box): Box[] =>
  OTHERS.map(([dx, dy, side]) => {
    const [w, h] = [width * side, height * side];
    return { x: x + width * (0.5 + dx) - w / 2, y: y + height * (0.5 + dy) - h / 2, width: w, height: h };
  });

/**
 * Landmarks of boxes of the model's kind. With `again`, faces with a low confidence are also fitted from six other
 * boxes. The fit with the highest confidence of all seven is returned (`npm run bench -- landmarks faces` prints the
 * effect).
 */
export function* fitFaces(
  scope: Scope,
  source: Plane,
  boxes: readonly Box[],
  model: PackedLandmarks,
  options: FitOptions = {},
): Plan<Fit[]> {
  const fits = yield* fitOnce(scope, source, boxes, model, options);
  if (!options.again || !model.judged) return fits;
  const doubtful = fits.flatMap(({ confidence }, i) => (confidence < ENOUGH ? [i] : []));
  const others = doubtful.flatMap((i) => othersOf(boxes[i]!));
  const found = yield* fitOnce(scope, source, others, model, options);
  found.forEach((fit, k) => {
    const i = doubtful[Math.floor(k / OTHERS.length)]!;
    if (fit.confidence > fits[i]!.confidence) fits[i] = fit;
  });
  return fits;
}

/** A model with a patch first finds the position and rotation of the face, and cuts out the patch from that. */
function* fitOnce(
  scope: Scope,
  source: Plane,
  boxes: readonly Box[],
  model: PackedLandmarks,
  { cascades, numbers = false }: FitOptions = {},
): Plan<Fit[]> {
  if (!boxes.length) return [];
  const limit = cascades ?? model.cascades;
  const first = model.patched && cascades === undefined ? Math.ceil(FIRST_ROUND * limit) : 0;
  const values = 2 * model.points;
  const told = numbers ? model.pixels + TRACES : 0;
  return yield* scope.part(function* (inner) {
    const stride = (4 * (values + told) + ROOM + 15) & ~15;
    const places = Float64Array.from(boxes.flatMap(({ x, y, width, height }) => [x, y, width - 1, height - 1]));
    const { address } = inner.block(stride * boxes.length);
    yield* inner.kernels.fitLandmarks(
      {
        ...{ source, width: source.width, height: source.height, model: addressOf(inner, model) },
        ...{ boxes: inner.table(places), shapes: { address, stride }, first, limit },
      },
      { rows: boxes.length, minimumBand: 1, cost: (first + limit) * model.trees },
    );
    const { f32 } = inner.arena;
    return boxes.map((box, i) => {
      const row = f32.subarray((address + i * stride) >> 2);
      const after = values + (ROOM >> 2);
      return {
        shape: inPixels(row, box, model),
        confidence: model.judged ? 1 / (1 + Math.exp(-row[values]!)) : NaN,
        numbers: row.slice(after, after + told),
      };
    });
  });
}

/** Returns only the points, x and y of each, one array per box. */
export function* fitLandmarks(
  scope: Scope,
  source: Plane,
  boxes: readonly Box[],
  model: PackedLandmarks,
  options: FitOptions = {},
): Plan<Float32Array[]> {
  return (yield* fitFaces(scope, source, boxes, model, options)).map(({ shape }) => shape);
}

declare module '../runtime/kinds.ts' {
  interface Kinds {
    landmarks: PackedLandmarks;
  }
}

/**
 * Inputs: an image, the model, boxes of its kind (x, y, width, height of each). Outputs: the points of one box after
 * the other, and for each box the probability that they are accurate.
 */
export const landmarksOfBoxes = defineStage({
  name: 'faces/landmarks',
  params: {},
  inputs: ['u8', 'landmarks', 'f64[]'],
  outputs: ['f32[]', 'f64[]'],
  tolerance: 0.01,
  fits: (gpu, [{ width, height }, model, boxes]) => gpu.fits(width, height) && modelFitsGpu(gpu, model, boxes),
  // Each cascade starts from the result of the previous one, so passes wait for each other. WASM needs a millisecond
  // per face.
  pays: () => false,
  *gpu(scope, [source, model, list]) {
    return [flat(yield* fitLandmarksGpu(scope, source, boxesOf(list), model)), untold(list.length / 4)];
  },
  *wasm(scope, [source, model, list]) {
    const fits = yield* fitFaces(scope, source, boxesOf(list), model, { again: true });
    const confidences = untold(fits.length);
    fits.forEach(({ confidence }, i) => (confidences[i] = confidence));
    return [flat(fits.map(({ shape }) => shape)), confidences];
  },
});
