/** Faces followed on the GPU. */
import { emptyResult, type TrackedPoints } from '../flow/track-points.ts';
import { trackPointsGpu } from '../flow/track-points.gpu.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { FaceTrack } from './face-track.ts';
import type { FollowedFrame } from './followed-frame.ts';
import { FLOW } from './motion.ts';

export interface FollowedShape {
  readonly shape: Float32Array;
}

export function* followOnGpu(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  lists: readonly Float32Array[],
  _faces: readonly FaceTrack[],
  _model: PackedLandmarks | null,
): Plan<{ tracked: TrackedPoints; shapes: readonly (FollowedShape | null)[] }> {
  const all = new Float32Array(lists.reduce((sum, { length }) => sum + length, 0));
  lists.reduce((at, list) => (all.set(list, at), at + list.length), 0);
  const tracked = emptyResult(all.length / 2, FLOW);
  yield* trackPointsGpu(scope, previous.gpu(), next.gpu(), all, undefined, FLOW, tracked);
  return { tracked, shapes: [] };
}
