/**
 * Stream compaction: the linear indices y * width + x, ascending, of the samples greater than `level` (0 selects the
 * non-zero samples). Outputs: the list, row by row in a plane of the source's size, padded with 0xffffffff, and its
 * length, a 1x1 plane.
 */
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import { number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { compactGpu } from './compact.gpu.ts';

/** Fills the list after its last index. */
export const noIndex = 0xffffffff;

/**
 * Writes the indices to `list` and returns their number. The list needs room for all samples plus one vector of 16
 * bytes.
 */
export function* compactTo(scope: Scope, source: Plane, level: number, list: Address): Plan<number> {
  const { width, height } = source;
  const counts = scope.block(4 * (height + 1));
  yield* scope.kernels.compactCounts({ source, counts, width, level }, { rows: height, minimumBand: 64 });
  yield* scope.kernels.scanOffsets({ sums: counts, rows: height });
  const over = { rows: height, minimumBand: 32 };
  yield* scope.kernels.compactRows({ source, list, offsets: counts, width, level }, over);
  return scope.u32(counts, height + 1)[height]!;
}

/** Returns the indices as an array, for code that continues in JavaScript. */
export function* compactIndices(scope: Scope, source: Plane, level: number): Plan<Uint32Array> {
  const list = scope.block(4 * (source.width * source.height + 4));
  const count = yield* compactTo(scope, source, level, list);
  return scope.u32(list, count).slice();
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
      effect: 'Samples above this are listed.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u32', 'u32'],
  tolerance: 0,
  *gpu(scope, [source], { level }) {
    return compactGpu(scope, source, level);
  },
  *wasm(scope, [source], { level }) {
    const { width, height } = source;
    const list = scope.plane(width, height, 'u32');
    const count = scope.plane(1, 1, 'u32');
    // If the plane has padding between its rows, a packed list is filled first.
    const padded = list.stride > 4 * width;
    const packed = padded ? scope.block(4 * (width * height + 4)) : list;
    const found = yield* compactTo(scope, source, level, packed);
    scope.u32(count, 1)[0] = found;
    const indices = scope.u32(packed, width * height).fill(noIndex, found);
    if (!padded) return [list, count];
    const pitch = list.stride >> 2;
    const rows = scope.u32(list, pitch * height);
    for (let y = 0; y < height; y++) rows.set(indices.subarray(y * width, (y + 1) * width), y * pitch);
    return [list, count];
  },
});
