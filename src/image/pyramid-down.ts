/**
 * One level of the Gaussian pyramid: [1 4 6 4 1] both ways, every other sample, (sum + 128) >> 8 at the end. The result
 * has half the size, rounded up. Byte for byte OpenCV's pyrDown.
 */
import { choice } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { pyramidDownGpu } from './filters.gpu.ts';

export const pyramidDown = defineStage({
  name: 'image/pyramid-down',
  params: {
    border: choice({
      default: 'reflect',
      values: ['reflect', 'replicate'],
      effect: 'Samples outside the image: mirrored about the last sample (OpenCV), or the last sample repeated.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { border }) {
    return [pyramidDownGpu(scope, source, border)];
  },
  *wasm(scope, [source], { border }) {
    const { width, height } = source;
    const target = scope.plane((width + 1) >> 1, (height + 1) >> 1, 'u8');
    const reflect = border === 'reflect';
    yield* scope.kernels.pyramidDown(
      { source, target, width, height, reflect },
      { rows: target.height, minimumBand: 32 },
    );
    return [target];
  },
});
