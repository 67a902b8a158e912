// First stage of the detector's cascade: windows whose gray values vary less than half as much as the target's are no
// candidates (Kalal, Mikolajczyk, Matas 2012, section 5.3.1). Variance from the integral images of v and (v - 128)^2;
// with S = sum (v - 128), Q = sum (v - 128)^2 and A pixels, variance > t is Q A - S^2 > t A^2: exact in float64, and in
// 64-bit whole numbers for windows of more than LARGEST pixels.

import { PAIR_BYTES, PAIR_COUNT, PAIR_FIRST, PAIR_HEIGHT, PAIR_LEFTS, PAIR_WIDTH, PAIR_Y } from './layout';

/** The largest window whose sum of squares surely fits 32 bits; larger ones are summed by bands of rows. */
const LARGEST: i32 = 262143;

/** Window sum from an integral image, modulo 2^32. */
function windowSum(top: usize, bottom: usize, left: usize, right: usize): u32 {
  return load<u32>(bottom + right) - load<u32>(bottom + left) - load<u32>(top + right) + load<u32>(top + left);
}

/** Q A - S^2 of the window at column x, y of any size. */
function numerator(sums: usize, squares: usize, stride: i32, x: i32, y: i32, width: i32, height: i32): i64 {
  const left = <usize>(x << 2);
  const right = <usize>((x + width) << 2);
  const rows = max(1, min(height, LARGEST / width));
  let s: i64 = 0;
  let q: i64 = 0;
  for (let row = 0; row < height; row += rows) {
    const end = min(height, row + rows);
    const top = <usize>((y + row) * stride);
    const bottom = <usize>((y + end) * stride);
    s += <i64>windowSum(sums + top, sums + bottom, left, right) - 128 * <i64>((end - row) * width);
    q += <i64>windowSum(squares + top, squares + bottom, left, right);
  }
  return q * <i64>(width * height) - s * s;
}

/** Variance of one window. */
export function windowVarianceAt(
  sums: usize,
  squares: usize,
  stride: i32,
  x: i32,
  y: i32,
  width: i32,
  height: i32,
): f64 {
  const area = <f64>width * <f64>height;
  return <f64>numerator(sums, squares, stride, x, y, width, height) / (area * area);
}

/** The same from the pixels. */
export function windowVarianceOf(gray: usize, stride: i32, x: i32, y: i32, width: i32, height: i32): f64 {
  const middle = i16x8.splat(128);
  const ones = i16x8.splat(1);
  let s: i64 = 0;
  let q: i64 = 0;
  for (let row = 0; row < height; row++) {
    const p = gray + <usize>((y + row) * stride + x);
    let sums = i32x4.splat(0);
    let squares = i32x4.splat(0);
    let i = 0;
    for (; i + 8 <= width; i += 8) {
      const v = i16x8.sub(v128.load8x8_u(p + i), middle);
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(v, ones));
      squares = i32x4.add(squares, i32x4.dot_i16x8_s(v, v));
    }
    for (; i < width; i++) {
      const v = <i32>load<u8>(p + i) - 128;
      s += v;
      q += v * v;
    }
    s += <i64>(
      (i32x4.extract_lane(sums, 0) +
        i32x4.extract_lane(sums, 1) +
        i32x4.extract_lane(sums, 2) +
        i32x4.extract_lane(sums, 3))
    );
    q += <i64>(
      (i32x4.extract_lane(squares, 0) +
        i32x4.extract_lane(squares, 1) +
        i32x4.extract_lane(squares, 2) +
        i32x4.extract_lane(squares, 3))
    );
  }
  const area = <f64>width * <f64>height;
  return <f64>(q * <i64>(width * height) - s * s) / (area * area);
}

/**
 * Batches y0..y1-1 of scan-line pairs: the numbers, within its pair, of the windows that pass, and how many there are.
 * Every pair writes to places of its own, so that the result does not depend on the bands.
 */
export function objectVariance(
  sums: usize,
  squares: usize,
  stride: i32,
  pairs: usize,
  batches: usize,
  accepted: usize,
  counts: usize,
  threshold: f64,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const end = load<i32>(batches + <usize>(y1 << 2));
  for (let p = load<i32>(batches + <usize>(y0 << 2)); p < end; p++) {
    const pair = pairs + <usize>(p * PAIR_BYTES);
    const y = load<i32>(pair + PAIR_Y);
    const width = load<i32>(pair + PAIR_WIDTH);
    const height = load<i32>(pair + PAIR_HEIGHT);
    const lefts = load<u32>(pair + PAIR_LEFTS);
    const count = load<i32>(pair + PAIR_COUNT);
    let out = accepted + <usize>(load<i32>(pair + PAIR_FIRST) << 1);
    const begin = out;
    if (width * height > LARGEST) {
      const area = <f64>width * <f64>height;
      const least = <i64>floor<f64>(threshold * area * area);
      for (let i = 0; i < count; i++) {
        const x = load<i32>(<usize>lefts + <usize>(i << 2));
        store<u16>(out, <u16>i);
        out += numerator(sums, squares, stride, x, y, width, height) > least ? 2 : 0;
      }
    } else {
      const top = <usize>(y * stride);
      const bottom = <usize>((y + height) * stride);
      const sumTop = sums + top;
      const sumBottom = sums + bottom;
      const squareTop = squares + top;
      const squareBottom = squares + bottom;
      const span = <usize>(width << 2);
      const area = <f64>(width * height);
      const mean = 128.0 * area;
      const least = threshold * area * area;
      for (let i = 0; i < count; i++) {
        const left = <usize>(load<i32>(<usize>lefts + <usize>(i << 2)) << 2);
        const right = left + span;
        const s = <f64>windowSum(sumTop, sumBottom, left, right) - mean;
        const q = <f64>windowSum(squareTop, squareBottom, left, right);
        store<u16>(out, <u16>i);
        out += q * area - s * s > least ? 2 : 0;
      }
    }
    store<i32>(counts + <usize>(p << 2), <i32>((out - begin) >> 1));
  }
  return 0;
}
