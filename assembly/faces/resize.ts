// Bilinear reduction of an 8-bit image like OpenCV's INTER_LINEAR_EXACT: weights of 8 bits, 16 bits between the passes,
// one rounding at the end. Tables from src/faces/resize.ts: for each column the byte offset of the left sample and the
// weight of the right one, and the equivalent for each row.

/** One source row, horizontally interpolated, to 16-bit samples. */
function interpolateRow(source: usize, columns: usize, out: usize, width: i32): void {
  for (let x = 0; x < width; x++) {
    const t = columns + ((<usize>x) << 3);
    const s = source + load<u32>(t);
    const a = <i32>load<u8>(s);
    store<u16>(out + ((<usize>x) << 1), (a << 8) + (<i32>load<u8>(s, 1) - a) * load<i32>(t, 4));
  }
}

/** Two rows of 16-bit samples. */
export function resizeExactScratch(width: i32): i32 {
  return 2 * ((2 * width + 31) & ~31) + 64;
}

/** Rows y0..y1-1 of the reduced image. */
export function resizeExact(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  columns: usize,
  rows: usize,
  sourceHeight: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const pitch = <usize>((width * 2 + 31) & ~31);
  let upper = scratch;
  let lower = scratch + pitch;
  let upperRow = -1;
  let lowerRow = -1;
  for (let y = y0; y < y1; y++) {
    const t = rows + ((<usize>y) << 3);
    const row = load<i32>(t);
    const next = min(row + 1, sourceHeight - 1);
    if (lowerRow == row) {
      const swap = upper;
      upper = lower;
      lower = swap;
      upperRow = row;
      lowerRow = -1;
    }
    if (upperRow != row) interpolateRow(source + <usize>(row * sourceStride), columns, upper, width);
    if (lowerRow != next) interpolateRow(source + <usize>(next * sourceStride), columns, lower, width);
    upperRow = row;
    lowerRow = next;
    const below = i16x8.splat(<i16>load<i32>(t, 4));
    const above = i16x8.splat(<i16>(256 - load<i32>(t, 4)));
    const half = i32x4.splat(32768);
    const out = target + <usize>(y * targetStride);
    for (let x: usize = 0; x < <usize>width; x += 8) {
      const a = v128.load(upper + (x << 1));
      const b = v128.load(lower + (x << 1));
      const low = i32x4.add(i32x4.add(i32x4.extmul_low_i16x8_u(a, above), i32x4.extmul_low_i16x8_u(b, below)), half);
      const high = i32x4.add(i32x4.add(i32x4.extmul_high_i16x8_u(a, above), i32x4.extmul_high_i16x8_u(b, below)), half);
      const sum = i16x8.narrow_i32x4_u(i32x4.shr_u(low, 16), i32x4.shr_u(high, 16));
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(sum, sum), 0);
    }
  }
  return 0;
}

/** Halves an image with rounded means of 2x2 pixels. An odd last row or column is ignored. */
export function halve(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const a = source + <usize>(2 * y * sourceStride);
    const b = a + sourceStride;
    const out = target + <usize>(y * targetStride);
    for (let x: usize = 0; x < <usize>width; x += 8) {
      const sum = i16x8.add(
        i16x8.extadd_pairwise_i8x16_u(v128.load(a + (x << 1))),
        i16x8.extadd_pairwise_i8x16_u(v128.load(b + (x << 1))),
      );
      const mean = i16x8.shr_u(i16x8.add(sum, i16x8.splat(2)), 2);
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(mean, mean), 0);
    }
  }
  return 0;
}

/** Even columns of 32-bit samples first, then the odd ones, so that every second window is adjacent in memory. */
export function splitColumns(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const half = targetStride >> 1;
  for (let y = y0; y < y1; y++) {
    const s = source + <usize>(y * sourceStride);
    const out = target + <usize>(y * targetStride);
    for (let x: usize = 0; x < <usize>width; x += 8) {
      const a = v128.load(s + (x << 2));
      const b = v128.load(s + (x << 2), 16);
      v128.store(out + (x << 1), i32x4.shuffle(a, b, 0, 2, 4, 6));
      v128.store(out + half + (x << 1), i32x4.shuffle(a, b, 1, 3, 5, 7));
    }
  }
  return 0;
}
