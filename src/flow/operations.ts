/** Optical flow as calls of the engine. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { sparseParameters } from './parameters.ts';
import { FlowPyramid } from './pyramid.ts';
import { checkPoints, sameSize, trackPoints, type TrackedPoints } from './track-points.ts';

const trackPointsOperation = operationOn<[previous: Source, next: Source, points: Float32Array]>()({
  params: sparseParameters,
  sources: ['gray', 'gray'],
  data: ['points'],
  async run({ runtime, slice }, [from, to], params, points): Promise<TrackedPoints> {
    checkPoints(points);
    sameSize(from!, to!);
    await from!.arena();
    await to!.arena();
    const side = runtime.wasm;
    let previous: FlowPyramid | null = null;
    let next: FlowPyramid | null = null;
    try {
      previous = FlowPyramid.build(side, from!, params);
      next = FlowPyramid.build(side, to!, params);
      await slice();
      return await inSlices(points, params.forwardBackward, slice, (some) =>
        trackPoints(side, previous!, next!, some, params),
      );
    } finally {
      previous?.dispose();
      next?.dispose();
    }
  },
});

/** Points of one slice: about 3 ms of work. */
const SLICE = 256;

async function inSlices(
  points: Float32Array,
  forwardBackward: boolean,
  slice: () => Promise<void>,
  track: (some: Float32Array) => TrackedPoints,
): Promise<TrackedPoints> {
  const count = points.length >> 1;
  const all: TrackedPoints = {
    points: new Float32Array(2 * count),
    status: new Uint8Array(count),
    error: new Float32Array(count),
  };
  if (forwardBackward) all.forwardBackward = new Float32Array(count);
  for (let i = 0; i < count; i += SLICE) {
    const found = track(points.subarray(2 * i, 2 * (i + SLICE)));
    all.points.set(found.points, 2 * i);
    all.status.set(found.status, i);
    all.error.set(found.error, i);
    all.forwardBackward?.set(found.forwardBackward!, i);
    await slice();
  }
  return all;
}

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
