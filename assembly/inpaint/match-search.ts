// Best match of a patch among all candidates: minimum SSD over the known pixels plus, if requested, a penalty for its
// distance in the image. Ties in raster order.
//
// Eight candidates at a time. Over a block of n pixels, n * sum d^2 >= (sum d)^2 (Cauchy-Schwarz). The differences of
// the block sums, computed once, are therefore a lower bound of the SSD: 27 samples at the cost of one pixel. First two
// blocks, then the others, then the SSD itself for the few remaining candidates. Rejection does not change the result.

import { distance, penalty } from './match-distance';
import { BLOCK, Filling, FIRST_PAIR } from './picture-record';

/** Number of blocks before the first check. */
const FIRST: i32 = 2;

/** The largest scaled bound for the comparison of signed lanes. */
function limitOf(bound: u32, area: i32): v128 {
  return i32x4.splat(<i32>min<u64>(<u64>bound * <u64>area, 0x7fffffff));
}

/**
 * The candidates of the filling, distributed over `hands`: step i is row (i mod per) * hands + i / per with per =
 * ceil(rows / hands). Each band of steps then has rows from all over the image, at similar distances from the patch.
 * Writes the best candidate of each row to `best` (SSD and penalty as u32, x as i32). It is 0xffffffff if no candidate
 * is below the bound and better than the best so far. The first of equals in raster order is included.
 */
export function inpaintSearch(filling: usize, hands: i32, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const x0 = f.x0;
  const x1 = f.x1;
  const firstRow = f.y0;
  const rows = f.y1 - firstRow;
  const blocks = f.lists;
  const pairs = blocks + FIRST_PAIR;
  const pairsEnd = pairs + <usize>f.pairBytes;
  const count = f.blocks;
  const middle = blocks + <usize>min(count, FIRST) * BLOCK;
  const blocksEnd = blocks + <usize>count * BLOCK;
  const area = f.blockSide * f.blockSide;
  const weight = f.weight;
  const targetX = f.left;
  const targetY = f.top;
  const per = (rows + hands - 1) / hands;
  // Rows of other threads may be further down. An equal candidate of theirs does not count.
  const slack: u32 = hands > 1 ? 1 : 0;
  let bestRow = -1;
  let bestAll: u32 = 0x7fffffff;
  for (let step = y0; step < y1; step++) {
    const row = (step % per) * hands + step / per;
    if (row >= rows) continue;
    // An equal candidate of a higher row is the first in raster order.
    let bound = min(bestAll + (row < bestRow ? 1 : 0), f.bound + slack);
    const y = firstRow + row;
    const entry = f.best + ((<usize>row) << 3);
    store<u32>(entry, 0xffffffff);
    const validRow = f.valid + <usize>(y * f.byteStride);
    const sumsRow = f.sums + <usize>(y * f.sumsStride);
    const sourceRow = f.source + <usize>(y * f.stride);
    const dy = y - targetY;
    if (penalty(weight, 0, dy) >= bound) continue; // even if no candidate can be better than the best
    for (let x = x0 & ~7; x < x1; x += 8) {
      let left = i8x16.bitmask(v128.load64_zero(validRow + x));
      if (left === 0) continue;
      if (x < x0) left &= 0xff << (x0 - x);
      if (x + 8 > x1) left &= 0xff >> (x + 8 - x1);
      const dx = x > targetX ? x - targetX : x + 7 < targetX ? x + 7 - targetX : 0;
      const least = penalty(weight, dx, dy);
      if (least >= bound) continue;
      const limit = limitOf(bound - least, area);
      const from = sumsRow + ((<usize>x) << 3);
      let a = i32x4.splat(0);
      let b = a;
      let c = a;
      let d = a;
      let low = a;
      let high = a;
      let block = blocks;
      let stop = middle;
      for (;;) {
        for (; block < stop; block += BLOCK) {
          const p = from + <usize>load<i32>(block);
          const target = v128.load(block, 16);
          const p0 = i16x8.sub(v128.load(p), target);
          const p1 = i16x8.sub(v128.load(p, 16), target);
          const p2 = i16x8.sub(v128.load(p, 32), target);
          const p3 = i16x8.sub(v128.load(p, 48), target);
          a = i32x4.add(a, i32x4.dot_i16x8_s(p0, p0));
          b = i32x4.add(b, i32x4.dot_i16x8_s(p1, p1));
          c = i32x4.add(c, i32x4.dot_i16x8_s(p2, p2));
          d = i32x4.add(d, i32x4.dot_i16x8_s(p3, p3));
        }
        low = i32x4.lt_s(i32x4.add(i32x4.shuffle(a, b, 0, 2, 4, 6), i32x4.shuffle(a, b, 1, 3, 5, 7)), limit);
        high = i32x4.lt_s(i32x4.add(i32x4.shuffle(c, d, 0, 2, 4, 6), i32x4.shuffle(c, d, 1, 3, 5, 7)), limit);
        if (stop === blocksEnd || !v128.any_true(v128.or(low, high))) break;
        stop = blocksEnd;
      }
      left &= i32x4.bitmask(low) | (i32x4.bitmask(high) << 4);
      while (left) {
        const at = x + ctz(left);
        left &= left - 1;
        const extra = penalty(weight, at - targetX, dy);
        if (extra >= bound) continue;
        const found = distance(pairs, pairsEnd, sourceRow + ((<usize>at) << 2), bound - extra) + extra;
        if (found >= bound) continue;
        bound = bestAll = found;
        bestRow = row;
        store<u32>(entry, found);
        store<i32>(entry, at, 4);
        // Another thread may overwrite this with a larger number. That costs time but never changes the match.
        if (found < f.bound) f.bound = found;
      }
    }
  }
  return 0;
}
