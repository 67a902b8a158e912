/**
 * Sum, minimum and maximum of all samples, as a plane of 3x1: integers modulo 2^32, or float32. Floats are added in a
 * fixed order (runs of 1024, then rows, in double precision), so one thread and eight give equal bytes; no NaN.
 */
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { reduceGpu } from './reduce.gpu.ts';

export interface Extremes {
  sum: number;
  min: number;
  max: number;
}

/** The three numbers of an integer image; the sum is exact below 2^32. */
export function reduceIntegers(side: WasmSide, source: Plane): Extremes {
  const { width, height, stride, address } = source;
  return side.temporary(16 * height, (table) => {
    const kernel = source.format === 'u8' ? 'reduceRowsU8' : 'reduceRowsU32';
    side.bands(kernel, height, [address, stride, table, width], { minimumBand: 64 });
    side.once('reduceTotal', [table, height]);
    const [sum, min, max] = new Uint32Array(side.arena.memory.buffer, table, 3);
    return { sum: sum!, min: min!, max: max! };
  });
}

/** The three numbers of a float image, the sum in double precision. */
export function reduceFloats(side: WasmSide, source: Plane): Extremes {
  const { width, height, stride, address } = source;
  return side.temporary(16 * height, (table) => {
    side.bands('reduceRowsF32', height, [address, stride, table, width], { minimumBand: 32 });
    side.once('reduceTotalF32', [table, height]);
    const { f32, f64 } = side.arena;
    return { sum: f64[table >> 3]!, min: f32[(table >> 2) + 2]!, max: f32[(table >> 2) + 3]! };
  });
}

function integers(side: WasmSide, source: Plane): Plane[] {
  const { sum, min, max } = reduceIntegers(side, source);
  const out = side.plane(3, 1, 'u32');
  side.arena.i32.set([sum, min, max], out.address >> 2);
  return [out];
}

export const reduce = defineStage({
  name: 'image/reduce',
  params: {},
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  gpu: (side, [source]) => [reduceGpu(side, source!)],
  wasm: (side, [source]) => integers(side, source!),
});

export const reduce32 = defineStage({
  name: 'image/reduce-32',
  params: {},
  inputs: ['u32'],
  outputs: ['u32'],
  tolerance: 0,
  gpu: (side, [source]) => [reduceGpu(side, source!)],
  wasm: (side, [source]) => integers(side, source!),
});

export const reduceFloat = defineStage({
  name: 'image/reduce-float',
  params: {},
  inputs: ['f32'],
  outputs: ['f32'],
  // Relative to the sum of magnitudes 1e-5 (trees of float32 sums); absolute for samples of order 1 and 4489 of them.
  tolerance: 0.05,
  gpu: (side, [source]) => [reduceGpu(side, source!)],
  wasm(side, [source]) {
    const { sum, min, max } = reduceFloats(side, source!);
    const out = side.plane(3, 1, 'f32');
    side.arena.f32.set([sum, min, max], out.address >> 2);
    return [out];
  },
});
