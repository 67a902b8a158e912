// Votes for circles, computed by gathering instead of casting. With one offset per direction, the votes of a center are
// the number of directions with an edge at that offset: a sum of shifted one-bit images. 128 centers are summed at a
// time in bit-sliced counters (plane i contains bit i of 128 counts), eight directions per step by carry-save adders.
// The cost does not depend on the number of edges, and no accumulator is needed. A vector whose counts can no longer
// meet the threshold is skipped early.

/**
 * Converts an edge image to bits with zeros around it, in eight copies shifted by 0 to 7 bits. An edge is a sample that
 * has one of the bits of `which`.
 */
export function edgeBits(
  source: usize,
  sourceStride: i32,
  which: i32,
  bits: usize,
  bitsStride: i32,
  copyBytes: i32,
  width: i32,
  height: i32,
  padBytes: i32,
  padRows: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const wanted = i8x16.splat(<i8>which);
  for (let row = y0; row < y1; row++) {
    const out = bits + <usize>(row * bitsStride);
    memory.fill(out, 0, bitsStride);
    const y = row - padRows;
    if (y >= 0 && y < height) {
      const s = source + <usize>(y * sourceStride);
      let p = out + <usize>padBytes;
      for (let x = 0; x < width; x += 16, p += 2) {
        let mask = i8x16.bitmask(i8x16.ne(v128.and(v128.load(s + x), wanted), i64x2.splat(0)));
        if (width - x < 16) mask &= (1 << (width - x)) - 1;
        store<u16>(p, <u16>mask);
      }
    }
    for (let shift: u64 = 1; shift < 8; shift++) {
      const copy = out + <usize>copyBytes * <usize>shift;
      for (let i = 0; i < bitsStride; i += 8) {
        const next = i + 8 < bitsStride ? load<u64>(out + i, 8) : 0;
        store<u64>(copy + i, (load<u64>(out + i) >> shift) | (next << (64 - shift)));
      }
    }
  }
  return 0;
}

/** Mask of the counts, out of 128 in bit planes, that are at least `least`. */
function atLeast(
  p0: v128,
  p1: v128,
  p2: v128,
  p3: v128,
  p4: v128,
  p5: v128,
  p6: v128,
  p7: v128,
  p8: v128,
  least: i32,
): v128 {
  // Starting at the last bit: greater or equal so far, unless this bit decides otherwise.
  let ge = i64x2.splat(-1);
  ge = least & 1 ? v128.and(ge, p0) : v128.or(ge, p0);
  ge = least & 2 ? v128.and(ge, p1) : v128.or(ge, p1);
  ge = least & 4 ? v128.and(ge, p2) : v128.or(ge, p2);
  ge = least & 8 ? v128.and(ge, p3) : v128.or(ge, p3);
  ge = least & 16 ? v128.and(ge, p4) : v128.or(ge, p4);
  ge = least & 32 ? v128.and(ge, p5) : v128.or(ge, p5);
  ge = least & 64 ? v128.and(ge, p6) : v128.or(ge, p6);
  ge = least & 128 ? v128.and(ge, p7) : v128.or(ge, p7);
  return least & 256 ? v128.and(ge, p8) : v128.or(ge, p8);
}

/** The count of center `i` of the 128, from nine stored planes. */
function countAt(planes: usize, i: i32): i32 {
  const byte = planes + <usize>(i >> 3);
  let count = 0;
  for (let plane: usize = 0; plane < 9; plane++)
    count |= (((<i32>load<u8>(byte + (plane << 4))) >> (i & 7)) & 1) << (<i32>plane);
  return count;
}

/** The nine planes of a vector of counters. */
export function circleVotesScratch(): i32 {
  return 144;
}

/**
 * Centers in [x0, x1) x [top, bottom) of the circles with radius index y0..y1-1. `bits`: see edgeBits, the address of
 * the edge image's first pixel. `offsets`: `directions` distances in bytes for each radius. With `capacity` 0 only the
 * best center of a radius, the first of equals in raster order, unless another radius has more votes (`best`: address
 * of the maximum so far). Otherwise all centers with at least `least` votes, up to the capacity. Results are at results
 * + radius index * (16 + 8 * capacity). They contain the number, and x, y and votes of the best. Then follow x, y,
 * votes in 16 bits each and 16 unused ones. At most 511 directions.
 */
export function circleVotes(
  bits: usize,
  bitsStride: i32,
  offsets: usize,
  directions: i32,
  x0: i32,
  x1: i32,
  top: i32,
  bottom: i32,
  least: i32,
  best: usize,
  capacity: i32,
  results: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const blocks = directions & ~7;
  for (let radius = y0; radius < y1; radius++) {
    const table = offsets + <usize>((radius * directions) << 2);
    const endOfBlocks = table + <usize>(blocks << 2);
    const endOfTable = table + <usize>(directions << 2);
    const result = results + <usize>radius * <usize>(16 + 8 * capacity);
    let found = 0;
    let bestX = 0;
    let bestY = 0;
    let bestVotes = 0;
    for (let y = top; y < bottom; y++) {
      for (let x = x0 & ~7; x < x1; x += 128) {
        let wanted = least;
        if (!capacity) wanted = max(wanted, max(bestVotes + 1, load<i32>(best)));
        const p = bits + <usize>(y * bitsStride + (x >> 3));
        let p0 = i64x2.splat(0);
        let p1 = p0;
        let p2 = p0;
        let p3 = p0;
        let p4 = p0;
        let p5 = p0;
        let p6 = p0;
        let p7 = p0;
        let p8 = p0;
        // This number of directions may miss before a check of the counts can decide anything.
        let look = table + <usize>(max(directions - wanted + 2, 0) << 2);
        let t = table;
        for (; t < endOfBlocks; t += 32) {
          if (t >= look) {
            const need = wanted - <i32>((endOfTable - t) >> 2);
            if (!v128.any_true(atLeast(p0, p1, p2, p3, p4, p5, p6, p7, p8, need))) break;
            look = t + 64;
          }
          let a = v128.load(p + <usize>load<i32>(t));
          let b = v128.load(p + <usize>load<i32>(t, 4));
          let u = v128.xor(a, b);
          let twosA = v128.or(v128.and(a, b), v128.and(u, p0));
          p0 = v128.xor(p0, u);
          a = v128.load(p + <usize>load<i32>(t, 8));
          b = v128.load(p + <usize>load<i32>(t, 12));
          u = v128.xor(a, b);
          let twosB = v128.or(v128.and(a, b), v128.and(u, p0));
          p0 = v128.xor(p0, u);
          u = v128.xor(twosA, twosB);
          const foursA = v128.or(v128.and(twosA, twosB), v128.and(u, p1));
          p1 = v128.xor(p1, u);
          a = v128.load(p + <usize>load<i32>(t, 16));
          b = v128.load(p + <usize>load<i32>(t, 20));
          u = v128.xor(a, b);
          twosA = v128.or(v128.and(a, b), v128.and(u, p0));
          p0 = v128.xor(p0, u);
          a = v128.load(p + <usize>load<i32>(t, 24));
          b = v128.load(p + <usize>load<i32>(t, 28));
          u = v128.xor(a, b);
          twosB = v128.or(v128.and(a, b), v128.and(u, p0));
          p0 = v128.xor(p0, u);
          u = v128.xor(twosA, twosB);
          const foursB = v128.or(v128.and(twosA, twosB), v128.and(u, p1));
          p1 = v128.xor(p1, u);
          u = v128.xor(foursA, foursB);
          let carry = v128.or(v128.and(foursA, foursB), v128.and(u, p2));
          p2 = v128.xor(p2, u);
          if (v128.any_true(carry)) {
            u = v128.and(p3, carry);
            p3 = v128.xor(p3, carry);
            carry = v128.and(p4, u);
            p4 = v128.xor(p4, u);
            u = v128.and(p5, carry);
            p5 = v128.xor(p5, carry);
            carry = v128.and(p6, u);
            p6 = v128.xor(p6, u);
            u = v128.and(p7, carry);
            p7 = v128.xor(p7, carry);
            p8 = v128.xor(p8, u);
          }
        }
        if (t < endOfBlocks) continue;
        for (; t < endOfTable; t += 4) {
          let u = v128.load(p + <usize>load<i32>(t));
          let carry = v128.and(p0, u);
          p0 = v128.xor(p0, u);
          u = v128.and(p1, carry);
          p1 = v128.xor(p1, carry);
          carry = v128.and(p2, u);
          p2 = v128.xor(p2, u);
          if (!v128.any_true(carry)) continue;
          u = v128.and(p3, carry);
          p3 = v128.xor(p3, carry);
          carry = v128.and(p4, u);
          p4 = v128.xor(p4, u);
          u = v128.and(p5, carry);
          p5 = v128.xor(p5, carry);
          carry = v128.and(p6, u);
          p6 = v128.xor(p6, u);
          u = v128.and(p7, carry);
          p7 = v128.xor(p7, carry);
          p8 = v128.xor(p8, u);
        }
        const enough = atLeast(p0, p1, p2, p3, p4, p5, p6, p7, p8, wanted);
        if (!v128.any_true(enough)) continue;
        v128.store(scratch, p0);
        v128.store(scratch, p1, 16);
        v128.store(scratch, p2, 32);
        v128.store(scratch, p3, 48);
        v128.store(scratch, p4, 64);
        v128.store(scratch, p5, 80);
        v128.store(scratch, p6, 96);
        v128.store(scratch, p7, 112);
        v128.store(scratch, p8, 128);
        for (let half = 0; half < 2; half++) {
          let mask = half ? i64x2.extract_lane(enough, 1) : i64x2.extract_lane(enough, 0);
          for (; mask; mask &= mask - 1) {
            const i = <i32>ctz(mask) + (half << 6);
            const at = x + i;
            if (at < x0 || at >= x1) continue;
            const votes = countAt(scratch, i);
            if (capacity && found < capacity) {
              const entry = result + 16 + ((<usize>found) << 3);
              store<u16>(entry, <u16>at);
              store<u16>(entry, <u16>y, 2);
              store<u16>(entry, <u16>votes, 4);
            }
            found++;
            if (votes <= bestVotes) continue;
            bestVotes = votes;
            bestX = at;
            bestY = y;
            // Another thread may overwrite this with a smaller number. That costs time but never loses a circle.
            if (votes > load<i32>(best)) store<i32>(best, votes);
          }
        }
      }
    }
    store<i32>(result, found);
    store<i32>(result, bestX, 4);
    store<i32>(result, bestY, 8);
    store<i32>(result, bestVotes, 12);
  }
  return 0;
}
