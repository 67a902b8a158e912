/**
 * Hippus: slow waves of the pupil at rest. Computes the power in a band, from the spectrum of equal steps with a Hann
 * window (Welch, IEEE Trans Audio 15, 1967, one segment). The band 0.05 to 0.5 Hz contains nearly all of it (Stark,
 * Campbell and Atwood, Nature 182, 1958; Turnbull et al., IOVS 58, 2017). Cost: one sum over the series for each
 * frequency of the band.
 */
import type { Laterality } from '../results/types.ts';
import { number, resolveParameters, type Given, type ParameterTable } from '../runtime/parameters.ts';
import { interpolate } from './interpolation.ts';
import { leastSquares } from './statistics.ts';
import { bad, type PupilSeries } from './samples.ts';

export const hippusParameters = {
  lowest: number({ default: 0.05, min: 0.001, max: 50, unit: 'Hz', effect: 'Lower end of the band.' }),
  highest: number({ default: 0.5, min: 0.001, max: 50, unit: 'Hz', effect: 'Upper end of the band.' }),
} satisfies ParameterTable;

export interface HippusOptions extends Given<typeof hippusParameters> {
  /** Period on the clock of the series, ms. Default: the whole series. */
  from?: number;
  to?: number;
}

export interface Hippus {
  /** Variance of the waves in the band, unit squared. A wave of amplitude a contributes a squared over 2. */
  power: number;
  /** Square root of the power, in the unit, and in percent of the mean diameter. */
  rms: number;
  rmsPercent: number;
  /** Frequency of the highest point of the spectrum within the band, Hz. */
  peakFrequency: number;
  warnings: string[];
  /** The eye, if the series names it. */
  eye?: Laterality;
}

/** Sampling rate of the resampled series, as a multiple of the highest frequency. */
const FINER = 10;

/**
 * Throws 'invalid-argument': a period shorter than one wave of `lowest`, or a band without width. Pass a series without
 * a baseline. Its lowPass must be above the band. Gaps that remain after cleaning are bridged by lines, with a warning.
 */
export function hippus(series: PupilSeries, options: HippusOptions = {}): Hippus {
  const where = 'hippus';
  const { from = -Infinity, to = Infinity, ...given } = options;
  const { lowest, highest } = resolveParameters(hippusParameters, given, where);
  if (!(highest > lowest)) throw bad(where, `highest must be above lowest, ${lowest} Hz.`);
  const { timestamp, diameter, valid } = series;
  const inside = Array.from(timestamp.keys()).filter((i) => timestamp[i]! >= from && timestamp[i]! <= to);
  const known = inside.filter((i) => !Number.isNaN(diameter[i]));
  const [t, v] = [known.map((i) => timestamp[i]!), known.map((i) => diameter[i]!)];
  const seconds = ((t.at(-1) ?? 0) - (t[0] ?? 0)) / 1000;
  if (!(seconds * lowest >= 1))
    throw bad(
      where,
      `needs ${(1 / lowest).toFixed(0)} s with pupils or more, one wave of ${lowest} Hz. Record longer.`,
    );
  const count = Math.ceil(seconds * highest * FINER) + 1;
  const step = seconds / (count - 1);
  const times = Float64Array.from({ length: count }, (_, i) => Math.min(t[0]! + 1000 * i * step, t.at(-1)!));
  const values = withoutTrend(interpolate(t, v, times, 'linear'));
  const window = values.map((_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / count));
  const energy = window.reduce((sum, w) => sum + w * w, 0);
  const resolution = 1 / (count * step);
  let [power, peakFrequency, highestPower] = [0, NaN, 0];
  for (let k = Math.ceil(lowest / resolution - 1e-9); k * resolution <= highest + 1e-9; k++) {
    let [re, im] = [0, 0];
    for (let i = 0; i < count; i++) {
      const phase = (2 * Math.PI * k * i) / count;
      re += window[i]! * values[i]! * Math.cos(phase);
      im += window[i]! * values[i]! * Math.sin(phase);
    }
    // Both halves of the spectrum, divided by the power of the window.
    const here = (2 * (re * re + im * im)) / (energy * count);
    power += here;
    if (here > highestPower) [peakFrequency, highestPower] = [k * resolution, here];
  }
  const measured = inside.filter((i) => valid[i]).length / inside.length;
  const warnings = measured < 0.9 ? [`Only ${(100 * measured).toFixed(0)} % of the samples were measured.`] : [];
  const level = v.reduce((sum, value) => sum + value, 0) / v.length;
  const rms = Math.sqrt(power);
  const own = series.eye && { eye: series.eye };
  return { power, rms, rmsPercent: (100 * rms) / level, peakFrequency, warnings, ...own };
}

function withoutTrend(values: Float64Array): Float64Array {
  const line = leastSquares(
    values.length,
    2,
    (i, into) => into.set([1, i / values.length]),
    (i) => values[i]!,
  );
  const [level, slope] = line?.coefficients ?? [0, 0];
  return values.map((value, i) => value - level! - (slope! * i) / values.length);
}
