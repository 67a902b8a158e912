// The mean of blocks of factor x factor samples, rounded half up: an image at a whole fraction of its size, without the
// false structure that dropping samples brings. What is left over at the right and the lower edge is not used.

/** Sums of `factor` rows of bytes, u16: at most 16 * 255 each. */
function sumRows(source: usize, stride: i32, sums: usize, width: i32, factor: i32): void {
  for (let x: usize = 0; x < <usize>width; x += 16) {
    let low = i16x8.splat(0);
    let high = i16x8.splat(0);
    for (let k = 0; k < factor; k++) {
      const v = v128.load(source + <usize>(k * stride) + x);
      low = i16x8.add(low, i16x8.extend_low_i8x16_u(v));
      high = i16x8.add(high, i16x8.extend_high_i8x16_u(v));
    }
    v128.store(sums + (x << 1), low);
    v128.store(sums + (x << 1), high, 16);
  }
}

/**
 * Means of 2 x 2, 16 at a time: sums of at most 4 * 255 stay in u16, so nothing is kept in between. Of the source no more is
 * read than the next 16 bytes: what lies behind its last row may be nobody's.
 */
function halve(source: usize, stride: i32, target: usize, width: i32): void {
  const half = i16x8.splat(2);
  const below = source + <usize>stride;
  for (let x: usize = 0; x < <usize>width; x += 16) {
    const at = x << 1;
    const next = at + (<i32>x + 8 < width ? 16 : 0);
    let a = i16x8.extadd_pairwise_i8x16_u(v128.load(source + at));
    let b = i16x8.extadd_pairwise_i8x16_u(v128.load(source + next));
    a = i16x8.add(a, i16x8.extadd_pairwise_i8x16_u(v128.load(below + at)));
    b = i16x8.add(b, i16x8.extadd_pairwise_i8x16_u(v128.load(below + next)));
    a = i16x8.shr_u(i16x8.add(a, half), 2);
    b = i16x8.shr_u(i16x8.add(b, half), 2);
    v128.store(target + x, i8x16.narrow_i16x8_u(a, b));
  }
}

/** Sums of three neighbors, 8 at a time. */
function threes(sums: usize): v128 {
  const a = v128.load(sums);
  const b = v128.load(sums, 16);
  const c = v128.load(sums, 32);
  const first = i16x8.shuffle(i16x8.shuffle(a, b, 0, 3, 6, 9, 12, 15, 0, 0), c, 0, 1, 2, 3, 4, 5, 10, 13);
  const second = i16x8.shuffle(i16x8.shuffle(a, b, 1, 4, 7, 10, 13, 0, 0, 0), c, 0, 1, 2, 3, 4, 8, 11, 14);
  const third = i16x8.shuffle(i16x8.shuffle(a, b, 2, 5, 8, 11, 14, 0, 0, 0), c, 0, 1, 2, 3, 4, 9, 12, 15);
  return i16x8.add(i16x8.add(first, second), third);
}

/** Sums of two neighbors. */
function pairs(a: v128, b: v128): v128 {
  return i16x8.add(i16x8.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14), i16x8.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
}

/** Sums of four neighbors, 8 at a time. */
function fours(sums: usize): v128 {
  const low = pairs(v128.load(sums), v128.load(sums, 16));
  return pairs(low, pairs(v128.load(sums, 32), v128.load(sums, 48)));
}

/** Means of 3 x 3 or 4 x 4 from the sums of their rows, 8 at a time. */
function meansOf(sums: usize, target: usize, width: i32, factor: i32, inverse: u32): void {
  const half = i16x8.splat(<i16>((factor * factor) >> 1));
  const scale = i32x4.splat(inverse);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const at = sums + ((x * <usize>factor) << 1);
    const sum = i16x8.add(factor == 3 ? threes(at) : fours(at), half);
    const low = i32x4.shr_u(i32x4.mul(i32x4.extend_low_i16x8_u(sum), scale), 24);
    const high = i32x4.shr_u(i32x4.mul(i32x4.extend_high_i16x8_u(sum), scale), 24);
    const means = i16x8.narrow_i32x4_u(low, high);
    v128.store64_lane(target + x, i8x16.narrow_i16x8_u(means, means), 0);
  }
}

/**
 * Rows y0..y1-1 of the target, `width` samples each; the source has at least factor * width of them and factor rows a row.
 * factor 1 to 16.
 */
export function shrink(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  factor: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const area = factor * factor;
  // n / area = (n * inverse) >> 24 for every n up to 255.5 * 256: the error of the inverse stays below 1 / area.
  const inverse = <u32>((0x1000000 + area - 1) / area);
  const half = <u32>(area >> 1);
  for (let y = y0; y < y1; y++) {
    const to = target + <usize>(y * targetStride);
    const from = source + <usize>(y * factor * sourceStride);
    if (factor == 2) {
      halve(from, sourceStride, to, width);
      continue;
    }
    sumRows(from, sourceStride, scratch, width * factor, factor);
    if (factor <= 4 && factor > 2) {
      meansOf(scratch, to, width, factor, inverse);
      continue;
    }
    let at = scratch;
    for (let x: usize = 0; x < <usize>width; x++) {
      let sum = half;
      for (const end = at + ((<usize>factor) << 1); at < end; at += 2) sum += <u32>load<u16>(at);
      store<u8>(to + x, (sum * inverse) >> 24);
    }
  }
  return 0;
}

/** Bytes for a row of sums, and for what is read beyond it. */
export function shrinkScratch(width: i32, factor: i32): i32 {
  return 2 * width * factor + 128;
}
