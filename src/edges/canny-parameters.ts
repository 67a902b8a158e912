/** Parameters of Canny, and the whole numbers that magnitudes are compared with. */
import { gaussianParameters } from '../image/gaussian-kernel.ts';
import { choice, number, type Values } from '../runtime/parameters.ts';

export const cannyParameters = {
  low: number({
    default: 50,
    min: 0,
    max: 2040,
    unit: 'gradient magnitude',
    effect: 'Edges end where the gradient is not greater; smaller follows fainter edges.',
  }),
  high: number({
    default: 150,
    min: 0,
    max: 2040,
    unit: 'gradient magnitude',
    effect: 'Each edge has a gradient greater than this somewhere; larger leaves out faint edges.',
  }),
  norm: choice({
    default: 'L1',
    values: ['L1', 'L2'],
    effect: 'Magnitude |dx| + |dy|, or the root of dx^2 + dy^2, which is alike in all directions.',
  }),
  sigma: number({
    default: 0,
    min: 0,
    max: 20,
    unit: 'px',
    effect: 'Gaussian smoothing first; 0 is none. Larger suppresses more noise and blurs edges more.',
  }),
  size: number({ ...gaussianParameters.size, effect: 'Width of the kernel that smooths, where sigma is above 0.' }),
  thresholds: choice({
    default: 'given',
    values: ['given', 'auto'],
    effect: "'auto': high is the smallest magnitude above that of 80 % of the pixels, low is 40 % of it.",
  }),
  derivative: choice({
    default: 'sobel',
    values: ['sobel', 'gaussian'],
    effect: "'gaussian': derivative of Gaussian, magnitudes scaled so that the largest of the image is 255.",
  }),
  hysteresis: choice({
    default: 'auto',
    values: ['auto', 'flood', 'passes', 'none'],
    effect:
      "Faint edges that hang together with a strong one: followed to their ends, on the CPU ('flood') or the GPU ('passes'), whichever is faster ('auto'), or left out ('none').",
  }),
} as const;

export type CannyValues = Values<typeof cannyParameters>;

/** A magnitude (L2: its square) counts when it is greater than `low`, and is strong when greater than `high`. */
export interface CannyLevels {
  readonly low: number;
  readonly high: number;
}

/**
 * Thresholds as magnitudes are compared with them, OpenCV's way: reversed ones change places, then they are limited to
 * 16 bits, squared for L2 and cut off to whole numbers. `scale`: magnitudes per unit of the thresholds.
 */
export function cannyLevels(low: number, high: number, norm: 'L1' | 'L2', scale = 1): CannyLevels {
  const level = (value: number) => {
    const limited = Math.min(32767, value * scale);
    return Math.floor(norm === 'L2' ? limited * limited : limited);
  };
  return { low: level(Math.min(low, high)), high: level(Math.max(low, high)) };
}

/**
 * The automatic rule: high is the smallest whole number that 80 % of the magnitudes are below, low is 40 % of it.
 * `counts[v]`: pixels whose magnitude has the whole part v. Source: "Parallel pupil tracking", section 2.4.
 */
export function automaticThresholds(counts: ArrayLike<number>): { low: number; high: number } {
  let total = 0;
  for (let v = 0; v < counts.length; v++) total += counts[v]!;
  let high = 0;
  for (let below = 0; 10 * below < 8 * total; high++) below += counts[high]!;
  return { low: 0.4 * high, high };
}
