/**
 * Integral image: sum of all samples above and to the left, (width + 1) x (height + 1), first row and column 0. 32-bit
 * sums modulo 2^32: differences, that is window sums, are exact as long as the window's own sum fits.
 */
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { integralGpu } from './integral.gpu.ts';

/** Rows a thread takes at a time. */
const BLOCK = 64;

export function runIntegral(side: WasmSide, source: Plane, kernel: 'integral' | 'integralSquares'): Plane {
  const { width, height, stride, address } = source;
  const out = side.plane(width + 1, height + 1, 'u32');
  const args = [address, stride, out.address, out.stride, width, height];
  if (side.threads === 1 || height < 4 * BLOCK) {
    side.once(kernel, [...args, height, 0, 0, 0, 1]);
    return out;
  }
  // Sums of blocks of rows, then what lies above each block, then the blocks: the same bytes whatever the blocks.
  const blocks = Math.ceil(height / BLOCK);
  const totalStride = 4 * ((width + 15) & ~15);
  side.temporary(totalStride * blocks, (totals) => {
    const squares = kernel === 'integralSquares' ? 1 : 0;
    side.bands('integralTotals', blocks, [address, stride, totals, totalStride, width, height, BLOCK, squares], {
      minimumBand: 1,
    });
    side.once('integralOffsets', [totals, totalStride, width, blocks], totalStride);
    side.bands(kernel, blocks, [...args, BLOCK, totals, totalStride], { minimumBand: 1 });
  });
  return out;
}

export const integral = defineStage({
  name: 'image/integral',
  params: {},
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  gpu: (side, [source]) => [integralGpu(side, source!, 'sample')],
  wasm: (side, [source]) => [runIntegral(side, source!, 'integral')],
});

/**
 * The sums of an integral image without the modulus, as float64: a row's own sum fits 32 bits, so the difference of two
 * rows does, and those are added up.
 */
export function unwrapIntegral(sums: Uint32Array, width: number): Float64Array {
  const pitch = width + 1;
  const out = new Float64Array(sums.length);
  for (let i = pitch; i < sums.length; i++) out[i] = out[i - pitch]! + ((sums[i]! - sums[i - pitch]!) >>> 0);
  return out;
}
