// What the search reads of the source region, made once: which patches are free of the hole, and the block sums that
// bound distances from below.

import { Value } from '../runtime/value';

/** Rows y0..y1-1: 0 or 1 for every pixel of a mask, 1 where it is not 0. Whole strides. */
export function inpaintHole(mask: usize, hole: usize, stride: i32, width: i32, y0: i32, y1: i32, scratch: usize): i32 {
  const one = i8x16.splat(1);
  const zero = i8x16.splat(0);
  for (let y = y0; y < y1; y++)
    for (let x = 0; x < width; x += 16) {
      const at = <usize>(y * stride + x);
      v128.store(hole + at, v128.and(i8x16.ne(v128.load(mask + at), zero), one));
    }
  return 0;
}

/** Pixels free of the hole from each one to the right, itself included, at most 255; 0 in the padding of the rows. */
export function inpaintRuns(hole: usize, runs: usize, stride: i32, width: i32, y0: i32, y1: i32, scratch: usize): i32 {
  for (let y = y0; y < y1; y++) {
    const row = <usize>(y * stride);
    memory.fill(runs + row, 0, stride);
    let run = 0;
    for (let x = width - 1; x >= 0; x--) {
      run = load<u8>(hole + row + x) ? 0 : min(run + 1, 255);
      store<u8>(runs + row + x, <u8>run);
    }
  }
  return 0;
}

/** 255 where the patch of `columns` x `rows` pixels with its first pixel here lies in the image and outside the hole. */
export function inpaintValid(
  runs: usize,
  valid: usize,
  stride: i32,
  height: i32,
  columns: i32,
  rows: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const needed = i8x16.splat(<i8>columns);
  for (let y = y0; y < y1; y++) {
    const out = valid + <usize>(y * stride);
    if (y + rows > height) {
      memory.fill(out, 0, stride);
      continue;
    }
    const first = runs + <usize>(y * stride);
    for (let x = 0; x < stride; x += 16) {
      let least = v128.load(first + x);
      let p = first + x;
      for (let j = 1; j < rows; j++) {
        p += stride;
        least = i8x16.min_u(least, v128.load(p));
      }
      v128.store(out + x, i8x16.ge_u(least, needed));
    }
  }
  return 0;
}

/**
 * Adds rows y0..y1-1 to what stands at `out`: count of the bytes that are not 0, and their box as least x and y, largest x
 * and y (i32 each). The padding of the rows is 0.
 */
export function inpaintBox(image: usize, stride: i32, width: i32, y0: i32, y1: i32, out: usize): i32 {
  let count = load<i32>(out);
  let left = load<i32>(out, 4);
  let top = load<i32>(out, 8);
  let right = load<i32>(out, 12);
  let bottom = load<i32>(out, 16);
  for (let y = y0; y < y1; y++) {
    const row = image + <usize>(y * stride);
    const before = count;
    for (let x = 0; x < width; x += 16) {
      let set = i8x16.bitmask(i8x16.ne(v128.load(row + x), i8x16.splat(0)));
      if (width - x < 16) set &= (1 << (width - x)) - 1;
      if (!set) continue;
      count += popcnt(set);
      left = min(left, x + ctz(set));
      right = max(right, x + 31 - clz(set));
    }
    if (count === before) continue;
    top = min(top, y);
    bottom = y;
  }
  store<i32>(out, count);
  store<i32>(out, left, 4);
  store<i32>(out, top, 8);
  store<i32>(out, right, 12);
  store<i32>(out, bottom, 16);
  return 0;
}

/** 1 if any byte of `count` (a multiple of 16) is not 0. */
export function inpaintAny(image: usize, count: i32): Value {
  for (let p = image, end = image + <usize>count; p < end; p += 16) if (v128.any_true(v128.load(p))) return 1;
  return 0;
}

/**
 * Sums of R, G and B over `side` x `side` pixels from each one to the right and down, with a 0 as four 16-bit integers;
 * rows that the image has not are left out. May read 64 bytes past a row.
 */
export function inpaintBlockSums(
  source: usize,
  sourceStride: i32,
  sums: usize,
  sumsStride: i32,
  width: i32,
  height: i32,
  side: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const colours = i16x8(-1, -1, -1, 0, -1, -1, -1, 0);
  for (let y = y0; y < min(y1, height - side + 1); y++) {
    const row = source + <usize>(y * sourceStride);
    const out = sums + <usize>(y * sumsStride);
    for (let x = 0; x < width; x += 2) {
      let sum = i16x8.splat(0);
      let p = row + ((<usize>x) << 2);
      for (let j = 0; j < side; j++, p += sourceStride)
        for (let i = 0; i < side; i++) sum = i16x8.add(sum, v128.load8x8_u(p + ((<usize>i) << 2)));
      v128.store(out + ((<usize>x) << 3), v128.and(sum, colours));
    }
  }
  return 0;
}
