// Third stage of the detector's cascade: 15x15 patches, compared by normalised cross-correlation (Kalal, Mikolajczyk,
// Matas 2012, section 5.2). A patch is kept with zero mean and unit norm, 225 values in 240 f32, so that a correlation is
// a sum of products.

import { STORED_BYTES } from './correlations';
import { ObjectFrame } from './frame';

const SIDE: i32 = 15;
const CELLS: i32 = SIDE * SIDE;
/** Values of a stored patch: a multiple of 16, the rest 0. */
const STORED: i32 = 240;
/** Below this norm a patch counts as constant: its correlation with anything is 0. */
const CONSTANT: f64 = 1e-6;

/** Zero mean, unit norm, padding 0; in place. */
function normalise(patch: usize): void {
  let mean: f64 = 0;
  for (let i = 0; i < CELLS; i++) mean += load<f32>(patch + <usize>(i << 2));
  mean /= <f64>CELLS;
  let norm: f64 = 0;
  for (let i = 0; i < CELLS; i++) {
    const v = <f64>load<f32>(patch + <usize>(i << 2)) - mean;
    norm += v * v;
  }
  const scale = norm > CONSTANT ? 1 / sqrt<f64>(norm) : 0;
  for (let i = 0; i < CELLS; i++) {
    const at = patch + <usize>(i << 2);
    store<f32>(at, <f32>((<f64>load<f32>(at) - mean) * scale));
  }
  for (let i = CELLS; i < STORED; i++) store<f32>(patch + <usize>(i << 2), 0);
}

/** 225 gray values (u8) to a stored patch. */
export function patchFromGray(gray: usize, out: usize): i32 {
  for (let i = 0; i < CELLS; i++) store<f32>(out + <usize>(i << 2), <f32>load<u8>(gray + <usize>i));
  normalise(out);
  return 0;
}

/** Bytes that patchOfBox works in. */
export const PATCH_SCRATCH: usize = 16 * 2 * 8;

/**
 * The stored patch of a box; any part outside the frame is cut off. Each of the 15x15 cells is the mean of the area that
 * it covers, from the integral image between whole columns by linear interpolation.
 */
export function patchOfBox(
  frame: ObjectFrame,
  left: f32,
  top: f32,
  width: f32,
  height: f32,
  out: usize,
  scratch: usize,
): void {
  const upper = scratch;
  const lower = scratch + 16 * 8;
  const x0 = max<f32>(0, left);
  const y0 = max<f32>(0, top);
  const x1 = min<f32>(<f32>frame.width, left + width);
  const y1 = min<f32>(<f32>frame.height, top + height);
  const stepX: f32 = (x1 - x0) / <f32>SIDE;
  const stepY: f32 = (y1 - y0) / <f32>SIDE;
  if (!(stepX > 0 && stepY > 0)) {
    memory.fill(out, 0, STORED_BYTES);
    return;
  }
  const sums = frame.sums;
  const stride = frame.sumStride;
  const base = load<u32>(sums + <usize>(<i32>y0 * stride + ((<i32>x0) << 2)));
  integralRow(sums, stride, frame.width, frame.height, base, x0, stepX, y0, upper);
  for (let j = 0; j < SIDE; j++) {
    const y = y0 + <f32>(j + 1) * stepY;
    integralRow(sums, stride, frame.width, frame.height, base, x0, stepX, y, lower);
    for (let i = 0; i < SIDE; i++) {
      const at = <usize>(i << 3);
      const sum = load<f64>(lower + at, 8) - load<f64>(lower + at) - load<f64>(upper + at, 8) + load<f64>(upper + at);
      store<f32>(out + <usize>((j * SIDE + i) << 2), <f32>(sum / (<f64>stepX * <f64>stepY)));
    }
    memory.copy(upper, lower, 16 * 8);
  }
  normalise(out);
}

/** The integral image, less its value at the box's corner, at 16 places of one row. */
function integralRow(
  sums: usize,
  stride: i32,
  width: i32,
  height: i32,
  base: u32,
  x0: f32,
  stepX: f32,
  y: f32,
  out: usize,
): void {
  const iy = min(<i32>y, height - 1);
  const fy = <f64>y - <f64>iy;
  const row = sums + <usize>(iy * stride);
  for (let i = 0; i <= SIDE; i++, out += 8) {
    const x = min<f32>(x0 + <f32>i * stepX, <f32>width);
    const ix = min(<i32>x, width - 1);
    const fx = <f64>x - <f64>ix;
    const at = row + <usize>(ix << 2);
    const a = <f64>(<i32>(load<u32>(at) - base));
    const b = <f64>(<i32>(load<u32>(at, 4) - base));
    const c = <f64>(<i32>(load<u32>(at + stride) - base));
    const d = <f64>(<i32>(load<u32>(at + stride, 4) - base));
    const top = a + fx * (b - a);
    store<f64>(out, top + fy * (c + fx * (d - c) - top));
  }
}

/**
 * Correlation of the 10x10 patches around points of two frames (median flow, Kalal et al. 2010): samples by bilinear
 * interpolation, rounded to whole gray levels, the frame's edge repeated. scratch: 200 bytes.
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
  // Without SIMD the scalar baseline of the benches is built of this file.
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

/** The same where no column lies outside the frame. A row's last four samples overlap those before. */
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

/** Four samples between neighbours of a row. */
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
