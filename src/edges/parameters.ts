/** Parameters of Canny, and the integers that magnitudes are compared with. */
import { number, type Values, choice } from '../runtime/parameters.ts';
import { roundEven } from '../image/numbers.ts';
import { gaussianParameters } from '../image/gaussian.ts';

// Parameters of the search for circles, and the offsets at which an edge votes.

/** Maximum number of votes in a bit-sliced counter. */
const mostDirections = 511;

export const circleParameters = {
  minRadius: number({
    default: 10,
    min: 1,
    max: 4096,
    integer: true,
    unit: 'px',
    effect: 'Minimum radius.',
  }),
  maxRadius: number({
    default: 100,
    min: 1,
    max: 4096,
    integer: true,
    unit: 'px',
    effect: 'Maximum radius. More radii take more time.',
  }),
  angleStep: number({
    default: Math.PI / 30,
    min: (2 * Math.PI) / mostDirections,
    max: Math.PI / 2,
    unit: 'rad',
    effect: 'Angle between the vote directions of an edge. Smaller is more reliable and slower.',
  }),
  max: number({
    default: 10,
    min: 1,
    max: 1000,
    integer: true,
    effect: 'Maximum number of circles.',
  }),
  minSupport: number({
    default: 0.25,
    min: 0,
    max: 1,
    unit: 'share of the directions',
    effect: "Minimum share of a circle's directions with an edge.",
  }),
  separation: number({
    default: 10,
    min: 0,
    max: 4096,
    unit: 'px',
    effect: 'Circles closer than this in center and radius are merged. The circle with the most votes is returned.',
  }),
} as const;

export type CircleValues = Values<typeof circleParameters>;

/** Rounds ties up. Rounds to nine decimals first, so that exact halves at 60 degrees do not depend on the last bit. */
const round = (v: number): number => Math.floor(Math.round(v * 1e9) / 1e9 + 0.5);

/**
 * Number of directions 0, step, 2 step, ... below a full turn, and the step in degrees, without noise in the last bits.
 */
export function directionsOf(angleStep: number): { count: number; degrees: number } {
  const degrees = Math.round((angleStep * 180e9) / Math.PI) / 1e9;
  return { count: Math.ceil(360 / degrees - 1e-6), degrees };
}

/** Offsets of the votes on a circle: (round(r cos t), round(r sin t)) for every direction t. */
export function circleOffsets(radius: number, angleStep: number): { dx: number; dy: number }[] {
  const { count, degrees } = directionsOf(angleStep);
  return Array.from({ length: count }, (_, i) => {
    const t = (i * degrees * Math.PI) / 180;
    return { dx: round(radius * Math.cos(t)), dy: round(radius * Math.sin(t)) };
  });
}

/** Directions of brightness that are distinguished. */
export const OCTANTS = 8;

/** Multiple of an eighth of a turn that is nearest to the direction of (x, y). */
export const octantOf = (x: number, y: number): number =>
  Math.round((Math.atan2(y, x) * OCTANTS) / (2 * Math.PI)) & (OCTANTS - 1);

// Parameters of the Hough transform for lines, and its tables.

export const accumulatorParameters = {
  rho: number({ default: 1, min: 0.1, max: 100, unit: 'px', effect: 'Distance between two parallel lines.' }),
  theta: number({
    default: Math.PI / 180,
    min: Math.PI / 3600,
    max: Math.PI / 2,
    unit: 'rad',
    effect: 'Angle between two directions. Smaller is finer and slower.',
  }),
} as const;

export const lineParameters = {
  ...accumulatorParameters,
  threshold: number({
    default: 100,
    min: 0,
    max: 1e6,
    integer: true,
    unit: 'votes',
    effect: 'A line needs more votes than this, about one per pixel of its length.',
  }),
  max: number({ default: 100, min: 1, max: 100000, integer: true, effect: 'Maximum number of lines.' }),
  gap: number({
    default: 10,
    min: 0,
    max: 65535,
    unit: 'px',
    effect: 'Edge pieces closer than this along the line form one segment.',
  }),
} as const;

export type AccumulatorValues = Values<typeof accumulatorParameters>;
export type LineValues = Values<typeof lineParameters>;

/** The accumulator of an image: `distances` counters for each of `angles`, with distance 0 in the middle. */
export interface AccumulatorShape {
  readonly distances: number;
  readonly angles: number;
  /** Cosines and sines of the angles over rho. */
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
}

/** Numbers of distances and angles, and tables, equal to OpenCV's: the angle is summed in 32-bit floats. */
export function accumulatorShape(width: number, height: number, { rho, theta }: AccumulatorValues): AccumulatorShape {
  const distances = roundEven(((width + height) * 2 + 1) / rho);
  let angles = Math.floor(Math.PI / theta) + 1;
  if (angles > 1 && Math.abs(Math.PI - (angles - 1) * theta) < theta / 2) angles--;
  const perRho = Math.fround(1 / Math.fround(rho));
  const cosines = new Float32Array(angles);
  const sines = new Float32Array(angles);
  let angle = 0;
  for (let n = 0; n < angles; n++, angle = Math.fround(angle + Math.fround(theta))) {
    cosines[n] = Math.cos(angle) * perRho;
    sines[n] = Math.sin(angle) * perRho;
  }
  return { distances, angles, cosines, sines };
}

export const cannyParameters = {
  low: number({
    default: 50,
    min: 0,
    max: 2040,
    unit: 'gradient magnitude',
    effect: 'Edges end if the gradient is not above this. Lower values follow weaker edges.',
  }),
  high: number({
    default: 150,
    min: 0,
    max: 2040,
    unit: 'gradient magnitude',
    effect: 'Each edge has a gradient above this somewhere. Higher values remove weak edges.',
  }),
  norm: choice({
    default: 'L1',
    values: ['L1', 'L2'],
    effect: 'Magnitude |dx| + |dy|, or the root of dx^2 + dy^2, which is equal in all directions.',
  }),
  sigma: number({
    default: 0,
    min: 0,
    max: 20,
    unit: 'px',
    effect:
      'Gaussian smoothing before the gradient. 0 turns it off. Larger suppresses more noise and blurs edges more.',
  }),
  size: number({ ...gaussianParameters.size, effect: 'Size of the smoothing kernel if sigma is above 0.' }),
  thresholds: choice({
    default: 'given',
    values: ['given', 'auto'],
    effect: "'auto': the high threshold is the 80th percentile of the magnitudes, the low threshold 40 % of it.",
  }),
  derivative: choice({
    default: 'sobel',
    values: ['sobel', 'gaussian'],
    effect: "'gaussian': derivative of Gaussian. Magnitudes are scaled to a maximum of 255.",
  }),
  hysteresis: choice({
    default: 'auto',
    values: ['auto', 'flood', 'passes', 'none'],
    effect:
      "Weak edges connected to a strong edge are followed to their ends by 'flood' or 'passes', by the faster of both with 'auto', or removed with 'none'.",
  }),
} as const;

export type CannyValues = Values<typeof cannyParameters>;

/** A magnitude (L2: its square) counts if it is greater than `low`, and is strong if it is greater than `high`. */
export interface CannyLevels {
  readonly low: number;
  readonly high: number;
}

/**
 * Converts thresholds to the values that magnitudes are compared with, like OpenCV. Reversed thresholds are swapped.
 * Then they are limited to 16 bits, squared for L2 and truncated to integers. `scale` is the number of magnitudes per
 * threshold unit.
 */
export function cannyLevels(low: number, high: number, norm: 'L1' | 'L2', scale = 1): CannyLevels {
  const level = (value: number) => {
    const limited = Math.min(32767, value * scale);
    return Math.floor(norm === 'L2' ? limited * limited : limited);
  };
  return { low: level(Math.min(low, high)), high: level(Math.max(low, high)) };
}

/**
 * Automatic thresholds. High is the smallest integer that is above 80 % of the magnitudes, and low is 40 % of it.
 * `counts[v]` is the number of pixels whose magnitude has the integer part v. Source: "Parallel pupil tracking",
 * section 2.4.
 */
export function automaticThresholds(counts: ArrayLike<number>): { low: number; high: number } {
  let total = 0;
  for (let v = 0; v < counts.length; v++) total += counts[v]!;
  let high = 0;
  for (let below = 0; 10 * below < 8 * total; high++) below += counts[high]!;
  return { low: 0.4 * high, high };
}
