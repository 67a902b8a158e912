/**
 * What a clinic asks of the mask: skeleton, branch points, segments with their length and width. The width at a point of
 * the middle line is twice its distance to the nearest background pixel, less one: 3 for a line of three pixels.
 */
import { distanceTransform } from '../../image/distance-transform.ts';
import { skeleton } from '../../image/skeleton.ts';
import type { GrayImage, VesselMeasures, VesselSegment } from '../../results/types.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Scope } from '../../runtime/scope.ts';
import { traceSegments } from './trace.ts';

/** @param micrometresPerPixel 0 where the scale is not known. */
export function* measure(scope: Scope, mask: GrayImage, micrometresPerPixel: number): Plan<VesselMeasures> {
  const { width, height, data } = mask;
  const image = scope.own(scope.runtime.plane(width, height, 'u8', data));
  const [far] = yield* scope.run(distanceTransform, [image]);
  const distances = (yield* scope.read(far)) as Float32Array;
  scope.free(far);
  const [thin] = yield* scope.run(skeleton, [image]);
  const lines = (yield* scope.read(thin)) as Uint8Array;
  const { branchPoints, paths } = traceSegments(lines, width, height, (i) => Math.max(1, 2 * distances[i]! - 1));
  const segments = paths.map(({ indices, length }): VesselSegment => {
    const points = new Float32Array(2 * indices.length);
    const widths = new Float32Array(indices.length);
    indices.forEach((i, k) => {
      points[2 * k] = i % width;
      points[2 * k + 1] = Math.floor(i / width);
      widths[k] = Math.max(1, 2 * distances[i]! - 1);
    });
    const mean = widths.reduce((a, b) => a + b, 0) / widths.length;
    const scaled =
      micrometresPerPixel > 0
        ? { widthMicrometres: mean * micrometresPerPixel, lengthMicrometres: length * micrometresPerPixel }
        : {};
    return { points, widths, width: mean, length, ...scaled };
  });
  return { skeleton: { width, height, data: lines }, branchPoints, segments };
}
