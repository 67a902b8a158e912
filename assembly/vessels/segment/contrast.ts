// Background of the working plane and contrast relative to it.

import { betweenBlocks, blockWeights, spreadRow } from './between';

/** Layout of the cells of a coarse plane over the working plane. */
@unmanaged
export class BackgroundCells {
  /** Width and height of a cell in samples. */
  block: i32;
  columns: i32;
  rows: i32;
  /** Bytes per row of cells. */
  stride: i32;
}

/** Bytes of a row of `width` samples written by spreadRow. */
function rowBytes(width: i32, block: i32): usize {
  return (((<usize>(width + block + 8)) << 2) + 15) & ~15;
}

/** -1 in the lanes of four pixels under the mask. */
export function inside(mask: usize): v128 {
  return i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(mask)));
}

/** Sums of groups of `block` of `width` floats. */
function groups(line: usize, width: i32, block: i32, columns: i32, out: usize): void {
  for (let c = 0, x = 0; c < columns; c++) {
    let sum: f32 = 0;
    for (const last = min(x + block, width); x < last; x++) sum += load<f32>(line + ((<usize>x) << 2));
    store<f32>(out + ((<usize>c) << 2), sum);
  }
}

/** Scratch bytes for `count` rows of `width` samples and a row of cells. */
function rowsScratch(width: i32, cells: usize, count: i32): i32 {
  const c = changetype<BackgroundCells>(cells);
  return 4 * c.columns + 4 * (c.block + 16) + count * <i32>rowBytes(width, c.block) + 64;
}

/**
 * Sums over cells of samples under the mask, and their number, rows y0..y1-1 of cells. With `ceiling` above 0, samples
 * are clipped at that multiple of the background. Otherwise bright lesions and the disc would cause dark rims.
 */
export function maskedSums(
  source: usize,
  sourceStride: i32,
  mask: usize,
  maskStride: i32,
  width: i32,
  height: i32,
  cells: usize,
  background: usize,
  ceiling: f32,
  sums: usize,
  counts: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const c = changetype<BackgroundCells>(cells);
  const block = c.block;
  const columns = c.columns;
  const bytes = rowBytes(width, block);
  const level = scratch;
  const total = level + bytes;
  const number = total + bytes;
  const table = number + bytes;
  const line = table + (((<usize>(block + 8)) << 2) & ~15);
  const one = f32x4.splat(1);
  blockWeights(block, table);
  for (let by = y0; by < y1; by++) {
    memory.fill(total, 0, 2 * bytes);
    for (let y = by * block, end = min(y + block, height); y < end; y++) {
      const p = source + <usize>(y * sourceStride);
      const m = mask + <usize>(y * maskStride);
      if (ceiling > 0) {
        betweenBlocks(background, c.stride, columns, c.rows, block, y, line);
        spreadRow(line, columns, block, ceiling, table, level, width);
      }
      for (let x = 0; x < width; x += 4) {
        const i = (<usize>x) << 2;
        const lanes = inside(m + x);
        let v = v128.load(p + i);
        if (ceiling > 0) v = f32x4.min(v, v128.load(level + i));
        v128.store(total + i, f32x4.add(v128.load(total + i), v128.and(lanes, v)));
        v128.store(number + i, f32x4.add(v128.load(number + i), v128.and(lanes, one)));
      }
    }
    const out = <usize>(by * c.stride);
    groups(total, width, block, columns, sums + out);
    groups(number, width, block, columns, counts + out);
  }
  return 0;
}

export function maskedSumsScratch(width: i32, cells: usize): i32 {
  return rowsScratch(width, cells, 3);
}

/**
 * Contrast relative to the background in percent, 0 outside the mask: (min(v, ceiling b1) - b2) / (b2 + offset), scaled
 * so that a background of `level` is not changed. `first` and `second`: b1 and b2 by cells.
 */
export function contrast(
  source: usize,
  sourceStride: i32,
  mask: usize,
  maskStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  cells: usize,
  first: usize,
  second: usize,
  ceiling: f32,
  offset: f32,
  gain: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const c = changetype<BackgroundCells>(cells);
  const block = c.block;
  const columns = c.columns;
  const bytes = rowBytes(width, block);
  const most = scratch;
  const own = most + bytes;
  const table = own + bytes;
  const line = table + (((<usize>(block + 8)) << 2) & ~15);
  const one = f32x4.splat(1);
  const add = f32x4.splat(offset);
  const factor = f32x4.splat(gain);
  blockWeights(block, table);
  for (let y = y0; y < y1; y++) {
    betweenBlocks(first, c.stride, columns, c.rows, block, y, line);
    spreadRow(line, columns, block, ceiling, table, most, width);
    betweenBlocks(second, c.stride, columns, c.rows, block, y, line);
    spreadRow(line, columns, block, 1, table, own, width);
    const p = source + <usize>(y * sourceStride);
    const m = mask + <usize>(y * maskStride);
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x += 4) {
      const i = (<usize>x) << 2;
      const b = v128.load(own + i);
      const v = f32x4.mul(factor, f32x4.sub(f32x4.min(v128.load(p + i), v128.load(most + i)), b));
      v128.store(out + i, v128.and(inside(m + x), f32x4.div(v, f32x4.add(f32x4.max(b, one), add))));
    }
  }
  return 0;
}

export function contrastScratch(width: i32, cells: usize): i32 {
  return rowsScratch(width, cells, 2);
}

/** Sets the plane outside the mask to the values of the cells. */
export function fillOutside(
  plane: usize,
  planeStride: i32,
  mask: usize,
  maskStride: i32,
  width: i32,
  cells: usize,
  values: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const c = changetype<BackgroundCells>(cells);
  const block = c.block;
  const near = scratch;
  const table = near + rowBytes(width, block);
  const line = table + (((<usize>(block + 8)) << 2) & ~15);
  blockWeights(block, table);
  for (let y = y0; y < y1; y++) {
    betweenBlocks(values, c.stride, c.columns, c.rows, block, y, line);
    spreadRow(line, c.columns, block, 1, table, near, width);
    const p = plane + <usize>(y * planeStride);
    const m = mask + <usize>(y * maskStride);
    for (let x = 0; x < width; x += 4) {
      const i = (<usize>x) << 2;
      v128.store(p + i, v128.bitselect(v128.load(p + i), v128.load(near + i), inside(m + x)));
    }
  }
  return 0;
}

export function fillOutsideScratch(width: i32, cells: usize): i32 {
  return rowsScratch(width, cells, 1);
}
