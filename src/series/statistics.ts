import { median } from '../image/numbers.ts';
import type { Laterality } from '../results/types.ts';
import type { PupilSeries } from './samples.ts';

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
