/** Floating-point Gaussian taps: radius ceil(3 sigma), normalised in float64, the centre first. */
import { number } from '../runtime/parameters.ts';

export const maximumSigma = 32;

export const sigmaParameter = number({
  default: 2,
  min: 0.3,
  max: maximumSigma,
  unit: 'px',
  effect: 'Standard deviation of the smoothing; larger answers to wider lines.',
});

/** radius + 1 weights; the whole kernel sums to `sum`. */
export function floatTaps(sigma: number, sum = 1): Float32Array {
  const radius = Math.ceil(3 * sigma);
  const weights = Array.from({ length: radius + 1 }, (_, i) => Math.exp((-0.5 * i * i) / (sigma * sigma)));
  const total = weights.reduce((s, w, i) => s + (i ? 2 * w : w), 0);
  return Float32Array.from(weights, (w) => (w / total) * sum);
}
