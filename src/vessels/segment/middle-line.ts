/** Center lines as points at even distances. */

export interface Line {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export function lengthOf({ x, y }: Line): number {
  let length = 0;
  for (let k = 1; k < x.length; k++) length += Math.hypot(x[k]! - x[k - 1]!, y[k]! - y[k - 1]!);
  return length;
}

/** Points about `step` apart, including both ends. */
export function resampled(line: Line, step: number): Line {
  const { x, y } = line;
  const length = lengthOf(line);
  const count = Math.max(1, Math.round(length / step));
  const [u, v] = [new Float64Array(count + 1), new Float64Array(count + 1)];
  let [k, passed, piece] = [0, 0, 0];
  for (let i = 0; i <= count; i++) {
    const at = (i / count) * length;
    for (; k + 1 < x.length; k++) {
      piece = Math.hypot(x[k + 1]! - x[k]!, y[k + 1]! - y[k]!);
      if (passed + piece >= at) break;
      passed += piece;
    }
    const next = Math.min(k + 1, x.length - 1);
    const share = next > k && piece > 0 ? Math.min(1, (at - passed) / piece) : 0;
    u[i] = x[k]! + share * (x[next]! - x[k]!);
    v[i] = y[k]! + share * (y[next]! - y[k]!);
  }
  return { x: u, y: v };
}

/**
 * Means with Gaussian weights, `sigma` in points. The ends stay fixed, because the line is continued beyond them by
 * point reflection.
 */
export function smoothed(values: Float64Array, sigma: number): Float64Array {
  const last = values.length - 1;
  const reach = Math.min(Math.ceil(3 * sigma), 4 * last);
  if (last < 1 || reach < 1) return values;
  const weights = Float64Array.from({ length: reach + 1 }, (_, i) => Math.exp((-i * i) / (2 * sigma * sigma)));
  const whole = weights.reduce((s, w, i) => s + (i ? 2 * w : w), 0);
  const at = (i: number): number => {
    if (i < 0) return 2 * values[0]! - at(Math.min(-i, last));
    if (i > last) return 2 * values[last]! - at(Math.max(0, 2 * last - i));
    return values[i]!;
  };
  return values.map((value, k) => {
    let sum = weights[0]! * value;
    for (let i = 1; i <= reach; i++) sum += weights[i]! * (at(k - i) + at(k + i));
    return sum / whole;
  });
}

export const smoothLine = ({ x, y }: Line, sigma: number): Line => ({ x: smoothed(x, sigma), y: smoothed(y, sigma) });

/** Unit normals, to the right of the direction of travel. */
export function normals({ x, y }: Line): Line {
  const last = x.length - 1;
  const [u, v] = [new Float64Array(x.length), new Float64Array(x.length)];
  for (let k = 0; k <= last; k++) {
    const [from, to] = [Math.max(0, k - 1), Math.min(last, k + 1)];
    const [dx, dy] = [x[to]! - x[from]!, y[to]! - y[from]!];
    const length = Math.hypot(dx, dy) || 1;
    u[k] = -dy / length;
    v[k] = dx / length;
  }
  return { x: u, y: v };
}

/** Interpolates unknown values (NaN) linearly between known ones. 0 if none is known. */
export function filled(values: Float64Array): Float64Array {
  const out = values.slice();
  let before = -1;
  for (let k = 0; k <= values.length; k++) {
    if (k < values.length && Number.isNaN(values[k]!)) continue;
    for (let i = before + 1; i < k; i++) {
      const [low, high] = [values[before] ?? values[k] ?? 0, values[k] ?? values[before] ?? 0];
      out[i] = low + ((high - low) * (i - before)) / (k - before);
    }
    before = k;
  }
  return out;
}
