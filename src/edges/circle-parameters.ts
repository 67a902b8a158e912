/** Parameters of the search for circles, and the offsets at which an edge votes. */
import { FoveolaError } from '../runtime/error.ts';
import { number, type Values } from '../runtime/parameters.ts';

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
    default: 6,
    min: 0.01,
    max: 90,
    unit: '°, or radians below 1',
    effect: 'An edge votes in a direction every so often; smaller is surer and takes longer.',
  }),
  max: number({
    default: 10,
    min: 1,
    max: 1000,
    integer: true,
    effect: 'At most so many circles.',
  }),
  threshold: number({
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
    effect: 'Of circles closer than this both in centre and in radius only that with most votes is returned.',
  }),
} as const;

export type CircleValues = Values<typeof circleParameters>;

/** Votes of a bit-sliced counter. */
const mostDirections = 511;

/** Half-way cases go up; nine decimals first, so that exact halves at 60 degrees do not hang on the last bit. */
const round = (v: number): number => Math.floor(Math.round(v * 1e9) / 1e9 + 0.5);

/** Number of directions 0, step, 2 step, ... below a full turn. Throws 'invalid-argument' where they are too many. */
export function directionsOf(angleStep: number): { count: number; degrees: number } {
  const degrees = angleStep < 1 ? Math.round((angleStep * 180e9) / Math.PI) / 1e9 : angleStep;
  const count = Math.ceil(360 / degrees - 1e-6);
  if (count > mostDirections)
    throw new FoveolaError(
      'invalid-argument',
      `houghCircles: angleStep must leave at most ${mostDirections} directions, so be at least 0.71° (0.0124), not ${angleStep}.`,
    );
  return { count, degrees };
}

/** Offsets of the votes on a circle: (round(r cos t), round(r sin t)) for every direction t. */
export function circleOffsets(radius: number, angleStep: number): { dx: number; dy: number }[] {
  const { count, degrees } = directionsOf(angleStep);
  return Array.from({ length: count }, (_, i) => {
    const t = (i * degrees * Math.PI) / 180;
    return { dx: round(radius * Math.cos(t)), dy: round(radius * Math.sin(t)) };
  });
}

/** Directions of brightness that are told apart. */
export const OCTANTS = 8;

/** The nearest multiple of an eighth of a turn to the direction of (x, y). */
export const octantOf = (x: number, y: number): number =>
  Math.round((Math.atan2(y, x) * OCTANTS) / (2 * Math.PI)) & (OCTANTS - 1);
