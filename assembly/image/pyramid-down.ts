// One level of the Gaussian pyramid: [1 4 6 4 1] in both directions, every other sample, (sum + 128) >> 8 at the end.

import { Register } from '../runtime/wasm/registers';

/** Index outside 0..n-1: reflected at the first or last sample (reflect) or replicated. */
function outside(i: i32, n: i32, reflect: i32): i32 {
  if (reflect && n > 1) {
    if (i < 0) i = -i;
    if (i >= n) i = 2 * n - 2 - i;
  }
  return min(max(i, 0), n - 1);
}

/** Column sum of the five rows at one x. */
function column(r0: usize, r1: usize, r2: usize, r3: usize, r4: usize, x: i32): i32 {
  return (
    <i32>load<u8>(r0 + x) +
    <i32>load<u8>(r4 + x) +
    4 * (<i32>load<u8>(r1 + x) + <i32>load<u8>(r3 + x)) +
    6 * <i32>load<u8>(r2 + x)
  );
}

/** 1 4 6 4 1 over five vectors of 16-bit samples. */
function weigh(a: v128, b: v128, c: v128, d: v128, e: v128): v128 {
  return i16x8.add(i16x8.add(i16x8.add(a, e), i16x8.shl(i16x8.add(b, d), 2)), i16x8.mul(c, i16x8.splat(6)));
}

/**
 * Rows y0..y1-1 of the halved image, (width + 1) >> 1 by (height + 1) >> 1. Columns first: even and odd bytes are
 * separated by mask and shift, so the row pass needs no further sorting: out = E[-1] + E[+1] + 6 E + 4 (O[-1] + O).
 */
export function pyramidDown(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  reflect: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const even = Register.vector(i16x8.splat(0x00ff), scratch);
  const half = Register.vector(i16x8.splat(128), scratch);
  const six = Register.vector(i16x8.splat(6), scratch);
  const outWidth = (width + 1) >> 1;
  for (let y = y0; y < y1; y++) {
    const r0 = Register.address(source + <usize>(outside(2 * y - 2, height, reflect) * sourceStride), scratch);
    const r1 = Register.address(source + <usize>(outside(2 * y - 1, height, reflect) * sourceStride), scratch);
    const r2 = Register.address(source + <usize>(outside(2 * y, height, reflect) * sourceStride), scratch);
    const r3 = Register.address(source + <usize>(outside(2 * y + 1, height, reflect) * sourceStride), scratch);
    const r4 = Register.address(source + <usize>(outside(2 * y + 2, height, reflect) * sourceStride), scratch);
    const out = target + <usize>(y * targetStride);
    let a = v128.load(r0);
    let b = v128.load(r1);
    let c = v128.load(r2);
    let d = v128.load(r3);
    let e = v128.load(r4);
    let evens = weigh(v128.and(a, even), v128.and(b, even), v128.and(c, even), v128.and(d, even), v128.and(e, even));
    let odds = weigh(i16x8.shr_u(a, 8), i16x8.shr_u(b, 8), i16x8.shr_u(c, 8), i16x8.shr_u(d, 8), i16x8.shr_u(e, 8));
    let evensLast = evens;
    let oddsLast = odds;
    for (let x = 0; x < outWidth; x += 8) {
      const next = 2 * x + 16;
      a = v128.load(r0 + next);
      b = v128.load(r1 + next);
      c = v128.load(r2 + next);
      d = v128.load(r3 + next);
      e = v128.load(r4 + next);
      const evensNext = weigh(
        v128.and(a, even),
        v128.and(b, even),
        v128.and(c, even),
        v128.and(d, even),
        v128.and(e, even),
      );
      const oddsNext = weigh(
        i16x8.shr_u(a, 8),
        i16x8.shr_u(b, 8),
        i16x8.shr_u(c, 8),
        i16x8.shr_u(d, 8),
        i16x8.shr_u(e, 8),
      );
      const sum = i16x8.add(
        i16x8.add(
          i16x8.add(
            i16x8.shuffle(evensLast, evens, 7, 8, 9, 10, 11, 12, 13, 14),
            i16x8.shuffle(evens, evensNext, 1, 2, 3, 4, 5, 6, 7, 8),
          ),
          i16x8.shl(i16x8.add(i16x8.shuffle(oddsLast, odds, 7, 8, 9, 10, 11, 12, 13, 14), odds), 2),
        ),
        i16x8.add(i16x8.mul(evens, six), half),
      );
      const bytes = i16x8.shr_u(sum, 8);
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(bytes, bytes), 0);
      evensLast = evens;
      oddsLast = odds;
      evens = evensNext;
      odds = oddsNext;
    }
    // The first sample and those whose window extends beyond the right edge.
    for (let x = 0; x < outWidth; x = x ? x + 1 : max(1, (width - 2) >> 1)) {
      const sum =
        column(r0, r1, r2, r3, r4, outside(2 * x - 2, width, reflect)) +
        column(r0, r1, r2, r3, r4, outside(2 * x + 2, width, reflect)) +
        4 *
          (column(r0, r1, r2, r3, r4, outside(2 * x - 1, width, reflect)) +
            column(r0, r1, r2, r3, r4, outside(2 * x + 1, width, reflect))) +
        6 * column(r0, r1, r2, r3, r4, 2 * x);
      store<u8>(out + x, <u8>((sum + 128) >> 8));
    }
  }
  return 0;
}
