/**
 * Comparisons of both pupils: a difference in size, and which eye responds less to light. The results name an eye of
 * the person, so series of an unknown eye are refused.
 */
import { median } from '../image/numbers.ts';
import { sideUnknown } from '../results/laterality.ts';
import type { Laterality } from '../results/types.ts';
import type { LightReflex } from './light-reflex.ts';
import { bad, type PupilSeries } from './samples.ts';
import { average } from './statistics.ts';

export interface Anisocoria {
  /** Left minus right, in the unit of the series, and in percent of their mean. */
  difference: number;
  differencePercent: number;
  left: number;
  right: number;
  larger: 'left' | 'right' | 'none';
}

export interface AnisocoriaOptions {
  /** Period on the clock of the series, ms. Default: the whole series. */
  from?: number;
  to?: number;
}

/** Throws 'invalid-argument' if a series belongs to the other eye. A series that does not name its eye is accepted. */
function checkSide(where: string, wanted: 'left' | 'right', eye: Laterality | undefined): void {
  if (eye === 'unknown') throw bad(where, sideUnknown);
  if (eye !== undefined && eye !== wanted)
    throw bad(where, `the series for the ${wanted} eye is from the ${eye} eye. Swap the two.`);
}

/**
 * Compares the median diameters of measured samples. Throws 'invalid-argument' if an eye has no such samples, if the
 * eye of a series is unknown (`eye: 'unknown'`), or if it is the other eye. Both series need one common unit. In
 * pixels, both eyes must have equal distance from the camera.
 */
export function anisocoria(left: PupilSeries, right: PupilSeries, options: AnisocoriaOptions = {}): Anisocoria {
  const { from = -Infinity, to = Infinity } = options;
  const level = (name: 'left' | 'right', { timestamp, diameter, valid, eye }: PupilSeries) => {
    checkSide('anisocoria', name, eye);
    const value = median(diameter.filter((_, i) => valid[i] && timestamp[i]! >= from && timestamp[i]! <= to));
    if (Number.isNaN(value))
      throw bad('anisocoria', `the ${name} eye has no measured sample from ${from} to ${to} ms.`);
    return value;
  };
  const [l, r] = [level('left', left), level('right', right)];
  return {
    difference: l - r,
    differencePercent: (200 * (l - r)) / (l + r),
    left: l,
    right: r,
    larger: l > r ? 'left' : l < r ? 'right' : 'none',
  };
}

export interface AfferentDefect {
  /**
   * log10 of the mean response to light in the right eye divided by the response to light in the left eye. Above 0, the
   * left eye has the defect. The scale is based on responses. Log units of a neutral density filter are different
   * numbers.
   */
  score: number;
  standardError: number;
  eye: 'left' | 'right' | 'none';
  /** Mean amplitude in percent of the baseline, by the eye that received the light. */
  left: number;
  right: number;
  warnings: string[];
}

/** Minimum number of flashes per eye for a reliable score. */
const ENOUGH = 3;

/**
 * Relative afferent defect from lights that alternate between the eyes (swinging flashlight, recorded: Kawasaki, Moore
 * and Kardon, Am J Ophthalmol 120, 1995). Each response is the constriction of a pupil in percent of its baseline. Pass
 * the mean of both pupils, or always use one pupil, so that anisocoria cancels out. Throws 'invalid-argument' if an eye
 * has no response above 0, or if the measured eyes are not known (`eye: 'unknown'` in a reflex).
 * @param toLeft reflexes to light in the left eye
 * @param toRight reflexes to light in the right eye
 */
export function relativeAfferentDefect(
  toLeft: readonly Pick<LightReflex, 'amplitudePercent' | 'eye'>[],
  toRight: readonly Pick<LightReflex, 'amplitudePercent' | 'eye'>[],
): AfferentDefect {
  if ([...toLeft, ...toRight].some(({ eye }) => eye === 'unknown')) throw bad('relativeAfferentDefect', sideUnknown);
  const of = (name: string, reflexes: typeof toLeft) => {
    const response = average(reflexes.map((one) => one.amplitudePercent));
    if (!(response.mean > 0))
      throw bad('relativeAfferentDefect', `light in the ${name} eye has no response above 0. Record more flashes.`);
    return response;
  };
  const [left, right] = [of('left', toLeft), of('right', toRight)];
  const score = Math.log10(right.mean / left.mean);
  // The error of a logarithm is the relative error of its argument.
  const standardError = Math.hypot(left.standardError / left.mean, right.standardError / right.mean) / Math.LN10;
  const warnings: string[] = [];
  if (Math.min(left.count, right.count) < ENOUGH) warnings.push(`Fewer than ${ENOUGH} responses for an eye.`);
  const clear = Math.abs(score) > 2 * standardError;
  if (!clear) warnings.push('The score is within two standard errors of 0, or too few responses define its error.');
  return {
    score,
    standardError,
    eye: !clear ? 'none' : score > 0 ? 'left' : 'right',
    left: left.mean,
    right: right.mean,
    warnings,
  };
}
