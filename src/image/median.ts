/**
 * Median over a square, border replicated; removes speckle and keeps edges. 3: minima and maxima of 16 pixels at a time;
 * larger: see the kernels. Byte for byte OpenCV's medianBlur.
 */
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { medianGpu } from './median.gpu.ts';

/** Bytes a thread needs for the columns of the sliding histogram. */
export const medianScratch = (width: number, size: number): number => 512 + 32 * (width + 2 * size);

export const median = defineStage({
  name: 'image/median',
  params: {
    size: number({
      default: 7,
      min: 3,
      max: 15,
      values: [3, 5, 7, 9, 11, 13, 15],
      unit: 'px',
      effect: 'Side of the square; spots of less than half its area vanish.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  gpu: (side, [source], { size }) => [medianGpu(side, source!, size)],
  wasm(side, [source], { size }) {
    const { width, height, stride, address } = source!;
    const out = side.plane(width, height, 'u8');
    const args = [address, stride, out.address, out.stride, width, height];
    if (size === 3) side.bands('median3', height, args, { minimumBand: 32 });
    else
      side.bands('medianHistogram', height, [...args, size], {
        scratch: medianScratch(width, size),
        minimumBand: 4 * size,
      });
    return [out];
  },
});
