/** The derivatives of `gradient`, of a float image. Outputs: dx, dy. */
import { defineStage } from '../runtime/stage.ts';
import { gradientGpu } from './gradient.gpu.ts';
import { gradientParameters, gradientWeights } from './gradient.ts';

export const gradientFloat = defineStage({
  name: 'image/gradient-float',
  params: gradientParameters,
  inputs: ['f32'],
  outputs: ['f32', 'f32'],
  // Sums of samples of order 1, possibly in another order or fused.
  tolerance: 1.6e-5,
  gpu: (side, [source], { derivative }) => gradientGpu(side, source!, gradientWeights(derivative)),
  wasm(side, [source], { derivative }) {
    const { width, height, stride, address } = source!;
    const dx = side.plane(width, height, 'f32');
    const dy = side.plane(width, height, 'f32');
    const args = [address, stride, dx.address, dx.stride, dy.address, dy.stride, width, height];
    side.bands('gradientF32', height, [...args, ...gradientWeights(derivative)], { minimumBand: 32 });
    return [dx, dy];
  },
});
