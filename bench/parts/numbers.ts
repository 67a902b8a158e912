/** What the benchmarks sum up and write with: in pages, and through numbers.mjs in Node. */
export { overlap } from '../../src/image/numbers.ts';
export { median } from '../../src/image/numbers.ts';

/** The value that a share of the values lie below; NaN of none. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? NaN;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of lists that are equally long, the mean at each place. */
export const meansAt = (lists: readonly (readonly number[])[]): number[] =>
  lists[0]!.map((_, i) => mean(lists.map((list) => list[i]!)));

/** To so many significant digits. */
export const round = (value: number, digits = 4): number => Number(value.toPrecision(digits));

/** Until the page has done what waited. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
