// Means of blocks of factor x factor samples, rounded half up: reduces an image by an integer factor, without the
// aliasing caused by dropping samples. The remainder at the right and the lower edge is ignored.

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
 * Means of 2 x 2, 16 at a time: sums of at most 4 * 255 fit u16, so no intermediate row is needed. It reads only up to
 * the next 16 bytes of the source, because memory after its last row may not belong to it.
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

/** Four blocks of three columns: three bytes and an empty one, where a swizzle yields 0. */
const threes = i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
/** `threes` for a load four bytes earlier, so that nothing after the blocks is read. */
const threesLate = i8x16(4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1);

/** For four blocks of 3 columns and rows: alternating sums of the first two columns and of the third. */
function nines(from: usize, stride: usize, places: v128): v128 {
  const a = i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(v128.load(from), places));
  const b = i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(v128.load(from + stride), places));
  const c = i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(v128.load(from + (stride << 1)), places));
  return i16x8.add(i16x8.add(a, b), c);
}

/** For four blocks of 4 columns and rows: sums of two columns each. */
function sixteens(from: usize, stride: usize): v128 {
  const a = i16x8.extadd_pairwise_i8x16_u(v128.load(from));
  const b = i16x8.extadd_pairwise_i8x16_u(v128.load(from + stride));
  const c = i16x8.extadd_pairwise_i8x16_u(v128.load(from + (stride << 1)));
  const d = i16x8.extadd_pairwise_i8x16_u(v128.load(from + (stride << 1) + stride));
  return i16x8.add(i16x8.add(a, b), i16x8.add(c, d));
}

/** Sums of eight blocks from the sums of their halves. */
function joined(low: v128, high: v128): v128 {
  return i16x8.narrow_i32x4_u(i32x4.extadd_pairwise_i16x8_u(low), i32x4.extadd_pairwise_i16x8_u(high));
}

/**
 * Means of 16 blocks of 3 x 3. A ninth, rounded: 3641 / 32768 is too large by less than 0.008 gray levels, and no sum
 * is closer to a half than 0.05.
 */
function means9(from: usize, stride: usize): v128 {
  const ninth = i16x8.splat(3641);
  const low = joined(nines(from, stride, threes), nines(from + 12, stride, threes));
  const high = joined(nines(from + 24, stride, threes), nines(from + 32, stride, threesLate));
  return i8x16.narrow_i16x8_u(i16x8.q15mulr_sat_s(low, ninth), i16x8.q15mulr_sat_s(high, ninth));
}

/** Means of 16 blocks of 4 x 4. */
function means16(from: usize, stride: usize): v128 {
  const half = i16x8.splat(8);
  const low = joined(sixteens(from, stride), sixteens(from + 16, stride));
  const high = joined(sixteens(from + 32, stride), sixteens(from + 48, stride));
  return i8x16.narrow_i16x8_u(i16x8.shr_u(i16x8.add(low, half), 4), i16x8.shr_u(i16x8.add(high, half), 4));
}

/** A row of means of 3 x 3 or 4 x 4, at least 16. If they do not fill the last vector, it overlaps the previous one. */
function reduceBlocks(source: usize, stride: usize, target: usize, width: i32, factor: i32): void {
  for (let x = 0; x < width; x += 16) {
    const at = <usize>min(x, width - 16);
    const means = factor == 3 ? means9(source + at * 3, stride) : means16(source + (at << 2), stride);
    v128.store(target + at, means);
  }
}

/**
 * Rows y0..y1-1 of the target, `width` samples each. The source has at least factor * width samples per row, and factor
 * rows per target row. factor 1 to 16.
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
    if ((factor == 3 || factor == 4) && width >= 16) {
      reduceBlocks(from, <usize>sourceStride, to, width, factor);
      continue;
    }
    sumRows(from, sourceStride, scratch, width * factor, factor);
    let at = scratch;
    for (let x: usize = 0; x < <usize>width; x++) {
      let sum = half;
      for (const end = at + ((<usize>factor) << 1); at < end; at += 2) sum += <u32>load<u16>(at);
      store<u8>(to + x, (sum * inverse) >> 24);
    }
  }
  return 0;
}

/** Bytes for a row of sums, and for reads beyond it. */
export function shrinkScratch(width: i32, factor: i32): i32 {
  return 2 * width * factor + 128;
}
