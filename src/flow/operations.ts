/** Optical flow as calls of the engine. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { sparseParameters } from './parameters.ts';
import { checkPoints, pointTracks, sameSize, type TrackedPoints } from './track-points.ts';

const trackPointsOperation = operationOn<[previous: Source, next: Source, points: Float32Array]>()({
  params: sparseParameters,
  sources: ['gray', 'gray'],
  data: ['points'],
  *plan(scope, [from, to], params, given): Plan<TrackedPoints> {
    checkPoints(given);
    sameSize(from, to);
    const start = new Float32Array(0);
    const [points, status, error, back] = yield* scope.run(pointTracks, [from, to, given, start], params);
    return { points, status, error, ...(params.forwardBackward && { forwardBackward: back }) };
  },
});

export const pointOperations = defineOperations({
  /**
   * Follows `points` (x and y of each, in source pixels) from one frame to the next of the same size by pyramidal
   * Lucas-Kanade, with OpenCV's rules and fixed point. `status` and `error` have one entry a point, `points` two.
   * Source: Bouguet 2000, "Pyramidal implementation of the affine Lucas Kanade feature tracker".
   * @throws {FoveolaError} (rejects) 'invalid-argument' for frames of two sizes or points that are no pairs, and as every
   * call, see {@link Engine}
   */
  trackPoints: trackPointsOperation,
});
