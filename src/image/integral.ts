/**
 * Integral image: sum of all samples above and to the left, (width + 1) x (height + 1), first row and column 0. Sums
 * are 32-bit, modulo 2^32. Differences (window sums) are exact as long as the sum of the window itself fits.
 */
import type { Plan, Rows } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { integralGpu } from './scan.gpu.ts';

/** Number of rows that a thread processes at a time. */
const BLOCK = 64;

export function* runIntegral(scope: Scope, source: Plane, kernel: 'integral' | 'integralSquares'): Plan<Plane> {
  const { width, height } = source;
  const target = scope.plane(width + 1, height + 1, 'u32');
  const rows = (blockRows: number, offsets: number, offsetsStride: number, over: Rows) => {
    const given = { source, target, width, height, blockRows, offsets: { address: offsets, stride: offsetsStride } };
    return kernel === 'integral' ? scope.kernels.integral(given, over) : scope.kernels.integralSquares(given, over);
  };
  if (scope.threads === 1 || height < 4 * BLOCK) {
    yield* rows(height, 0, 0, { rows: 1, cost: width * height });
    return target;
  }
  // First the sums of blocks of rows, then the offset of each block, then the blocks. The block size does not change a
  // byte.
  const blocks = Math.ceil(height / BLOCK);
  const stride = 4 * ((width + 15) & ~15);
  const { address } = scope.block(stride * blocks);
  const totals = { address, stride };
  const over = { rows: blocks, minimumBand: 1, cost: width * BLOCK };
  const squares = kernel === 'integralSquares';
  yield* scope.kernels.integralTotals({ source, totals, width, height, blockRows: BLOCK, squares }, over);
  yield* scope.kernels.integralOffsets({ totals, width, blocks });
  yield* rows(BLOCK, address, stride, over);
  return target;
}

export const integral = defineStage({
  name: 'image/integral',
  params: {},
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [integralGpu(scope, source, 'sample')];
  },
  *wasm(scope, [source]) {
    return [yield* runIntegral(scope, source, 'integral')];
  },
});

/**
 * Sums of an integral image without the modulus, as float64. The sum of one row fits in 32 bits, so the difference of
 * two rows is exact, and these differences are added up.
 */
export function unwrapIntegral(sums: Uint32Array, width: number): Float64Array {
  return unwrapRows(sums, 0, width + 1, sums.length / (width + 1), width + 1);
}

/** Like unwrapIntegral, for sums in the arena. Nothing is copied first. */
export function unwrapIntegralPlane({ runtime }: Scope, sums: Plane): Float64Array {
  const list = new Uint32Array(runtime.arena.memory.buffer);
  return unwrapRows(list, sums.address >> 2, sums.width, sums.height, sums.stride >> 2);
}

/** Unwraps rows of `pitch` values that start at index `first`, `stride` values apart. */
function unwrapRows(sums: Uint32Array, first: number, pitch: number, rows: number, stride: number): Float64Array {
  const out = new Float64Array(pitch * rows);
  for (let y = 1; y < rows; y++) {
    const from = first + y * stride;
    const to = y * pitch;
    for (let x = 0; x < pitch; x++)
      out[to + x] = out[to - pitch + x]! + ((sums[from + x]! - sums[from - stride + x]!) >>> 0);
  }
  return out;
}

// Integral image of (v - 128)^2, modulo 2^32. The shift keeps windows of up to 262,143 pixels exact (255^2 would allow
// 66,051), and it does not change a variance.

export const integralSquares = defineStage({
  name: 'image/integral-squares',
  params: {},
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [integralGpu(scope, source, 'square')];
  },
  *wasm(scope, [source]) {
    return [yield* runIntegral(scope, source, 'integralSquares')];
  },
});

/**
 * Sum of v^2, like OpenCV's integral2: sum (v - 128)^2 + 256 sum v - 128^2 n, where n counts the pixels above and left.
 */
export function squaredSums(sums: Uint32Array, squares: Uint32Array, width: number): Float64Array {
  const s = unwrapIntegral(sums, width);
  const q = unwrapIntegral(squares, width);
  const pitch = width + 1;
  return q.map((v, i) => v + 256 * s[i]! - 16384 * (i % pitch) * Math.floor(i / pitch));
}

/**
 * Population variance of the window of w x h pixels at (x, y), from both integral images of an image of this `width`.
 */
export function windowVariance(
  sums: Uint32Array,
  squares: Uint32Array,
  width: number,
  x: number,
  y: number,
  w: number,
  h: number,
): number {
  const a = y * (width + 1) + x;
  const b = a + h * (width + 1);
  const n = w * h;
  const sum = (sums[b + w]! - sums[b]! - sums[a + w]! + sums[a]!) >>> 0;
  const square = (squares[b + w]! - squares[b]! - squares[a + w]! + squares[a]!) >>> 0;
  const shifted = sum - 128 * n;
  return (square - (shifted * shifted) / n) / n;
}
