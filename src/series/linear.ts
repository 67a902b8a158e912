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

export interface LeastSquares {
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
