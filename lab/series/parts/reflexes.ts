/** Light reflexes of rendered traces against their true values. */
import { pupilTrace } from '../pupil-trace.ts';
import { cleanSeries, lightReflex, type LightReflex, type LightReflexOptions } from '../../../src/series/index.ts';
import { quantile } from '../../../bench/parts/numbers.ts';

export const figures = ['latency', 'amplitude', 'peak velocity', 'time to minimum', 't50', 't75'] as const;
/** ms, or percent of the true value. */
export const unitOf = (figure: string) => (/amplitude|velocity/.test(figure) ? '%' : 'ms');

export interface Spread {
  /** Traces that have an answer. */
  answered: number;
  /** Median and 90th percentile of absolute errors, mean of the signed ones. */
  median: number;
  tenth: number;
  bias: number;
}

export interface ReflexErrors {
  rate: number;
  traces: number;
  errors: Record<string, Spread>;
  /** Latencies whose interval is so narrow that it causes no warning. */
  sureLatency: Spread;
}

function spreadOf(values: number[]): Spread {
  const known = values.filter(Number.isFinite);
  const sizes = known.map(Math.abs);
  return {
    answered: known.length,
    median: quantile(sizes, 0.5),
    tenth: quantile(sizes, 0.9),
    bias: known.reduce((sum, value) => sum + value, 0) / known.length,
  };
}

/** Errors per rate, over `count` seeds that start at `first`. */
export function reflexErrors(
  first: number,
  count: number,
  rate: number,
  options: Partial<LightReflexOptions>,
): ReflexErrors {
  const all: Record<string, number[]> = Object.fromEntries(figures.map((figure) => [figure, []]));
  const sureOnes: number[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const { samples, truth } = pupilTrace(seed, rate);
    const { onset, duration } = truth;
    const found: LightReflex = lightReflex(cleanSeries(samples), { onset, duration, ...options });
    const percent = (measured: number, real: number) => (100 * (measured - real)) / real;
    const errors = {
      latency: found.latency - truth.latency,
      amplitude: percent(found.amplitude, truth.amplitude),
      'peak velocity': percent(found.peakConstrictionVelocity, truth.peakConstrictionVelocity),
      'time to minimum': found.timeToMinimum - truth.timeToMinimum,
      t50: found.t50 - truth.t50,
      t75: found.t75 - truth.t75,
    };
    for (const figure of figures) all[figure]!.push(errors[figure]);
    if (!found.warnings.some((text) => text.startsWith('The latency is between'))) sureOnes.push(errors.latency);
  }
  const errors = Object.fromEntries(Object.entries(all).map(([figure, values]) => [figure, spreadOf(values)]));
  return { rate, traces: count, errors, sureLatency: spreadOf(sureOnes) };
}

/** Measures of a reflex, and the unit of their errors: ms, per cent of what is true, or points of per cent. */
export const measures = {
  ...{ latency: 'ms', baseline: '%', minimum: '%', maximum: '%', amplitude: '%', amplitudePercent: 'points' },
  ...{ constrictionVelocity: '%', peakConstrictionVelocity: '%', dilationVelocity: '%', peakDilationVelocity: '%' },
  ...{ timeToMinimum: 'ms', t50: 'ms', t75: 'ms', pipr: 'points' },
} as const;

export interface MeasureError {
  measure: string;
  unit: string;
  answered: number;
  /** Mean of the signed errors, and the half width of its 95 % interval. */
  bias: number;
  within: number;
  /** 95 % of the signed errors are between these. */
  low: number;
  high: number;
}

/** Signed errors of every measure over seeds that start at `first`. */
export function measureErrors(first: number, count: number, rate: number): MeasureError[] {
  const names = Object.keys(measures) as (keyof typeof measures)[];
  const errors = new Map(names.map((name) => [name, [] as number[]]));
  for (let seed = first; seed < first + count; seed++) {
    const { samples, truth } = pupilTrace(seed, rate);
    const { onset, duration } = truth;
    const found = lightReflex(cleanSeries(samples), { onset, duration });
    for (const name of names) {
      const error = found[name] - truth[name];
      const scaled = measures[name] === '%' ? (100 * error) / truth[name] : error;
      if (Number.isFinite(scaled)) errors.get(name)!.push(scaled);
    }
  }
  return names.map((measure) => {
    const list = errors.get(measure)!;
    const bias = list.reduce((sum, value) => sum + value, 0) / list.length;
    const variance = list.reduce((sum, value) => sum + (value - bias) ** 2, 0) / (list.length - 1);
    return {
      ...{ measure, unit: measures[measure], answered: list.length, bias },
      within: 1.96 * Math.sqrt(variance / list.length),
      ...{ low: quantile(list, 0.025), high: quantile(list, 0.975) },
    };
  });
}
