/**
 * Value, slope and curvature of a noisy series by a polynomial that is fitted to the samples around a time (local
 * regression, Cleveland, JASA 74, 1979, with his tricube weights; with equal steps the filter of Savitzky and Golay, Anal
 * Chem 36, 1964). It takes samples at any times and leaves gaps alone, and by its symmetry shifts no phase.
 */
import { leastSquares } from './linear.ts';

export interface LocalFit {
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
