/** Light reflexes of rendered traces against what is true of them. */
import { pupilTrace } from '../../../tools/series/pupil-trace.ts';
import { cleanSeries, lightReflex, type LightReflex, type LightReflexOptions } from '../../../src/series/index.ts';
import { quantile } from '../../parts/numbers.ts';

export const figures = ['latency', 'amplitude', 'peak velocity', 'time to minimum', 't50', 't75'] as const;
/** ms, or per cent of what is true. */
export const unitOf = (figure: string) => (/amplitude|velocity/.test(figure) ? '%' : 'ms');

export interface ReflexErrors {
  rate: number;
  traces: number;
  /** Absolute errors of the traces that have an answer, and the mean of the signed ones. */
  errors: Record<string, { answered: number; median: number; tenth: number; bias: number }>;
  /** Seeds with their signed error of the latency. */
  latencies: { seed: number; error: number }[];
}

/** Per rate: errors over so many seeds from `first` on. */
export function reflexErrors(
  first: number,
  count: number,
  rate: number,
  options: Partial<LightReflexOptions> = {},
): ReflexErrors {
  const all: Record<string, number[]> = Object.fromEntries(figures.map((figure) => [figure, []]));
  const latencies: ReflexErrors['latencies'] = [];
  for (let seed = first; seed < first + count; seed++) {
    const { samples, truth } = pupilTrace(seed, rate);
    const { onset, duration } = truth;
    const found: LightReflex = lightReflex(cleanSeries(samples), { onset, duration, ...options });
    const percent = (measured: number, real: number) => (100 * (measured - real)) / real;
    all['latency']!.push(found.latency - truth.latency);
    all['amplitude']!.push(percent(found.amplitude, truth.amplitude));
    all['peak velocity']!.push(percent(found.peakConstrictionVelocity, truth.peakConstrictionVelocity));
    all['time to minimum']!.push(found.timeToMinimum - truth.timeToMinimum);
    all['t50']!.push(found.t50 - truth.t50);
    all['t75']!.push(found.t75 - truth.t75);
    latencies.push({ seed, error: found.latency - truth.latency });
  }
  const errors = Object.fromEntries(
    Object.entries(all).map(([figure, values]) => {
      const known = values.filter(Number.isFinite);
      const sizes = known.map(Math.abs);
      return [
        figure,
        {
          answered: known.length,
          median: quantile(sizes, 0.5),
          tenth: quantile(sizes, 0.9),
          bias: known.reduce((sum, value) => sum + value, 0) / known.length,
        },
      ];
    }),
  );
  return { rate, traces: count, errors, latencies };
}
