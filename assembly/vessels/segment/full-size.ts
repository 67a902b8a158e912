// Coarse planes at the size of the photograph.

import { between, betweenBlocks, blockWeights, place } from './between';

/**
 * Rows y0..y1-1 of a plane enlarged `block` times by linear interpolation: 255 if the value is above `level`. Rows of
 * the destination have space for `block` + 15 bytes more.
 */
export function enlargeAbove(
  coarse: usize,
  coarseStride: i32,
  columns: i32,
  rows: i32,
  block: i32,
  level: f32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const table = scratch;
  const line = scratch + (((<usize>(block + 8)) << 2) & ~15);
  const whole = line + ((<usize>(columns - 1)) << 2);
  blockWeights(block, table);
  for (let y = y0; y < y1; y++) {
    betweenBlocks(coarse, coarseStride, columns, rows, block, y, line);
    let out = target + <usize>(y * targetStride);
    const end = out + <usize>width;
    let a = load<f32>(line);
    let v = i8x16.splat(a > level ? -1 : 0);
    for (let x = 0; x < block >> 1; x += 16) v128.store(out + x, v);
    out += <usize>(block >> 1);
    for (let p = line; p < whole; p += 4, out += <usize>block) {
      const b = load<f32>(p, 4);
      // Most blocks are entirely above or below the level.
      if (a > level == b > level) {
        v = i8x16.splat(a > level ? -1 : 0);
        for (let x = 0; x < block; x += 16) v128.store(out + x, v);
      } else
        for (let x = 0; x < block; x++)
          store<u8>(out + x, a + load<f32>(table + ((<usize>x) << 2)) * (b - a) > level ? 255 : 0);
      a = b;
    }
    v = i8x16.splat(a > level ? -1 : 0);
    for (; out < end; out += 16) v128.store(out, v);
  }
  return 0;
}

export function enlargeAboveScratch(columns: i32, block: i32): i32 {
  return 4 * (columns + block) + 160;
}

/**
 * Rows y0..y1-1 of a coarse plane enlarged by any ratio (coarse samples per pixel): 255 if the value is above `level`.
 */
export function enlargeMask(
  coarse: usize,
  coarseStride: i32,
  columns: i32,
  rows: i32,
  ratio: f32,
  target: usize,
  targetStride: i32,
  width: i32,
  level: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const line = scratch;
  const table = line + ((<usize>(columns + 8)) << 2); // address and weight of every column
  for (let x = 0; x < width; x++) {
    const u = min(max(place(x, ratio), <f32>0), <f32>(columns - 1));
    const left = <i32>u;
    store<u32>(table + ((<usize>x) << 3), <u32>(line + ((<usize>left) << 2)));
    store<f32>(table + ((<usize>x) << 3), u - <f32>left, 4);
  }
  const end = table + ((<usize>width) << 3);
  for (let y = y0; y < y1; y++) {
    between(coarse, coarseStride, columns, rows, place(y, ratio), line);
    let out = target + <usize>(y * targetStride);
    for (let t = table; t < end; t += 8, out++) {
      const p = <usize>load<u32>(t);
      const a = load<f32>(p);
      store<u8>(out, a + load<f32>(t, 4) * (load<f32>(p, 4) - a) > level ? 255 : 0);
    }
  }
  return 0;
}

export function enlargeMaskScratch(columns: i32, width: i32): i32 {
  return 4 * columns + 8 * width + 128;
}

/**
 * Counts pixels in each of the rows y0..y1-1 of two images of 0 and 255. Writes the number set in both to counts[2 y],
 * and the number set in `b` to counts[2 y + 1].
 */
export function countBoth(
  a: usize,
  aStride: i32,
  b: usize,
  bStride: i32,
  width: i32,
  counts: usize,
  y0: i32,
  y1: i32,
  _scratch: usize,
): i32 {
  const tail = i8x16.lt_s(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat(<i8>(width & 15)));
  const whole = width & ~15;
  for (let y = y0; y < y1; y++) {
    const p = a + <usize>(y * aStride);
    const q = b + <usize>(y * bStride);
    let both = 0;
    let second = 0;
    for (let x = 0; x < whole; x += 16) {
      const v = v128.load(q + x);
      both += popcnt<i32>(i8x16.bitmask(v128.and(v128.load(p + x), v)));
      second += popcnt<i32>(i8x16.bitmask(v));
    }
    if (width & 15) {
      const v = v128.and(tail, v128.load(q + whole));
      both += popcnt<i32>(i8x16.bitmask(v128.and(v128.load(p + whole), v)));
      second += popcnt<i32>(i8x16.bitmask(v));
    }
    const to = counts + ((<usize>y) << 3);
    store<i32>(to, both);
    store<i32>(to, second, 4);
  }
  return 0;
}
