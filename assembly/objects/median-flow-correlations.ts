// Similarity of the surroundings of points in two frames (median flow, Kalal, Mikolajczyk, Matas 2010).

/**
 * Correlation of the 10x10 patches around points of two frames (median flow, Kalal et al. 2010): samples by bilinear
 * interpolation, rounded to integer gray levels, border replicated. scratch: 200 bytes.
 */
export function pointCorrelations(
  previous: usize,
  next: usize,
  stride: i32,
  width: i32,
  height: i32,
  from: usize,
  to: usize,
  count: i32,
  out: usize,
  scratch: usize,
): i32 {
  for (let n = 0; n < count; n++) {
    const at = <usize>(n << 3);
    samplePatch(previous, stride, width, height, load<f32>(from + at), load<f32>(from + at, 4), scratch);
    samplePatch(next, stride, width, height, load<f32>(to + at), load<f32>(to + at, 4), scratch + 100);
    let a = 0;
    let b = 0;
    let aa = 0;
    let bb = 0;
    let ab = 0;
    for (let i: usize = 0; i < 100; i++) {
      const p = <i32>load<u8>(scratch + i);
      const q = <i32>load<u8>(scratch + i, 100);
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
    const covariance = <f64>(100 * ab - a * b);
    const variances = <f64>(100 * aa - a * a) * <f64>(100 * bb - b * b);
    store<f32>(out + <usize>(n << 2), variances > 0 ? <f32>(covariance / sqrt<f64>(variances)) : 0);
  }
  return 0;
}

function samplePatch(image: usize, stride: i32, width: i32, height: i32, x: f32, y: f32, out: usize): void {
  const left = x - 4.5;
  const top = y - 4.5;
  const ix = <i32>Mathf.floor(left);
  const iy = <i32>Mathf.floor(top);
  const fx = left - <f32>ix;
  const fy = top - <f32>iy;
  // The scalar baseline of the benchmarks is built from this file without SIMD.
  if (ASC_FEATURE_SIMD && ix >= 0 && ix + 10 < width) {
    sampleInside(image + <usize>ix, stride, height, iy, fx, fy, out);
    return;
  }
  for (let j = 0; j < 10; j++) {
    const row = image + <usize>(max(0, min(height - 1, iy + j)) * stride);
    const below = image + <usize>(max(0, min(height - 1, iy + j + 1)) * stride);
    for (let i = 0; i < 10; i++) {
      const p = <usize>max(0, min(width - 1, ix + i));
      const q = <usize>max(0, min(width - 1, ix + i + 1));
      const upper = <f32>load<u8>(row + p) * (1 - fx) + <f32>load<u8>(row + q) * fx;
      const lower = <f32>load<u8>(below + p) * (1 - fx) + <f32>load<u8>(below + q) * fx;
      store<u8>(out + <usize>(j * 10 + i), <u8>(upper * (1 - fy) + lower * fy + 0.5));
    }
  }
}

/** Sampling if no column is outside the frame. A row's last four samples overlap the previous ones. */
function sampleInside(image: usize, stride: i32, height: i32, iy: i32, fx: f32, fy: f32, out: usize): void {
  const right = f32x4.splat(fx);
  const left = f32x4.splat(1 - fx);
  const below = f32x4.splat(fy);
  const above = f32x4.splat(1 - fy);
  let row = image + <usize>(max(0, min(height - 1, iy)) * stride);
  let a = along(row, left, right);
  let b = along(row + 4, left, right);
  let c = along(row + 6, left, right);
  for (let j = 1; j <= 10; j++, out += 10) {
    row = image + <usize>(max(0, min(height - 1, iy + j)) * stride);
    const a2 = along(row, left, right);
    const b2 = along(row + 4, left, right);
    const c2 = along(row + 6, left, right);
    v128.store32_lane(out, rounded(a, a2, above, below), 0);
    v128.store32_lane(out, rounded(b, b2, above, below), 0, 4);
    v128.store32_lane(out, rounded(c, c2, above, below), 0, 6);
    a = a2;
    b = b2;
    c = c2;
  }
}

/** Four samples between neighbors of a row. */
function along(p: usize, left: v128, right: v128): v128 {
  return f32x4.add(f32x4.mul(fourBytes(p), left), f32x4.mul(fourBytes(p + 1), right));
}

function fourBytes(p: usize): v128 {
  const shorts = i16x8.extend_low_i8x16_u(v128.load32_zero(p));
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(shorts));
}

function rounded(upper: v128, lower: v128, above: v128, below: v128): v128 {
  const value = f32x4.add(f32x4.add(f32x4.mul(upper, above), f32x4.mul(lower, below)), f32x4.splat(0.5));
  const words = i32x4.trunc_sat_f32x4_s(value);
  const shorts = i16x8.narrow_i32x4_s(words, words);
  return i8x16.narrow_i16x8_u(shorts, shorts);
}
