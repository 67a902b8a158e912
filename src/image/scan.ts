/**
 * Prefix sums in row-major order, modulo 2^32: inclusive, out[i] = in[0] + ... + in[i], or exclusive, up to in[i - 1].
 * Sizes above the limit of a line are laid out as rows, for example 4096 x 2442 for 10^7 values. Here are also the other
 * stages that read all values once: the indices of large values, and the smallest, largest and sum.
 */
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import { number, boolean } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { compactGpu, reduceGpu, scanGpu } from './scan.gpu.ts';

/**
 * Stream compaction: the linear indices y * width + x, ascending, of the samples greater than `level` (0 selects the
 * non-zero samples). Outputs: the list, row by row in a plane of the source's size, padded with 0xffffffff, and its
 * length, a 1x1 plane.
 */

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

/**
 * Sum, minimum and maximum of all samples, as a plane of 3x1: integers modulo 2^32, or float32. Floats are added in a
 * fixed order (runs of 1024, then rows, in double precision), so one thread and eight threads return equal bytes. NaN
 * is not supported.
 */

export interface Extremes {
  sum: number;
  min: number;
  max: number;
}

/** Sum, minimum and maximum of an integer image. The sum is exact below 2^32. */
export function* reduceIntegers(scope: Scope, source: Plane): Plan<Extremes> {
  const { width, height, format } = source;
  const table = scope.block(16 * height);
  const over = { rows: height, minimumBand: 64 };
  if (format === 'u8') yield* scope.kernels.reduceRowsU8({ source, table, width }, over);
  else yield* scope.kernels.reduceRowsU32({ source, table, width }, over);
  yield* scope.kernels.reduceTotal({ table, rows: height });
  const [sum, min, max] = scope.u32(table, 3);
  return { sum: sum!, min: min!, max: max! };
}

/** Sum, minimum and maximum of a float image. The sum has double precision. */
export function* reduceFloats(scope: Scope, source: Plane): Plan<Extremes> {
  const { width, height } = source;
  const table = scope.block(16 * height);
  yield* scope.kernels.reduceRowsF32({ source, table, width }, { rows: height, minimumBand: 32 });
  yield* scope.kernels.reduceTotalF32({ table, rows: height });
  const [, , min, max] = scope.f32(table, 4);
  return { sum: scope.f64(table, 1)[0]!, min: min!, max: max! };
}

function* integers(scope: Scope, source: Plane): Plan<[Plane]> {
  const { sum, min, max } = yield* reduceIntegers(scope, source);
  const target = scope.plane(3, 1, 'u32');
  scope.u32(target, 3).set([sum, min, max]);
  return [target];
}

export const reduce = defineStage({
  name: 'image/reduce',
  params: {},
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [reduceGpu(scope, source)];
  },
  wasm: (scope, [source]) => integers(scope, source),
});

export const reduce32 = defineStage({
  name: 'image/reduce-32',
  params: {},
  inputs: ['u32'],
  outputs: ['u32'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [reduceGpu(scope, source)];
  },
  wasm: (scope, [source]) => integers(scope, source),
});

export const reduceFloat = defineStage({
  name: 'image/reduce-float',
  params: {},
  inputs: ['f32'],
  outputs: ['f32'],
  // Relative to the sum of magnitudes it is 1e-5 (trees of float32 sums). This absolute value is for 4489 samples with
  // magnitudes around 1.
  tolerance: 0.05,
  *gpu(scope, [source]) {
    return [reduceGpu(scope, source)];
  },
  *wasm(scope, [source]) {
    const { sum, min, max } = yield* reduceFloats(scope, source);
    const target = scope.plane(3, 1, 'f32');
    scope.f32(target, 3).set([sum, min, max]);
    return [target];
  },
});

const parameters = {
  inclusive: boolean({ default: true, effect: 'Includes the value in its sum.' }),
} as const;

function* runScan(scope: Scope, source: Plane, inclusive: boolean, bytes: boolean): Plan<Plane> {
  const { width, height } = source;
  const target = scope.plane(width, height, 'u32');
  const rows = bytes ? scope.kernels.scanU8 : scope.kernels.scanU32;
  if (scope.threads === 1) {
    yield* rows({ source, target, offsets: 0, width, inclusive }, { rows: [0, height], minimumBand: height });
    return target;
  }
  const sums = scope.block(4 * (height + 1));
  yield* (bytes ? scope.kernels.scanSumsU8 : scope.kernels.scanSumsU32)(
    { source, sums, width },
    { rows: height, minimumBand: 64 },
  );
  yield* scope.kernels.scanOffsets({ sums, rows: height });
  yield* rows({ source, target, offsets: sums, width, inclusive }, { rows: height, minimumBand: 32 });
  return target;
}

/** Scan of bytes, such as flags. */
export const scan = defineStage({
  name: 'image/scan',
  params: parameters,
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  *gpu(scope, [source], { inclusive }) {
    return [scanGpu(scope, source, inclusive)];
  },
  *wasm(scope, [source], { inclusive }) {
    return [yield* runScan(scope, source, inclusive, true)];
  },
});

/** Scan of 32-bit integers. */
export const scan32 = defineStage({
  name: 'image/scan-32',
  params: parameters,
  inputs: ['u32'],
  outputs: ['u32'],
  tolerance: 0,
  *gpu(scope, [source], { inclusive }) {
    return [scanGpu(scope, source, inclusive)];
  },
  *wasm(scope, [source], { inclusive }) {
    return [yield* runScan(scope, source, inclusive, false)];
  },
});
