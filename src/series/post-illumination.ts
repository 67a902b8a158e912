/**
 * Post-illumination pupil response (PIPR): how far the pupil stays constricted after a light. These are the four metrics
 * of Adhikari, Zele and Feigl (IOVS 56, 2015), as remaining constriction in percent of the baseline. They are the value at
 * 6 s, the plateau of an exponential recovery, and the areas of the early (0 to 10 s) and late (10 to 30 s) recovery.
 * Cost: some hundred small fits.
 */
import { median } from '../image/numbers.ts';
import { number, resolveParameters, type Given, type ParameterTable } from '../runtime/parameters.ts';
import type { Laterality } from '../results/types.ts';
import { pointsOf, type Points } from './light-reflex.ts';
import { bad, type PupilSeries } from './samples.ts';
import { indexAt, leastSquares } from './statistics.ts';

export const postIlluminationParameters = {
  baselineLength: number({
    default: 10_000,
    min: 20,
    max: 600_000,
    unit: 'ms',
    effect: 'Time before the light whose median is the baseline (10 s: Adhikari et al. 2015).',
  }),
} satisfies ParameterTable;

export interface PostIlluminationOptions extends Given<typeof postIlluminationParameters> {
  /** Onset of the light, on the clock of the series, ms. */
  onset: number;
  /** Duration of the light, ms. */
  duration: number;
  /** Later samples are not used, such as those after the next light. On the clock of the series, ms. */
  until?: number;
}

/** Remaining constriction in percent of the baseline. If a value is NaN, see `warnings`. */
export interface PostIllumination {
  /** Median diameter before the light, in the unit of the samples. */
  baseline: number;
  /** 6 s after the end of the light. */
  sixSecond: number;
  /** The asymptote of an exponential recovery that is fitted until 30 s after the end of the light. */
  plateau: number;
  /** Integrals of the constriction from 0 to 10 s and from 10 to 30 s after the end of the light, percent seconds. */
  earlyArea: number;
  lateArea: number;
  warnings: string[];
  /** The eye, if the series names it. */
  eye?: Laterality;
}

const SIX = { from: 5500, to: 6500 };
const EARLY = { from: 0, to: 10_000 };
const LATE = { from: 10_000, to: 30_000 };
/** Minimum share of a period that samples must cover. */
const COVERED = 0.5;
/** Minimum number of samples for a level. */
const ENOUGH = 5;

/** Integral of `value` over a period, ms times its unit. Gaps are bridged by lines. NaN if too much is missing. */
function areaOf({ t, v, gap }: Points, from: number, to: number, value: (diameter: number) => number): number {
  const first = indexAt(t, from);
  let [sum, covered] = [0, 0];
  for (let i = Math.max(1, first); i < t.length && t[i - 1]! < to; i++) {
    const [start, end] = [Math.max(from, t[i - 1]!), Math.min(to, t[i]!)];
    const at = (time: number) => v[i - 1]! + ((time - t[i - 1]!) / (t[i]! - t[i - 1]!)) * (v[i]! - v[i - 1]!);
    sum += ((value(at(start)) + value(at(end))) / 2) * (end - start);
    if (t[i]! - t[i - 1]! <= gap) covered += end - start;
  }
  const reaches = (t.at(-1) ?? -Infinity) >= to - gap && (t[0] ?? Infinity) <= from;
  return reaches && covered >= COVERED * (to - from) ? sum : NaN;
}

/** Number of time constants that are tried per factor of two. */
const FINE = 8;
const FASTEST = 100;

/**
 * The asymptote of diameter = plateau + change * exp(-time / constant) by least squares. NaN if the recovery takes
 * longer than half the period, because the asymptote is then not observed.
 */
function asymptote({ t, v }: Points, from: number, to: number): number {
  const [first, last] = [indexAt(t, from), indexAt(t, to)];
  const count = last - first;
  if (count < ENOUGH || t[last - 1]! - t[first]! < COVERED * (to - from)) return NaN;
  const longest = to - from;
  let [best, level] = [Infinity, NaN];
  let chosen = NaN;
  for (let constant = FASTEST; constant <= longest; constant *= 2 ** (1 / FINE)) {
    const fit = leastSquares(
      count,
      2,
      (i, into) => into.set([1, Math.exp(-(t[first + i]! - from) / constant)]),
      (i) => v[first + i]! - v[first]!,
    );
    if (fit && fit.rest < best) [best, level, chosen] = [fit.rest, fit.coefficients[0]! + v[first]!, constant];
  }
  return chosen <= longest / 2 ? level : NaN;
}

/** Time of the smallest median over half a second, between light onset and 3 s after its end. */
function lowestAt({ t, v }: Points, from: number, to: number): number {
  let [at, least] = [from, Infinity];
  for (let time = from; time <= to; time += 100) {
    const some = v.slice(indexAt(t, time - 250), indexAt(t, time + 250));
    const value = some.length >= ENOUGH ? median(some) : NaN;
    if (value < least) [at, least] = [time, value];
  }
  return at;
}

/**
 * Throws 'invalid-argument': no series, decreasing times, a light outside the series, or an option out of its range. A
 * value that cannot be measured is NaN, and `warnings` contains the reason.
 * @param series result of cleanSeries
 */
export function postIllumination(series: PupilSeries, options: PostIlluminationOptions): PostIllumination {
  const where = 'postIllumination';
  const { onset, duration, until = Infinity, ...given } = options ?? {};
  const { baselineLength } = resolveParameters(postIlluminationParameters, given, where);
  const all = pointsOf(where, series);
  const [begins, ends] = [series.timestamp[0]!, series.timestamp.at(-1)!];
  if (!(onset >= begins && onset <= ends))
    throw bad(where, `onset must be within the series, from ${begins} to ${ends} ms, not at ${String(onset)}.`);
  if (!(duration >= 0 && duration < Infinity))
    throw bad(where, `duration must be 0 ms or more, not ${String(duration)}.`);
  if (!(until > onset)) throw bad(where, `until must come after onset, not at ${String(until)}.`);
  const kept = indexAt(all.t, until);
  const points = { t: all.t.slice(0, kept), v: all.v.slice(0, kept), gap: all.gap };
  const { t, v } = points;
  const warnings: string[] = [];
  const before = v.slice(indexAt(t, onset - baselineLength), indexAt(t, onset));
  const baseline = before.length >= ENOUGH ? median(before) : NaN;
  if (Number.isNaN(baseline)) warnings.push('Too few samples before the light, so the baseline is missing.');
  const end = onset + duration;
  const left = (diameter: number) => (100 * (baseline - diameter)) / baseline;
  const six = v.slice(indexAt(t, end + SIX.from), indexAt(t, end + SIX.to));
  const sixSecond = six.length >= ENOUGH ? left(median(six)) : NaN;
  const area = ({ from, to }: typeof EARLY) => areaOf(points, end + from, end + to, left) / 1000;
  const plateau = left(asymptote(points, Math.max(end, lowestAt(points, onset, end + 3000)), end + LATE.to));
  const values = { sixSecond, plateau, earlyArea: area(EARLY), lateArea: area(LATE) };
  const missing = Object.values(values).filter(Number.isNaN).length;
  if (missing && !Number.isNaN(baseline))
    warnings.push(
      'The response after the light needs samples until 30 s after its end, and a recovery that comes to rest by then.',
    );
  return { baseline, ...values, warnings, ...(series.eye && { eye: series.eye }) };
}
