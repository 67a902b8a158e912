// Median over 3x3 by minimum and maximum exchanges: sort every column of three. The median of nine is then the median
// of (maximum of the minima, median of the medians, minimum of the maxima). Source: Smith, "Implementing median filters
// in XC4000E FPGAs", 1996. 16 pixels at a time. Three neighbors share sorted columns.

import { Register } from '../runtime/wasm/registers';

function middle(a: v128, b: v128, c: v128): v128 {
  return i8x16.max_u(i8x16.min_u(a, b), i8x16.min_u(i8x16.max_u(a, b), c));
}

/** The samples to the left of `v`, whose left neighbor vector is `last`. */
function left(last: v128, v: v128): v128 {
  return i8x16.shuffle(last, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}
function right(v: v128, next: v128): v128 {
  return i8x16.shuffle(v, next, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

/** Median of the columns w, x, e of the rows a, b, c. */
function medianAt(a: usize, b: usize, c: usize, w: i32, x: i32, e: i32): u8 {
  const a0 = i32(load<u8>(a + w)),
    a1 = i32(load<u8>(a + x)),
    a2 = i32(load<u8>(a + e));
  const b0 = i32(load<u8>(b + w)),
    b1 = i32(load<u8>(b + x)),
    b2 = i32(load<u8>(b + e));
  const c0 = i32(load<u8>(c + w)),
    c1 = i32(load<u8>(c + x)),
    c2 = i32(load<u8>(c + e));
  const least = max(max(min(min(a0, b0), c0), min(min(a1, b1), c1)), min(min(a2, b2), c2));
  const most = min(min(max(max(a0, b0), c0), max(max(a1, b1), c1)), max(max(a2, b2), c2));
  const m0 = middleOf(a0, b0, c0);
  const m1 = middleOf(a1, b1, c1);
  const m2 = middleOf(a2, b2, c2);
  return <u8>middleOf(least, middleOf(m0, m1, m2), most);
}
function middleOf(a: i32, b: i32, c: i32): i32 {
  return max(min(a, b), min(max(a, b), c));
}

/** Rows y0..y1-1, border replicated. */
export function median3(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const a = Register.address(source + <usize>(max(y - 1, 0) * sourceStride), scratch);
    const b = Register.address(source + <usize>(y * sourceStride), scratch);
    const c = Register.address(source + <usize>(min(y + 1, height - 1) * sourceStride), scratch);
    const d = target + <usize>(y * targetStride);
    let p = v128.load(a);
    let q = v128.load(b);
    let r = v128.load(c);
    let t = i8x16.min_u(p, q);
    let u = i8x16.max_u(p, q);
    let low = i8x16.min_u(t, r);
    let mid = i8x16.max_u(t, i8x16.min_u(u, r));
    let high = i8x16.max_u(u, r);
    let lowLast = i8x16.splat(i8x16.extract_lane_s(low, 0));
    let midLast = i8x16.splat(i8x16.extract_lane_s(mid, 0));
    let highLast = i8x16.splat(i8x16.extract_lane_s(high, 0));
    for (let x = 0; x < width; x += 16) {
      p = v128.load(a + x, 16);
      q = v128.load(b + x, 16);
      r = v128.load(c + x, 16);
      t = i8x16.min_u(p, q);
      u = i8x16.max_u(p, q);
      const lowNext = i8x16.min_u(t, r);
      const midNext = i8x16.max_u(t, i8x16.min_u(u, r));
      const highNext = i8x16.max_u(u, r);
      const least = i8x16.max_u(i8x16.max_u(left(lowLast, low), low), right(low, lowNext));
      const most = i8x16.min_u(i8x16.min_u(left(highLast, high), high), right(high, highNext));
      v128.store(d + x, middle(least, middle(left(midLast, mid), mid, right(mid, midNext)), most));
      lowLast = low;
      low = lowNext;
      midLast = mid;
      mid = midNext;
      highLast = high;
      high = highNext;
    }
    const x = width - 1;
    store<u8>(d + x, medianAt(a, b, c, max(x - 1, 0), x, x));
  }
  return 0;
}
