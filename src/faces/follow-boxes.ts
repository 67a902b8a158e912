/** Following as a stage: the work of the face tracker in a frame for known faces, from boxes to landmarks. */
import { GpuFlowPyramid } from '../flow/pyramid.gpu.ts';
import { FlowPyramid } from '../flow/pyramid.ts';
import { pointsFit } from '../flow/track-points.gpu.ts';
import { sameSize, trackPoints } from '../flow/track-points.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';
import { defineStage } from '../runtime/stage.ts';
import { joined } from './follow.ts';
import { followOnGpu, type Followed, type FollowedFace } from './follow.gpu.ts';
import { boxesOf, inPixels } from './landmark-data.ts';
import { fitLandmarksGpu, modelFitsGpu } from './landmarks.gpu.ts';
import { boxOfShape, fitLandmarks, unmapBox } from './landmarks.ts';
import { FLOW, gridOf, motionOf, moveShape } from './motion.ts';

/** Number of points to follow per box. */
const POINTS = 36;

/** Faces with the mean shape as landmarks. */
const facesOf = (list: Float64Array, model: PackedLandmarks): (FollowedFace & { readonly shape: Float32Array })[] =>
  boxesOf(list).map((ownBox) => {
    const box = unmapBox(ownBox, model);
    return { points: gridOf(box), box, shape: inPixels(model.mean, ownBox, model) };
  });

/** Returns the boxes in the next frame. Null if too few points agree. */
function moved(
  faces: ReturnType<typeof facesOf>,
  { tracked }: Pick<Followed, 'tracked'>,
  model: PackedLandmarks,
): (Box | null)[] {
  let first = 0;
  return faces.map(({ points, box, shape }) => {
    const motion = motionOf(points, tracked, box, first);
    first += points.length / 2;
    return motion && boxOfShape(moveShape(shape, motion.fit), model);
  });
}

/** Points of all faces, 0 for lost faces, and whether each face was followed. */
function listsOf(shapes: readonly (Float32Array | null)[], { points }: PackedLandmarks): [Float32Array, Uint8Array] {
  const list = new Float32Array(2 * points * shapes.length);
  shapes.forEach((shape, i) => shape && list.set(shape, 2 * points * i));
  return [list, Uint8Array.from(shapes, (shape) => Number(shape !== null))];
}

/**
 * Inputs: two frames, the model, square boxes of its kind in the first frame. Output: landmarks in the second frame,
 * and whether each face has them.
 */
export const followedBoxes = defineStage({
  name: 'faces/follow',
  params: {},
  inputs: ['u8', 'u8', 'landmarks', 'f64[]'],
  outputs: ['f32[]', 'u8[]'],
  tolerance: 0.01,
  fits: (gpu, [{ width, height }, , model, list]) =>
    gpu.fits(width, height) && pointsFit(gpu, POINTS * list.length) && modelFitsGpu(gpu, model, list),
  // Neither of its parts, the flow of a few points and the landmarks, is faster on the GPU.
  pays: () => false,
  *gpu(scope, [from, to, model, list]) {
    sameSize(from, to);
    const faces = facesOf(list, model);
    if (!faces.length) return listsOf([], model);
    const [previous, next] = [from, to].map((frame) => scope.own(new GpuFlowPyramid(scope, frame, FLOW)));
    const found = yield* followOnGpu(scope, previous!, next!, faces, joined(faces), model);
    const shapes: (Float32Array | null)[] = [];
    for (const [i, box] of moved(faces, found, model).entries())
      shapes.push(box && (found.shapes[i] ?? (yield* fitLandmarksGpu(scope, to, [box], model))[0]!));
    return listsOf(shapes, model);
  },
  *wasm(scope, [from, to, model, list]) {
    sameSize(from, to);
    const faces = facesOf(list, model);
    const previous = scope.own(yield* FlowPyramid.build(scope, from, FLOW));
    const next = scope.own(yield* FlowPyramid.build(scope, to, FLOW));
    const tracked = yield* trackPoints(scope, previous, next, joined(faces), FLOW);
    const boxes = moved(faces, { tracked }, model);
    const there = boxes.filter((box) => box !== null);
    const fitted = yield* fitLandmarks(scope, to, there, model);
    const shapes = boxes.map((box) => box && fitted[there.indexOf(box)]!);
    return listsOf(shapes, model);
  },
});
