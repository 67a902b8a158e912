/** Statistics of series, and least squares. */
import { median } from '../image/numbers.ts';
import type { Laterality } from '../results/types.ts';
import type { PupilSeries } from './samples.ts';

/** Least squares with the normal equations, for a few unknowns and well-scaled columns. */

/**
 * Solves a symmetric positive definite system with the Cholesky decomposition. Null if it is singular to the precision
 * of the numbers. `matrix`: rows that contain at least the lower half.
 */
export function solve(matrix: readonly Float64Array[], right: ArrayLike<number>): Float64Array | null {
  const n = matrix.length;
  const low = matrix.map((row) => Float64Array.from(row));
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = low[i]![j]!;
      for (let k = 0; k < j; k++) sum -= low[i]![k]! * low[j]![k]!;
      if (i > j) low[i]![j] = sum / low[j]![j]!;
      else if (sum > 1e-12 * matrix[i]![i]!) low[i]![i] = Math.sqrt(sum);
      else return null;
    }
  const x = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i]! -= low[i]![k]! * x[k]!;
    x[i]! /= low[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i]! -= low[k]![i]! * x[k]!;
    x[i]! /= low[i]![i]!;
  }
  return x;
}

interface LeastSquares {
  coefficients: Float64Array;
  /** Remaining weighted sum of squares. */
  rest: number;
}

/** @param row writes the columns of point i into `into` */
export function leastSquares(
  count: number,
  columns: number,
  row: (i: number, into: Float64Array) => void,
  value: (i: number) => number,
  weight: (i: number) => number = () => 1,
): LeastSquares | null {
  const matrix = Array.from({ length: columns }, () => new Float64Array(columns));
  const right = new Float64Array(columns);
  const into = new Float64Array(columns);
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const w = weight(i);
    if (!w) continue;
    const y = value(i);
    row(i, into);
    for (let a = 0; a < columns; a++) {
      for (let b = 0; b <= a; b++) matrix[a]![b]! += w * into[a]! * into[b]!;
      right[a]! += w * into[a]! * y;
    }
    squares += w * y * y;
  }
  const coefficients = solve(matrix, right);
  if (!coefficients) return null;
  const explained = coefficients.reduce((sum, c, a) => sum + c * right[a]!, 0);
  return { coefficients, rest: Math.max(0, squares - explained) };
}

// Value, slope and curvature of a noisy series from a polynomial fitted to the samples around a time. This is local
// regression (Cleveland, JASA 74, 1979, with his tricube weights). With equal steps it is the filter of Savitzky and
// Golay, Anal Chem 36, 1964. It accepts samples at any times and ignores gaps. It is symmetric, so it does not shift
// the phase.

interface LocalFit {
  value: number;
  /** Units per millisecond, and units per millisecond squared. */
  slope: number;
  curvature: number;
}

const none: LocalFit = { value: NaN, slope: NaN, curvature: NaN };

/** First index whose time is at least `time`. */
export function indexAt(t: ArrayLike<number>, time: number): number {
  let [low, high] = [0, t.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Maximum distance between the center of the samples and the requested time, as a share of the reach. */
const BALANCE = 0.25;

/**
 * @param half reach before and after the time, ms. It grows up to twice that if it contains too few samples
 * @returns NaN if there are still too few samples, and at the ends, next to long gaps and within gaps longer than half
 * the reach, because a polynomial is not reliable there
 */
export function localFit(
  t: ArrayLike<number>,
  v: ArrayLike<number>,
  at: number,
  half: number,
  degree: 1 | 2 | 3,
): LocalFit {
  for (let reach = half; reach <= 2 * half; reach *= 1.25) {
    const start = indexAt(t, at - reach);
    const end = indexAt(t, at + reach);
    if (end - start < degree + 2) continue;
    const next = indexAt(t, at);
    if (next > 0 && next < t.length && t[next]! - t[next - 1]! > reach / 2) return none;
    const weights = new Float64Array(end - start);
    let [sum, moment] = [0, 0];
    for (let i = start; i < end; i++) {
      const x = (t[i]! - at) / reach;
      sum += weights[i - start] = (1 - Math.abs(x) ** 3) ** 3;
      moment += weights[i - start]! * x;
    }
    if (Math.abs(moment) > BALANCE * sum) return none;
    const origin = v[start]!; // smaller numbers have smaller rounding errors when squared
    const fit = leastSquares(
      end - start,
      degree + 1,
      (i, into) => {
        const x = (t[start + i]! - at) / reach;
        for (let k = 0, power = 1; k <= degree; k++, power *= x) into[k] = power;
      },
      (i) => v[start + i]! - origin,
      (i) => weights[i]!,
    );
    if (!fit) continue;
    const [value, slope = 0, curvature = 0] = fit.coefficients;
    return { value: value! + origin, slope: slope / reach, curvature: (2 * curvature) / reach ** 2 };
  }
  return none;
}

// Sums over numbers. Values that are not finite are left out.

const finite = (values: ArrayLike<number>): number[] => Array.from(values).filter(Number.isFinite);

/** Returns NaN for an empty list. */
export function mean(values: ArrayLike<number>): number {
  const known = finite(values);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Sample standard deviation (n - 1). NaN for fewer than two values. */
export function standardDeviation(values: ArrayLike<number>): number {
  const known = finite(values);
  if (known.length < 2) return NaN;
  const middle = mean(known);
  return Math.sqrt(known.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (known.length - 1));
}

export interface Average {
  mean: number;
  /** Standard error of the mean. NaN for fewer than two values. */
  standardError: number;
  count: number;
}

export function average(values: ArrayLike<number>): Average {
  const count = finite(values).length;
  return { mean: mean(values), standardError: standardDeviation(values) / Math.sqrt(count), count };
}

// Frequency and duration of blinks.

export interface BlinkStatistics {
  count: number;
  perMinute: number;
  /** Mean duration, ms. NaN without blinks. */
  meanDuration: number;
  durationStandardError: number;
  medianDuration: number;
  durations: number[];
  /** The eye, if the series names it. */
  eye?: Laterality;
}

/** Statistics of the blinks entirely within the series. The rate is relative to the time from first to last sample. */
export function blinkStatistics({
  blinks,
  timestamp,
  eye,
}: Pick<PupilSeries, 'blinks' | 'timestamp' | 'eye'>): BlinkStatistics {
  const durations = blinks.map(({ onset, offset }) => offset - onset);
  const minutes = ((timestamp.at(-1) ?? NaN) - (timestamp[0] ?? NaN)) / 60_000;
  const { mean, standardError } = average(durations);
  return {
    count: blinks.length,
    perMinute: blinks.length / minutes,
    meanDuration: mean,
    durationStandardError: standardError,
    medianDuration: median(durations),
    durations,
    ...(eye && { eye }),
  };
}
