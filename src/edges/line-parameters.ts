/** Parameters of the Hough transform for lines, and its tables. */
import { roundEven } from '../image/numbers.ts';
import { number, type Values } from '../runtime/parameters.ts';

export const accumulatorParameters = {
  rho: number({ default: 1, min: 0.1, max: 100, unit: 'px', effect: 'Distance between two lines of one direction.' }),
  theta: number({
    default: Math.PI / 180,
    min: Math.PI / 3600,
    max: Math.PI / 2,
    unit: 'rad',
    effect: 'Angle between two directions; smaller is finer and takes longer.',
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
    effect: 'A line has more votes than this, about one for each pixel of its length.',
  }),
  max: number({ default: 100, min: 1, max: 100000, integer: true, effect: 'At most so many lines.' }),
  gap: number({
    default: 10,
    min: 0,
    max: 65535,
    unit: 'px',
    effect: 'Segments: pieces of edge closer than this along the line make one segment.',
  }),
} as const;

export type AccumulatorValues = Values<typeof accumulatorParameters>;
export type LineValues = Values<typeof lineParameters>;

/** The accumulator of an image: `distances` counters for each of `angles`; distance 0 is in the middle. */
export interface AccumulatorShape {
  readonly distances: number;
  readonly angles: number;
  /** Cosines and sines of the angles over rho. */
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
}

/** OpenCV's numbers of distances and angles, and its tables: the angle is summed in 32-bit floats. */
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
