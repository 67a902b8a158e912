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

/** Pairs of u16 sums to bytes, 16 at a time. */
function halvePairs(sums: usize, target: usize, width: i32): void {
  const half = i32x4.splat(2);
  for (let x: usize = 0; x < <usize>width; x += 16) {
    const at = sums + (x << 2);
    const a = i32x4.shr_u(i32x4.add(i32x4.extadd_pairwise_i16x8_u(v128.load(at)), half), 2);
    const b = i32x4.shr_u(i32x4.add(i32x4.extadd_pairwise_i16x8_u(v128.load(at, 16)), half), 2);
    const c = i32x4.shr_u(i32x4.add(i32x4.extadd_pairwise_i16x8_u(v128.load(at, 32)), half), 2);
    const d = i32x4.shr_u(i32x4.add(i32x4.extadd_pairwise_i16x8_u(v128.load(at, 48)), half), 2);
    v128.store(target + x, i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(a, b), i16x8.narrow_i32x4_u(c, d)));
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
    sumRows(source + <usize>(y * factor * sourceStride), sourceStride, scratch, width * factor, factor);
    if (factor == 2) {
      halvePairs(scratch, to, width);
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
