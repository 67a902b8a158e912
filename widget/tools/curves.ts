/** Curves around events: ticks of their axes, and their mean. */
import type { Epochs } from '../../src/index.ts';

/** Ticks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them. */
export function ticksOf(low: number, high: number, wanted: number): number[] {
  const least = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The mean over the time that every epoch covers. Elsewhere it would jump where one epoch begins or ends. */
export function meanOf({ mean, epochs: all }: Pick<Epochs, 'mean' | 'epochs'>): Float64Array {
  const known = all.filter(({ kept }) => kept).map(({ diameter }) => Array.from(diameter, Number.isFinite));
  const first = Math.max(...known.map((one) => one.indexOf(true)));
  const last = Math.min(...known.map((one) => one.lastIndexOf(true)));
  return Float64Array.from(mean, (value, i) => (i < first || i > last ? NaN : value));
}
