/** The image stages: everything that two or more capabilities need. */
import { compact, reduce, reduce32, reduceFloat, scan, scan32 } from './scan.ts';
import { components } from './components.ts';
import { dilate, erode, topHat } from './morphology.ts';
import { distanceTransform, skeleton } from './skeleton.ts';
import { gaussian } from './gaussian.ts';
import { gradientFloat, gradient } from './gradient.ts';
import { gray } from './gray.ts';
import { histogram, lumaRange } from './histogram.ts';
import { integralSquares, integral } from './integral.ts';
import { median } from './median.ts';
import { pyramidDown } from './pyramid-down.ts';
import { threshold } from './threshold.ts';

export * from './scan.ts';
export * from './components.ts';
export {
  dilate,
  distanceTransform,
  erode,
  gaussian,
  gradient,
  gradientFloat,
  gray,
  lumaRange,
  median,
  pyramidDown,
  scan,
  scan32,
  skeleton,
  threshold,
  topHat,
};
export * from './histogram.ts';
export * from './integral.ts';
export { integral, unwrapIntegral } from './integral.ts';
export * from './scan.ts';

/** Every image stage, for the parity test and the bench. */
export const imageStages = [
  gray,
  lumaRange,
  gaussian,
  median,
  erode,
  dilate,
  topHat,
  threshold,
  gradient,
  gradientFloat,
  integral,
  integralSquares,
  scan,
  scan32,
  compact,
  reduce,
  reduce32,
  reduceFloat,
  histogram,
  pyramidDown,
  components,
  distanceTransform,
  skeleton,
] as const;
