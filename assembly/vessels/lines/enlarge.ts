// Reduced planes for coarse scales, and the combination of their responses at the size of the working plane.

/** Means of 2 x 2 samples, output rows y0..y1-1. A last row or column without a partner counts twice. */
export function halveF32(
  source: usize,
  sourceStride: i32,
  width: i32,
  height: i32,
  target: usize,
  targetStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const quarter = f32x4.splat(0.25);
  for (let y = y0; y < y1; y++) {
    const a = source + <usize>(2 * y * sourceStride);
    const b = source + <usize>(min(2 * y + 1, height - 1) * sourceStride);
    const out = target + <usize>(y * targetStride);
    for (let x: usize = 0, end = (<usize>(width >> 1)) << 2; x < end; x += 16) {
      const low = f32x4.add(v128.load(a + 2 * x), v128.load(b + 2 * x));
      const high = f32x4.add(v128.load(a + 2 * x, 16), v128.load(b + 2 * x, 16));
      const even = v128.shuffle<i32>(low, high, 0, 2, 4, 6);
      const odd = v128.shuffle<i32>(low, high, 1, 3, 5, 7);
      v128.store(out + x, f32x4.mul(quarter, f32x4.add(even, odd)));
    }
    if (width & 1) {
      const i = (<usize>(width - 1)) << 2;
      store<f32>(out + ((<usize>(width >> 1)) << 2), <f32>0.5 * (load<f32>(a + i) + load<f32>(b + i)));
    }
  }
  return 0;
}

/**
 * Row y of an image of integers, reduced by `block`, interpolated between its rows, with one padding sample at both
 * ends.
 */
function between(source: usize, stride: i32, columns: i32, rows: i32, block: i32, y: i32, line: usize): void {
  const v = min(max((<f32>y + 0.5) / <f32>block - 0.5, <f32>0), <f32>(rows - 1));
  const top = <i32>v;
  const t = f32x4.splat(v - <f32>top);
  const a = source + <usize>(top * stride);
  const b = source + <usize>(min(top + 1, rows - 1) * stride);
  for (let x = 0; x < columns; x += 4) {
    const upper = f32x4.convert_i32x4_s(v128.load16x4_s(a + ((<usize>x) << 1)));
    const lower = f32x4.convert_i32x4_s(v128.load16x4_s(b + ((<usize>x) << 1)));
    v128.store(line + ((<usize>x) << 2), f32x4.add(upper, f32x4.mul(t, f32x4.sub(lower, upper))));
  }
  store<f32>(line - 4, load<f32>(line));
  const last = line + ((<usize>(columns - 1)) << 2);
  store<f32>(last + 4, load<f32>(last));
  store<f32>(last + 8, load<f32>(last));
}

/** Pixels x..x+3 of a row enlarged `block` (2, 4 or 8) times by linear interpolation. */
function enlarged(line: usize, x: i32, block: i32): v128 {
  const p = line + ((<usize>(x / block)) << 2);
  if (block == 2) {
    const near = v128.load(p - 4);
    const own = v128.shuffle<i32>(near, near, 1, 1, 2, 2);
    return f32x4.add(own, f32x4.mul(f32x4.splat(0.25), f32x4.sub(v128.shuffle<i32>(near, near, 0, 2, 1, 3), own)));
  }
  const own = v128.load32_splat(p);
  const before = v128.load32_splat(p - 4);
  const after = v128.load32_splat(p + 4);
  if (block == 4)
    return f32x4.add(
      own,
      f32x4.mul(f32x4(0.375, 0.125, 0.125, 0.375), f32x4.sub(v128.shuffle<i32>(before, after, 0, 1, 4, 5), own)),
    );
  return (x & 7) == 0
    ? f32x4.add(own, f32x4.mul(f32x4(0.4375, 0.3125, 0.1875, 0.0625), f32x4.sub(before, own)))
    : f32x4.add(own, f32x4.mul(f32x4(0.0625, 0.1875, 0.3125, 0.4375), f32x4.sub(after, own)));
}

/**
 * Adds `weight` times a response of integers, reduced by `block` (1, 2, 4 or 8), under the mask, or overwrites the
 * target.
 */
export function accumulateLines(
  source: usize,
  sourceStride: i32,
  columns: i32,
  rows: i32,
  block: i32,
  mask: usize,
  maskStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  weight: f32,
  fresh: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const factor = f32x4.splat(weight);
  const line = scratch + 16;
  for (let y = y0; y < y1; y++) {
    const row = source + <usize>(y * sourceStride);
    if (block > 1) between(source, sourceStride, columns, rows, block, y, line);
    const m = mask + <usize>(y * maskStride);
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x += 4) {
      const inside = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(m + x)));
      const value =
        block > 1 ? enlarged(line, x, block) : f32x4.convert_i32x4_s(v128.load16x4_s(row + ((<usize>x) << 1)));
      const part = v128.and(inside, f32x4.mul(factor, value));
      const q = out + ((<usize>x) << 2);
      v128.store(q, fresh ? part : f32x4.add(v128.load(q), part));
    }
  }
  return 0;
}

export function accumulateLinesScratch(columns: i32): i32 {
  return 4 * columns + 128;
}

/** Converts non-negative half floats to floats times `factor` under the mask, otherwise 0. */
export function halfValues(
  source: usize,
  sourceStride: i32,
  mask: usize,
  maskStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  factor: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  // Exponents of halves start 112 below those of floats.
  const scale = f32x4.splat(factor * reinterpret<f32>(0x77800000));
  for (let y = y0; y < y1; y++) {
    const p = source + <usize>(y * sourceStride);
    const m = mask + <usize>(y * maskStride);
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x += 4) {
      const inside = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(m + x)));
      const value = f32x4.mul(scale, i32x4.shl(v128.load16x4_u(p + ((<usize>x) << 1)), 13));
      v128.store(out + ((<usize>x) << 2), v128.and(inside, value));
    }
  }
  return 0;
}
