/**
 * Faces from one frame to the next, all of them at once: their points by the flow, there and back, then their landmarks.
 * On the GPU where the caller wants that; what it cannot do, or what it lost with its context, is done in WASM.
 */
import { trackPoints } from '../flow/track-points.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Side } from '../runtime/side.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { FaceTrack } from './face-track.ts';
import { tryGpu, tryLandmarks, type Followed, type FollowedFace } from './follow.gpu.ts';
import type { FollowedFrame } from './followed-frame.ts';
import { fitLandmarks } from './landmarks.ts';
import { FLOW, motionOf, type Motion } from './motion.ts';

/** The points of all faces, one after the other. */
export function joined(faces: readonly { readonly points: Float32Array }[]): Float32Array {
  const all = new Float32Array(faces.reduce((sum, { points }) => sum + points.length, 0));
  faces.reduce((at, { points }) => (all.set(points, at), at + points.length), 0);
  return all;
}

/** `previous` is the frame that the points are from. */
function* track(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  faces: readonly FollowedFace[],
  model: PackedLandmarks | null,
  sides: Set<Side>,
): Plan<Followed> {
  const points = joined(faces);
  const found = yield* tryGpu(scope, previous, next, faces, points, model);
  sides.add(found ? 'gpu' : 'wasm');
  if (found) return found;
  const [from, to] = [yield* previous.wasm(), yield* next.wasm()];
  return { tracked: yield* trackPoints(scope, from, to, points, FLOW), shapes: [] };
}

/** How points about a box moved from one frame to another; null when too few agree. */
export function* motionBetween(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  points: Float32Array,
  box: Box,
  sides: Set<Side>,
): Plan<Motion | null> {
  const { tracked } = yield* track(scope, previous, next, [{ points, box, shape: null }], null, sides);
  return motionOf(points, tracked, box);
}

/** Landmarks of boxes of the model's kind. */
export function* landmarksIn(
  scope: Scope,
  { plane }: FollowedFrame,
  boxes: readonly Box[],
  model: PackedLandmarks,
  sides: Set<Side>,
): Plan<Float32Array[]> {
  if (!boxes.length) return [];
  const found = yield* tryLandmarks(scope, plane, boxes, model);
  sides.add(found ? 'gpu' : 'wasm');
  return found ?? (yield* fitLandmarks(scope, plane, boxes, model));
}

/** The faces that are still there; `sides` is told where they were looked for. */
export function* followFaces(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  faces: readonly FaceTrack[],
  model: PackedLandmarks | null,
  sides: Set<Side>,
): Plan<FaceTrack[]> {
  if (!faces.length) return [];
  const { tracked, shapes } = yield* track(scope, previous, next, faces, model, sides);
  let first = 0;
  const moved: { face: FaceTrack; shape: Float32Array | null; wanted: Box | null }[] = [];
  faces.forEach((face, i) => {
    const { points } = face;
    const step = face.move(motionOf(points, tracked, face.box, first));
    first += points.length / 2;
    if (step) moved.push({ face, shape: (step.fit && shapes[i]) ?? null, wanted: step.fit });
  });
  // Those that the GPU did not fit already.
  const open = moved.filter(({ shape, wanted }) => wanted && !shape);
  const boxes = open.map(({ wanted }) => wanted!);
  const fitted = model ? yield* landmarksIn(scope, next, boxes, model, sides) : [];
  open.forEach((one, i) => (one.shape = fitted[i]!));
  return moved.filter(({ face, shape }) => face.settle(shape, next.plane)).map(({ face }) => face);
}
