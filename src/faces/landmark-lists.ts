/** Boxes and landmarks as the lists that stages take and give. */
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';

/** The points that a shape in the unit square of a box begins with, in pixels. */
export function inPixels(shape: Float32Array, { x, y, width, height }: Box, { points }: PackedLandmarks): Float32Array {
  const out = new Float32Array(2 * points);
  for (let k = 0; k < out.length; k += 2) {
    out[k] = x + shape[k]! * (width - 1);
    out[k + 1] = y + shape[k + 1]! * (height - 1);
  }
  return out;
}

/** x, y, width, height of each. */
export const boxesOf = (list: Float64Array): Box[] =>
  Array.from({ length: list.length / 4 }, (_, i) => {
    const [x, y, width, height] = list.subarray(4 * i) as unknown as [number, number, number, number];
    return { x, y, width, height };
  });

/** Of models that do not tell how far their points are to be trusted. */
export const untold = (count: number): Float64Array => new Float64Array(count).fill(NaN);

/** The points of one face after the other. */
export function flat(shapes: readonly Float32Array[]): Float32Array {
  const length = shapes[0]?.length ?? 0;
  const points = new Float32Array(length * shapes.length);
  shapes.forEach((shape, i) => points.set(shape, length * i));
  return points;
}
