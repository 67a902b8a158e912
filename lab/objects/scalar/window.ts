// assembly/flow/track-points-window.ts without SIMD. A template is three 16-bit numbers a sample: gray level, x and y derivative.

/** Bits of the four bilinear weights, which sum to 1 << WEIGHT_BITS. */
export const WEIGHT_BITS: i32 = 14;
const ENTRY: usize = 6;

function mirrored(i: i32, n: i32): i32 {
  if (n == 1) return 0;
  const period = 2 * n - 2;
  i = abs(i) % period;
  return i < n ? i : period - i;
}

export function copyMirrored(
  src: usize,
  stride: i32,
  width: i32,
  height: i32,
  x: i32,
  y: i32,
  columns: i32,
  rows: i32,
  dst: usize,
  dstStride: i32,
): void {
  for (let j = 0; j < rows; j++, dst += dstStride) {
    const row = src + <usize>(mirrored(y + j, height) * stride);
    for (let i = 0; i < columns; i++) store<u8>(dst + i, load<u8>(row + mirrored(x + i, width)));
  }
}

function pixel(p: usize): i32 {
  return <i32>load<u8>(p);
}

export function scharr(p: usize, stride: i32, size: i32, dx: usize, dy: usize, outStride: i32, scratch: usize): void {
  for (let y = 0; y < size; y++, p += stride, dx += outStride, dy += outStride) {
    const r = p + stride;
    const s = r + stride;
    for (let x = 0; x < size; x++) {
      const a = p + x;
      const b = r + x;
      const c = s + x;
      const gx = 3 * (pixel(a + 2) - pixel(a) + pixel(c + 2) - pixel(c)) + 10 * (pixel(b + 2) - pixel(b));
      const gy = 3 * (pixel(c) - pixel(a) + pixel(c + 2) - pixel(a + 2)) + 10 * (pixel(c + 1) - pixel(a + 1));
      store<i16>(dx + (x << 1), <i16>gx);
      store<i16>(dy + (x << 1), <i16>gy);
    }
  }
}

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

/** Gray level at the weights, 5 bits after the point. */
function gray(p: usize, stride: i32, a: i32, b: i32, c: i32, d: i32): i32 {
  const q = p + stride;
  const sum = a * pixel(p) + b * pixel(p + 1) + c * pixel(q) + d * pixel(q + 1);
  return (sum + (1 << (WEIGHT_BITS - 6))) >> (WEIGHT_BITS - 5);
}

function slope(p: usize, stride: i32, a: i32, b: i32, c: i32, d: i32): i32 {
  const q = p + stride;
  const sum = a * <i32>load<i16>(p) + b * <i32>load<i16>(p, 2) + c * <i32>load<i16>(q) + d * <i32>load<i16>(q, 2);
  return (sum + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS;
}

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
  const a = (top << 16) >> 16;
  const b = top >> 16;
  const c = (bottom << 16) >> 16;
  const d = bottom >> 16;
  let xx: i64 = 0;
  let xy: i64 = 0;
  let yy: i64 = 0;
  for (let y = 0; y < window; y++, p += stride, dx += derivativeStride, dy += derivativeStride)
    for (let x = 0; x < window; x++, template += ENTRY) {
      const ix = slope(dx + (x << 1), derivativeStride, a, b, c, d);
      const iy = slope(dy + (x << 1), derivativeStride, a, b, c, d);
      store<i16>(template, <i16>gray(p + x, stride, a, b, c, d));
      store<i16>(template, <i16>ix, 2);
      store<i16>(template, <i16>iy, 4);
      xx += <i64>(ix * ix);
      xy += <i64>(ix * iy);
      yy += <i64>(iy * iy);
    }
  store<i64>(sums, xx);
  store<i64>(sums, xy, 8);
  store<i64>(sums, yy, 16);
}

export function mismatch(
  p: usize,
  stride: i32,
  window: i32,
  top: i32,
  bottom: i32,
  template: usize,
  sums: usize,
): void {
  const a = (top << 16) >> 16;
  const b = top >> 16;
  const c = (bottom << 16) >> 16;
  const d = bottom >> 16;
  let x1: i64 = 0;
  let y1: i64 = 0;
  for (let y = 0; y < window; y++, p += stride)
    for (let x = 0; x < window; x++, template += ENTRY) {
      const difference = gray(p + x, stride, a, b, c, d) - <i32>load<i16>(template);
      x1 += <i64>(difference * <i32>load<i16>(template, 2));
      y1 += <i64>(difference * <i32>load<i16>(template, 4));
    }
  store<i64>(sums, x1);
  store<i64>(sums, y1, 8);
}

export function residual(p: usize, stride: i32, window: i32, top: i32, bottom: i32, template: usize): i32 {
  const a = (top << 16) >> 16;
  const b = top >> 16;
  const c = (bottom << 16) >> 16;
  const d = bottom >> 16;
  let sum = 0;
  for (let y = 0; y < window; y++, p += stride)
    for (let x = 0; x < window; x++, template += ENTRY)
      sum += abs(gray(p + x, stride, a, b, c, d) - <i32>load<i16>(template));
  return sum;
}
