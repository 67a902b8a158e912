/**
 * Sum, minimum and maximum of all samples, as a plane of 3x1: integers modulo 2^32, or float32. Floats are added in a
 * fixed order (runs of 1024, then rows, in double precision), so one thread and eight threads return equal bytes. NaN
 * is not supported.
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { reduceGpu } from './reduce.gpu.ts';

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
