/**
 * The response as results carry it: on the blocks that it was computed on. The map of every pixel is four bytes for each,
 * which take longer to write and to hand over than the vessels take to be found, and few callers read it: it is made when
 * somebody does, on his side of the border.
 */
import type { Plane } from '../../runtime/plane.ts';

/** Means over blocks of `block` x `block` pixels of a picture of `width` x `height`. */
export interface BlockResponse {
  readonly values: Float32Array;
  readonly columns: number;
  readonly rows: number;
  readonly block: number;
  readonly width: number;
  readonly height: number;
}

/** A plane on the arena times `factor`, as the blocks of a picture. */
export function blockResponse(
  plane: Plane,
  factor: number,
  picture: Pick<BlockResponse, 'block' | 'width' | 'height'>,
): BlockResponse {
  const values = plane.copy() as Float32Array;
  for (let i = 0; i < values.length; i++) values[i]! *= factor;
  return { values, columns: plane.width, rows: plane.height, ...picture };
}

/** At every pixel, row by row, by linear interpolation between the centers of the blocks; beyond the outer ones as there. */
export function enlargeResponse({ values, columns, rows, block, width, height }: BlockResponse): Float32Array {
  const out = new Float32Array(width * height);
  const line = new Float32Array(columns + 1);
  const place = (i: number, count: number) => Math.min(Math.max((i + 0.5) / block - 0.5, 0), count - 1);
  const places = Float64Array.from({ length: width }, (_, x) => place(x, columns));
  let at = 0;
  for (let y = 0; y < height; y++) {
    const v = place(y, rows);
    const top = v | 0;
    for (let x = 0, i = top * columns; x < columns; x++, i++)
      line[x] = values[i]! + (v > top ? (v - top) * (values[i + columns]! - values[i]!) : 0); // the last row has none below
    line[columns] = line[columns - 1]!;
    for (const u of places) {
      const left = u | 0;
      out[at++] = line[left]! + (u - left) * (line[left + 1]! - line[left]!);
    }
  }
  return out;
}

/** Gives a result its `response` at every pixel, made when it is first read; it stays a part of the result like any other. */
export function withResponse(result: { response: Float32Array | BlockResponse }): void {
  const blocks = result.response as BlockResponse;
  let made: Float32Array | undefined;
  Object.defineProperty(result, 'response', {
    get: () => (made ??= enlargeResponse(blocks)),
    set: (value: Float32Array) => (made = value),
  });
}
