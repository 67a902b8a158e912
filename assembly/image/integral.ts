// Integral images of 8-bit images, (width + 1) x (height + 1) with a first row and column of 0, 32-bit sums modulo
// 2^32. Window sums are differences, so they are correct if the sum of the window fits.
//
// Threads: the image is cut into blocks of rows. `integralTotals` computes the column sums of every block,
// `integralOffsets` converts them into the integral row above each block, and `integral` then works block by block.
// With one block of all rows the first two are not needed. Sums modulo 2^32 do not depend on the cut.

import { Register } from '../runtime/wasm/registers';

/**
 * Rows of consecutive blocks, `blockRows` each, for blocks y0..y1-1. `offsets`: rows of width sums above each block, or
 * 0.
 */
export function integral(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  blockRows: i32,
  offsets: usize,
  offsetsStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const even = Register.vector(i16x8.splat(0x00ff), scratch);
  if (y0 == 0) memory.fill(target, 0, (width + 1) << 2);
  for (let block = y0; block < y1; block++) {
    const first = block * blockRows;
    const end = min(first + blockRows, height);
    let above = target + <usize>(first * targetStride) + 4;
    if (block) above = offsets + <usize>(block * offsetsStride);
    if (end - first == 1) {
      integralRow(source + <usize>(first * sourceStride), above, target + <usize>(end * targetStride), width);
      continue;
    }
    for (let y = first; y < end; y += 2) {
      if (y + 1 == end) y--; // an odd number of rows: repeats the second to last
      const s = source + <usize>(y * sourceStride);
      const out = target + <usize>((y + 1) * targetStride);
      const up = y == first ? above : out - targetStride + 4;
      store<u32>(out, 0);
      store<u32>(out + targetStride, 0);
      integralRows(s, s + sourceStride, up, out + 4, out + targetStride + 4, width, even);
    }
  }
  return 0;
}

/** One row, sample by sample. */
function integralRow(s: usize, up: usize, out: usize, width: i32): void {
  let sum: u32 = 0;
  store<u32>(out, 0);
  for (let x = 0; x < width; x++) {
    sum += <u32>load<u8>(s + x);
    store<u32>(out + (x << 2), load<u32>(up + (x << 2)) + sum, 4);
  }
}

/** Sums within each 16 samples: up to the odd samples by prefix sums over the pairs. */
function oddSums(pairs: v128): v128 {
  const zero = i32x4.splat(0);
  let p = pairs;
  p = i16x8.add(p, i8x16.shuffle(p, zero, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
  p = i16x8.add(p, i8x16.shuffle(p, zero, 28, 29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  return i16x8.add(p, i8x16.shuffle(p, zero, 24, 25, 26, 27, 28, 29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7));
}

/** Two rows of the integral at a time, so that the row above is read only for every other one. */
function integralRows(s: usize, t: usize, up: usize, out: usize, next: usize, width: i32, even: v128): void {
  let carry = i32x4.splat(0);
  let carryNext = i32x4.splat(0);
  const whole = out + <usize>((width & ~15) << 2);
  for (; out < whole; s += 16, t += 16, up += 64, out += 64, next += 64) {
    let v = v128.load(s);
    let odd = i16x8.shr_u(v, 8);
    // Sums up to the even samples: the sums up to the odd ones, minus the odd sample.
    let p = oddSums(i16x8.add(v128.and(v, even), odd));
    let e = i16x8.sub(p, odd);
    let low = i16x8.shuffle(e, p, 0, 8, 1, 9, 2, 10, 3, 11);
    let high = i16x8.shuffle(e, p, 4, 12, 5, 13, 6, 14, 7, 15);
    let last = i32x4.add(i32x4.extend_high_i16x8_u(high), carry);
    const a = i32x4.add(v128.load(up), i32x4.add(i32x4.extend_low_i16x8_u(low), carry));
    const b = i32x4.add(v128.load(up, 16), i32x4.add(i32x4.extend_high_i16x8_u(low), carry));
    const c = i32x4.add(v128.load(up, 32), i32x4.add(i32x4.extend_low_i16x8_u(high), carry));
    const d = i32x4.add(v128.load(up, 48), last);
    carry = i32x4.shuffle(last, last, 3, 3, 3, 3);
    v128.store(out, a);
    v128.store(out, b, 16);
    v128.store(out, c, 32);
    v128.store(out, d, 48);
    v = v128.load(t);
    odd = i16x8.shr_u(v, 8);
    p = oddSums(i16x8.add(v128.and(v, even), odd));
    e = i16x8.sub(p, odd);
    low = i16x8.shuffle(e, p, 0, 8, 1, 9, 2, 10, 3, 11);
    high = i16x8.shuffle(e, p, 4, 12, 5, 13, 6, 14, 7, 15);
    last = i32x4.add(i32x4.extend_high_i16x8_u(high), carryNext);
    v128.store(next, i32x4.add(a, i32x4.add(i32x4.extend_low_i16x8_u(low), carryNext)));
    v128.store(next, i32x4.add(b, i32x4.add(i32x4.extend_high_i16x8_u(low), carryNext)), 16);
    v128.store(next, i32x4.add(c, i32x4.add(i32x4.extend_low_i16x8_u(high), carryNext)), 32);
    v128.store(next, i32x4.add(d, last), 48);
    carryNext = i32x4.shuffle(last, last, 3, 3, 3, 3);
  }
  // Fewer than 16 left: one by one, because the row has no spare padding after its last sum.
  let sum = i32x4.extract_lane(carry, 0);
  let sumNext = i32x4.extract_lane(carryNext, 0);
  for (let x = 0; x < (width & 15); x++) {
    sum += <i32>load<u8>(s + x);
    sumNext += <i32>load<u8>(t + x);
    const i = load<u32>(up + (x << 2)) + sum;
    store<u32>(out + (x << 2), i);
    store<u32>(next + (x << 2), i + sumNext);
  }
}

/** Integral of (v - 128)^2. The variance of a window does not change with the shift. */
export function integralSquares(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  blockRows: i32,
  offsets: usize,
  offsetsStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  if (y0 == 0) memory.fill(target, 0, (width + 1) << 2);
  for (let block = y0; block < y1; block++) {
    const first = block * blockRows;
    const end = min(first + blockRows, height);
    for (let y = first; y < end; y++) {
      let up = target + <usize>(y * targetStride) + 4;
      if (y == first && block) up = offsets + <usize>(block * offsetsStride);
      const out = target + <usize>((y + 1) * targetStride);
      store<u32>(out, 0);
      squaresRow(source + <usize>(y * sourceStride), up, out + 4, width);
    }
  }
  return 0;
}

function squaresRow(s: usize, up: usize, out: usize, width: i32): void {
  const middle = i16x8.splat(128);
  const upper = i32x4.splat(0xffff0000);
  let carry = i32x4.splat(0);
  const whole = out + <usize>((width & ~7) << 2);
  for (; out < whole; s += 8, up += 32, out += 32) {
    const v = i16x8.sub(v128.load8x8_u(s), middle);
    const odd = v128.and(v, upper);
    const oddSquare = i32x4.dot_i16x8_s(odd, odd);
    let p = i32x4.dot_i16x8_s(v, v);
    p = i32x4.add(p, i32x4.shuffle(p, i32x4.splat(0), 7, 0, 1, 2));
    p = i32x4.add(p, i32x4.shuffle(p, i32x4.splat(0), 6, 7, 0, 1));
    p = i32x4.add(p, carry);
    const e = i32x4.sub(p, oddSquare);
    carry = i32x4.shuffle(p, p, 3, 3, 3, 3);
    v128.store(out, i32x4.add(v128.load(up), i32x4.shuffle(e, p, 0, 4, 1, 5)));
    v128.store(out, i32x4.add(v128.load(up, 16), i32x4.shuffle(e, p, 2, 6, 3, 7)), 16);
  }
  let sum = i32x4.extract_lane(carry, 0);
  for (let x = 0; x < (width & 7); x++) {
    const v = <i32>load<u8>(s + x) - 128;
    sum += v * v;
    store<u32>(out + (x << 2), load<u32>(up + (x << 2)) + sum);
  }
}

/** Column sums of the blocks y0..y1-1, width 32-bit sums each. With `squares`, sums of (v - 128)^2. */
export function integralTotals(
  source: usize,
  sourceStride: i32,
  totals: usize,
  totalsStride: i32,
  width: i32,
  height: i32,
  blockRows: i32,
  squares: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const middle = i16x8.splat(128);
  for (let block = y0; block < y1; block++) {
    const end = min((block + 1) * blockRows, height);
    const out = totals + <usize>(block * totalsStride);
    memory.fill(out, 0, totalsStride);
    for (let y = block * blockRows; y < end; y++) {
      const s = source + <usize>(y * sourceStride);
      for (let x = 0; x < width; x += 8) {
        let v = v128.load8x8_u(s + x);
        if (squares) {
          v = i16x8.sub(v, middle);
          v = i16x8.mul(v, v);
        }
        const p = out + (x << 2);
        v128.store(p, i32x4.add(v128.load(p), i32x4.extend_low_i16x8_u(v)));
        v128.store(p, i32x4.add(v128.load(p, 16), i32x4.extend_high_i16x8_u(v)), 16);
      }
    }
  }
  return 0;
}

/** Converts column sums of `blocks` blocks to the integral row above each of them, in place. */
export function integralOffsets(totals: usize, totalsStride: i32, width: i32, blocks: i32, scratch: usize): i32 {
  for (let x = 0; x < width; x++) store<u32>(scratch + (x << 2), 0);
  for (let block = 0; block < blocks; block++) {
    const row = totals + <usize>(block * totalsStride);
    let run: u32 = 0;
    for (let x = 0; x < width << 2; x += 4) {
      const above = load<u32>(scratch + x);
      run += load<u32>(row + x);
      store<u32>(row + x, above);
      store<u32>(scratch + x, above + run);
    }
  }
  return 0;
}

export function integralOffsetsScratch(totalsStride: i32): i32 {
  return totalsStride;
}
