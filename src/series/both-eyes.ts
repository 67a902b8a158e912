/**
 * What the two pupils say together: a difference of size, and which eye sees less of the light. Both name an eye of the
 * person, so they refuse series of which nobody knows whose they are.
 */
import { median } from '../image/numbers.ts';
import { sideUnknown } from '../results/laterality.ts';
import type { Laterality } from '../results/types.ts';
import type { LightReflex } from './light-reflex.ts';
import { bad, type PupilSeries } from './samples.ts';
import { average } from './statistics.ts';

export interface Anisocoria {
  /** Left less right, in the unit of the series, and in per cent of their mean. */
  difference: number;
  differencePercent: number;
  left: number;
  right: number;
  larger: 'left' | 'right' | 'none';
}

export interface AnisocoriaOptions {
  /** On the clock of the series, ms; the whole series where they are left out. */
  from?: number;
  to?: number;
}

/** Throws 'invalid-argument' where a series is not of the eye that it is given for; one that says nothing is taken as given. */
function checkSide(where: string, wanted: 'left' | 'right', eye: Laterality | undefined): void {
  if (eye === 'unknown') throw bad(where, sideUnknown);
  if (eye !== undefined && eye !== wanted)
    throw bad(where, `the series for the ${wanted} eye is from the ${eye} eye. Swap the two.`);
}

/**
 * Median diameters of measured samples. Throws 'invalid-argument' where an eye has none there, where it is not known whose
 * eye a series is of (`eye: 'unknown'`), and where it is of the other eye. Both series need the same
 * unit; in pixels, the eyes must be at one distance from the camera.
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
   * log10 of the mean response to light in the right eye over that to light in the left: above 0 the left eye has the
   * defect. Of responses, not of filters: log units of a neutral density filter are not the same number.
   */
  score: number;
  standardError: number;
  eye: 'left' | 'right' | 'none';
  /** Mean amplitude in per cent of the baseline, by the eye that the light fell into. */
  left: number;
  right: number;
  warnings: string[];
}

/** Flashes an eye that a score should rest on. */
const ENOUGH = 3;

/**
 * Relative afferent defect from lights that alternate between the eyes (swinging flashlight, recorded: Kawasaki, Moore and
 * Kardon, Am J Ophthalmol 120, 1995). Each response is the constriction of a pupil in per cent of its baseline; give the
 * mean of both pupils' or always the same pupil's, so that anisocoria falls out.
 * Throws 'invalid-argument' where an eye has no response above 0, and where it is not known whose pupils were measured
 * (`eye: 'unknown'` in a reflex).
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
