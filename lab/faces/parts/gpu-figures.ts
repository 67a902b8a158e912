/** Figures 5.7 and 5.8 of the thesis on the GPU: landmarks by cascades, points by number, levels, window and iterations. */
import { fitLandmarksGpu } from '../../../src/faces/landmarks.gpu.ts';
import { sparseParameters } from '../../../src/flow/parameters.ts';
import { GpuFlowPyramid } from '../../../src/flow/pyramid.gpu.ts';
import { emptyResult } from '../../../src/flow/tracked-points.ts';
import { trackPointsGpu } from '../../../src/flow/track-points.gpu.ts';
import type { PackedLandmarks } from '../../../src/models/landmarks.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { drive } from '../../../src/runtime/stage.ts';

type Part = (name: string, body: () => Promise<unknown>) => Promise<void>;
type Clock = (body: () => Promise<void> | void) => Promise<number>;

/** The settings of `lab/faces/thesis.mjs`: levels, window, iterations. */
const SETTINGS = [
  [1, 5, 5],
  [3, 5, 5],
  [3, 11, 5],
  [3, 11, 20],
  [3, 21, 20],
] as const;

/** Milliseconds until the result was read, by the number of cascades. The model has no patches, as the thesis's. */
export async function landmarkFigure(part: Part, clock: Clock, runtime: Runtime, plane: Plane, model: PackedLandmarks) {
  const box = { x: 480, y: 200, width: 360, height: 360 };
  for (const cascades of [3, 6, 9, 12, 15].filter((count) => count <= model.cascades))
    await part(`figure 5.7, ${cascades} cascades`, async () => {
      const cut = { ...model, cascades };
      const ms = await clock(
        async () => void (await drive(runtime, (scope) => fitLandmarksGpu(scope, plane, [box], cut))),
      );
      return { ms, 'a second': 1000 / ms };
    });
}

/** Milliseconds until the result was read. Pyramids were made before. */
export async function flowFigure(part: Part, clock: Clock, runtime: Runtime, frames: readonly Plane[], small: boolean) {
  const own = new Scope(runtime, { backend: 'gpu' });
  for (const count of small ? [100] : [100, 1000, 5000])
    for (const [levels, window, iterations] of small ? SETTINGS.slice(0, 1) : SETTINGS)
      await part(
        `figure 5.8, ${count} points, ${levels} levels, window ${window}, ${iterations} iterations`,
        async () => {
          const options = { levels: levels - 1, window, iterations, epsilon: 0.01 };
          const values = resolveParameters(sparseParameters, options, 'trackPoints');
          const [previous, next] = frames.map((frame) => new GpuFlowPyramid(own, frame, options)) as [GpuFlowPyramid, GpuFlowPyramid]; // prettier-ignore
          const points = Float32Array.from({ length: 2 * count }, (_, i) => 30 + ((i * 7919) % (i % 2 ? 660 : 1220)));
          const track = (scope: Scope) =>
            trackPointsGpu(scope, previous, next, points, undefined, values, emptyResult(count, values));
          const ms = await clock(async () => void (await drive(runtime, track)));
          for (const pyramid of [previous, next]) pyramid.dispose();
          return { ms, 'a second': 1000 / ms };
        },
      );
  own.dispose();
}
