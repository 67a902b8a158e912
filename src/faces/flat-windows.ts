/**
 * Windows without contrast, which would make a cascade evaluate noise. OpenCV skips windows with a standard deviation
 * of 10 gray values or less. This skips many faces in an image with low contrast (dark or foggy). If results are
 * verified, windows with low contrast are searched too. The limit is then reduced by the ratio of the image's deviation
 * to `usual`. Few well lit images are below `usual`. The minimum limit is `noise` gray values. `npm run bench -- dark
 * faces` compares both.
 */
import { contrastOf, PLACES } from '../image/histogram.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';

const LEVELS = 10;
export const flatRule = { usual: 32, noise: 2 };

/** Factor for the contrast, minimum and maximum variance. Single precision, so that both backends round equally. */
export const flatLimits = (faint?: boolean): [number, number, number] => [
  Math.fround((LEVELS / PLACES / flatRule.usual) ** 2),
  (faint ? flatRule.noise : LEVELS) ** 2,
  LEVELS ** 2,
];

/** Maximum variance of a flat window, for the searched image in the arena. */
export function leastVariance(scope: Scope, image: Plane, faint?: boolean): number {
  const [share, lowest, highest] = flatLimits(faint);
  return Math.min(highest, Math.max(lowest, Math.fround(Math.fround(contrastOf(scope, image)) * share)));
}
