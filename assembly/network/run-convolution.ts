// Convolutions of tensors of floats: rows of pixels, with the channels of a pixel adjacent, and around each tensor a
// border of zeros as wide as the filter reaches. Four outputs are the lanes of a vector. Four pixels share a load of
// their weights.

/** Number of pixels that are computed before the weights of the next outputs are read. */
const TOGETHER: i32 = 32;

/**
 * Rows y0..y1-1. The target has `width` pixels per row. A source pixel has `inputs` floats, a target pixel `pitch`. The
 * first `outputs` of these (a multiple of 4) are written. `step`: 1 or 2. `reach`: 0 for one tap, 1 for 3x3. Weights:
 * by four outputs, tap, input and output. Then a value v becomes min(max(v, slope v), ceiling).
 */
export function convolution(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  inputs: i32,
  outputs: i32,
  pitch: i32,
  step: i32,
  reach: i32,
  weights: usize,
  bias: usize,
  slope: f32,
  ceiling: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const side = 2 * reach + 1;
  const pixel = <usize>(inputs << 2);
  const next = pixel * <usize>step;
  const row = pixel * <usize>side;
  const filter = (<usize>(side * side * inputs)) << 4; // bytes of the weights of four outputs
  const low = f32x4.splat(slope);
  const high = f32x4.splat(ceiling);
  const first = source + <usize>((y0 * step - reach) * sourceStride) - pixel * <usize>reach;
  const begin = target + <usize>(y0 * targetStride);
  const down = <usize>(sourceStride * step);
  const right = (<usize>pitch) << 2;
  const total = (y1 - y0) * width;
  for (let n0 = 0; n0 < total; n0 += TOGETHER)
    for (let o = 0; o < outputs;) {
      const w = weights + <usize>(o >> 2) * filter;
      const b = bias + ((<usize>o) << 2);
      const out = begin + ((<usize>o) << 2);
      const two = o + 8 <= outputs;
      const n1 = min(n0 + TOGETHER, total);
      for (let n = n0; total >= 4 && n < n1; n += 4) {
        const at = min(n, total - 4); // the last four again where fewer are left
        const y = at / width;
        const x = at - y * width;
        const f0 = first + <usize>y * down + <usize>x * next;
        const t0 = out + <usize>(y * targetStride) + <usize>x * right;
        let f1 = f0 + next;
        let f2 = f1 + next;
        let f3 = f2 + next;
        let t1 = t0 + right;
        let t2 = t1 + right;
        let t3 = t2 + right;
        if (x + 4 > width) {
          // They are in several rows.
          f1 = first + place(at + 1, width, down, next);
          f2 = first + place(at + 2, width, down, next);
          f3 = first + place(at + 3, width, down, next);
          t1 = out + place(at + 1, width, targetStride, right);
          t2 = out + place(at + 2, width, targetStride, right);
          t3 = out + place(at + 3, width, targetStride, right);
        }
        if (two) eight(f0, f1, f2, f3, sourceStride, side, row, w, w + filter, b, t0, t1, t2, t3, low, high);
        else four(f0, f1, f2, f3, sourceStride, side, row, w, b, t0, t1, t2, t3, low, high);
      }
      for (let n = n0; total < 4 && n < n1; n++) {
        const from = first + place(n, width, down, next);
        const to = out + place(n, width, targetStride, right);
        one(from, sourceStride, side, row, w, b, to, low, high);
        if (two) one(from, sourceStride, side, row, w + filter, b + 16, to + 16, low, high);
      }
      o += two ? 8 : 4;
    }
  return 0;
}

/** Bytes to the n-th pixel of rows of `width` pixels. */
function place(n: i32, width: i32, stride: usize, pixel: usize): usize {
  const y = n / width;
  return <usize>y * stride + <usize>(n - y * width) * pixel;
}

function bounded(v: v128, low: v128, high: v128): v128 {
  return f32x4.min(f32x4.max(v, f32x4.mul(v, low)), high);
}

/** Four pixels, eight outputs. `row`: bytes of the taps of a row, which are adjacent, as are their weights. */
function eight(
  p0: usize,
  p1: usize,
  p2: usize,
  p3: usize,
  stride: i32,
  side: i32,
  row: usize,
  w0: usize,
  w1: usize,
  bias: usize,
  t0: usize,
  t1: usize,
  t2: usize,
  t3: usize,
  low: v128,
  high: v128,
): void {
  let a0 = v128.load(bias);
  let b0 = v128.load(bias, 16);
  let a1 = a0;
  let b1 = b0;
  let a2 = a0;
  let b2 = b0;
  let a3 = a0;
  let b3 = b0;
  const down = <usize>stride - row;
  for (let j = 0; j < side; j++, p0 += down, p1 += down, p2 += down, p3 += down)
    for (const end = p0 + row; p0 < end; p0 += 4, p1 += 4, p2 += 4, p3 += 4, w0 += 16, w1 += 16) {
      const wa = v128.load(w0);
      const wb = v128.load(w1);
      const v0 = v128.load32_splat(p0);
      a0 = f32x4.add(a0, f32x4.mul(v0, wa));
      b0 = f32x4.add(b0, f32x4.mul(v0, wb));
      const v1 = v128.load32_splat(p1);
      a1 = f32x4.add(a1, f32x4.mul(v1, wa));
      b1 = f32x4.add(b1, f32x4.mul(v1, wb));
      const v2 = v128.load32_splat(p2);
      a2 = f32x4.add(a2, f32x4.mul(v2, wa));
      b2 = f32x4.add(b2, f32x4.mul(v2, wb));
      const v3 = v128.load32_splat(p3);
      a3 = f32x4.add(a3, f32x4.mul(v3, wa));
      b3 = f32x4.add(b3, f32x4.mul(v3, wb));
    }
  v128.store(t0, bounded(a0, low, high));
  v128.store(t0, bounded(b0, low, high), 16);
  v128.store(t1, bounded(a1, low, high));
  v128.store(t1, bounded(b1, low, high), 16);
  v128.store(t2, bounded(a2, low, high));
  v128.store(t2, bounded(b2, low, high), 16);
  v128.store(t3, bounded(a3, low, high));
  v128.store(t3, bounded(b3, low, high), 16);
}

/** Four pixels, four outputs. */
function four(
  p0: usize,
  p1: usize,
  p2: usize,
  p3: usize,
  stride: i32,
  side: i32,
  row: usize,
  w: usize,
  bias: usize,
  t0: usize,
  t1: usize,
  t2: usize,
  t3: usize,
  low: v128,
  high: v128,
): void {
  let a0 = v128.load(bias);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  const down = <usize>stride - row;
  for (let j = 0; j < side; j++, p0 += down, p1 += down, p2 += down, p3 += down)
    for (const end = p0 + row; p0 < end; p0 += 4, p1 += 4, p2 += 4, p3 += 4, w += 16) {
      const weight = v128.load(w);
      a0 = f32x4.add(a0, f32x4.mul(v128.load32_splat(p0), weight));
      a1 = f32x4.add(a1, f32x4.mul(v128.load32_splat(p1), weight));
      a2 = f32x4.add(a2, f32x4.mul(v128.load32_splat(p2), weight));
      a3 = f32x4.add(a3, f32x4.mul(v128.load32_splat(p3), weight));
    }
  v128.store(t0, bounded(a0, low, high));
  v128.store(t1, bounded(a1, low, high));
  v128.store(t2, bounded(a2, low, high));
  v128.store(t3, bounded(a3, low, high));
}

/** One pixel, four outputs. */
function one(
  p: usize,
  stride: i32,
  side: i32,
  row: usize,
  w: usize,
  bias: usize,
  to: usize,
  low: v128,
  high: v128,
): void {
  let sum = v128.load(bias);
  for (let j = 0; j < side; j++, p += <usize>stride - row)
    for (const end = p + row; p < end; p += 4, w += 16)
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(p), v128.load(w)));
  v128.store(to, bounded(sum, low, high));
}

/**
 * 3x3, each channel with a separate filter. `channels`: a multiple of 4. Weights: by tap and channel. Otherwise as
 * above.
 */
export function depthwise(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  channels: i32,
  step: i32,
  weights: usize,
  bias: usize,
  slope: f32,
  ceiling: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const pixel = <usize>(channels << 2);
  const next = pixel * <usize>step;
  const low = f32x4.splat(slope);
  const high = f32x4.splat(ceiling);
  for (let y = y0; y < y1; y++) {
    const row = source + <usize>((y * step - 1) * sourceStride) - pixel;
    const out = target + <usize>(y * targetStride);
    let x = 0;
    for (; width >= 4 && x < width; x += 4) {
      const at = <usize>min(x, width - 4);
      const from = row + at * next;
      const to = out + at * pixel;
      for (let c: usize = 0; c < pixel; c += 16)
        fourAcross(from + c, sourceStride, pixel, step, weights + c, bias + c, to + c, low, high);
    }
    for (; x < width; x++)
      for (let c: usize = 0; c < pixel; c += 16) {
        let sum = v128.load(bias + c);
        let w = weights + c;
        let p = row + <usize>x * next + c;
        for (let j = 0; j < 3; j++, p += <usize>sourceStride)
          for (let i: usize = 0; i < 3; i++, w += pixel)
            sum = f32x4.add(sum, f32x4.mul(v128.load(p + i * pixel), v128.load(w)));
        v128.store(out + <usize>x * pixel + c, bounded(sum, low, high));
      }
  }
  return 0;
}

/** Four pixels, four channels. A sample that several windows have is read once. */
function fourAcross(
  from: usize,
  stride: i32,
  pixel: usize,
  step: i32,
  weights: usize,
  bias: usize,
  to: usize,
  low: v128,
  high: v128,
): void {
  let a0 = v128.load(bias);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  for (let j = 0; j < 3; j++, from += <usize>stride, weights += 3 * pixel) {
    const left = v128.load(weights);
    const middle = v128.load(weights + pixel);
    const right = v128.load(weights + 2 * pixel);
    const v2 = v128.load(from + 2 * pixel);
    const v4 = v128.load(from + 4 * pixel);
    if (step == 1) {
      const v1 = v128.load(from + pixel);
      const v3 = v128.load(from + 3 * pixel);
      a0 = f32x4.add(a0, f32x4.mul(v128.load(from), left));
      a1 = f32x4.add(a1, f32x4.mul(v1, left));
      a2 = f32x4.add(a2, f32x4.mul(v2, left));
      a3 = f32x4.add(a3, f32x4.mul(v3, left));
      a0 = f32x4.add(a0, f32x4.mul(v1, middle));
      a1 = f32x4.add(a1, f32x4.mul(v2, middle));
      a2 = f32x4.add(a2, f32x4.mul(v3, middle));
      a3 = f32x4.add(a3, f32x4.mul(v4, middle));
      a0 = f32x4.add(a0, f32x4.mul(v2, right));
      a1 = f32x4.add(a1, f32x4.mul(v3, right));
      a2 = f32x4.add(a2, f32x4.mul(v4, right));
      a3 = f32x4.add(a3, f32x4.mul(v128.load(from + 5 * pixel), right));
    } else {
      const v6 = v128.load(from + 6 * pixel);
      a0 = f32x4.add(a0, f32x4.mul(v128.load(from), left));
      a1 = f32x4.add(a1, f32x4.mul(v2, left));
      a2 = f32x4.add(a2, f32x4.mul(v4, left));
      a3 = f32x4.add(a3, f32x4.mul(v6, left));
      a0 = f32x4.add(a0, f32x4.mul(v128.load(from + pixel), middle));
      a1 = f32x4.add(a1, f32x4.mul(v128.load(from + 3 * pixel), middle));
      a2 = f32x4.add(a2, f32x4.mul(v128.load(from + 5 * pixel), middle));
      a3 = f32x4.add(a3, f32x4.mul(v128.load(from + 7 * pixel), middle));
      a0 = f32x4.add(a0, f32x4.mul(v2, right));
      a1 = f32x4.add(a1, f32x4.mul(v4, right));
      a2 = f32x4.add(a2, f32x4.mul(v6, right));
      a3 = f32x4.add(a3, f32x4.mul(v128.load(from + 8 * pixel), right));
    }
  }
  v128.store(to, bounded(a0, low, high));
  v128.store(to + pixel, bounded(a1, low, high));
  v128.store(to + 2 * pixel, bounded(a2, low, high));
  v128.store(to + 3 * pixel, bounded(a3, low, high));
}
