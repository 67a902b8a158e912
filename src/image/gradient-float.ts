/** The derivatives of `gradient`, for a float image. Outputs: dx, dy. */
import { defineStage } from '../runtime/stage.ts';
import { gradientGpu } from './gradient.gpu.ts';
import { gradientParameters, gradientWeights } from './gradient.ts';

export const gradientFloat = defineStage({
  name: 'image/gradient-float',
  params: gradientParameters,
  inputs: ['f32'],
  outputs: ['f32', 'f32'],
  // Sums of samples with a magnitude around 1, possibly in another order or fused.
  tolerance: 1.6e-5,
  *gpu(scope, [source], { derivative }) {
    return gradientGpu(scope, source, gradientWeights(derivative));
  },
  *wasm(scope, [source], { derivative }) {
    const { width, height } = source;
    const dx = scope.plane(width, height, 'f32');
    const dy = scope.plane(width, height, 'f32');
    const [side, center] = gradientWeights(derivative);
    yield* scope.kernels.gradientF32(
      { source, dx, dy, width, height, side, center },
      { rows: height, minimumBand: 32 },
    );
    return [dx, dy];
  },
});
