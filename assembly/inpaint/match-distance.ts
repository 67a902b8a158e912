// SSD over R, G and B of the known pixels of a patch.

import { PAIR } from './picture-record';

/**
 * Penalty for the distance of a candidate: weight * d^2 / 128, d at most 2048 pixels. `weight`: number of known pixels,
 * or 0.
 */
export function penalty(weight: u32, dx: i32, dy: i32): u32 {
  return (weight * <u32>min(dx * dx + dy * dy, 0x3fffff)) >> 7;
}

/** Sum of squared differences to the candidate at `from`. Ends early with a number >= bound once it gets there. */
export function distance(pair: usize, end: usize, from: usize, bound: u32): u32 {
  let sum: u32 = 0;
  for (; pair < end; pair += 4 * PAIR) {
    const a = v128.and(
      i16x8.sub(v128.load8x8_u(from + <usize>load<i32>(pair)), v128.load(pair, 16)),
      v128.load(pair, 32),
    );
    const b = v128.and(
      i16x8.sub(v128.load8x8_u(from + <usize>load<i32>(pair, PAIR)), v128.load(pair, PAIR + 16)),
      v128.load(pair, PAIR + 32),
    );
    const c = v128.and(
      i16x8.sub(v128.load8x8_u(from + <usize>load<i32>(pair, 2 * PAIR)), v128.load(pair, 2 * PAIR + 16)),
      v128.load(pair, 2 * PAIR + 32),
    );
    const d = v128.and(
      i16x8.sub(v128.load8x8_u(from + <usize>load<i32>(pair, 3 * PAIR)), v128.load(pair, 3 * PAIR + 16)),
      v128.load(pair, 3 * PAIR + 32),
    );
    let total = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(a, a), i32x4.dot_i16x8_s(b, b)),
      i32x4.add(i32x4.dot_i16x8_s(c, c), i32x4.dot_i16x8_s(d, d)),
    );
    total = i32x4.add(total, i32x4.shuffle(total, total, 2, 3, 0, 1));
    sum += <u32>(i32x4.extract_lane(total, 0) + i32x4.extract_lane(total, 1));
    if (sum >= bound) return sum;
  }
  return sum;
}
