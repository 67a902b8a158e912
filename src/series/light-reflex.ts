/**
 * Measures the reflex of a pupil to one light. All measures use the samples at their original times, without those that
 * the cleaning rejected. Filters and interpolated gaps would shift latencies and flatten velocities (Bergamin and
 * Kardon, IOVS 44, 2003). Diameters and velocities come from polynomials fitted to the samples around each time
 * (statistics.ts), the latency from onset.ts. Cost: some thousand small fits, tens of milliseconds.
 */
import {
  choice,
  number,
  type ParameterTable,
  resolveParameters,
  type Given,
  type Values,
} from '../runtime/parameters.ts';
import { median } from '../image/numbers.ts';
import type { Laterality } from '../results/types.ts';
import { average, indexAt, leastSquares, localFit, standardDeviation, type Average } from './statistics.ts';
import { peakOnset, stepOnset } from './onset.ts';
import { bad, checkTimes, medianStep, type PupilSeries } from './samples.ts';

// Parameters of the light reflex measurement. Windows without a source were chosen with `npm run lab -- traces
// series` on its development seeds, for 30, 60 and 120 Hz together.

export const reflexParameters = {
  baselineLength: number({
    default: 500,
    min: 20,
    max: 60000,
    unit: 'ms',
    effect: 'Time before the light whose median is the baseline.',
  }),
  window: number({
    default: 3000,
    min: 300,
    max: 120000,
    unit: 'ms',
    effect: 'Time after light onset to search for the minimum.',
  }),
  shortestLatency: number({
    default: 100,
    min: 0,
    max: 1000,
    unit: 'ms',
    effect: 'Earlier movements are not a response to the light (180 ms is short: Bergamin and Kardon 2003).',
  }),
  latencyMethod: choice({
    default: 'step',
    values: ['step', 'peak'],
    effect:
      "'step': the first movement, by fits of a line and a constriction after it (after Bos 1991). 'peak': the maximum acceleration (Bergamin and Kardon 2003), which is later.",
  }),
  velocityWindow: number({
    default: 200,
    min: 20,
    max: 2000,
    unit: 'ms',
    effect: 'Half width of the cubic whose slope is the velocity.',
  }),
  accelerationWindow: number({
    default: 140,
    min: 20,
    max: 2000,
    unit: 'ms',
    effect: "Half width of the cubic whose second derivative is the acceleration, for latencyMethod 'peak'.",
  }),
  diameterWindow: number({
    default: 250,
    min: 20,
    max: 2000,
    unit: 'ms',
    effect: 'Half width of the parabola for minimum and recovery.',
  }),
  piprFrom: number({
    default: 5000,
    min: 0,
    max: 120000,
    unit: 'ms',
    effect:
      'Start of the mean that measures the response after the light, from light offset (Park et al. 2011: about 6 s).',
  }),
  piprTo: number({ default: 7000, min: 1, max: 120000, unit: 'ms', effect: 'End of that mean.' }),
} satisfies ParameterTable;

export interface LightReflexOptions extends Given<typeof reflexParameters> {
  /** Onset of the light, on the clock of the series, ms. */
  onset: number;
  /** Duration of the light, ms. Required for the response after the light (pipr). */
  duration?: number;
}

/**
 * Times in ms, diameters in the unit of the samples, velocities in that unit per second. If a value is NaN, see
 * `warnings`.
 */
export interface LightReflex {
  /** Time from the light to the first movement. */
  latency: number;
  /** Ends of the 95 % interval of the latency, also measured from the light. NaN with latencyMethod 'peak'. */
  latencyLow: number;
  latencyHigh: number;
  /** Median diameter before the light. */
  baseline: number;
  /** Minimum diameter, and the maximum from half a second before the light to the end. */
  minimum: number;
  maximum: number;
  /** baseline - minimum, and this difference in percent of the baseline. */
  amplitude: number;
  amplitudePercent: number;
  /**
   * Mean constriction velocity (amplitude over the time from first movement to minimum), and the maximum. Both
   * positive.
   */
  constrictionVelocity: number;
  peakConstrictionVelocity: number;
  /** Mean dilation velocity (half the amplitude over t50), and the maximum after the minimum. Both positive. */
  dilationVelocity: number;
  peakDilationVelocity: number;
  /** Time from the light to the minimum. */
  timeToMinimum: number;
  /** Time from the minimum until half and three quarters of the amplitude are recovered. */
  t50: number;
  t75: number;
  /** Remaining constriction 5 to 7 s after the end of the light, in percent of the baseline. */
  pipr: number;
  /** Share of the time from baseline to recovery without gaps between samples, 0 to 1. */
  quality: number;
  warnings: string[];
  /** The eye, if the series names it. */
  eye?: Laterality;
}

/** Time step of the curves used for minimum, velocities and recovery, ms. */
const STEP = 4;
/** Minimum number of samples for a baseline. */
const ENOUGH = 5;
/** Smaller changes than this multiple of the standard deviation of the baseline are not a reflex. */
const CLEAR = 3;
/** A latency with a wider interval than this has a warning, ms. */
const UNSURE = 100;
/** Longer steps between samples are gaps: as a multiple of the usual step, and in ms. */
const GAP_STEPS = 2.5;
const GAP = 50;

/** Accepted samples. Longer steps than `gap` ms are gaps. */
export interface Points {
  t: number[];
  v: number[];
  gap: number;
}

/**
 * Throws 'invalid-argument': no series, decreasing times, an onset outside the series, or a window out of its range. A
 * value that cannot be measured is NaN, and `warnings` contains the reason.
 * @param series result of cleanSeries. Other series need timestamp, raw (or diameter) and valid
 */
export function lightReflex(series: PupilSeries, options: LightReflexOptions): LightReflex {
  const where = 'lightReflex';
  const { onset, duration, ...given } = options ?? {};
  const values = resolveParameters(reflexParameters, given, where);
  const points = pointsOf(where, series);
  const [first, last] = [series.timestamp[0]!, series.timestamp.at(-1)!];
  if (!(onset >= first && onset <= last))
    throw bad(where, `onset must be within the series, from ${first} to ${last} ms, not at ${String(onset)}.`);
  if (duration !== undefined && !(duration >= 0 && duration < Infinity))
    throw bad(where, `duration must be 0 ms or more, not ${String(duration)}.`);
  const warnings: string[] = [];
  const level = baselineOf(points, onset, values.baselineLength, warnings);
  const lowest = minimumOf(points, onset, values, warnings);
  const reflex = constriction(points, { onset, ...level, lowest }, values, warnings);
  const recovery = recoveryOf(points, { ...reflex, lowest }, values, warnings);
  const end = onset + (duration ?? NaN);
  const late = points.v.filter((_, i) => points.t[i]! >= end + values.piprFrom && points.t[i]! <= end + values.piprTo);
  const left = last >= end + values.piprTo && late.length >= ENOUGH ? median(late) : NaN;
  if (duration !== undefined && Number.isNaN(left))
    warnings.push(`pipr needs samples until ${values.piprTo} ms after the light's end.`);
  return {
    ...reflex.measures,
    ...recovery,
    pipr: (100 * (level.baseline - left)) / level.baseline,
    quality: coverage(points, onset - values.baselineLength, lowest.at + (recovery.t75 || recovery.t50 || 500)),
    warnings,
    ...(series.eye && { eye: series.eye }),
  };
}

/** The accepted samples, at their original times. */
export function pointsOf(where: string, series: PupilSeries): Points {
  const source = series?.samples ?? (series && { ...series, diameter: series.raw ?? series.diameter });
  if (!source?.timestamp?.length || !source.diameter || !source.valid)
    throw bad(where, 'series must be the result of cleanSeries.');
  const times = checkTimes(where, source.timestamp);
  const [t, v]: [number[], number[]] = [[], []];
  times.forEach((time, i) => {
    if (!source.valid[i] || !Number.isFinite(source.diameter[i]) || time === t.at(-1)) return;
    t.push(time);
    v.push(source.diameter[i]!);
  });
  return { t, v, gap: Math.max(GAP, GAP_STEPS * medianStep(times)) };
}

function baselineOf({ t, v }: Points, onset: number, length: number, warnings: string[]) {
  const before = v.slice(indexAt(t, onset - length), indexAt(t, onset));
  if (before.length < ENOUGH) {
    warnings.push(`Fewer than ${ENOUGH} samples in the ${length} ms before the light, so the baseline is missing.`);
    return { baseline: NaN, spread: NaN };
  }
  return { baseline: median(before), spread: standardDeviation(before) };
}

/** Minimum of the fitted curve. NaN if it is next to a gap, which may hide a smaller value. */
function minimumOf({ t, v }: Points, onset: number, values: Values<typeof reflexParameters>, warnings: string[]) {
  const reach = values.diameterWindow;
  const value = (time: number) => localFit(t, v, time, reach, 2).value;
  let [at, minimum] = [NaN, Infinity];
  const end = Math.min(onset + values.window, t.at(-1) ?? NaN);
  for (let time = onset + values.shortestLatency; time <= end; time += STEP) {
    const here = value(time);
    if (here < minimum) [at, minimum] = [time, here];
  }
  const beside = [-3 * STEP, 3 * STEP].some((shift) => Number.isNaN(value(at + shift)));
  if (!beside) return { at, minimum };
  warnings.push('Samples are missing around the minimum, or it comes after the end.');
  return { at: NaN, minimum: NaN };
}

interface Reflex {
  onset: number;
  baseline: number;
  spread: number;
  lowest: { at: number; minimum: number };
}

function constriction(
  points: Points,
  { onset, baseline, spread, lowest }: Reflex,
  values: Values<typeof reflexParameters>,
  warnings: string[],
) {
  const { t, v } = points;
  const amplitude = baseline - lowest.minimum;
  const clear = amplitude > CLEAR * spread;
  if (Number.isFinite(amplitude) && !clear)
    warnings.push('The constriction does not exceed the fluctuation before the light, so no reflex is timed.');
  const earliest = onset + values.shortestLatency;
  let [peak, slope] = [NaN, 0];
  for (let time = earliest; clear && time <= lowest.at; time += STEP) {
    const here = localFit(t, v, time, values.velocityWindow, 3).slope;
    if (here < slope) [peak, slope] = [time, here];
  }
  const missing = clear && gapWithin(points, earliest, peak + values.velocityWindow / 2);
  const search = { light: onset, earliest, peak };
  const start = Number.isNaN(peak)
    ? null
    : values.latencyMethod === 'step'
      ? stepOnset(t, v, search)
      : peakOnset(t, v, search, values.accelerationWindow);
  if (missing) warnings.push('Samples are missing while the pupil constricts: no latency and no velocities.');
  else if (clear && !Number.isFinite(start?.at)) warnings.push('Too few samples for a latency.');
  const known = missing || !start ? { at: NaN, low: NaN, high: NaN } : start;
  const [latency, latencyLow, latencyHigh] = [known.at - onset, known.low - onset, known.high - onset];
  if (latencyHigh - latencyLow > UNSURE)
    warnings.push(
      `The latency is between ${latencyLow.toFixed(0)} and ${latencyHigh.toFixed(0)} ms (95 % interval). Average several reflexes.`,
    );
  const measures = {
    latency,
    latencyLow,
    latencyHigh,
    baseline,
    minimum: lowest.minimum,
    maximum: largest(points, onset),
    amplitude,
    amplitudePercent: (100 * amplitude) / baseline,
    constrictionVelocity: (1000 * amplitude) / (lowest.at - onset - latency),
    peakConstrictionVelocity: clear && !missing && slope < 0 ? -1000 * slope : NaN,
    timeToMinimum: clear ? lowest.at - onset : NaN,
  };
  return { measures, clear };
}

function largest({ t, v }: Points, onset: number): number {
  const after = v.slice(indexAt(t, onset - 500));
  return after.length ? after.reduce((most, value) => Math.max(most, value)) : NaN;
}

function gapWithin({ t, gap }: Points, from: number, to: number): boolean {
  for (let i = Math.max(1, indexAt(t, from)); i < t.length && t[i - 1]! < to; i++)
    if (t[i]! - t[i - 1]! > gap) return true;
  return t.length === 0 || t.at(-1)! < to;
}

function recoveryOf(
  { t, v }: Points,
  { measures, clear, lowest }: ReturnType<typeof constriction> & Pick<Reflex, 'lowest'>,
  values: Values<typeof reflexParameters>,
  warnings: string[],
) {
  const { amplitude, minimum } = measures;
  const none = { t50: NaN, t75: NaN, dilationVelocity: NaN, peakDilationVelocity: NaN };
  if (!clear) return none;
  const regained = [0.5, 0.75].map((share) => minimum + share * amplitude);
  const reached = [NaN, NaN];
  let [before, known] = [minimum, lowest.at];
  for (let time = lowest.at; time <= t.at(-1)! && Number.isNaN(reached[1]); time += STEP) {
    const here = localFit(t, v, time, values.diameterWindow, 2).value;
    if (Number.isNaN(here)) continue;
    regained.forEach((level, k) => {
      if (!Number.isNaN(reached[k]) || here < level) return;
      // Within a gap the time is not known.
      const share = here > before ? (level - before) / (here - before) : 0;
      reached[k] = time - known > values.diameterWindow / 2 ? Infinity : known + share * (time - known) - lowest.at;
    });
    [before, known] = [here, time];
  }
  if (reached.some((time) => !Number.isFinite(time)))
    warnings.push('50 % or 75 % recovery occurs after the end or within missing samples.');
  const [t50, t75] = reached.map((time) => (Number.isFinite(time) ? time : NaN)) as [number, number];
  // An exponential recovery takes twice as long for three quarters as for half.
  const until = lowest.at + (Number.isNaN(t75) ? 2 * t50 : t75);
  const peakDilationVelocity = 1000 * largestSlope({ t, v }, lowest.at, until);
  return { t50, t75, dilationVelocity: (500 * amplitude) / t50, peakDilationVelocity };
}

/** Degree of the polynomial of a recovery. The largest of many local slopes would be the largest noise. */
const RECOVERY_DEGREE = 5;

/** Largest slope at a sample of one polynomial from the minimum to 75 % recovery, per ms. NaN with too few samples. */
function largestSlope({ t, v }: Pick<Points, 't' | 'v'>, from: number, to: number): number {
  const [start, end] = [indexAt(t, from), indexAt(t, to)];
  const count = end - start;
  if (!(to > from) || count < 2 * RECOVERY_DEGREE) return NaN;
  const place = (i: number) => (t[start + i]! - from) / (to - from);
  const fit = leastSquares(
    count,
    RECOVERY_DEGREE + 1,
    (i, into) => into.forEach((_, k) => (into[k] = place(i) ** k)),
    (i) => v[start + i]! - v[start]!,
  );
  if (!fit) return NaN;
  let largest = 0;
  for (let i = 0; i < count; i++)
    largest = Math.max(
      largest,
      fit.coefficients.reduce((sum, c, k) => (k ? sum + k * c * place(i) ** (k - 1) : 0), 0),
    );
  return largest / (to - from) || NaN;
}

function coverage({ t, gap }: Points, from: number, to: number): number {
  let covered = 0;
  for (let i = 1; i < t.length; i++)
    if (t[i]! - t[i - 1]! <= gap) covered += Math.max(0, Math.min(to, t[i]!) - Math.max(from, t[i - 1]!));
  return Math.max(0, Math.min(1, covered / (to - from))) || 0;
}

// Averages of repeated lights. Each reflex is measured separately, because averaged traces begin too early (Bos 1991).

type Measure = { [K in keyof LightReflex]-?: LightReflex[K] extends number ? K : never }[keyof LightReflex];

/** Numbers that `evaluateTest` adds to a reflex. They are not measures. */
const added: readonly string[] = ['pupil', 'onset'];

/** Mean, standard error and number of values for each measure. Throws 'invalid-argument' without any reflex. */
export function averageReflexes(reflexes: readonly LightReflex[]): Record<Measure, Average> {
  if (!Array.isArray(reflexes) || !reflexes.length)
    throw bad('averageReflexes', 'reflexes must be an array of at least one result of lightReflex.');
  const first = reflexes[0]!;
  const names = (Object.keys(first) as (keyof LightReflex)[]).filter(
    (name) => typeof first[name] === 'number' && !added.includes(name),
  ) as Measure[];
  return Object.fromEntries(names.map((name) => [name, average(reflexes.map((one) => one[name]))])) as Record<
    Measure,
    Average
  >;
}
