/** Shares with their intervals, and quantiles. */
import { FoveolaError } from '../../node/index.ts';

/** Wilson's interval of a share, 95 %. */
export function interval(hits: number, of: number): [low: number, high: number] {
  if (!of) return [NaN, NaN];
  const z = 1.96;
  const p = hits / of;
  const middle = p + (z * z) / (2 * of);
  const spread = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return [(middle - spread) / scale, (middle + spread) / scale];
}

export const percent = (hits: number, of: number): string => {
  if (!of) return '-';
  const [low, high] = interval(hits, of).map((value) => (100 * value).toFixed(0));
  return `${((100 * hits) / of).toFixed(1)} % (${low} to ${high})`;
};

export function quantile(values: readonly number[], share: number): number {
  if (!values.length) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)]!;
  return low + (at - Math.floor(at)) * (sorted[Math.ceil(at)]! - low);
}

export const fixed = (value: number, digits = 2): string => (Number.isFinite(value) ? value.toFixed(digits) : '-');

export const noColumns = (what: string, names: string): FoveolaError =>
  new FoveolaError('invalid-argument', `The annotations have no ${what}. Required columns: ${names}.`);
