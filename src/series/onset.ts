/**
 * Detects when a pupil begins to constrict. The velocity grows from about zero, so noise hides the first movement. A
 * threshold detects it late. Two methods use the shape of the curve:
 *
 * 'step': a line before the onset, and that line with a constriction after it (after Bos, Med Biol Eng Comput 29, 1991;
 * before him Stark et al., JOSA 59, 1969, both with a parabola). Pupils start more or less abruptly, and a fit with the
 * wrong abruptness is early or late by 20 ms. The velocity therefore grows as a power of time, with powers around the
 * second and third order of the iris (Stark and Sherman, J Neurophysiol 20, 1957). The noise of a sample depends on the
 * noise before it: white noise plus an exponentially correlated part. All onsets, shapes and noises are weighted by
 * their likelihood, and line, height and noise variance are integrated out (flat priors). The latency is the median of
 * the weights. The interval is their central 95 %. Every sample is used at its original time, without interpolation.
 *
 * 'peak': the maximum acceleration (Bergamin and Kardon, IOVS 44, 2003), by local cubics.
 */
import { median } from '../image/numbers.ts';
import { leastSquares, indexAt, localFit } from './statistics.ts';

/** Start of the fit before the light, ms. */
const BEFORE = 300;
/** Residuals beyond this multiple of their median are not the pupil (about 4 standard deviations). */
const OUTLIER = 6;
/** Distance of the onsets in the first pass, ms. The second pass divides the remaining range. */
const COARSE = 12;
const FINE = 24;
/** Onsets whose weight is below this share of the maximum are excluded from the range. */
const NEGLIGIBLE = 1e-5;
/** Minimum number of samples on the line, and after the onset. */
const ON_LINE = 4;
const ON_CURVE = 2;
/** Velocity after the onset: x^rise exp(rise (1 - x^fall) / fall), with the maximum at x = 1. */
const RISES = [0.5, 1, 1.5, 2, 2.5];
const FALLS = [1, 2];
/** Possible distances of the maximum velocity from the maximum of the smoothed velocity, ms. */
const PEAK_SHIFTS = [-40, 0, 40];
/** Variance of the correlated noise relative to the white noise, and its time constant, ms. */
const NOISES = [{ share: 0, time: 1 }, ...[0.3, 1].flatMap((share) => [40, 150].map((time) => ({ share, time })))];
/** Noises of the first pass. */
const FEW_NOISES = [NOISES[0]!, NOISES[1]!];
/** Share of the weights below and above the interval, each. */
const TAIL = 0.025;

export interface OnsetSearch {
  /** Time of the light, and earliest movement that may be a response to it, ms. */
  light: number;
  earliest: number;
  /** Time of the maximum smoothed velocity. */
  peak: number;
}

export interface Onset {
  at: number;
  /** 95 % interval, ms. NaN if it is not known. */
  low: number;
  high: number;
}

const unknown: Onset = { at: NaN, low: NaN, high: NaN };

interface Samples {
  t: number[];
  v: number[];
}
interface Range {
  from: number;
  to: number;
  step: number;
}
interface Curve {
  start: number;
  peak: number;
  table: Float64Array;
}
interface Weighed {
  /** Logarithm of the weight of each onset. */
  weights: { start: number; weight: number }[];
  best: Curve;
}

/** Steps of a table from the onset to the peak velocity. The table ends at twice that. */
const CELLS = 256;
let tables: Float64Array[] | undefined;
const curves = (): Float64Array[] => (tables ??= RISES.flatMap((rise) => FALLS.map((fall) => curveOf(rise, fall))));

/** Integral of the velocity, 1 at the peak velocity. */
function curveOf(rise: number, fall: number): Float64Array {
  const out = new Float64Array(2 * CELLS + 2);
  const parts = 8; // integral with the midpoint rule
  for (let i = 1; i < out.length; i++) {
    let sum = 0;
    for (let k = 0; k < parts; k++) {
      const x = (i - 1 + (k + 0.5) / parts) / CELLS;
      sum += x ** rise * Math.exp((rise * (1 - x ** fall)) / fall);
    }
    out[i] = out[i - 1]! + sum;
  }
  const whole = out[CELLS]!;
  return out.map((value) => value / whole);
}

function heightAt(table: Float64Array, x: number): number {
  if (x <= 0) return 0;
  const place = Math.min(x * CELLS, 2 * CELLS);
  const cell = Math.floor(place);
  return table[cell]! + (place - cell) * (table[cell + 1]! - table[cell]!);
}

/** Returns NaN if there are too few samples. */
export function stepOnset(t: readonly number[], v: readonly number[], search: OnsetSearch): Onset {
  const [from, to] = [indexAt(t, search.light - BEFORE), indexAt(t, search.peak + 1e-6)];
  const near = { t: t.slice(from, to), v: v.slice(from, to) };
  const whole = { from: search.earliest, to: search.peak, step: COARSE };
  const first = weigh(near, search.peak, whole, FEW_NOISES);
  if (!first) return unknown;
  const clean = withoutOutliers(near, first.best);
  const coarse = clean.t.length < near.t.length ? weigh(clean, search.peak, whole, FEW_NOISES) : first;
  if (!coarse) return unknown;
  const limit = Math.log(NEGLIGIBLE) + Math.max(...coarse.weights.map(({ weight }) => weight));
  const kept = coarse.weights.filter(({ weight }) => weight >= limit);
  const [low, high] = [kept[0]!.start - COARSE, kept.at(-1)!.start + COARSE];
  const [start, end] = [Math.max(search.earliest, low), Math.min(search.peak, high)];
  const step = (end - start) / FINE;
  const fine = weigh(clean, search.peak, { from: start, to: end, step }, NOISES);
  return fine ? quantiles(fine.weights, step) : unknown;
}

function withoutOutliers({ t, v }: Samples, { start, peak, table }: Curve): Samples {
  const row = (i: number, into: Float64Array) => {
    into[0] = 1;
    into[1] = (t[i]! - start) / BEFORE;
    into[2] = heightAt(table, (t[i]! - start) / (peak - start));
  };
  const fit = leastSquares(t.length, 3, row, (i) => v[i]! - v[0]!);
  if (!fit) return { t, v };
  const into = new Float64Array(3);
  const sizes = t.map((_, i) => {
    row(i, into);
    return Math.abs(v[i]! - v[0]! - into.reduce((sum, x, k) => sum + x * fit.coefficients[k]!, 0));
  });
  const limit = OUTLIER * median(sizes);
  const keep = (_: number, i: number) => sizes[i]! <= limit;
  return { t: t.filter(keep), v: v.filter(keep) };
}

/**
 * Makes samples independent: subtracts from each the prediction by the previous ones (innovations of a Kalman filter).
 */
function whitener(t: readonly number[], { share, time }: (typeof NOISES)[number]) {
  const n = t.length;
  const [decay, gain, scale] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  let [left, logDeterminant] = [share, 0];
  for (let i = 0; i < n; i++) {
    const a = (decay[i] = i ? Math.exp((t[i - 1]! - t[i]!) / time) : 0);
    const expected = a * a * left + share * (1 - a * a);
    gain[i] = expected / (expected + 1);
    left = expected / (expected + 1);
    scale[i] = 1 / Math.sqrt(expected + 1);
    logDeterminant += Math.log(expected + 1);
  }
  const whiten = (values: ArrayLike<number>): Float64Array => {
    let state = 0;
    return Float64Array.from(values, (value, i) => {
      state *= decay[i]!;
      const surprise = value - state;
      state += gain[i]! * surprise;
      return surprise * scale[i]!;
    });
  };
  return { decay, gain, scale, logDeterminant, whiten };
}

/**
 * Samples and lines with one noise: two orthonormal lines, the samples minus these lines, and the share in the weight.
 */
function prepared(t: readonly number[], v: readonly number[], noise: (typeof NOISES)[number]) {
  const { whiten, logDeterminant, ...filter } = whitener(t, noise);
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const less = (a: Float64Array, b: Float64Array) => {
    const along = dot(a, b);
    return a.map((value, i) => value - along * b[i]!);
  };
  const unit = (a: Float64Array, length: number) => a.map((value) => value / length);
  const level = whiten(t.map(() => 1));
  const first = Math.sqrt(dot(level, level));
  const one = unit(level, first);
  const slope = less(whiten(t.map((time) => (time - t[0]!) / BEFORE)), one);
  const second = Math.sqrt(dot(slope, slope));
  const two = unit(slope, second);
  const rest = less(less(whiten(v.map((value) => value - v[0]!)), one), two);
  return {
    ...filter,
    one,
    two,
    rest,
    squares: dot(rest, rest),
    weight: -logDeterminant / 2 - Math.log(first * second),
  };
}

/** Squared length of the whitened curve after removing the lines, and the projection of the samples on the curve. */
function alongCurve(model: ReturnType<typeof prepared>, height: Float64Array, from: number): [number, number] {
  const { decay, gain, scale, one, two, rest } = model;
  let [state, square, first, second, along] = [0, 0, 0, 0, 0];
  for (let i = from; i < height.length; i++) {
    state *= decay[i]!;
    const surprise = height[i]! - state;
    state += gain[i]! * surprise;
    const value = surprise * scale[i]!;
    square += value * value;
    first += value * one[i]!;
    second += value * two[i]!;
    along += value * rest[i]!;
  }
  return [square - first * first - second * second, along];
}

/** Weights of onsets at a distance of `step`. Null if there are too few samples or there is no constriction. */
function weigh({ t, v }: Samples, peak: number, { from, to, step }: Range, noises: typeof NOISES): Weighed | null {
  if (t.length < ON_LINE + ON_CURVE) return null;
  const models = noises.map((noise) => prepared(t, v, noise));
  const height = new Float64Array(t.length);
  const weights: Weighed['weights'] = [];
  let [best, most]: [Curve | null, number] = [null, -Infinity];
  for (let start = from; start < to; start += step) {
    const before = indexAt(t, start);
    if (before < ON_LINE || t.length - before < ON_CURVE) continue;
    const all: number[] = [];
    for (const shift of PEAK_SHIFTS) {
      const rising = peak + shift - start;
      if (rising < COARSE) continue;
      for (const table of curves()) {
        for (let i = before; i < t.length; i++) height[i] = heightAt(table, (t[i]! - start) / rising);
        for (const model of models) {
          const [square, along] = alongCurve(model, height, before);
          if (!(along < 0 && square > 1e-9)) continue;
          const rest = Math.max(model.squares - along ** 2 / square, 1e-12 * model.squares);
          const weight = model.weight - Math.log(rising) - Math.log(square) / 2 - ((t.length - 3) / 2) * Math.log(rest);
          all.push(weight);
          if (weight > most) [best, most] = [{ start, peak: peak + shift, table }, weight];
        }
      }
      height.fill(0);
    }
    if (all.length) weights.push({ start, weight: logSum(all) });
  }
  return best && { weights, best };
}

function logSum(logarithms: readonly number[]): number {
  const most = logarithms.reduce((a, b) => Math.max(a, b));
  return most + Math.log(logarithms.reduce((sum, one) => sum + Math.exp(one - most), 0));
}

/** Each onset represents the `step` around it. */
function quantiles(weights: Weighed['weights'], step: number): Onset {
  const total = logSum(weights.map(({ weight }) => weight));
  const quantile = (share: number): number => {
    let sum = 0;
    for (const { start, weight } of weights) {
      const part = Math.exp(weight - total);
      if (sum + part >= share) return start + step * ((share - sum) / part - 0.5);
      sum += part;
    }
    return weights.at(-1)!.start;
  };
  return { at: quantile(0.5), low: quantile(TAIL), high: quantile(1 - TAIL) };
}

/** Returns NaN if no acceleration can be fitted. */
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
  return { ...unknown, at };
}
