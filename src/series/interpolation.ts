/**
 * A second-order Butterworth filter that runs forward and then backward over the values. The second run undoes the
 * delay of the first, so there is no phase shift (Gustafsson, IEEE Trans Signal Process 44, 1996, on its ends). Two
 * runs attenuate twice. Each run therefore has a cutoff that is higher by (sqrt 2 - 1)^(-1/4), applied before the
 * frequency warping of the bilinear transform. Together they pass 1 / sqrt 2 at `cutoff`.
 */

/** b0, b1, b2, a1, a2 of one of the two runs, by the bilinear transform. */
function butterworth(cutoff: number, rate: number): [number, number, number, number, number] {
  const k = Math.tan((Math.PI * cutoff) / rate) / (Math.SQRT2 - 1) ** 0.25;
  const norm = 1 / (1 + Math.SQRT2 * k + k * k);
  const b = k * k * norm;
  return [b, 2 * b, b, 2 * (k * k - 1) * norm, (1 - Math.SQRT2 * k + k * k) * norm];
}

/** Filters in place. The initial state assumes that all earlier values equal the first one. */
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

/** Highest cutoff for a rate: below half of it. */
export const highestCutoff = (rate: number): number => 0.49 * rate;

/**
 * @param values at equal steps, all finite
 * @param cutoff Hz, at most highestCutoff(rate)
 */
export function lowPass(values: ArrayLike<number>, cutoff: number, rate: number): Float64Array {
  const n = values.length;
  const pad = Math.min(n - 1, Math.ceil((2 * rate) / cutoff));
  const work = new Float64Array(n + 2 * pad);
  // Beyond its ends the series is continued by point reflection about them, which preserves level and slope.
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

/**
 * Interpolates between samples: linearly, or with the cubic of Fritsch and Carlson (SIAM J Numer Anal 17, 1980) with
 * Butland's slopes. The cubic stays between its two samples, so it does not create a false minimum. Times must increase
 * strictly.
 */
type Interpolation = 'linear' | 'cubic';

/** Slopes of the cubic at the samples. */
function slopes(t: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
  const n = t.length;
  const out = new Float64Array(n);
  const secant = (i: number) => (v[i + 1]! - v[i]!) / (t[i + 1]! - t[i]!);
  if (n < 2) return out;
  out[0] = secant(0);
  out[n - 1] = secant(n - 2);
  for (let i = 1; i < n - 1; i++) {
    const [left, right] = [secant(i - 1), secant(i)];
    if (left * right <= 0) continue;
    const [h0, h1] = [t[i]! - t[i - 1]!, t[i + 1]! - t[i]!];
    out[i] = (3 * (h0 + h1)) / ((2 * h1 + h0) / left + (h1 + 2 * h0) / right);
  }
  return out;
}

/** The values at `times`, which must increase. NaN before the first sample and after the last. */
export function interpolate(
  t: ArrayLike<number>,
  v: ArrayLike<number>,
  times: ArrayLike<number>,
  kind: Interpolation,
): Float64Array {
  const out = new Float64Array(times.length).fill(NaN);
  const last = t.length - 1;
  const slope = kind === 'cubic' ? slopes(t, v) : null;
  let i = 0;
  for (let k = 0; k < out.length; k++) {
    const time = times[k]!;
    if (!(time >= t[0]! && time <= t[last]!)) continue;
    while (i < last - 1 && t[i + 1]! <= time) i++;
    if (time === t[i]!) {
      out[k] = v[i]!;
      continue;
    }
    const h = t[i + 1]! - t[i]!;
    const s = (time - t[i]!) / h;
    if (!slope) {
      out[k] = v[i]! + s * (v[i + 1]! - v[i]!);
      continue;
    }
    const [s2, s3] = [s * s, s * s * s];
    out[k] =
      (2 * s3 - 3 * s2 + 1) * v[i]! +
      (s3 - 2 * s2 + s) * h * slope[i]! +
      (3 * s2 - 2 * s3) * v[i + 1]! +
      (s3 - s2) * h * slope[i + 1]!;
  }
  return out;
}
