// The accumulator of the Hough transform for lines, as in OpenCV. For each angle, a pixel (x, y) votes for the distance
// round(x cos + y sin) with 32-bit float tables, halves to even. The row of one angle stays in the L1 cache while all
// edges vote for it. Four distances are computed at a time, as addresses of their counters.

import { Value } from '../runtime/wasm/value';

/** 1.5 * 2^23: adding it to a float below 2^22 leaves the nearest integer, halves to even, in the low bits. */
const MAGIC: f32 = 12582912;
const MAGIC_BITS: u32 = 0x4b400000;

/**
 * Coordinates of the non-zero samples of the rows y0..y1-1 as floats, written to xs and ys starting at offsets[y]
 * (counts scanned by scanOffsets).
 */
export function edgeCoordinates(
  source: usize,
  sourceStride: i32,
  xs: usize,
  ys: usize,
  offsets: usize,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const s = source + <usize>(y * sourceStride);
    let at = (<usize>load<u32>(offsets + ((<usize>y) << 2))) << 2;
    for (let x = 0; x < width; x += 16) {
      let bits = i8x16.bitmask(i8x16.ne(v128.load(s + x), i64x2.splat(0)));
      if (width - x < 16) bits &= (1 << (width - x)) - 1;
      for (; bits; bits &= bits - 1, at += 4) {
        store<f32>(xs + at, <f32>(x + <i32>ctz(bits)));
        store<f32>(ys + at, <f32>y);
      }
    }
  }
  return 0;
}

/** Increments the counter at `p`. */
function count(p: u32): void {
  store<u32>(<usize>p, load<u32>(<usize>p) + 1);
}

/**
 * Votes of all edges for the angles y0..y1-1: rows of `distances` counters between two zeros, at accumulator + angle *
 * accumulatorStride. Tables: cosines and sines divided by rho, as floats. `count4`: edges rounded up to a multiple of
 * four. The ones after `edges` are at (0, 0), and their votes are subtracted again.
 */
export function lineVotes(
  xs: usize,
  ys: usize,
  edges: i32,
  count4: i32,
  cosines: usize,
  sines: usize,
  accumulator: usize,
  accumulatorStride: i32,
  distances: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const magic = f32x4.splat(MAGIC);
  for (let angle = y0; angle < y1; angle++) {
    const row = accumulator + <usize>(angle * accumulatorStride);
    memory.fill(row, 0, (distances + 2) << 2);
    const zero = row + ((<usize>(((distances - 1) >> 1) + 1)) << 2);
    const base = i32x4.splat(<i32>(<u32>zero - (MAGIC_BITS << 2)));
    const cosine = v128.load32_splat(cosines + ((<usize>angle) << 2));
    const sine = v128.load32_splat(sines + ((<usize>angle) << 2));
    let y = ys;
    for (let x = xs, end = xs + ((<usize>count4) << 2); x < end; x += 16, y += 16) {
      const distance = f32x4.add(f32x4.mul(v128.load(x), cosine), f32x4.mul(v128.load(y), sine));
      const counters = i32x4.add(i32x4.shl(f32x4.add(distance, magic), 2), base);
      const low = i64x2.extract_lane(counters, 0);
      const high = i64x2.extract_lane(counters, 1);
      count(<u32>low);
      count(<u32>(low >>> 32));
      count(<u32>high);
      count(<u32>(high >>> 32));
    }
    store<u32>(zero, load<u32>(zero) - <u32>(count4 - edges));
  }
  return 0;
}

/**
 * Peaks of the accumulator: more than `threshold` votes, more than the previous distance and the previous angle, and at
 * least as many as the next distance and the next angle. Writes their indices (angle + 1) * (distances + 2) + distance
 * + 1 to `list`, which has space for `capacity`. Returns their number. The rows -1 and `angles` are zeros.
 */
export function linePeaks(
  accumulator: usize,
  accumulatorStride: i32,
  distances: i32,
  angles: i32,
  threshold: i32,
  list: usize,
  capacity: i32,
): Value {
  const least = i32x4.splat(threshold);
  let found = 0;
  for (let angle = 0; angle < angles; angle++) {
    const row = accumulator + <usize>(angle * accumulatorStride) + 4;
    for (let r = 0; r < distances; r += 4) {
      const p = row + ((<usize>r) << 2);
      const votes = v128.load(p);
      if (!v128.any_true(i32x4.gt_s(votes, least))) continue;
      const more = v128.and(
        v128.and(i32x4.gt_s(votes, least), i32x4.gt_s(votes, v128.load(p - 4))),
        i32x4.gt_s(votes, v128.load(p - accumulatorStride)),
      );
      const least2 = i32x4.max_s(v128.load(p, 4), v128.load(p + accumulatorStride));
      let bits = i32x4.bitmask(v128.and(more, i32x4.ge_s(votes, least2)));
      if (distances - r < 4) bits &= (1 << (distances - r)) - 1;
      for (; bits; bits &= bits - 1, found++)
        if (found < capacity)
          store<u32>(list + ((<usize>found) << 2), (angle + 1) * (distances + 2) + r + <i32>ctz(bits) + 1);
    }
  }
  return found;
}
