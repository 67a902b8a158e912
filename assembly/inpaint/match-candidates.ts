// Data of the source region for the search, computed once: which patches are free of the hole, and the block sums for
// lower bounds of distances.

import { Value } from '../runtime/wasm/value';
import { Filling } from './picture-record';

/** Rows y0..y1-1: 0 or 1 for every pixel of a mask, 1 if it is not 0. Processes whole strides. */
export function inpaintHole(
  mask: usize,
  maskStride: i32,
  hole: usize,
  holeStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const one = i8x16.splat(1);
  const zero = i8x16.splat(0);
  for (let y = y0; y < y1; y++)
    for (let x = 0; x < width; x += 16) {
      const from = mask + <usize>(y * maskStride + x);
      v128.store(hole + <usize>(y * holeStride + x), v128.and(i8x16.ne(v128.load(from), zero), one));
    }
  return 0;
}

/** Rows y0..y1-1 of runs: at most 255, and 0 in the padding of the rows. */
export function inpaintRuns(filling: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const width = f.width;
  const stride = f.byteStride;
  for (let y = y0; y < y1; y++) {
    const hole = f.hole + <usize>(y * stride);
    const runs = f.runs + <usize>(y * stride);
    memory.fill(runs, 0, stride);
    let run = 0;
    for (let x = width - 1; x >= 0; x--) {
      run = load<u8>(hole + x) ? 0 : min(run + 1, 255);
      store<u8>(runs + x, <u8>run);
    }
  }
  return 0;
}

/** 255 if the patch of `columns` x `rows` pixels whose first pixel is here is in the image and outside the hole. */
export function inpaintValid(filling: usize, columns: i32, rows: i32, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const stride = f.byteStride;
  const height = f.height;
  const needed = i8x16.splat(<i8>columns);
  for (let y = y0; y < y1; y++) {
    const out = f.valid + <usize>(y * stride);
    if (y + rows > height) {
      memory.fill(out, 0, stride);
      continue;
    }
    const first = f.runs + <usize>(y * stride);
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

/** Counts the pixels of the hole and computes their box. */
export function inpaintBox(filling: usize): i32 {
  const f = changetype<Filling>(filling);
  const width = f.width;
  let count = 0;
  let left = width;
  let top = f.height;
  let right = -1;
  let bottom = -1;
  for (let y = 0; y < f.height; y++) {
    const row = f.hole + <usize>(y * f.byteStride);
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
  f.unknown = count;
  f.boxX = left;
  f.boxY = top;
  f.boxWidth = right - left + 1;
  f.boxHeight = bottom - top + 1;
  return 0;
}

/** 1 if any patch is valid. */
export function inpaintAny(filling: usize): Value {
  const f = changetype<Filling>(filling);
  for (let p = f.valid, end = p + <usize>(f.byteStride * f.height); p < end; p += 16)
    if (v128.any_true(v128.load(p))) return 1;
  return 0;
}

/** Mean color of about four thousand known pixels of the source. Only the order of the blocks depends on it. */
export function inpaintMean(filling: usize): i32 {
  const f = changetype<Filling>(filling);
  const count = f.width * f.height;
  const step = max(1, count / 4096);
  let known = 0;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let i = 0; i < count; i += step) {
    const x = i % f.width;
    const y = i / f.width;
    if (load<u8>(f.hole + <usize>(y * f.byteStride + x))) continue;
    const p = f.source + <usize>(y * f.stride + (x << 2));
    red += load<u8>(p);
    green += load<u8>(p, 1);
    blue += load<u8>(p, 2);
    known++;
  }
  known = max(1, known);
  f.red = (2 * red + known) / (2 * known);
  f.green = (2 * green + known) / (2 * known);
  f.blue = (2 * blue + known) / (2 * known);
  return 0;
}

/**
 * Rows y0..y1-1 of the block sums of R, G and B. A block extends from each pixel to the right and down. The sums are
 * stored with a 0 as four 16-bit integers. Rows outside the image are left out. May read 64 bytes after a row.
 */
export function inpaintBlockSums(filling: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const side = f.blockSide;
  const width = f.width;
  const sourceStride = f.stride;
  const colors = i16x8(-1, -1, -1, 0, -1, -1, -1, 0);
  for (let y = y0; y < min(y1, f.height - side + 1); y++) {
    const row = f.source + <usize>(y * sourceStride);
    const out = f.sums + <usize>(y * f.sumsStride);
    for (let x = 0; x < width; x += 2) {
      let sum = i16x8.splat(0);
      let p = row + ((<usize>x) << 2);
      for (let j = 0; j < side; j++, p += sourceStride)
        for (let i = 0; i < side; i++) sum = i16x8.add(sum, v128.load8x8_u(p + ((<usize>i) << 2)));
      v128.store(out + ((<usize>x) << 3), v128.and(sum, colors));
    }
  }
  return 0;
}
