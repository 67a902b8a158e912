/**
 * What a clinic asks of the mask: skeleton, branch points, segments with their length and width. The width at a point of
 * the middle line is twice its distance to the nearest background pixel, less one: 3 for a line of three pixels.
 */
import { distanceTransform } from '../image/distance-transform.ts';
import { thin } from '../image/skeleton.ts';
import type { GrayImage, VesselMeasures, VesselSegment } from '../results/types.ts';
import type { CallContext } from '../runtime/capability.ts';
import { traceSegments } from './trace.ts';

/** @param micrometresPerPixel 0 where the scale is not known. */
export async function measure(
  { runtime, slice }: CallContext,
  mask: GrayImage,
  micrometresPerPixel: number,
): Promise<VesselMeasures> {
  const { width, height, data } = mask;
  const side = runtime.wasm;
  const image = runtime.plane(width, height, 'u8', data);
  const over = side.plane(width, height, 'u8');
  const lines = new Uint8Array(width * height);
  let distances: Float32Array;
  try {
    const [plane] = side.now((scope) => distanceTransform.wasm(scope, [image], {}));
    distances = plane.copy() as Float32Array;
    plane.dispose();
    while (side.now((scope) => thin(scope, image, over))) await slice();
    lines.set(image.copy() as Uint8Array);
  } finally {
    image.dispose();
    over.dispose();
  }
  await slice();
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
