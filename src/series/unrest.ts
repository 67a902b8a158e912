/**
 * Pupillary unrest index: how much a pupil moves in the dark over minutes, a measure of sleepiness (Lüdtke, Wilhelm,
 * Adler, Schaeffel and Wilhelm, Vision Res 38, 1998). Means over 0.64 s (16 samples at 25 Hz) are computed in windows of
 * 81.92 s (2048 samples), eight of them in 11 minutes. The index is the sum of the absolute differences of consecutive
 * means, per minute.
 */
import type { Laterality } from '../results/types.ts';
import { bad, type PupilSeries } from './samples.ts';
import { mean, standardDeviation } from './statistics.ts';

/** ms. */
const MEAN = 640;
const MEANS = 128;
const WINDOW = MEANS * MEAN;
/** Minimum share of means in a window with samples. */
const ENOUGH = 0.5;

export interface UnrestOptions {
  /** Period on the clock of the series, ms. Default: the whole series. */
  from?: number;
  to?: number;
}

export interface Unrest {
  /** Mean over the windows, in the unit of the samples per minute. */
  index: number;
  /** The index of each window. NaN if too few samples were measured. */
  windows: number[];
  /** Band of the movements that the index contains, Hz: one wave per window, and one per two means. */
  lowest: number;
  highest: number;
  /** Standard deviation of the means within a window: the root mean square of the movements in this band. */
  rms: number;
  /** Mean diameter of the period. */
  mean: number;
  warnings: string[];
  /** The eye, if the series names it. */
  eye?: Laterality;
}

/** Means of the measured samples over each interval. NaN without any. */
function meansOf({ timestamp, diameter, valid }: PupilSeries, from: number, count: number): Float64Array {
  const [sums, counts] = [new Float64Array(count), new Float64Array(count)];
  timestamp.forEach((time, i) => {
    const k = Math.floor((time - from) / MEAN);
    if (k < 0 || k >= count || !valid[i] || Number.isNaN(diameter[i])) return;
    sums[k]! += diameter[i]!;
    counts[k]!++;
  });
  return sums.map((sum, k) => sum / counts[k]!);
}

function indexOf(means: Float64Array): number {
  let [sum, pairs] = [0, 0];
  for (let k = 1; k < means.length; k++) {
    const step = Math.abs(means[k]! - means[k - 1]!);
    if (Number.isNaN(step)) continue;
    sum += step;
    pairs++;
  }
  return pairs >= ENOUGH * (means.length - 1) ? (sum / pairs) * (60_000 / MEAN) : NaN;
}

/**
 * Throws 'invalid-argument' if the period is shorter than one window of 81.92 s. Pass a series in the unit of the
 * diameter, without a baseline. The noise of the camera adds to the index.
 */
export function unrest(series: PupilSeries, { from, to }: UnrestOptions = {}): Unrest {
  const { timestamp } = series;
  const start = from ?? timestamp[0] ?? 0;
  const lasts = (to ?? timestamp.at(-1) ?? 0) - start;
  const count = Math.floor(lasts / WINDOW + 1e-6);
  if (!(count >= 1)) throw bad('unrest', `needs ${WINDOW / 1000} s or more, one window. Record longer.`);
  const means = meansOf(series, start, count * MEANS);
  const windows = Array.from({ length: count }, (_, k) => indexOf(means.subarray(k * MEANS, (k + 1) * MEANS)));
  const unknown = windows.filter(Number.isNaN).length;
  const spreads = windows.map((index, k) =>
    Number.isNaN(index) ? NaN : standardDeviation(means.subarray(k * MEANS, (k + 1) * MEANS)) ** 2,
  );
  return {
    index: mean(windows),
    windows,
    ...{ lowest: 1000 / WINDOW, highest: 500 / MEAN },
    rms: Math.sqrt(mean(spreads)),
    mean: mean(means),
    warnings: unknown ? [`${unknown} of ${count} windows have too few measured samples and are left out.`] : [],
    ...(series.eye && { eye: series.eye }),
  };
}
