/** Binary threshold: `value` if the sample is greater than `level`. Otherwise 0 (OpenCV's THRESH_BINARY). */
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { thresholdGpu } from './filters.gpu.ts';

export const threshold = defineStage({
  name: 'image/threshold',
  params: {
    level: number({
      default: 127,
      min: 0,
      max: 255,
      integer: true,
      unit: 'gray levels',
      effect: 'Samples above this are set. Higher keeps only brighter samples.',
    }),
    value: number({
      default: 255,
      min: 1,
      max: 255,
      integer: true,
      unit: 'gray levels',
      effect: 'Value of the set samples: 255 for an image, 1 for counting.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { level, value }) {
    return [thresholdGpu(scope, source, level, value)];
  },
  *wasm(scope, [source], { level, value }) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.threshold({ source, target, width, level, set: value }, { rows: height, minimumBand: 64 });
    return [target];
  },
});
