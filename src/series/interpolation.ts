/**
 * Values between samples: by a line, or by the cubic of Fritsch and Carlson (SIAM J Numer Anal 17, 1980) with Butland's
 * slopes, which keeps between its two samples and so invents no minimum. Times grow strictly.
 */
export type Interpolation = 'linear' | 'cubic';

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

/** The values at `times`, which grow; NaN before the first sample and after the last. */
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
