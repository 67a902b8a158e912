/**
 * Integral image of (v - 128)^2, modulo 2^32. The shift keeps windows of up to 262,143 pixels exact (255^2 would allow
 * 66,051) and a variance does not change under it.
 */
import { defineStage } from '../runtime/stage.ts';
import { integralGpu } from './integral.gpu.ts';
import { runIntegral, unwrapIntegral } from './integral.ts';

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

/** Sum of v^2 as OpenCV's integral2 gives it: sum (v - 128)^2 + 256 sum v - 128^2 n, n the pixels above and left. */
export function squaredSums(sums: Uint32Array, squares: Uint32Array, width: number): Float64Array {
  const s = unwrapIntegral(sums, width);
  const q = unwrapIntegral(squares, width);
  const pitch = width + 1;
  return q.map((v, i) => v + 256 * s[i]! - 16384 * (i % pitch) * Math.floor(i / pitch));
}

/** Population variance of the window of w x h pixels at (x, y), from both integral images of an image `width` wide. */
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
