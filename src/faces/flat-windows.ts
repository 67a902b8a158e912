/**
 * Windows without contrast, in which a cascade would judge noise. OpenCV leaves out those with a standard deviation of 10 gray
 * levels or less. In a picture that has little contrast itself, dark or foggy, that is many a face. Where what is found is looked
 * at again, faint windows are searched as well: the limit is as much lower as the deviation of the whole picture is below `usual`,
 * which that of few pictures in good light is, but no lower than `noise` levels. `npm run bench -- dark faces` compares both.
 */
import { contrastOf, PLACES } from '../image/histogram.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';

const LEVELS = 10;
export const flatRule = { usual: 32, noise: 2 };

/** What contrast is multiplied with, the lowest and the highest variance: single precision, so that both sides round alike. */
export const flatLimits = (faint?: boolean): [number, number, number] => [
  Math.fround((LEVELS / PLACES / flatRule.usual) ** 2),
  (faint ? flatRule.noise : LEVELS) ** 2,
  LEVELS ** 2,
];

/** Windows with this variance or less are flat; of the picture that is searched, on the arena. */
export function leastVariance(scope: Scope, image: Plane, faint?: boolean): number {
  const [share, lowest, highest] = flatLimits(faint);
  return Math.min(highest, Math.max(lowest, Math.fround(Math.fround(contrastOf(scope, image)) * share)));
}
