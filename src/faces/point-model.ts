/**
 * What puts the points on the faces of a tracker: regression trees or a network. Each has a kind of box that it fits a
 * face in, found from a box of the detector or from the points of the previous frame.
 */
import type { PointModel } from '../models/landmark-models.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Network } from '../models/network.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Backend } from '../runtime/runtime.ts';
import type { Scope } from '../runtime/scope.ts';
import { unlessLost, type Plan } from '../runtime/wasm/kernel-step.ts';
import { fitLandmarksGpu } from './landmarks.gpu.ts';
import { boxOfShape, fitFaces, landmarksOfBoxes, mapBox, unmapBox, type Fit } from './landmarks.ts';
import { boxOfPoints, networkLandmarks } from './network-landmarks.ts';
import type { UprightBox } from './upright.ts';

/** The points of a face, and the probability that they are accurate. NaN if the model does not report it. */
export type FittedFace = Pick<Fit, 'shape' | 'confidence'>;

export const isNetwork = (model: PointModel): model is Network => 'layers' in model;

/** Side of a detector's box, in sides of the square that the network fits in (lab/landmarks/shapes.mjs). */
const LARGER = 1.08;

/** Trees, which also have passes that follow faces on the GPU. */
export const treesOf = (model: PointModel | null): PackedLandmarks | null =>
  model && !isNetwork(model) ? model : null;

/** Where to fit a face in a box of the detector. */
export const boxToFit = (box: UprightBox, model: PointModel): UprightBox =>
  isNetwork(model) ? box : mapBox(box, model);

/** Where to fit a face that is expected at these points. Null if they are not a face. */
export const boxExpected = (shape: ArrayLike<number>, model: PointModel): UprightBox | null =>
  isNetwork(model) ? boxOfPoints(shape) : boxOfShape(shape, model);

/** The detector's kind of box around points, with their turn if the model tells it. Null if they are not a face. */
export function boxAround(shape: ArrayLike<number>, model: PointModel): UprightBox | null {
  const box = boxExpected(shape, model);
  if (!box || !isNetwork(model)) return box && unmapBox(box, model as PackedLandmarks);
  const { x, y, width, height } = box;
  const [w, h] = [width * LARGER, height * LARGER];
  return { ...box, x: x + (width - w) / 2, y: y + (height - h) / 2, width: w, height: h };
}

/** Landmarks by trees on the GPU, if requested and possible. Otherwise returns null. */
function* tryGpu(
  scope: Scope,
  plane: Plane,
  boxes: readonly Box[],
  model: PackedLandmarks,
): Plan<Float32Array[] | null> {
  const list = Float64Array.from(boxes.flatMap(({ x, y, width, height }) => [x, y, width, height]));
  if (scope.backendOf(landmarksOfBoxes, [plane, model, list]) === 'wasm' || scope.gpu.lost) return null;
  return yield* unlessLost(fitLandmarksGpu(scope, plane, boxes, model));
}

/**
 * Points of the faces in boxes of the model's kind. With `found`, the boxes are of a search: the network fits them twice,
 * and trees retry those with a low confidence from other boxes.
 */
export function* fitPoints(
  scope: Scope,
  plane: Plane,
  boxes: readonly UprightBox[],
  model: PointModel,
  backends: Set<Backend>,
  found = false,
): Plan<FittedFace[]> {
  if (!boxes.length) return [];
  if (isNetwork(model)) {
    const fits = yield* networkLandmarks(scope, plane, boxes, model, { rounds: found ? 2 : 1, backends });
    return fits.map(({ landmarks, confidence }) => ({ shape: landmarks as Float32Array, confidence }));
  }
  const shapes = scope.runtime.gpu && (yield* tryGpu(scope, plane, boxes, model));
  backends.add(shapes ? 'gpu' : 'wasm');
  return shapes?.map(untoldFit) ?? (yield* fitFaces(scope, plane, boxes, model, { again: found }));
}

/** Trees that the GPU fits have no confidence. */
export const untoldFit = (shape: Float32Array): FittedFace => ({ shape, confidence: NaN });

/** Checks the boxes from the caller. Throws 'invalid-argument'. */
export function checkBoxes(where: string, boxes: unknown): UprightBox[] {
  if (!Array.isArray(boxes)) throw new FoveolaError('invalid-argument', `${where}: boxes must be an array.`);
  if (boxes.length > 1000)
    throw new FoveolaError('invalid-argument', `${where}: the maximum is 1000 boxes per call, not ${boxes.length}.`);
  return boxes.map((box: UprightBox | null, i) => {
    const { x, y, width, height, roll } = box ?? ({} as UprightBox);
    if (![x, y, width, height].every(Number.isFinite) || !(width > 1 && height > 1) || Math.abs(x) + Math.abs(y) > 1e6)
      throw new FoveolaError(
        'invalid-argument',
        `${where}: boxes[${i}] must be { x, y, width, height } in pixels, with sides above 1.`,
      );
    return { x, y, width, height, ...(Number.isFinite(roll) && { roll }) };
  });
}
