/** Floating-point Gaussian taps: by default of radius ceil(3 sigma), normalized in float64, the center first. */
import { number } from '../../runtime/parameters.ts';

export const maximumSigma = 32;

export const sigmaParameter = number({
  default: 2,
  min: 0.3,
  max: maximumSigma,
  unit: 'px',
  effect: 'Standard deviation of the smoothing; larger answers to wider lines.',
});

/** radius + 1 weights; the whole kernel sums to `sum`. */
export function floatTaps(sigma: number, sum = 1, radius = Math.ceil(3 * sigma)): Float32Array {
  const weights = Array.from({ length: radius + 1 }, (_, i) => Math.exp((-0.5 * i * i) / (sigma * sigma)));
  const total = weights.reduce((s, w, i) => s + (i ? 2 * w : w), 0);
  return Float32Array.from(weights, (w) => (w / total) * sum);
}

/** Radius of the Gaussian of the channel 'gradients': cut at 4 sigma, rounded half up, as scipy.ndimage does. */
export const gradientRadius = (sigma: number): number => Math.floor(4 * sigma + 0.5);
