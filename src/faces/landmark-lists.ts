/** Boxes and landmarks in the list formats of stages. */
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';

/** Converts the first points of a shape from the unit square of a box to pixels. */
export function inPixels(shape: Float32Array, { x, y, width, height }: Box, { points }: PackedLandmarks): Float32Array {
  const out = new Float32Array(2 * points);
  for (let k = 0; k < out.length; k += 2) {
    out[k] = x + shape[k]! * (width - 1);
    out[k + 1] = y + shape[k + 1]! * (height - 1);
  }
  return out;
}

/** Reads x, y, width, height of each box. */
export const boxesOf = (list: Float64Array): Box[] =>
  Array.from({ length: list.length / 4 }, (_, i) => {
    const [x, y, width, height] = list.subarray(4 * i) as unknown as [number, number, number, number];
    return { x, y, width, height };
  });

/** Confidences for models that do not report them. */
export const untold = (count: number): Float64Array => new Float64Array(count).fill(NaN);

/** Joins the points of all faces. */
export function flat(shapes: readonly Float32Array[]): Float32Array {
  const length = shapes[0]?.length ?? 0;
  const points = new Float32Array(length * shapes.length);
  shapes.forEach((shape, i) => points.set(shape, length * i));
  return points;
}
