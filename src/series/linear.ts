/** Least squares by the normal equations: a few unknowns, well-scaled columns. */

/**
 * The solution of a symmetric positive definite system by Cholesky's decomposition; null where it is singular to the
 * precision of the numbers. `matrix`: rows of the lower half at least.
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
  /** Sum of weighted squares that is left. */
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

// Value, slope and curvature of a noisy series by a polynomial that is fitted to the samples around a time (local
// regression, Cleveland, JASA 74, 1979, with his tricube weights; with equal steps the filter of Savitzky and Golay, Anal
// Chem 36, 1964). It takes samples at any times and leaves gaps alone, and by its symmetry shifts no phase.

interface LocalFit {
  value: number;
  /** Units a millisecond, and that a millisecond. */
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

/** How far the middle of the samples may lie from the time asked for, as a share of the reach. */
const BALANCE = 0.25;

/**
 * @param half reach to both sides, ms; where it holds too few samples it grows up to twice that
 * @returns NaN where there are too few even so, and at the ends, beside long gaps and within gaps longer than half the reach,
 * where a polynomial says little
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
    const origin = v[start]!; // squares of small numbers lose less
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
