/**
 * A Butterworth filter of second order that runs forward and then backward over the values: what the first run delays, the
 * second brings back, so no phase is shifted (Gustafsson, IEEE Trans Signal Process 44, 1996, on its ends). Two runs halve
 * the power twice, so each has a cutoff that is higher by (sqrt 2 - 1)^(-1/4), before the bilinear transform bends the
 * frequencies: together they pass 1 / sqrt 2 at `cutoff`.
 */

/** b0, b1, b2, a1, a2 by the bilinear transform, of one of the two runs. */
function butterworth(cutoff: number, rate: number): [number, number, number, number, number] {
  const k = Math.tan((Math.PI * cutoff) / rate) / (Math.SQRT2 - 1) ** 0.25;
  const norm = 1 / (1 + Math.SQRT2 * k + k * k);
  const b = k * k * norm;
  return [b, 2 * b, b, 2 * (k * k - 1) * norm, (1 - Math.SQRT2 * k + k * k) * norm];
}

/** In place. The state begins as if the first value had been there always. */
function run(values: Float64Array, [b0, b1, b2, a1, a2]: ReturnType<typeof butterworth>): void {
  let z1 = (1 - b0) * values[0]!;
  let z2 = (b2 - a2) * values[0]!;
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    const y = b0 * x + z1;
    z1 = b1 * x - a1 * y + z2;
    z2 = b2 * x - a2 * y;
    values[i] = y;
  }
}

/** Highest cutoff that a rate allows: below half of it. */
export const highestCutoff = (rate: number): number => 0.49 * rate;

/**
 * @param values at equal steps, all finite
 * @param cutoff Hz, at most highestCutoff(rate)
 */
export function lowPass(values: ArrayLike<number>, cutoff: number, rate: number): Float64Array {
  const n = values.length;
  const pad = Math.min(n - 1, Math.ceil((2 * rate) / cutoff));
  const work = new Float64Array(n + 2 * pad);
  // Beyond its ends the series goes on turned by half a turn about them, so that level and slope stay.
  for (let i = -pad; i < n + pad; i++)
    work[i + pad] =
      i < 0 ? 2 * values[0]! - values[-i]! : i >= n ? 2 * values[n - 1]! - values[2 * (n - 1) - i]! : values[i]!;
  const coefficients = butterworth(cutoff, rate);
  run(work, coefficients);
  work.reverse();
  run(work, coefficients);
  work.reverse();
  return work.slice(pad, pad + n);
}
