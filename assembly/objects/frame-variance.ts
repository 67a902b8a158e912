// Variance of a window from the integral images of v and (v - 128)^2, or from its pixels. With S = sum (v - 128), Q =
// sum (v - 128)^2 and A pixels it is (Q A - S^2) / A^2.

/** The largest window whose sum of squares is guaranteed to fit 32 bits. Larger ones are summed in bands of rows. */
export const LARGEST: i32 = 262143;

/** Window sum from an integral image, modulo 2^32. */
export function windowSum(top: usize, bottom: usize, left: usize, right: usize): u32 {
  return load<u32>(bottom + right) - load<u32>(bottom + left) - load<u32>(top + right) + load<u32>(top + left);
}

/** Q A - S^2 of the window at column x, y, of any size. */
export function numerator(sums: usize, squares: usize, stride: i32, x: i32, y: i32, width: i32, height: i32): i64 {
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

/** Variance of one window from its pixels. */
export function windowVarianceOf(gray: usize, stride: i32, x: i32, y: i32, width: i32, height: i32): f64 {
  let s: i64 = 0;
  let q: i64 = 0;
  for (let row = 0; row < height; row++) {
    const p = gray + <usize>((y + row) * stride + x);
    let i = 0;
    // The scalar baseline of the benchmarks is built from this file without SIMD.
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
