/**
 * Gaussian smoothing of an 8-bit image, separable, border replicated. Integer arithmetic throughout: the kernel sums to
 * 256, nothing is rounded between the passes, (sum + 32768) >> 16 at the end. Byte for byte OpenCV's GaussianBlur.
 */
import { defineStage } from '../runtime/stage.ts';
import { gaussianGpu } from './gaussian.gpu.ts';
import { gaussianParameters, gaussianTaps } from './gaussian-kernel.ts';

export const gaussian = defineStage({
  name: 'image/gaussian',
  params: gaussianParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size, sigma }) {
    return [gaussianGpu(scope, source, gaussianTaps(size, sigma))];
  },
  *wasm(scope, [source], { size, sigma }) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    const taps = scope.table(Uint16Array.from(gaussianTaps(size, sigma)));
    yield* scope.kernels.gaussian({ source, target, width, height, taps, radius: size >> 1 }, { rows: height });
    return [target];
  },
});
