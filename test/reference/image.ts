/** What a reference takes and gives: tightly packed samples, row by row. */
import type { Plane, PlaneArray, PlaneFormat } from '../../src/runtime/plane.ts';
import type { Kind, Kinds } from '../../src/runtime/stage.ts';

export interface ReferenceImage {
  readonly width: number;
  readonly height: number;
  readonly format: PlaneFormat;
  readonly data: PlaneArray;
}

/** A value of a kind: an image for a plane, else the list or number itself. */
export type ReferenceValue = ReferenceImage | Exclude<Kinds[Kind], Plane>;

export const isImage = (value: ReferenceValue): value is ReferenceImage =>
  typeof value === 'object' && 'format' in value;

/** A stage, slow and obvious. Parameters are complete. (A method's type, so that each may name its own parameters.) */
export type Reference = {
  // Images for most; a stage that takes or gives lists narrows them itself.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  reference(inputs: readonly any[], params: Record<string, unknown>): ReferenceValue[];
}['reference'];

export const clamp = (v: number, low: number, high: number): number => (v < low ? low : v > high ? high : v);

/** Sample at (x, y), the border replicated. */
export const replicate = (image: ReferenceImage, x: number, y: number): number =>
  image.data[clamp(y, 0, image.height - 1) * image.width + clamp(x, 0, image.width - 1)]!;

const arrays = {
  u8: Uint8Array,
  rgba8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
};

/** An image of the given size whose samples are sample(x, y). */
export function make(
  width: number,
  height: number,
  format: Exclude<PlaneFormat, 'rgba8'>,
  sample: (x: number, y: number) => number,
): ReferenceImage {
  const data = new arrays[format](width * height);
  for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i++) data[i] = sample(x, y);
  return { width, height, format, data };
}
