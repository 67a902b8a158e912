/**
 * Parts of a series around events on one time grid, and their mean. Each has a separate baseline (Mathot, J Cogn 1(1),
 * 2018, who subtracts the baseline instead of dividing by it, and checks its size before trusting a trial).
 */
import { median } from '../image/numbers.ts';
import { choice, number, resolveParameters, type Given, type ParameterTable } from '../runtime/parameters.ts';
import { interpolate } from './interpolation.ts';
import { bad, medianStep, type PupilSeries } from './samples.ts';
import { average } from './statistics.ts';

export const epochParameters = {
  before: number({
    default: 500,
    min: 0,
    max: 600000,
    unit: 'ms',
    effect: 'Time from the start of an epoch to its event.',
  }),
  after: number({
    default: 3000,
    min: 1,
    max: 600000,
    unit: 'ms',
    effect: 'Time from the event to the end of its epoch.',
  }),
  step: number({
    default: 0,
    min: 0,
    max: 10000,
    unit: 'ms',
    effect: 'Interval between the times of an epoch. 0 uses the median step of the series.',
  }),
  baseline: choice({
    default: 'subtract',
    values: ['none', 'subtract', 'percent'],
    effect: 'Diameters minus the baseline, or in percent of it.',
  }),
  baselineFrom: number({
    default: -200,
    min: -600000,
    max: 600000,
    unit: 'ms',
    effect: 'Start of the baseline, relative to the event.',
  }),
  baselineTo: number({
    default: 0,
    min: -600000,
    max: 600000,
    unit: 'ms',
    effect: 'End of the baseline, relative to the event.',
  }),
  leastValid: number({
    default: 0.5,
    min: 0,
    max: 1,
    effect: 'Epochs with a smaller share of measured samples are excluded from the mean.',
  }),
} satisfies ParameterTable;

export interface Epoch {
  event: number;
  /** Diameter at each time of the grid. NaN if there is none. */
  diameter: Float64Array;
  /** In the unit of the series. NaN without samples in the baseline period. */
  baseline: number;
  /** Share of the grid that is based on measured samples. */
  validShare: number;
  kept: boolean;
}

export interface Epochs {
  /** Time since the event, ms. */
  time: Float64Array;
  epochs: Epoch[];
  /** Mean of the accepted epochs at each time, with standard error and number of epochs. */
  mean: Float64Array;
  standardError: Float64Array;
  count: Uint32Array;
}

/**
 * Throws 'invalid-argument': no events, an event that is not a number, or an option out of its range. Epochs that
 * extend beyond the series are NaN there. They are left out if too little remains.
 * @param events on the clock of the series, ms
 */
export function epochs(
  series: PupilSeries,
  events: readonly number[],
  options: Given<typeof epochParameters> = {},
): Epochs {
  const where = 'epochs';
  const values = resolveParameters(epochParameters, options, where);
  const { timestamp, diameter, valid } = series;
  if (!Array.isArray(events) || !events.length) throw bad(where, 'events must be an array of at least one time in ms.');
  if (!events.every(Number.isFinite)) throw bad(where, 'every event must be a finite number of milliseconds.');
  if (!(values.baselineTo > values.baselineFrom)) throw bad(where, 'baselineTo must come after baselineFrom.');
  const step = values.step || medianStep(timestamp);
  const count = Math.floor((values.before + values.after) / step + 1e-6) + 1;
  const time = Float64Array.from({ length: count }, (_, i) => i * step - values.before);
  const cut = (event: number): Epoch => {
    const times = time.map((t) => t + event);
    const piece = interpolate(timestamp, diameter, times, 'linear');
    const near = interpolate(timestamp, Float64Array.from(valid), times, 'linear');
    const inBaseline = (i: number) =>
      timestamp[i]! >= event + values.baselineFrom && timestamp[i]! <= event + values.baselineTo;
    const level = median(diameter.filter((value, i) => inBaseline(i) && !Number.isNaN(value)));
    const validShare = near.filter((share) => share === 1).length / count;
    const { baseline } = values;
    return {
      event,
      diameter: piece.map((value) =>
        baseline === 'none' ? value : baseline === 'subtract' ? value - level : (100 * (value - level)) / level,
      ),
      baseline: level,
      validShare,
      kept: validShare >= values.leastValid && (baseline === 'none' || !Number.isNaN(level)),
    };
  };
  const all = events.map(cut);
  const kept = all.filter((epoch) => epoch.kept);
  const at = Array.from(time, (_, i) => average(kept.map((epoch) => epoch.diameter[i]!)));
  return {
    time,
    epochs: all,
    mean: Float64Array.from(at, (one) => one.mean),
    standardError: Float64Array.from(at, (one) => one.standardError),
    count: Uint32Array.from(at, (one) => one.count),
  };
}
