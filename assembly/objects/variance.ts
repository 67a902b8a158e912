// First stage of the detector's cascade: windows whose gray values vary less than half as much as the target's are no
// candidates (Kalal, Mikolajczyk, Matas 2012, section 5.3.1). Variance from the integral images of v and (v - 128)^2;
// with S = sum (v - 128), Q = sum (v - 128)^2 and A pixels, variance > t is Q A - S^2 > t A^2: exact in float64, and in
// 64-bit whole numbers for windows of more than LARGEST pixels.

import { ObjectFrame } from './frame';
import { pairAt } from './layout';
import { WindowSearch } from './search';

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
  let s: i64 = 0;
  let q: i64 = 0;
  for (let row = 0; row < height; row++) {
    const p = gray + <usize>((y + row) * stride + x);
    let i = 0;
    // Without SIMD the scalar baseline of the benches is built of this file.
    if (ASC_FEATURE_SIMD) {
      const middle = i16x8.splat(128);
      const ones = i16x8.splat(1);
      let sums = i32x4.splat(0);
      let squares = i32x4.splat(0);
      for (; i + 8 <= width; i += 8) {
        const v = i16x8.sub(v128.load8x8_u(p + i), middle);
        sums = i32x4.add(sums, i32x4.dot_i16x8_s(v, ones));
        squares = i32x4.add(squares, i32x4.dot_i16x8_s(v, v));
      }
      s += <i64>total(sums);
      q += <i64>total(squares);
    }
    for (; i < width; i++) {
      const v = <i32>load<u8>(p + i) - 128;
      s += v;
      q += v * v;
    }
  }
  const area = <f64>width * <f64>height;
  return <f64>(q * <i64>(width * height) - s * s) / (area * area);
}

function total(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/**
 * Batches y0..y1-1 of scan-line pairs: the numbers, within its pair, of the windows that pass, and how many there are.
 * Every pair writes to places of its own, so that the result does not depend on the bands.
 */
export function objectVariance(search: usize, frame: usize, threshold: f64, y0: i32, y1: i32, scratch: usize): i32 {
  const s = changetype<WindowSearch>(search);
  const sums = changetype<ObjectFrame>(frame).sums;
  const squares = changetype<ObjectFrame>(frame).squares;
  const stride = changetype<ObjectFrame>(frame).sumStride;
  const end = load<i32>(s.batches + <usize>(y1 << 2));
  for (let p = load<i32>(s.batches + <usize>(y0 << 2)); p < end; p++) {
    const pair = pairAt(s.pairs, p);
    const y = pair.y;
    const width = pair.width;
    const height = pair.height;
    const lefts = pair.lefts;
    const count = pair.count;
    let out = s.accepted + <usize>(pair.first << 1);
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
        const sum = <f64>windowSum(sumTop, sumBottom, left, right) - mean;
        const square = <f64>windowSum(squareTop, squareBottom, left, right);
        store<u16>(out, <u16>i);
        out += square * area - sum * sum > least ? 2 : 0;
      }
    }
    store<i32>(s.counts + <usize>(p << 2), <i32>((out - begin) >> 1));
  }
  return 0;
}
