/** Results in the size of the photograph, computed in bands of rows from the working plane. */
import { FoveolaError } from '../../runtime/error.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { bandRows, bandsOf, copyRows, fromRow, type Size } from '../row-bands.ts';

const BAND_PIXELS = 1 << 19;
/** Number of samples that the kernels write beyond the end of a row, in addition to a block. */
const ROOM = 16;

const wasmOnly = 'Little work for each pixel of a large result, which would be read back from a GPU.';

/** Throws if a plane of blocks does not belong to an image of this size, because the kernels write whole blocks. */
function checkBlocks({ width, height }: Plane, block: number, size: Size): void {
  const fits = (columns: number, length: number) =>
    columns === Math.floor(length / block) || columns === Math.ceil(length / block);
  if (!(block >= 1 && fits(width, size.width) && fits(height, size.height)))
    throw new FoveolaError(
      'invalid-argument',
      `${width}x${height} blocks of ${block} pixels do not match ${size.width}x${size.height} pixels.`,
    );
}

/** Bands of rows, with a plane of bytes for each block size. Its rows have space for one more block. */
function* inRoomyBands(
  scope: Scope,
  size: Size,
  blocks: readonly number[],
  work: (planes: readonly Plane[], from: number, to: number) => Plan<void>,
): Plan<void> {
  const rows = bandRows(scope, size, BAND_PIXELS);
  const made = blocks.map((block) => scope.plane(size.width + block + ROOM, rows, 'u8'));
  for (const [from, to] of bandsOf(size.height, rows)) yield* work(made, from, to);
}

/** 255 where the enlarged plane is above `level`, for rows from..to-1, in the first rows of `band`. */
function* aboveRows(
  scope: Scope,
  coarse: Plane,
  block: number,
  level: number,
  [band, width, from, to]: readonly [Plane, number, number, number],
): Plan<void> {
  const target = fromRow(band, from);
  const { width: columns, height: rows } = coarse;
  const over = { rows: [from, to] as const };
  if (block === 1) yield* scope.kernels.above({ source: coarse, target, width, level }, over);
  else yield* scope.kernels.enlargeAbove({ coarse, columns, rows, block, level, target, width }, over);
}

/**
 * Inputs:
 * - The response.
 * - The field of view as a mask of 0 and 1.
 * - Width and height of the photograph, block size of the response and of the field, a threshold.
 *
 * Outputs, row by row:
 * - 255 where the response is above the threshold.
 * - The field of view.
 * - The share of the field that the response covers.
 */
export const fullSizeMasks = defineStage({
  name: 'vessels/full-size-masks',
  params: {},
  inputs: ['f32', 'f32', 'f64[]'],
  outputs: ['u8[]', 'u8[]', 'number'],
  tolerance: 1e-6,
  wasmOnly,
  *wasm(scope, [response, field, geometry]) {
    const [width, height, block, fieldBlock, level] = geometry as unknown as [number, number, number, number, number];
    checkBlocks(response, block, { width, height });
    checkBlocks(field, fieldBlock, { width, height });
    const bytes = width * height;
    const image = () => new Uint8Array(scope.options.memory?.(bytes) ?? new ArrayBuffer(bytes));
    const [mask, inside] = [image(), image()];
    let [covered, total] = [0, 0];
    const counts = scope.block(8 * height);
    yield* inRoomyBands(scope, { width, height }, [block, fieldBlock], function* (bands, from, to) {
      const [a, b] = bands as [Plane, Plane];
      yield* aboveRows(scope, response, block, level, [a, width, from, to]);
      yield* aboveRows(scope, field, fieldBlock, 0.5, [b, width, from, to]);
      yield* scope.kernels.countBoth({ a, b, width, counts }, { rows: to - from, cost: width >> 3 });
      for (const [i, count] of scope.u32(counts, 2 * (to - from)).entries())
        i % 2 ? (total += count) : (covered += count);
      copyRows(scope, a, mask, width, from, to);
      copyRows(scope, b, inside, width, from, to);
    });
    return [mask, inside, total ? covered / total : 0];
  },
});
