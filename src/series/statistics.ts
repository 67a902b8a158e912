/** Sums over numbers; values that are not finite are left out. */

const finite = (values: ArrayLike<number>): number[] => Array.from(values).filter(Number.isFinite);

/** NaN of none. */
export function mean(values: ArrayLike<number>): number {
  const known = finite(values);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Of a sample (n - 1); NaN of fewer than two. */
export function standardDeviation(values: ArrayLike<number>): number {
  const known = finite(values);
  if (known.length < 2) return NaN;
  const middle = mean(known);
  return Math.sqrt(known.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (known.length - 1));
}

export interface Average {
  mean: number;
  /** Standard error of the mean; NaN of fewer than two. */
  standardError: number;
  count: number;
}

export function average(values: ArrayLike<number>): Average {
  const count = finite(values).length;
  return { mean: mean(values), standardError: standardDeviation(values) / Math.sqrt(count), count };
}
