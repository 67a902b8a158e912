/**
 * Follows faces from one frame to the next, all at once: their points by the flow, there and back, then their
 * landmarks. It runs on the GPU if the caller requests it. WASM does everything that the GPU cannot do or lost with its
 * context.
 */
import type { PointModel } from '../models/landmark-models.ts';
import { trackPoints } from '../flow/track-points.ts';
import type { Box } from '../results/types.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Backend } from '../runtime/runtime.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { FaceTrack } from './face-track.ts';
import { tryGpu, type Followed, type FollowedFace } from './follow.gpu.ts';
import type { FollowedFrame } from './search.ts';
import { fitPoints, treesOf, untoldFit, type FittedFace } from './point-model.ts';
import { FLOW, motionOf, type Motion } from './motion.ts';
import type { UprightBox } from './upright.ts';

/** The points of all faces, one after the other. */
export function joined(faces: readonly { readonly points: Float32Array }[]): Float32Array {
  const all = new Float32Array(faces.reduce((sum, { points }) => sum + points.length, 0));
  faces.reduce((at, { points }) => (all.set(points, at), at + points.length), 0);
  return all;
}

/** `previous` is the frame of the points. */
function* track(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  faces: readonly FollowedFace[],
  model: PointModel | null,
  backends: Set<Backend>,
): Plan<Followed> {
  const points = joined(faces);
  const found = scope.runtime.gpu && (yield* tryGpu(scope, previous, next, faces, points, treesOf(model)));
  backends.add(found ? 'gpu' : 'wasm');
  if (found) return found;
  const [from, to] = [yield* previous.wasm(), yield* next.wasm()];
  return { tracked: yield* trackPoints(scope, from, to, points, FLOW), shapes: [] };
}

/** Motion of the points around a box from one frame to another. Null if too few agree. */
export function* motionBetween(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  points: Float32Array,
  box: Box,
  backends: Set<Backend>,
): Plan<Motion | null> {
  const { tracked } = yield* track(scope, previous, next, [{ points, box, shape: null }], null, backends);
  return motionOf(points, tracked, box);
}

/** Returns the faces that are still visible. `backends` receives the backends that searched for them. */
export function* followFaces(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  faces: readonly FaceTrack[],
  model: PointModel | null,
  backends: Set<Backend>,
): Plan<FaceTrack[]> {
  if (!faces.length) return [];
  const { tracked, shapes } = yield* track(scope, previous, next, faces, model, backends);
  let first = 0;
  const moved: { face: FaceTrack; fit: FittedFace | null; wanted: UprightBox | null }[] = [];
  faces.forEach((face, i) => {
    const { points } = face;
    const step = face.move(motionOf(points, tracked, face.box, first));
    first += points.length / 2;
    const shape = step?.fit && shapes[i];
    if (step) moved.push({ face, fit: shape ? untoldFit(shape) : null, wanted: step.fit });
  });
  // Faces that the GPU has not fitted.
  const open = moved.filter(({ fit, wanted }) => wanted && !fit);
  const boxes = open.map(({ wanted }) => wanted!);
  const fitted = model ? yield* fitPoints(scope, next.plane, boxes, model, backends) : [];
  open.forEach((one, i) => (one.fit = fitted[i]!));
  return moved.filter(({ face, fit }) => face.settle(fit, next.plane)).map(({ face }) => face);
}
