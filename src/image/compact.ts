/**
 * Stream compaction: the linear indices y * width + x, ascending, of the samples greater than `level` (0: the non-zero
 * ones). Outputs: the list, row by row in a plane of the source's size, filled up with 0xffffffff; and its length, 1x1.
 */
import { number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { compactGpu } from './compact.gpu.ts';

/** What fills the list behind its last index. */
export const noIndex = 0xffffffff;

/**
 * Writes the indices to `list`, which has room for all samples and 16 bytes more, and returns their number. `counts`
 * has room for 4 * (height + 1) bytes.
 */
export function compactTo(side: WasmSide, source: Plane, level: number, list: number, counts: number): number {
  const { width, height, stride, address } = source;
  side.bands('compactCounts', height, [address, stride, counts, width, level], { minimumBand: 64 });
  side.once('scanOffsets', [counts, height]);
  side.bands('compactRows', height, [address, stride, list, counts, width, level], { minimumBand: 32 });
  return side.arena.i32[(counts >> 2) + height]!;
}

/** The indices themselves, for code that goes on with numbers. */
export function compactIndices(side: WasmSide, source: Plane, level: number): Uint32Array {
  const { width, height } = source;
  return side.temporary(4 * (width * height + 4), (list) =>
    side.temporary(4 * (height + 1), (counts) => {
      const count = compactTo(side, source, level, list, counts);
      return Uint32Array.from(new Uint32Array(side.arena.memory.buffer, list, count));
    }),
  );
}

export const compact = defineStage({
  name: 'image/compact',
  params: {
    level: number({
      default: 0,
      min: 0,
      max: 254,
      integer: true,
      unit: 'gray levels',
      effect: 'Samples above it are listed.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u32', 'u32'],
  tolerance: 0,
  gpu: (side, [source], { level }) => compactGpu(side, source!, level),
  wasm(side, [source], { level }) {
    const { width, height } = source!;
    const list = side.plane(width, height, 'u32');
    const count = side.plane(1, 1, 'u32');
    side.temporary(4 * (height + 1), (counts) => {
      const write = (address: number) => {
        const n = compactTo(side, source!, level, address, counts);
        side.arena.i32.fill(-1, (address >> 2) + n, (address >> 2) + width * height);
        side.arena.i32[count.address >> 2] = n;
      };
      if (list.stride === 4 * width) return write(list.address);
      // Rows with padding: by way of a list without.
      side.temporary(4 * (width * height + 4), (packed) => {
        write(packed);
        for (let y = 0; y < height; y++)
          side.arena.u8.copyWithin(
            list.address + y * list.stride,
            packed + 4 * y * width,
            packed + 4 * (y + 1) * width,
          );
      });
    });
    return [list, count];
  },
});
