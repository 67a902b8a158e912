/**
 * When a pupil begins to constrict. Its velocity grows from about nothing, so the first movement hides in the noise; a
 * threshold on it comes late by what noise and amplitude make of it. Two ways by the second derivative:
 *
 * 'step': before the onset a line, after it the same line and a parabola, so that the second derivative is a step at the
 * onset (Bos, Med Biol Eng Comput 29, 1991, for cameras below 50 Hz; before him Stark et al., JOSA 59, 1969). It uses every
 * sample from before the light to nearly the greatest velocity, at its own time, so nothing has to be interpolated. The
 * answer is the mean of all onsets, each weighted by how likely it makes the samples, and the spread of these says how far
 * the noise lets it be known.
 *
 * 'peak': where the acceleration is greatest (Bergamin and Kardon, IOVS 44, 2003), by local cubics.
 */
import { median } from '../image/numbers.ts';
import { leastSquares } from './linear.ts';
import { indexAt, localFit } from './local-fit.ts';

/** How much before the light is fitted, ms, and how far towards the greatest velocity. Chosen as reflexParameters are. */
const BEFORE = 300;
const TOWARDS_PEAK = 0.9;
/** Residuals beyond so many median ones are no pupil (some 4 standard deviations). */
const OUTLIER = 6;
/** Onsets that are tried, ms apart. */
const STEP = 2;
/** Samples that must lie on the line, and on the parabola. */
const ON_LINE = 4;
const ON_PARABOLA = 3;

export interface OnsetSearch {
  /** Of the light, and of the earliest movement that may answer it, ms. */
  light: number;
  earliest: number;
  /** When the velocity is greatest. */
  peak: number;
}

export interface Onset {
  at: number;
  /** Standard deviation that the noise of the samples gives it, ms; NaN where it is not known. */
  deviation: number;
}

const unknown: Onset = { at: NaN, deviation: NaN };

/** NaN where there are too few samples. */
export function stepOnset(t: readonly number[], v: readonly number[], search: OnsetSearch): Onset {
  const from = indexAt(t, search.light - BEFORE);
  const upTo = (end: number) => {
    const to = indexAt(t, end + 1e-6);
    return { t: t.slice(from, to), v: v.slice(from, to) };
  };
  const first = steps(upTo(search.peak), search);
  if (!first) return unknown;
  const near = upTo(first.best + TOWARDS_PEAK * (search.peak - first.best));
  const second = steps(near, search);
  if (!second) return unknown;
  const sizes = second.residuals.map(Math.abs);
  const limit = OUTLIER * median(sizes);
  const keep = (_: number, i: number) => sizes[i]! <= limit;
  const clean = { t: near.t.filter(keep), v: near.v.filter(keep) };
  return (clean.t.length < near.t.length ? steps(clean, search) : second)?.onset ?? unknown;
}

/** All onsets, every STEP ms, fitted to some samples. */
function steps({ t, v }: { t: number[]; v: number[] }, { earliest, peak }: OnsetSearch) {
  const column = (onset: number) => (i: number, into: Float64Array) => {
    const x = (t[i]! - onset) / BEFORE;
    into[0] = 1;
    into[1] = x;
    into[2] = x > 0 ? x * x : 0;
  };
  const value = (i: number) => v[i]! - v[0]!;
  const tried: { onset: number; rest: number; coefficients: Float64Array }[] = [];
  for (let onset = earliest; onset < peak; onset += STEP) {
    const before = indexAt(t, onset);
    if (before < ON_LINE || t.length - before < ON_PARABOLA) continue;
    const fit = leastSquares(t.length, 3, column(onset), value);
    if (fit && fit.coefficients[2]! < 0) tried.push({ onset, ...fit });
  }
  const best = tried.reduce((least, one) => (one.rest < least.rest ? one : least), tried[0]!);
  if (!best) return null;
  // Four numbers are fitted: level, slope, curvature and the onset itself.
  const variance = best.rest / Math.max(1, t.length - 4);
  let [sum, first, second] = [0, 0, 0];
  for (const { onset, rest } of tried) {
    const likelihood = Math.exp((best.rest - rest) / (2 * variance || Number.MIN_VALUE));
    sum += likelihood;
    first += likelihood * (onset - best.onset);
    second += likelihood * (onset - best.onset) ** 2;
  }
  const shift = first / sum;
  const into = new Float64Array(3);
  const residuals = t.map((_, i) => {
    column(best.onset)(i, into);
    return value(i) - into.reduce((total, x, k) => total + x * best.coefficients[k]!, 0);
  });
  const deviation = Math.sqrt(Math.max(0, second / sum - shift ** 2));
  return { best: best.onset, onset: { at: best.onset + shift, deviation }, residuals };
}

/** NaN where no acceleration can be fitted. */
export function peakOnset(
  t: readonly number[],
  v: readonly number[],
  { earliest, peak }: OnsetSearch,
  half: number,
): Onset {
  let [at, greatest] = [NaN, 0];
  for (let time = earliest; time <= peak; time++) {
    const { curvature } = localFit(t, v, time, half, 3);
    if (curvature < greatest) [at, greatest] = [time, curvature];
  }
  return { at, deviation: NaN };
}
