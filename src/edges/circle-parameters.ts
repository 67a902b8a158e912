/** Parameters of the search for circles, and the offsets at which an edge votes. */
import { number, type Values } from '../runtime/parameters.ts';

/** Votes of a bit-sliced counter. */
const mostDirections = 511;

export const circleParameters = {
  minRadius: number({
    default: 10,
    min: 1,
    max: 4096,
    integer: true,
    unit: 'px',
    effect: 'Smallest radius that is tried.',
  }),
  maxRadius: number({
    default: 100,
    min: 1,
    max: 4096,
    integer: true,
    unit: 'px',
    effect: 'Largest radius that is tried; the time grows with the number of radii.',
  }),
  angleStep: number({
    default: Math.PI / 30,
    min: (2 * Math.PI) / mostDirections,
    max: Math.PI / 2,
    unit: 'rad',
    effect: 'An edge votes in a direction every so often; smaller is surer and takes longer.',
  }),
  max: number({
    default: 10,
    min: 1,
    max: 1000,
    integer: true,
    effect: 'At most so many circles.',
  }),
  minSupport: number({
    default: 0.25,
    min: 0,
    max: 1,
    unit: 'share of the directions',
    effect: 'A circle has an edge in at least this part of its directions.',
  }),
  separation: number({
    default: 10,
    min: 0,
    max: 4096,
    unit: 'px',
    effect: 'Of circles closer than this both in center and in radius only that with most votes is returned.',
  }),
} as const;

export type CircleValues = Values<typeof circleParameters>;

/** Half-way cases go up; nine decimals first, so that exact halves at 60 degrees do not hang on the last bit. */
const round = (v: number): number => Math.floor(Math.round(v * 1e9) / 1e9 + 0.5);

/** Number of directions 0, step, 2 step, ... below a full turn, and the step in degrees, without the last bits' noise. */
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

/** The nearest multiple of an eighth of a turn to the direction of (x, y). */
export const octantOf = (x: number, y: number): number =>
  Math.round((Math.atan2(y, x) * OCTANTS) / (2 * Math.PI)) & (OCTANTS - 1);
