/**
 * First derivatives by Sobel ([1 2 1] along) or Scharr ([3 10 3]), with [-1 0 1] across. This is a correlation, so a
 * positive dx means brighter to the right and a positive dy means brighter downwards. Unscaled, border replicated.
 * Outputs: dx, dy.
 */
import { choice } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { gradientGpu } from './filters.gpu.ts';

const gradientParameters = {
  derivative: choice({
    default: 'sobel',
    values: ['sobel', 'scharr'],
    effect: 'Scharr preserves edge direction better. Sobel is more common.',
  }),
} as const;

/** Weights of the outer and the central sample along the derivative. */
const gradientWeights = (derivative: 'sobel' | 'scharr'): [side: number, center: number] =>
  derivative === 'sobel' ? [1, 2] : [3, 10];

export const gradient = defineStage({
  name: 'image/gradient',
  params: gradientParameters,
  inputs: ['u8'],
  outputs: ['i16', 'i16'],
  tolerance: 0,
  *gpu(scope, [source], { derivative }) {
    return gradientGpu(scope, source, gradientWeights(derivative));
  },
  *wasm(scope, [source], { derivative }) {
    const { width, height } = source;
    const dx = scope.plane(width, height, 'i16');
    const dy = scope.plane(width, height, 'i16');
    const [side, center] = gradientWeights(derivative);
    yield* scope.kernels.gradientI16(
      { source, dx, dy, width, height, side, center },
      { rows: height, minimumBand: 32 },
    );
    return [dx, dy];
  },
});

/** The derivatives of `gradient`, for a float image. Outputs: dx, dy. */

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
