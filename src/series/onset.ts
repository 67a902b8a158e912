/**
 * When a pupil begins to constrict. Its velocity grows from about nothing, so the first movement hides in the noise; a
 * threshold on it comes late by what noise and amplitude make of it. Two ways by the second derivative:
 *
 * 'step': before the onset a line, after it the same line and a parabola, so that the second derivative is a step at the
 * onset; the onset is where this fits the samples best (Bos, Med Biol Eng Comput 29, 1991, for cameras below 50 Hz; before
 * him Stark et al., JOSA 59, 1969). It uses every sample from before the light to nearly the greatest velocity, at its own
 * time, so nothing has to be interpolated.
 *
 * 'peak': where the acceleration is greatest (Bergamin and Kardon, IOVS 44, 2003), by local cubics.
 */
import { median } from '../image/numbers.ts';
import { leastSquares } from './linear.ts';
import { indexAt, localFit } from './local-fit.ts';

/** How much before the light is fitted, ms, and how far towards the greatest velocity. */
const BEFORE = 300;
const TOWARDS_PEAK = 0.9;
/** Residuals beyond so many median ones are no pupil (some 4 standard deviations). */
const OUTLIER = 6;

export interface OnsetSearch {
  /** Of the light, and of the earliest movement that may answer it, ms. */
  light: number;
  earliest: number;
  /** When the velocity is greatest. */
  peak: number;
}

interface Fit {
  onset: number;
  rest: number;
  residuals: number[];
}

/** NaN where there are too few samples. */
export function stepOnset(t: readonly number[], v: readonly number[], search: OnsetSearch): number {
  const { light, peak } = search;
  const first = bestStep(t, v, search, light - BEFORE, peak);
  if (!first) return NaN;
  const end = first.onset + TOWARDS_PEAK * (peak - first.onset);
  const second = bestStep(t, v, search, light - BEFORE, end);
  if (!second) return NaN;
  // Once more without what does not belong to it.
  const limit = OUTLIER * median(second.residuals.map(Math.abs));
  const start = indexAt(t, light - BEFORE);
  const kept = second.residuals.flatMap((residual, i) => (Math.abs(residual) <= limit ? [start + i] : []));
  if (kept.length === second.residuals.length) return second.onset;
  const [times, values] = [kept.map((i) => t[i]!), kept.map((i) => v[i]!)];
  return bestStep(times, values, search, light - BEFORE, end)?.onset ?? NaN;
}

function bestStep(
  t: readonly number[],
  v: readonly number[],
  { earliest, peak }: OnsetSearch,
  from: number,
  to: number,
): Fit | null {
  const start = indexAt(t, from);
  const count = indexAt(t, to + 1e-6) - start;
  const origin = v[start]!;
  const row = (onset: number) => (i: number, into: Float64Array) => {
    const x = (t[start + i]! - onset) / BEFORE;
    into[0] = 1;
    into[1] = x;
    into[2] = x > 0 ? x * x : 0;
  };
  const fit = (onset: number) => {
    // Three samples at least must lie on the parabola.
    if (start + count - indexAt(t, onset) < 3 || indexAt(t, onset) - start < 4) return null;
    return leastSquares(count, 3, row(onset), (i) => v[start + i]! - origin);
  };
  let best: { onset: number; rest: number } | null = null;
  const search = (low: number, high: number, step: number) => {
    for (let onset = low; onset <= high; onset += step) {
      const found = fit(onset);
      if (found && found.coefficients[2]! < 0 && found.rest < (best?.rest ?? Infinity))
        best = { onset, rest: found.rest };
    }
    return best;
  };
  const coarse = search(earliest, peak, 4);
  if (!coarse) return null;
  const { onset, rest } = search(coarse.onset - 4, coarse.onset + 4, 0.5)!;
  const { coefficients } = fit(onset)!;
  const columns = new Float64Array(3);
  const residuals = Array.from({ length: count }, (_, i) => {
    row(onset)(i, columns);
    return v[start + i]! - origin - columns.reduce((sum, column, k) => sum + column * coefficients[k]!, 0);
  });
  return { onset, rest, residuals };
}

/** NaN where no acceleration can be fitted. */
export function peakOnset(
  t: readonly number[],
  v: readonly number[],
  { earliest, peak }: OnsetSearch,
  half: number,
): number {
  let [at, greatest] = [NaN, 0];
  for (let time = earliest; time <= peak; time++) {
    const { curvature } = localFit(t, v, time, half, 3);
    if (curvature < greatest) [at, greatest] = [time, curvature];
  }
  return at;
}
