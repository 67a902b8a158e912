// First stage of the detector's cascade: windows whose gray values vary less than half as much as the target's are
// rejected (Kalal, Mikolajczyk, Matas 2012, section 5.3.1). Variance from the integral images of v and (v - 128)^2.
// With S = sum (v - 128), Q = sum (v - 128)^2 and A pixels, variance > t is Q A - S^2 > t A^2. This is exact in
// float64, and in 64-bit integers for windows of more than LARGEST pixels.

import { ObjectFrame } from './frame';
import { LARGEST, numerator, windowSum } from './frame-variance';
import { pairAt } from './windows';
import { WindowSearch } from './detector-search';

/**
 * Batches y0..y1-1 of scan-line pairs: the numbers, within the pair, of the windows that pass, and how many there are.
 * Every pair writes to separate memory, so the result does not depend on the bands.
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
