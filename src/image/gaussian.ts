/**
 * Gaussian smoothing of an 8-bit image, separable, border replicated. Integer arithmetic throughout: the kernel sums to
 * 256, nothing is rounded between the passes, (sum + 32768) >> 16 at the end. Byte for byte OpenCV's GaussianBlur.
 */
import { defineStage } from '../runtime/stage.ts';
import { gaussianGpu } from './gaussian.gpu.ts';
import { gaussianParameters, gaussianTaps } from './gaussian-kernel.ts';

/** Bytes a thread needs: rows of column sums, addresses and taps. */
export const gaussianScratch = (stride: number): number => 1280 + 4 * stride;

export const gaussian = defineStage({
  name: 'image/gaussian',
  params: gaussianParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  gpu: (side, [source], { size, sigma }) => [gaussianGpu(side, source!, gaussianTaps(size, sigma))],
  wasm(side, [source], { size, sigma }) {
    const { width, height, stride, address } = source!;
    const taps = gaussianTaps(size, sigma);
    const radius = size >> 1;
    const out = side.plane(width, height, 'u8');
    side.temporary(2 * taps.length, (table) => {
      side.arena.u8.set(new Uint8Array(Uint16Array.from(taps).buffer), table);
      side.bands('gaussian', height, [address, stride, out.address, out.stride, width, height, table, radius], {
        scratch: gaussianScratch(stride),
      });
    });
    return [out];
  },
});
