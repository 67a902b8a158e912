/** Slow changes from one size of the pupil to another: the dilation in the dark, and the constriction to a near target. */
import { median } from '../image/numbers.ts';
import type { Laterality } from '../results/types.ts';
import { pointsOf, type Points } from './light-reflex.ts';
import { bad, type PupilSeries } from './samples.ts';
import { indexAt } from './statistics.ts';

/** A step of a test, on the clock of the series, ms. */
export interface StepSpan {
  onset: number;
  offset: number;
}

export interface DarkAdaptation {
  /** Median diameter in the last second before the dark, and in the last ten seconds of it. */
  light: number;
  dark: number;
  /** The difference, in the unit of the samples and in percent of the diameter in the light. */
  dilation: number;
  dilationPercent: number;
  /** Time in the dark until half and 90 % of the dilation are reached, ms. */
  t50: number;
  t90: number;
  warnings: string[];
  /** The eye, if the series names it. */
  eye?: Laterality;
}

export interface NearResponse {
  /** Median diameter in the last second of looking far, and in the second half of looking near. */
  far: number;
  near: number;
  /** The difference, in the unit of the samples and in percent of the diameter when looking far. */
  constriction: number;
  constrictionPercent: number;
  warnings: string[];
  /** The eye, if the series names it. */
  eye?: Laterality;
}

/** Minimum number of samples for a level. */
const ENOUGH = 5;
const LAST_LIGHT = 1000;
const LAST_DARK = 10_000;
/** Time of the medians that define when a level is reached, and the time between them, ms. */
const WIDE = 1000;
const STEP = 100;

function levelOf({ t, v }: Points, from: number, to: number): number {
  const some = v.slice(indexAt(t, from), indexAt(t, to));
  return some.length >= ENOUGH ? median(some) : NaN;
}

function spanned(where: string, series: PupilSeries, { onset, offset }: StepSpan): Points {
  const points = pointsOf(where, series);
  if (!(Number.isFinite(onset) && offset > onset))
    throw bad(where, `onset and offset must be times in ms, the offset after the onset.`);
  return points;
}

/** Throws 'invalid-argument': no series, or an offset before its onset. A value that cannot be measured is NaN. */
export function darkAdaptation(series: PupilSeries, dark: StepSpan): DarkAdaptation {
  const { onset, offset } = dark;
  const points = spanned('darkAdaptation', series, dark);
  const light = levelOf(points, onset - LAST_LIGHT, onset);
  const last = levelOf(points, Math.max(onset, offset - LAST_DARK), offset);
  const dilation = last - light;
  const warnings: string[] = [];
  if (Number.isNaN(dilation)) warnings.push('Too few samples before the dark or at its end.');
  else if (!(dilation > 0)) warnings.push('The pupil is not larger in the dark.');
  const reached = [0.5, 0.9].map((share) => {
    if (!(dilation > 0)) return NaN;
    for (let at = onset; at + WIDE / 2 <= offset; at += STEP)
      if (levelOf(points, at - WIDE / 2, at + WIDE / 2) >= light + share * dilation) return at - onset;
    return NaN;
  });
  return {
    ...{ light, dark: last, dilation, dilationPercent: (100 * dilation) / light },
    ...{ t50: reached[0]!, t90: reached[1]!, warnings },
    ...(series.eye && { eye: series.eye }),
  };
}

/** Throws 'invalid-argument': no series, or an offset before its onset. A value that cannot be measured is NaN. */
export function nearResponse(series: PupilSeries, step: StepSpan): NearResponse {
  const { onset, offset } = step;
  const points = spanned('nearResponse', series, step);
  const far = levelOf(points, onset - LAST_LIGHT, onset);
  const near = levelOf(points, (onset + offset) / 2, offset);
  const constriction = far - near;
  return {
    ...{ far, near, constriction, constrictionPercent: (100 * constriction) / far },
    warnings: Number.isNaN(constriction) ? ['Too few samples while looking far or near.'] : [],
    ...(series.eye && { eye: series.eye }),
  };
}
