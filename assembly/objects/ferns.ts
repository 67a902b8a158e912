// Second stage of the detector's cascade: an ensemble of random ferns (Kalal, Mikolajczyk, Matas 2012, section 5.3.2;
// Ozuysal et al. 2010). A fern compares 13 pairs of points of the blurred window. The outcomes, first comparison as the
// highest bit, are the index of one of 8192 posteriors. The vote of a window is the sum over the ferns.

import { ObjectFrame } from './frame';
import { CODES, COMPARISONS, FERNS, OFFSET_BYTES, pairAt } from './windows';
import { WindowSearch } from './detector-search';

/** Code of one fern at a window. `offsets` are those of its comparisons. */
export function fernCode(window: usize, offsets: usize): i32 {
  let code = 0;
  for (let c = 0; c < COMPARISONS; c++, offsets += 8) {
    const a = load<u8>(window + <usize>load<i32>(offsets));
    const b = load<u8>(window + <usize>load<i32>(offsets, 4));
    code = (code << 1) | (<i32>(a > b));
  }
  return code;
}

/** Number of windows whose ferns are computed together. */
const GROUP: i32 = 16;

/**
 * One fern of 16 windows: their addresses as 16 u32 at `windows`. Writes codes as 16 u16 to `out`: 5 comparisons of the
 * high byte, then 8 of the low one, one byte per window.
 */
function fernGroup(windows: usize, offsets: usize, out: usize): void {
  const w0 = <usize>load<u32>(windows, 0);
  const w1 = <usize>load<u32>(windows, 4);
  const w2 = <usize>load<u32>(windows, 8);
  const w3 = <usize>load<u32>(windows, 12);
  const w4 = <usize>load<u32>(windows, 16);
  const w5 = <usize>load<u32>(windows, 20);
  const w6 = <usize>load<u32>(windows, 24);
  const w7 = <usize>load<u32>(windows, 28);
  const w8 = <usize>load<u32>(windows, 32);
  const w9 = <usize>load<u32>(windows, 36);
  const w10 = <usize>load<u32>(windows, 40);
  const w11 = <usize>load<u32>(windows, 44);
  const w12 = <usize>load<u32>(windows, 48);
  const w13 = <usize>load<u32>(windows, 52);
  const w14 = <usize>load<u32>(windows, 56);
  const w15 = <usize>load<u32>(windows, 60);
  let code = i8x16.splat(0);
  let high = code;
  for (let c = 0; c < COMPARISONS; c++, offsets += 8) {
    const first = <usize>load<i32>(offsets);
    const second = <usize>load<i32>(offsets, 4);
    let a = v128.load8_splat(w0 + first);
    let b = v128.load8_splat(w0 + second);
    a = v128.load8_lane(w1 + first, a, 1);
    b = v128.load8_lane(w1 + second, b, 1);
    a = v128.load8_lane(w2 + first, a, 2);
    b = v128.load8_lane(w2 + second, b, 2);
    a = v128.load8_lane(w3 + first, a, 3);
    b = v128.load8_lane(w3 + second, b, 3);
    a = v128.load8_lane(w4 + first, a, 4);
    b = v128.load8_lane(w4 + second, b, 4);
    a = v128.load8_lane(w5 + first, a, 5);
    b = v128.load8_lane(w5 + second, b, 5);
    a = v128.load8_lane(w6 + first, a, 6);
    b = v128.load8_lane(w6 + second, b, 6);
    a = v128.load8_lane(w7 + first, a, 7);
    b = v128.load8_lane(w7 + second, b, 7);
    a = v128.load8_lane(w8 + first, a, 8);
    b = v128.load8_lane(w8 + second, b, 8);
    a = v128.load8_lane(w9 + first, a, 9);
    b = v128.load8_lane(w9 + second, b, 9);
    a = v128.load8_lane(w10 + first, a, 10);
    b = v128.load8_lane(w10 + second, b, 10);
    a = v128.load8_lane(w11 + first, a, 11);
    b = v128.load8_lane(w11 + second, b, 11);
    a = v128.load8_lane(w12 + first, a, 12);
    b = v128.load8_lane(w12 + second, b, 12);
    a = v128.load8_lane(w13 + first, a, 13);
    b = v128.load8_lane(w13 + second, b, 13);
    a = v128.load8_lane(w14 + first, a, 14);
    b = v128.load8_lane(w14 + second, b, 14);
    a = v128.load8_lane(w15 + first, a, 15);
    b = v128.load8_lane(w15 + second, b, 15);
    code = i8x16.sub(i8x16.add(code, code), i8x16.gt_u(a, b));
    if (c == COMPARISONS - 9) {
      high = code;
      code = i8x16.splat(0);
    }
  }
  v128.store(out, i8x16.shuffle(code, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  v128.store(out, i8x16.shuffle(code, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
}

/** Posteriors of four codes. */
function posteriors4(table: usize, codes: usize): v128 {
  let v = v128.load32_zero(table + ((<usize>load<u16>(codes)) << 2));
  v = v128.load32_lane(table + ((<usize>load<u16>(codes, 2)) << 2), v, 1);
  v = v128.load32_lane(table + ((<usize>load<u16>(codes, 4)) << 2), v, 2);
  return v128.load32_lane(table + ((<usize>load<u16>(codes, 6)) << 2), v, 3);
}

export function fernVotesScratch(): i32 {
  return 160;
}

/**
 * Votes of the accepted windows of batches y0..y1-1, 16 windows of a scan-line pair at a time. A posterior is at most
 * 1. A window that can no longer get to `least` has the vote -1, and a group of only such windows needs no further
 * comparisons.
 */
export function fernVotes(
  search: usize,
  frame: usize,
  posteriors: usize,
  least: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const s = changetype<WindowSearch>(search);
  const image = changetype<ObjectFrame>(frame).blurred;
  const stride = changetype<ObjectFrame>(frame).blurredStride;
  const accepted = s.accepted;
  const votes = s.votes;
  const counts = s.counts;
  const windows = scratch;
  const codes = scratch + 64;
  const spare = scratch + 96;
  const none = f32x4.splat(-1);
  const bound = f32x4.splat(least);
  const end = load<i32>(s.batches + <usize>(y1 << 2));
  for (let p = load<i32>(s.batches + <usize>(y0 << 2)); p < end; p++) {
    const pair = pairAt(s.pairs, p);
    const row = image + <usize>(pair.y * stride);
    const lefts = pair.lefts;
    const first = pair.first;
    const own = s.offsets + <usize>(pair.scale * OFFSET_BYTES);
    const count = load<i32>(counts + <usize>(p << 2));
    for (let k = 0; k < count; k += GROUP) {
      // The last group is filled with copies of its last window.
      for (let i = 0; i < GROUP; i++) {
        const at = <usize>load<u16>(accepted + <usize>((first + min(k + i, count - 1)) << 1));
        store<u32>(windows + <usize>(i << 2), <u32>(row + <usize>load<i32>(lefts + (at << 2))));
      }
      let s0 = f32x4.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      let a0 = i32x4.splat(-1);
      let a1 = a0;
      let a2 = a0;
      let a3 = a0;
      let fern = own;
      let table = posteriors;
      for (let f = 0; f < FERNS; f++, fern += COMPARISONS * 8, table += CODES << 2) {
        fernGroup(windows, fern, codes);
        s0 = f32x4.add(s0, posteriors4(table, codes));
        s1 = f32x4.add(s1, posteriors4(table, codes + 8));
        s2 = f32x4.add(s2, posteriors4(table, codes + 16));
        s3 = f32x4.add(s3, posteriors4(table, codes + 24));
        const left = f32x4.splat(<f32>(FERNS - 1 - f));
        a0 = v128.and(a0, f32x4.ge(f32x4.add(s0, left), bound));
        a1 = v128.and(a1, f32x4.ge(f32x4.add(s1, left), bound));
        a2 = v128.and(a2, f32x4.ge(f32x4.add(s2, left), bound));
        a3 = v128.and(a3, f32x4.ge(f32x4.add(s3, left), bound));
        if (!v128.any_true(v128.or(v128.or(a0, a1), v128.or(a2, a3)))) break;
      }
      // Extra results of the last group would belong to another pair.
      const whole = k + GROUP <= count;
      const place = votes + <usize>((first + k) << 2);
      const out = whole ? place : spare;
      v128.store(out, v128.bitselect(s0, none, a0));
      v128.store(out, v128.bitselect(s1, none, a1), 16);
      v128.store(out, v128.bitselect(s2, none, a2), 32);
      v128.store(out, v128.bitselect(s3, none, a3), 48);
      if (!whole) memory.copy(place, spare, (count - k) << 2);
    }
  }
  return 0;
}
