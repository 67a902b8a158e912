// The patch to be filled, in the form that the search wants: blocks whose sums bound the distance from below, pairs of
// pixels for the distance itself, and a first bound from likely candidates.

import { BLOCK, BLOCKS, columns, FIRST_BLOCK, FIRST_PAIR, left, PAIR, rows, top } from './record';
import { KNOWN } from './fill';
import { distance, penalty } from './distance';

/** Whether side x side pixels from (x, y) of the patch are known and not taken yet. `taken`: 32 bytes a row. */
function isFree(hole: usize, stride: i32, taken: usize, x: i32, y: i32, side: i32): bool {
  for (let j = y; j < y + side; j++)
    for (let i = x; i < x + side; i++)
      if (load<u8>(hole + <usize>(j * stride + i)) | load<u8>(taken + <usize>(j * 32 + i))) return false;
  return true;
}

/**
 * Writes a block at the record's place `n`, and how much it tells: the square of its difference from the mean colour.
 * A block far from the mean is far from most candidates.
 */
function putBlock(
  record: usize,
  n: i32,
  patch: usize,
  stride: i32,
  sumsStride: i32,
  x: i32,
  y: i32,
  side: i32,
  mean: usize,
): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let j = y; j < y + side; j++)
    for (let i = x; i < x + side; i++) {
      const p = patch + <usize>(j * stride + (i << 2));
      red += load<u8>(p);
      green += load<u8>(p, 1);
      blue += load<u8>(p, 2);
    }
  const area = side * side;
  const r = red - area * load<i32>(mean);
  const g = green - area * load<i32>(mean, 4);
  const b = blue - area * load<i32>(mean, 8);
  const weight = (r * r + g * g + b * b) / area;
  // Sorted by falling weight; the least of too many is dropped.
  let at = n;
  while (at > 0 && load<i32>(record + FIRST_BLOCK + <usize>(at - 1) * BLOCK, 4) < weight) {
    if (at < BLOCKS)
      memory.copy(record + FIRST_BLOCK + <usize>at * BLOCK, record + FIRST_BLOCK + <usize>(at - 1) * BLOCK, BLOCK);
    at--;
  }
  if (at >= BLOCKS) return;
  const block = record + FIRST_BLOCK + <usize>at * BLOCK;
  store<i32>(block, y * sumsStride + (x << 3));
  store<i32>(block, weight, 4);
  v128.store(block, i16x8(<i16>red, <i16>green, <i16>blue, 0, <i16>red, <i16>green, <i16>blue, 0), 16);
}

/** Disjoint blocks of known pixels, greedily from the first row. Returns their number, at most BLOCKS. */
function putBlocks(
  record: usize,
  patch: usize,
  stride: i32,
  hole: usize,
  holeStride: i32,
  sumsStride: i32,
  side: i32,
  mean: usize,
  taken: usize,
): i32 {
  memory.fill(taken, 0, 32 * 32);
  let count = 0;
  for (let y = 0; y <= rows(record) - side; y++)
    for (let x = 0; x <= columns(record) - side; x++) {
      if (!isFree(hole, holeStride, taken, x, y, side)) continue;
      for (let j = y; j < y + side; j++) memory.fill(taken + <usize>(j * 32 + x), 1, side);
      putBlock(record, count, patch, stride, sumsStride, x, y, side, mean);
      count = min(count + 1, BLOCKS);
      x += side - 1;
    }
  return count;
}

/** Pixels of the patch that are known. */
function countKnown(record: usize, hole: usize, stride: i32): i32 {
  let count = 0;
  for (let y = 0; y < rows(record); y++)
    for (let x = 0; x < columns(record); x++) count += load<u8>(hole + <usize>(y * stride + x)) ? 0 : 1;
  return count;
}

/** Pairs of neighbouring pixels of which one at least is known. Returns the bytes of the list, a multiple of 4 pairs. */
function putPairs(record: usize, patch: usize, stride: i32, hole: usize, holeStride: i32): i32 {
  const first = record + FIRST_PAIR;
  let pair = first;
  for (let y = 0; y < rows(record); y++)
    for (let x = 0; x < columns(record); x += 2) {
      const h = hole + <usize>(y * holeStride + x);
      const a: i16 = load<u8>(h) ? 0 : -1;
      const b: i16 = x + 1 < columns(record) && !load<u8>(h, 1) ? -1 : 0;
      if (!(a | b)) continue;
      store<i32>(pair, y * stride + (x << 2));
      v128.store(pair, v128.load8x8_u(patch + <usize>(y * stride + (x << 2))), 16);
      v128.store(pair, i16x8(a, a, a, 0, b, b, b, 0), 32);
      pair += PAIR;
    }
  // Pairs of no weight fill up the last step.
  while (((pair - first) / PAIR) & 3) {
    store<i32>(pair, 0);
    v128.store(pair, i16x8.splat(0), 16);
    v128.store(pair, i16x8.splat(0), 32);
    pair += PAIR;
  }
  return <i32>(pair - first);
}

/**
 * Prepares the patch around (x, y), clipped to the image. `image`: the picture so far; `nearness`: 1 for a
 * penalty on distance; `mean`: R, G, B of the source
 * region, i32 each. Scratch: 1024 bytes.
 */
export function inpaintTarget(
  image: usize,
  stride: i32,
  hole: usize,
  holeStride: i32,
  sumsStride: i32,
  width: i32,
  height: i32,
  half: i32,
  side: i32,
  x: i32,
  y: i32,
  nearness: i32,
  mean: usize,
  record: usize,
  scratch: usize,
): i32 {
  const x0 = max(0, x - half);
  const y0 = max(0, y - half);
  store<i32>(record, x0);
  store<i32>(record, y0, 4);
  store<i32>(record, min(width - 1, x + half) - x0 + 1, 8);
  store<i32>(record, min(height - 1, y + half) - y0 + 1, 12);
  const patch = image + <usize>(y0 * stride + (x0 << 2));
  const patchHole = hole + <usize>(y0 * holeStride + x0);
  store<i32>(record, putBlocks(record, patch, stride, patchHole, holeStride, sumsStride, side, mean, scratch), 16);
  store<i32>(record, putPairs(record, patch, stride, patchHole, holeStride), 20);
  store<i32>(record, side, 24);
  store<u32>(record, 0x7fffffff, 28);
  store<i32>(record, nearness ? countKnown(record, patchHole, holeStride) : 0, 32);
  return 0;
}

/** Lowers the record's bound to that of the candidate (x, y), if it is one. */
function tryCandidate(
  record: usize,
  source: usize,
  stride: i32,
  valid: usize,
  validStride: i32,
  x: i32,
  y: i32,
  x0: i32,
  x1: i32,
  y0: i32,
  y1: i32,
): void {
  if (x < x0 || x >= x1 || y < y0 || y >= y1 || !load<u8>(valid + <usize>(y * validStride + x))) return;
  const pairs = record + FIRST_PAIR;
  const bound = load<u32>(record, 28);
  const extra = penalty(load<u32>(record, 32), x - left(record), y - top(record));
  if (extra >= bound) return;
  const found =
    extra +
    distance(pairs, pairs + <usize>load<i32>(record, 20), source + <usize>(y * stride + (x << 2)), bound - extra);
  if (found + 1 < bound) store<u32>(record, found + 1, 28);
}

/**
 * A first bound, so that the search rejects from its first row on: candidates that continue what neighbours were filled
 * with (`origin`: source pixel of every filled one of the hole's box, -1 elsewhere), and some from nearby. The best
 * match is not chosen here; it has less than the bound, as every equal one. Candidates: x0..x1-1, y0..y1-1.
 */
export function inpaintBound(
  source: usize,
  stride: i32,
  valid: usize,
  validStride: i32,
  width: i32,
  origin: usize,
  boxX: i32,
  boxY: i32,
  boxWidth: i32,
  boxHeight: i32,
  x0: i32,
  x1: i32,
  y0: i32,
  y1: i32,
  record: usize,
  scratch: usize,
): i32 {
  const patchX = left(record);
  const patchY = top(record);
  let last = -1;
  for (let j = 0; j < rows(record); j++)
    for (let i = 0; i < columns(record); i++) {
      const x = patchX + i - boxX;
      const y = patchY + j - boxY;
      if (x < 0 || y < 0 || x >= boxWidth || y >= boxHeight) continue;
      const entry = load<u32>(origin + ((<usize>(y * boxWidth + x)) << 2));
      if (entry === KNOWN) continue;
      const from = <i32>(entry & 0xfffffff);
      const corner = from - (j * width + i);
      if (corner === last || from % width < i || corner < 0) continue;
      last = corner;
      tryCandidate(record, source, stride, valid, validStride, corner % width, corner / width, x0, x1, y0, y1);
    }
  const reach = 3 * max(columns(record), rows(record));
  for (let y = -reach; y <= reach; y += 3)
    for (let x = -reach; x <= reach; x += 3)
      tryCandidate(record, source, stride, valid, validStride, patchX + x, patchY + y, x0, x1, y0, y1);
  return 0;
}
