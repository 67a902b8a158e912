// Gaussian smoothing of 8-bit images, byte for byte as OpenCV: an integer kernel of sum 256, no rounding between the
// passes, (sum + 32768) >> 16 at the end, border replicated.
//
// Rows first: 16-bit sums v, at most 65280. Stored as v - 32640 they are signed 16-bit, and since the taps sum to 256
// the columns' sums of them are S - 256 * 32640 = S + 2^15 - 2^23: rounding and bias in one, the result is the high
// half plus 128. Two rows are stored interleaved, so one 16-bit dot product takes two taps, and the pairs of rows are
// shared by the two output rows that are made at a time.

const EDGE: i32 = 64; // room for the replicated border in a padded row

/** Copies a row with `radius` (at most 63) replicated samples on both sides; returns the address of its sample 0. */
function padRow(row: usize, width: i32, radius: i32, out: usize): usize {
  const start = out + EDGE;
  memory.fill(out, load<u8>(row), EDGE);
  for (let x = 0; x < width; x += 16) v128.store(start + x, v128.load(row + x));
  memory.fill(start + width, load<u8>(row + width - 1), radius + 32);
  return start;
}

/** 16 horizontal sums of taps q[0] (centre) ... q[radius], less 32640. */
function rowSums(s: usize, taps: usize, radius: i32): v128 {
  let sum = i16x8.mul(v128.load8x8_u(s), i16x8.splat(load<i16>(taps)));
  for (let i = 1; i <= radius; i++)
    sum = i16x8.add(
      sum,
      i16x8.mul(i16x8.add(v128.load8x8_u(s + i), v128.load8x8_u(s - i)), i16x8.splat(load<i16>(taps + (i << 1)))),
    );
  return i16x8.sub(sum, i16x8.splat(32640));
}

/** Filters the rows `a` and `b` (padded) and stores them interleaved: a0 b0 a1 b1 ... */
function filterPair(a: usize, b: usize, out: usize, width: i32, taps: usize, radius: i32): void {
  if (radius == 2) {
    const t0 = i16x8.splat(load<i16>(taps));
    const t1 = i16x8.splat(load<i16>(taps, 2));
    const t2 = i16x8.splat(load<i16>(taps, 4));
    const bias = i16x8.splat(32640);
    for (let x = 0; x < width; x += 8, a += 8, b += 8, out += 32) {
      const p = i16x8.sub(
        i16x8.add(
          i16x8.mul(v128.load8x8_u(a), t0),
          i16x8.add(
            i16x8.mul(i16x8.add(v128.load8x8_u(a - 1), v128.load8x8_u(a, 1)), t1),
            i16x8.mul(i16x8.add(v128.load8x8_u(a - 2), v128.load8x8_u(a, 2)), t2),
          ),
        ),
        bias,
      );
      const q = i16x8.sub(
        i16x8.add(
          i16x8.mul(v128.load8x8_u(b), t0),
          i16x8.add(
            i16x8.mul(i16x8.add(v128.load8x8_u(b - 1), v128.load8x8_u(b, 1)), t1),
            i16x8.mul(i16x8.add(v128.load8x8_u(b - 2), v128.load8x8_u(b, 2)), t2),
          ),
        ),
        bias,
      );
      v128.store(out, i16x8.shuffle(p, q, 0, 8, 1, 9, 2, 10, 3, 11));
      v128.store(out, i16x8.shuffle(p, q, 4, 12, 5, 13, 6, 14, 7, 15), 16);
    }
    return;
  }
  for (let x = 0; x < width; x += 8, a += 8, b += 8, out += 32) {
    const p = rowSums(a, taps, radius);
    const q = rowSums(b, taps, radius);
    v128.store(out, i16x8.shuffle(p, q, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(out, i16x8.shuffle(p, q, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}

/** Tap i of the whole kernel, 0 outside of it. */
function tap(taps: usize, radius: i32, i: i32): i32 {
  const distance = i < radius ? radius - i : i - radius;
  return i < 0 || distance > radius ? 0 : <i32>load<u16>(taps + ((<usize>distance) << 1));
}

/** The taps i and i + 1 as one pair for the dot product. */
function tapPair(taps: usize, radius: i32, i: i32): v128 {
  return i32x4.splat((tap(taps, radius, i) & 0xffff) | (tap(taps, radius, i + 1) << 16));
}

/** High halves of 16 sums, as bytes: the sums carry rounding and a bias of 128 already. */
function pack(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.xor(
    i8x16.narrow_i16x8_s(
      i16x8.narrow_i32x4_s(i32x4.shr_s(a, 16), i32x4.shr_s(b, 16)),
      i16x8.narrow_i32x4_s(i32x4.shr_s(c, 16), i32x4.shr_s(d, 16)),
    ),
    i8x16.splat(-128),
  );
}

/** Output row from `count` interleaved row pairs of a ring, first pair `first`; tap number of its first row `shift`. */
function columns(
  ring: usize,
  ringSize: i32,
  pitch: i32,
  first: i32,
  count: i32,
  taps: usize,
  radius: i32,
  shift: i32,
  dst: usize,
  width: i32,
): void {
  for (let x = 0; x < width; x += 16) {
    let a = i32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let i = 0; i < count; i++) {
      const p = ring + <usize>(((first + i) % ringSize) * pitch + (x << 2));
      const t = tapPair(taps, radius, 2 * i + shift);
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(p), t));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(p, 16), t));
      c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load(p, 32), t));
      d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load(p, 48), t));
    }
    v128.store(dst + x, pack(a, b, c, d));
  }
}

/** The same for five taps, that is three pairs: both output rows (the second one unless it is 0) from one read. */
function columns5(p0: usize, p1: usize, p2: usize, taps: usize, dst: usize, next: usize, width: i32): void {
  const a0 = tapPair(taps, 2, 0);
  const a1 = tapPair(taps, 2, 2);
  const a2 = tapPair(taps, 2, 4);
  const b0 = tapPair(taps, 2, -1);
  const b1 = tapPair(taps, 2, 1);
  const b2 = tapPair(taps, 2, 3);
  for (let x = 0; x < width; x += 8, p0 += 32, p1 += 32, p2 += 32) {
    const u0 = v128.load(p0);
    const u1 = v128.load(p1);
    const u2 = v128.load(p2);
    const v0 = v128.load(p0, 16);
    const v1 = v128.load(p1, 16);
    const v2 = v128.load(p2, 16);
    const s = i16x8.narrow_i32x4_s(
      i32x4.shr_s(
        i32x4.add(i32x4.add(i32x4.dot_i16x8_s(u0, a0), i32x4.dot_i16x8_s(u1, a1)), i32x4.dot_i16x8_s(u2, a2)),
        16,
      ),
      i32x4.shr_s(
        i32x4.add(i32x4.add(i32x4.dot_i16x8_s(v0, a0), i32x4.dot_i16x8_s(v1, a1)), i32x4.dot_i16x8_s(v2, a2)),
        16,
      ),
    );
    const t = i16x8.narrow_i32x4_s(
      i32x4.shr_s(
        i32x4.add(i32x4.add(i32x4.dot_i16x8_s(u0, b0), i32x4.dot_i16x8_s(u1, b1)), i32x4.dot_i16x8_s(u2, b2)),
        16,
      ),
      i32x4.shr_s(
        i32x4.add(i32x4.add(i32x4.dot_i16x8_s(v0, b0), i32x4.dot_i16x8_s(v1, b1)), i32x4.dot_i16x8_s(v2, b2)),
        16,
      ),
    );
    const both = v128.xor(i8x16.narrow_i16x8_s(s, t), i8x16.splat(-128));
    v128.store64_lane(dst + x, both, 0);
    v128.store64_lane(next + x, both, 1);
  }
}

/**
 * Rows y0..y1-1 of the smoothed image. `taps`: address of radius + 1 16-bit integers, the centre first; the whole
 * kernel sums to 256; radius 0 to 31. `pitch` = 64 + stride of the row; scratch: 2 * (128 + srcStride) bytes
 * and (radius + 2) ring rows of 4 * (srcStride + 16) bytes.
 */
export function gaussian(
  src: usize,
  srcStride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const padded = srcStride + 2 * EDGE;
  const rowA = scratch;
  const rowB = scratch + padded;
  const ring = rowB + padded;
  const pitch = (srcStride + 16) << 2;
  const pairs = radius + 1; // rows y - radius ... y + 1 + radius
  const ringSize = pairs + 1;
  let made = 0; // pair i holds the rows y0 - radius + 2 i and the next one
  for (let y = y0, n = 0; y < y1; y += 2, n++) {
    for (; made < n + pairs; made++) {
      const r = y0 - radius + 2 * made;
      const a = padRow(src + <usize>(min(max(r, 0), height - 1) * srcStride), width, radius, rowA);
      const b = padRow(src + <usize>(min(max(r + 1, 0), height - 1) * srcStride), width, radius, rowB);
      filterPair(a, b, ring + <usize>((made % ringSize) * pitch), width, taps, radius);
    }
    const out = dst + <usize>(y * dstStride);
    const more = y + 1 < y1;
    if (radius == 2) {
      const p0 = ring + <usize>((n % ringSize) * pitch);
      const p1 = ring + <usize>(((n + 1) % ringSize) * pitch);
      const p2 = ring + <usize>(((n + 2) % ringSize) * pitch);
      columns5(p0, p1, p2, taps, out, more ? out + dstStride : rowA, width);
    } else {
      columns(ring, ringSize, pitch, n, pairs, taps, radius, 0, out, width);
      if (more) columns(ring, ringSize, pitch, n, pairs, taps, radius, -1, out + dstStride, width);
    }
  }
  return 0;
}
