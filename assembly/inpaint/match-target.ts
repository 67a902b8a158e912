// The patch to fill, in the format of the search: blocks whose sums bound the distance from below, pairs of pixels for
// the distance itself, and an initial bound from likely candidates.

import { BLOCK, BLOCKS, Filling, FIRST_PAIR, PAIR } from './picture-record';
import { KNOWN } from './fill';
import { distance, penalty } from './match-distance';

/** Whether side x side pixels starting at (x, y) of the patch are known and not used yet. `taken`: 32 bytes per row. */
function isFree(hole: usize, stride: i32, taken: usize, x: i32, y: i32, side: i32): bool {
  for (let j = y; j < y + side; j++)
    for (let i = x; i < x + side; i++)
      if (load<u8>(hole + <usize>(j * stride + i)) | load<u8>(taken + <usize>(j * 32 + i))) return false;
  return true;
}

/**
 * Writes a block to place `n` of the list, with its importance: the squared difference from the mean color. A block far
 * from the mean is far from most candidates.
 */
function putBlock(f: Filling, n: i32, patch: usize, x: i32, y: i32): void {
  const stride = f.stride;
  const side = f.blockSide;
  const blocks = f.lists;
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
  const r = red - area * f.red;
  const g = green - area * f.green;
  const b = blue - area * f.blue;
  const weight = (r * r + g * g + b * b) / area;
  // Sorted by decreasing weight. If there are too many, the lowest is dropped.
  let at = n;
  while (at > 0 && load<i32>(blocks + <usize>(at - 1) * BLOCK, 4) < weight) {
    if (at < BLOCKS) memory.copy(blocks + <usize>at * BLOCK, blocks + <usize>(at - 1) * BLOCK, BLOCK);
    at--;
  }
  if (at >= BLOCKS) return;
  const block = blocks + <usize>at * BLOCK;
  store<i32>(block, y * f.sumsStride + (x << 3));
  store<i32>(block, weight, 4);
  v128.store(block, i16x8(<i16>red, <i16>green, <i16>blue, 0, <i16>red, <i16>green, <i16>blue, 0), 16);
}

/** Disjoint blocks of known pixels, greedily from the first row. Returns their number, at most BLOCKS. */
function putBlocks(f: Filling, patch: usize, hole: usize, taken: usize): i32 {
  const side = f.blockSide;
  memory.fill(taken, 0, 32 * 32);
  let count = 0;
  for (let y = 0; y <= f.rows - side; y++)
    for (let x = 0; x <= f.columns - side; x++) {
      if (!isFree(hole, f.byteStride, taken, x, y, side)) continue;
      for (let j = y; j < y + side; j++) memory.fill(taken + <usize>(j * 32 + x), 1, side);
      putBlock(f, count, patch, x, y);
      count = min(count + 1, BLOCKS);
      x += side - 1;
    }
  return count;
}

/** Number of known pixels of the patch. */
function countKnown(f: Filling, hole: usize): i32 {
  let count = 0;
  for (let y = 0; y < f.rows; y++)
    for (let x = 0; x < f.columns; x++) count += load<u8>(hole + <usize>(y * f.byteStride + x)) ? 0 : 1;
  return count;
}

/** Pairs of neighboring pixels, at least one of them known. Returns the bytes of the list, a multiple of 4 pairs. */
function putPairs(f: Filling, patch: usize, hole: usize): i32 {
  const stride = f.stride;
  const columns = f.columns;
  const first = f.lists + FIRST_PAIR;
  let pair = first;
  for (let y = 0; y < f.rows; y++)
    for (let x = 0; x < columns; x += 2) {
      const h = hole + <usize>(y * f.byteStride + x);
      const a: i16 = load<u8>(h) ? 0 : -1;
      const b: i16 = x + 1 < columns && !load<u8>(h, 1) ? -1 : 0;
      if (!(a | b)) continue;
      store<i32>(pair, y * stride + (x << 2));
      v128.store(pair, v128.load8x8_u(patch + <usize>(y * stride + (x << 2))), 16);
      v128.store(pair, i16x8(a, a, a, 0, b, b, b, 0), 32);
      pair += PAIR;
    }
  // Pairs with weight 0 fill the last step.
  while (((pair - first) / PAIR) & 3) {
    store<i32>(pair, 0);
    v128.store(pair, i16x8.splat(0), 16);
    v128.store(pair, i16x8.splat(0), 32);
    pair += PAIR;
  }
  return <i32>(pair - first);
}

/** The used pixels of a patch, 32 per row. */
export function inpaintTargetScratch(): i32 {
  return 1024;
}

/**
 * Reads the patch around the filling's center, clipped to the image, from the current image, and sets the region for
 * its matches.
 */
export function inpaintTarget(filling: usize, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const half = f.half;
  const x0 = max(0, f.x - half);
  const y0 = max(0, f.y - half);
  f.left = x0;
  f.top = y0;
  f.columns = min(f.width - 1, f.x + half) - x0 + 1;
  f.rows = min(f.height - 1, f.y + half) - y0 + 1;
  const patch = f.image + <usize>(y0 * f.stride + (x0 << 2));
  const hole = f.hole + <usize>(y0 * f.byteStride + x0);
  f.blocks = putBlocks(f, patch, hole, scratch);
  f.pairBytes = putPairs(f, patch, hole);
  f.bound = 0x7fffffff;
  f.weight = f.near ? countKnown(f, hole) : 0;
  candidatesWithin(f, f.searchWindow);
  return 0;
}

/** Matches must be in a square of `window` around the patch, or anywhere if it is 0. */
function candidatesWithin(f: Filling, window: i32): void {
  const reach = window ? window >> 1 : f.width + f.height;
  f.x0 = max(0, f.left - reach);
  f.x1 = min(f.width - f.columns + 1, f.left + reach + 1);
  f.y0 = max(0, f.top - reach);
  f.y1 = min(f.height - f.rows + 1, f.top + reach + 1);
}

/** After a search without a result: matches may be anywhere. */
export function inpaintAnywhere(filling: usize): i32 {
  candidatesWithin(changetype<Filling>(filling), 0);
  return 0;
}

/** Lowers the bound to the distance of (x, y), if it is a candidate. */
function tryCandidate(f: Filling, x: i32, y: i32): void {
  if (x < f.x0 || x >= f.x1 || y < f.y0 || y >= f.y1) return;
  if (!load<u8>(f.valid + <usize>(y * f.byteStride + x))) return;
  const pairs = f.lists + FIRST_PAIR;
  const bound = f.bound;
  const extra = penalty(f.weight, x - f.left, y - f.top);
  if (extra >= bound) return;
  const from = f.source + <usize>(y * f.stride + (x << 2));
  const found = extra + distance(pairs, pairs + <usize>f.pairBytes, from, bound - extra);
  if (found + 1 < bound) f.bound = found + 1;
}

/**
 * Initial bound, so that the search rejects candidates from its first row: candidates that continue the sources of
 * neighbors, and some nearby ones. It does not select the match. The best match and all equal ones are below the bound.
 */
export function inpaintBound(filling: usize): i32 {
  const f = changetype<Filling>(filling);
  const width = f.width;
  let last = -1;
  for (let j = 0; j < f.rows; j++)
    for (let i = 0; i < f.columns; i++) {
      const x = f.left + i - f.boxX;
      const y = f.top + j - f.boxY;
      if (x < 0 || y < 0 || x >= f.boxWidth || y >= f.boxHeight) continue;
      const entry = load<u32>(f.origin + ((<usize>(y * f.boxWidth + x)) << 2));
      if (entry === KNOWN) continue;
      const from = <i32>(entry & 0xfffffff);
      const corner = from - (j * width + i);
      if (corner === last || from % width < i || corner < 0) continue;
      last = corner;
      tryCandidate(f, corner % width, corner / width);
    }
  const reach = 3 * max(f.columns, f.rows);
  for (let y = -reach; y <= reach; y += 3)
    for (let x = -reach; x <= reach; x += 3) tryCandidate(f, f.left + x, f.top + y);
  return 0;
}
