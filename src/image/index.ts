/** The image stages: whatever two capabilities need. */
import { dilate } from './dilate.ts';
import { erode } from './erode.ts';
import { gaussian } from './gaussian.ts';
import { gradientFloat } from './gradient-float.ts';
import { gradient } from './gradient.ts';
import { gray } from './gray.ts';
import { integralSquares } from './integral-squares.ts';
import { integral } from './integral.ts';
import { lumaRange } from './luma-range.ts';
import { threshold } from './threshold.ts';
import { topHat } from './top-hat.ts';

export {
  dilate,
  erode,
  gaussian,
  gradient,
  gradientFloat,
  gray,
  integral,
  integralSquares,
  lumaRange,
  threshold,
  topHat,
};
export { squaredSums, windowVariance } from './integral-squares.ts';
export { unwrapIntegral } from './integral.ts';

/** Every image stage, for the parity test and the bench. */
export const imageStages = [
  gray,
  lumaRange,
  gaussian,
  erode,
  dilate,
  topHat,
  threshold,
  gradient,
  gradientFloat,
  integral,
  integralSquares,
] as const;
