/** Binary threshold: `value` where the sample is greater than `level`, else 0 (OpenCV's THRESH_BINARY). */
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { thresholdGpu } from './threshold.gpu.ts';

export const threshold = defineStage({
  name: 'image/threshold',
  params: {
    level: number({
      default: 127,
      min: 0,
      max: 255,
      integer: true,
      unit: 'gray levels',
      effect: 'Samples above it are set; higher keeps only brighter ones.',
    }),
    value: number({
      default: 255,
      min: 1,
      max: 255,
      integer: true,
      unit: 'gray levels',
      effect: 'Value of the samples that are set: 255 for a picture, 1 for counting.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  gpu: (side, [source], { level, value }) => [thresholdGpu(side, source!, level, value)],
  wasm(side, [source], { level, value }) {
    const { width, height, stride, address } = source!;
    const out = side.plane(width, height, 'u8');
    side.bands('threshold', height, [address, stride, out.address, out.stride, width, level, value], {
      minimumBand: 64,
    });
    return [out];
  },
});
