/**
 * Sparse pyramidal Lucas-Kanade (Bouguet 2000) with OpenCV's fixed point, borders and rules, over two pyramids. The
 * result does not depend on the number of threads.
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { resolveParameters, type Values } from '../runtime/parameters.ts';
import { PointTrackingRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { sparseParameters } from './parameters.ts';
import { FlowPyramid } from './pyramid.ts';
import { pointsFit, pointTracksGpu } from './track-points.gpu.ts';
import { check, emptyResult, listsOf, sameSize, type TrackedPoints } from './tracked-points.ts';

type SparseValues = Values<typeof sparseParameters>;

/** Number of template samples that take as long as one unit of work (see Rows.cost). */
const TEMPLATE = 7;

export { checkPoints, sameSize } from './tracked-points.ts';
export { type TrackedPoints };

export interface TrackPointsOptions extends Partial<Values<typeof sparseParameters>> {
  /** Start positions of the search in the next frame, x and y of each point. Default: the points themselves. */
  initial?: Float32Array;
}

/**
 * Follows points (x and y of each, in pixels) from one frame to another of the same size. It uses the levels that both
 * pyramids have. A point with a coordinate that is not finite gets status 0. Throws 'invalid-argument'.
 */
export function* trackPoints(
  scope: Scope,
  previous: FlowPyramid,
  next: FlowPyramid,
  points: Float32Array,
  { initial, ...given }: TrackPointsOptions = {},
): Plan<TrackedPoints> {
  const params = resolveParameters(sparseParameters, given, 'trackPoints');
  check('points', points);
  if (initial) check('initial', initial, points.length);
  sameSize(previous, next);
  const result = emptyResult(points.length >> 1, params);
  if (points.length) yield* scope.part((inner) => follow(inner, previous, next, points, initial, params, result));
  return result;
}

function* follow(
  scope: Scope,
  previous: FlowPyramid,
  next: FlowPyramid,
  points: Float32Array,
  initial: Float32Array | undefined,
  { window, iterations, epsilon, minEigenvalue, ...params }: SparseValues,
  result: TrackedPoints,
): Plan<void> {
  const count = points.length >> 1;
  const [from, found, back] = [scope.table(points), scope.block(8 * count), scope.block(8 * count)];
  const [status, error] = [scope.block(count), scope.block(4 * count)];
  const start = initial ? scope.table(initial).address : 0;
  const levels = Math.min(previous.levels, next.levels, params.levels + 1);
  const tracking = scope.record(PointTrackingRecord, {
    ...{ previous: previous.table, next: next.table, levels, points: from.address, initial: start },
    ...{ out: found.address, status: status.address, error: error.address },
    ...{ window, iterations, epsilon, minEigenvalue },
  });
  // Most of the work for a point is in its templates, one per level.
  const over = { rows: count, minimumBand: 8, cost: Math.ceil((window * window * levels) / TEMPLATE) };
  yield* scope.kernels.trackPoints({ tracking }, over);
  const statuses = () => scope.arena.u8.subarray(status.address, status.address + count);
  result.points.set(scope.f32(found, 2 * count));
  result.error.set(scope.f32(error, count));
  result.status.set(statuses());
  for (let i = 0; i < count; i++) if (!result.status[i]) result.error[i] = NaN;
  if (!result.forwardBackward) return;
  tracking.set({ previous: next.table, next: previous.table, points: found.address, initial: 0, out: back.address });
  yield* scope.kernels.trackPoints({ tracking }, over);
  const ends = scope.f32(back, 2 * count);
  statuses().forEach((good, i) => {
    if (result.status[i] && good)
      result.forwardBackward![i] = Math.hypot(ends[2 * i]! - points[2 * i]!, ends[2 * i + 1]! - points[2 * i + 1]!);
  });
}

/**
 * Inputs: points and start positions (none: at the points). Outputs: new positions, status, error, distance of the way
 * back (may be empty).
 */
export const pointTracks = defineStage({
  name: 'flow/track-points',
  params: sparseParameters,
  inputs: ['u8', 'u8', 'f32[]', 'f32[]'],
  outputs: ['f32[]', 'u8[]', 'f32[]', 'f32[]'],
  tolerance: 0,
  fits: (gpu, [{ width, height }, , points]) => gpu.fits(width, height) && pointsFit(gpu, points.length >> 1),
  // The work is a few hundred windows that move independently. This is less than the passes and the read-back take.
  pays: () => false,
  gpu: (scope, [from, to, points, initial], params) => pointTracksGpu(scope, from, to, points, initial, params),
  *wasm(scope, [from, to, points, initial], params) {
    sameSize(from, to);
    const previous = scope.own(yield* FlowPyramid.build(scope, from, params));
    const next = scope.own(yield* FlowPyramid.build(scope, to, params));
    const start = initial.length ? { initial } : {};
    return listsOf(yield* trackPoints(scope, previous, next, points, { ...params, ...start }));
  },
});
