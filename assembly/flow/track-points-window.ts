// The window of one point: image samples and Scharr derivatives of the first frame, stored for all iterations, and the
// difference between the second frame and them. Samples are interpolated with weights of 14 bits. Gray levels have 5
// fractional bits, derivatives have none. All sums are exact.

import { Register } from '../runtime/wasm/registers';

/** Bits of the four bilinear weights, which sum to 1 << WEIGHT_BITS. */
export const WEIGHT_BITS: i32 = 14;
/** For a template: gray levels, x derivative, y derivative of eight neighbors. */
const ENTRY: usize = 48;
/** Rows whose products fit into 32 bits: 2 * 32 * 8160 * 4080 < 2^31. */
const ROWS: i32 = 32;

/** Index outside 0..n-1 reflected at the first and the last sample, repeatedly if needed. */
function mirrored(i: i32, n: i32): i32 {
  if (n == 1) return 0;
  const period = 2 * n - 2;
  i = abs(i);
  if (i >= period) i %= period; // rarely needed, and slow
  return i < n ? i : period - i;
}

/** Copies columns x.. and rows y.. of an image reflected at its border. Up to 15 bytes after a row of target change. */
export function copyMirrored(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  x: i32,
  y: i32,
  columns: i32,
  rows: i32,
  target: usize,
  targetStride: i32,
): void {
  // Columns from..to-1 are in the image.
  const from = max(0, min(columns, -x));
  const to = max(from, min(columns, width - x));
  for (let j = 0; j < rows; j++, target += targetStride) {
    const row = source + <usize>(mirrored(y + j, height) * stride);
    for (let i = from; i < to; i += 16) v128.store(target + i, v128.load(row + (x + i)));
    for (let i = 0; i < from; i++) store<u8>(target + i, load<u8>(row + mirrored(x + i, width)));
    for (let i = to; i < columns; i++) store<u8>(target + i, load<u8>(row + mirrored(x + i, width)));
  }
}

/**
 * Scharr derivatives of `size` by `size` samples (eight at a time, so a few more), written to dx and dy, rows of
 * `outStride` bytes. `p` is the sample to the upper left of the first one.
 */
export function scharr(p: usize, stride: i32, size: i32, dx: usize, dy: usize, outStride: i32, scratch: usize): void {
  const three = Register.vector(i16x8.splat(3), scratch);
  const ten = Register.vector(i16x8.splat(10), scratch);
  for (let x = 0; x < size; x += 8) {
    let q = p + x;
    let left = v128.load8x8_u(q);
    let right = v128.load8x8_u(q, 2);
    let step0 = i16x8.sub(right, left);
    let sum0 = i16x8.add(i16x8.mul(i16x8.add(left, right), three), i16x8.mul(v128.load8x8_u(q, 1), ten));
    q += stride;
    left = v128.load8x8_u(q);
    right = v128.load8x8_u(q, 2);
    let step1 = i16x8.sub(right, left);
    let sum1 = i16x8.add(i16x8.mul(i16x8.add(left, right), three), i16x8.mul(v128.load8x8_u(q, 1), ten));
    let outX = dx + (x << 1);
    let outY = dy + (x << 1);
    for (let rows = size; rows > 0; rows--) {
      q += stride;
      left = v128.load8x8_u(q);
      right = v128.load8x8_u(q, 2);
      const step2 = i16x8.sub(right, left);
      const sum2 = i16x8.add(i16x8.mul(i16x8.add(left, right), three), i16x8.mul(v128.load8x8_u(q, 1), ten));
      v128.store(outX, i16x8.add(i16x8.mul(i16x8.add(step0, step2), three), i16x8.mul(step1, ten)));
      v128.store(outY, i16x8.sub(sum2, sum0));
      step0 = step1;
      step1 = step2;
      sum0 = sum1;
      sum1 = sum2;
      outX += outStride;
      outY += outStride;
    }
  }
}

/** Sets the derivatives outside the image to zero. The first one is at sample (x, y). */
export function clearOutside(
  dx: usize,
  dy: usize,
  stride: i32,
  size: i32,
  x: i32,
  y: i32,
  width: i32,
  height: i32,
): void {
  for (let j = 0; j < size; j++, dx += stride, dy += stride) {
    const rowInside = y + j >= 0 && y + j < height;
    for (let i = 0; i < size; i++)
      if (!rowInside || x + i < 0 || x + i >= width) {
        store<i16>(dx + (i << 1), 0);
        store<i16>(dy + (i << 1), 0);
      }
  }
}

/** The pairs of neighbors (p[0], p[1]), (p[1], p[2]) ... of eight samples as bytes. */
function pairs(p: usize): v128 {
  const bytes = v128.load(p);
  return i8x16.shuffle(bytes, bytes, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8);
}

/** Sum of the four lanes, exact. */
function total(sums: v128): i64 {
  const wide = i64x2.add(i64x2.extend_low_i32x4_s(sums), i64x2.extend_high_i32x4_s(sums));
  return i64x2.extract_lane(wide, 0) + i64x2.extract_lane(wide, 1);
}

/** Lanes below `count` of eight. */
function firstLanes(count: i32): v128 {
  return i16x8.lt_s(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>count));
}

/**
 * Interpolates the window of the first frame. `top` and `bottom`: the weights of a row's pair, the left one in the low
 * half. `template`: groups of eight columns one after another, ENTRY bytes per row. Writes the sums of Ix Ix, Ix Iy and
 * Iy Iy to `sums`.
 */
export function makeTemplate(
  p: usize,
  stride: i32,
  dx: usize,
  dy: usize,
  derivativeStride: i32,
  window: i32,
  top: i32,
  bottom: i32,
  template: usize,
  sums: usize,
): void {
  const above = Register.vector(i32x4.splat(top), sums);
  const below = Register.vector(i32x4.splat(bottom), sums);
  const roundGray = Register.vector(i32x4.splat(1 << (WEIGHT_BITS - 6)), sums);
  const roundWhole = Register.vector(i32x4.splat(1 << (WEIGHT_BITS - 1)), sums);
  let xx: i64 = 0;
  let xy: i64 = 0;
  let yy: i64 = 0;
  for (let x = 0; x < window; x += 8) {
    const mask = Register.vector(firstLanes(window - x), sums);
    let q = p + x;
    let qx = dx + (x << 1);
    let qy = dy + (x << 1);
    let bytes = pairs(q);
    let a = i16x8.extend_low_i8x16_u(bytes);
    let b = i16x8.extend_high_i8x16_u(bytes);
    let u = v128.load(qx);
    let v = v128.load(qx, 2);
    let xLow = i16x8.shuffle(u, v, 0, 8, 1, 9, 2, 10, 3, 11);
    let xHigh = i16x8.shuffle(u, v, 4, 12, 5, 13, 6, 14, 7, 15);
    u = v128.load(qy);
    v = v128.load(qy, 2);
    let yLow = i16x8.shuffle(u, v, 0, 8, 1, 9, 2, 10, 3, 11);
    let yHigh = i16x8.shuffle(u, v, 4, 12, 5, 13, 6, 14, 7, 15);
    for (let rows = window; rows > 0;) {
      let sxx = i32x4.splat(0);
      let sxy = sxx;
      let syy = sxx;
      const some = min(rows, ROWS);
      rows -= some;
      for (let n = some; n > 0; n--, template += ENTRY) {
        q += stride;
        bytes = pairs(q);
        const a2 = i16x8.extend_low_i8x16_u(bytes);
        const b2 = i16x8.extend_high_i8x16_u(bytes);
        let low = i32x4.add(i32x4.dot_i16x8_s(a, above), i32x4.dot_i16x8_s(a2, below));
        let high = i32x4.add(i32x4.dot_i16x8_s(b, above), i32x4.dot_i16x8_s(b2, below));
        low = i32x4.shr_s(i32x4.add(low, roundGray), WEIGHT_BITS - 5);
        high = i32x4.shr_s(i32x4.add(high, roundGray), WEIGHT_BITS - 5);
        v128.store(template, i16x8.narrow_i32x4_s(low, high));
        a = a2;
        b = b2;

        qx += derivativeStride;
        u = v128.load(qx);
        v = v128.load(qx, 2);
        const xLow2 = i16x8.shuffle(u, v, 0, 8, 1, 9, 2, 10, 3, 11);
        const xHigh2 = i16x8.shuffle(u, v, 4, 12, 5, 13, 6, 14, 7, 15);
        low = i32x4.add(i32x4.dot_i16x8_s(xLow, above), i32x4.dot_i16x8_s(xLow2, below));
        high = i32x4.add(i32x4.dot_i16x8_s(xHigh, above), i32x4.dot_i16x8_s(xHigh2, below));
        low = i32x4.shr_s(i32x4.add(low, roundWhole), WEIGHT_BITS);
        high = i32x4.shr_s(i32x4.add(high, roundWhole), WEIGHT_BITS);
        const ix = v128.and(i16x8.narrow_i32x4_s(low, high), mask);
        v128.store(template, ix, 16);
        xLow = xLow2;
        xHigh = xHigh2;

        qy += derivativeStride;
        u = v128.load(qy);
        v = v128.load(qy, 2);
        const yLow2 = i16x8.shuffle(u, v, 0, 8, 1, 9, 2, 10, 3, 11);
        const yHigh2 = i16x8.shuffle(u, v, 4, 12, 5, 13, 6, 14, 7, 15);
        low = i32x4.add(i32x4.dot_i16x8_s(yLow, above), i32x4.dot_i16x8_s(yLow2, below));
        high = i32x4.add(i32x4.dot_i16x8_s(yHigh, above), i32x4.dot_i16x8_s(yHigh2, below));
        low = i32x4.shr_s(i32x4.add(low, roundWhole), WEIGHT_BITS);
        high = i32x4.shr_s(i32x4.add(high, roundWhole), WEIGHT_BITS);
        const iy = v128.and(i16x8.narrow_i32x4_s(low, high), mask);
        v128.store(template, iy, 32);
        yLow = yLow2;
        yHigh = yHigh2;

        sxx = i32x4.add(sxx, i32x4.dot_i16x8_s(ix, ix));
        sxy = i32x4.add(sxy, i32x4.dot_i16x8_s(ix, iy));
        syy = i32x4.add(syy, i32x4.dot_i16x8_s(iy, iy));
      }
      xx += total(sxx);
      xy += total(sxy);
      yy += total(syy);
    }
  }
  store<i64>(sums, xx);
  store<i64>(sums, xy, 8);
  store<i64>(sums, yy, 16);
}

/** The sums of (J - I) Ix and (J - I) Iy over the window. `p` is the first sample of the second frame. */
export function mismatch(
  p: usize,
  stride: i32,
  window: i32,
  top: i32,
  bottom: i32,
  template: usize,
  sums: usize,
): void {
  const above = Register.vector(i32x4.splat(top), sums);
  const below = Register.vector(i32x4.splat(bottom), sums);
  const round = Register.vector(i32x4.splat(1 << (WEIGHT_BITS - 6)), sums);
  let x1: i64 = 0;
  let y1: i64 = 0;
  for (let x = 0; x < window; x += 8) {
    let q = p + x;
    let bytes = pairs(q);
    let a = i16x8.extend_low_i8x16_u(bytes);
    let b = i16x8.extend_high_i8x16_u(bytes);
    for (let rows = window; rows > 0;) {
      let sx = i32x4.splat(0);
      let sy = sx;
      const some = min(rows, ROWS);
      rows -= some;
      for (let n = some; n > 0; n--, template += ENTRY) {
        q += stride;
        bytes = pairs(q);
        const a2 = i16x8.extend_low_i8x16_u(bytes);
        const b2 = i16x8.extend_high_i8x16_u(bytes);
        let low = i32x4.add(i32x4.dot_i16x8_s(a, above), i32x4.dot_i16x8_s(a2, below));
        let high = i32x4.add(i32x4.dot_i16x8_s(b, above), i32x4.dot_i16x8_s(b2, below));
        low = i32x4.shr_s(i32x4.add(low, round), WEIGHT_BITS - 5);
        high = i32x4.shr_s(i32x4.add(high, round), WEIGHT_BITS - 5);
        const difference = i16x8.sub(i16x8.narrow_i32x4_s(low, high), v128.load(template));
        sx = i32x4.add(sx, i32x4.dot_i16x8_s(difference, v128.load(template, 16)));
        sy = i32x4.add(sy, i32x4.dot_i16x8_s(difference, v128.load(template, 32)));
        a = a2;
        b = b2;
      }
      x1 += total(sx);
      y1 += total(sy);
    }
  }
  store<i64>(sums, x1);
  store<i64>(sums, y1, 8);
}

/** The sum of |J - I| over the window, in 32nds of a gray level. */
export function residual(p: usize, stride: i32, window: i32, top: i32, bottom: i32, template: usize): i32 {
  const above = i32x4.splat(top);
  const below = i32x4.splat(bottom);
  const round = i32x4.splat(1 << (WEIGHT_BITS - 6));
  const ones = i16x8.splat(1);
  let sum = i32x4.splat(0);
  for (let x = 0; x < window; x += 8) {
    const mask = firstLanes(window - x);
    let q = p + x;
    for (let rows = window; rows > 0; rows--, template += ENTRY) {
      const bytes = pairs(q);
      q += stride;
      const bytes2 = pairs(q);
      let low = i32x4.add(
        i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), above),
        i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes2), below),
      );
      let high = i32x4.add(
        i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), above),
        i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes2), below),
      );
      low = i32x4.shr_s(i32x4.add(low, round), WEIGHT_BITS - 5);
      high = i32x4.shr_s(i32x4.add(high, round), WEIGHT_BITS - 5);
      const difference = i16x8.abs(i16x8.sub(i16x8.narrow_i32x4_s(low, high), v128.load(template)));
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(difference, mask), ones));
    }
  }
  return <i32>total(sum);
}
