/**
 * Gaussian smoothing of an 8-bit image, separable, border replicated. All arithmetic is in integers: the kernel sums to
 * 256, nothing is rounded between the passes, and the end result is (sum + 32768) >> 16. Byte for byte OpenCV's
 * GaussianBlur.
 */
import { number } from '../runtime/parameters.ts';
import { roundEven } from './numbers.ts';
import { defineStage } from '../runtime/stage.ts';
import { gaussianGpu } from './filters.gpu.ts';

// The integer Gaussian kernel of OpenCV's 8-bit GaussianBlur. Its sum is 256. It is quantized from the outside in, with
// the error carried on. The center is the remainder.

/** Largest kernel: 63 samples across. */
const maximumRadius = 31;

export const gaussianParameters = {
  size: number({
    default: 5,
    min: 1,
    max: 2 * maximumRadius + 1,
    values: Array.from({ length: maximumRadius + 1 }, (_, i) => 2 * i + 1),
    unit: 'px',
    effect: 'Size of the kernel. Larger smooths over a larger neighborhood.',
  }),
  sigma: number({
    default: 2,
    min: 0.1,
    max: 20,
    unit: 'px',
    effect: 'Standard deviation. Larger suppresses more noise and blurs edges more.',
  }),
} as const;

/** Half of the kernel, center first, followed by size >> 1 more taps. */
export function gaussianTaps(size: number, sigma: number): number[] {
  const radius = size >> 1;
  const weights = Array.from({ length: radius + 1 }, (_, i) => Math.exp((-0.5 * i * i) / (sigma * sigma)));
  const sum = weights.reduce((s, w, i) => s + (i ? 2 * w : w), 0);
  const taps = new Array<number>(radius + 1).fill(0);
  let error = 0;
  let used = 0;
  for (let i = radius; i > 0; i--) {
    const exact = (weights[i]! / sum) * 256 + error;
    taps[i] = roundEven(exact);
    error = exact - taps[i]!;
    used += 2 * taps[i]!;
  }
  taps[0] = 256 - used;
  return taps;
}

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
