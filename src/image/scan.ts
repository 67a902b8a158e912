/**
 * Prefix sums in row-major order, modulo 2^32: inclusive, out[i] = in[0] + ... + in[i], or exclusive, up to in[i - 1].
 * Sizes above the limit of a line are laid out as rows, for example 4096 x 2442 for 10^7 values.
 */
import { boolean } from '../runtime/parameters.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { scanGpu } from './scan.gpu.ts';

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
