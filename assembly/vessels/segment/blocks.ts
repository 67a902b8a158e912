// Means over blocks of a photograph: brightness for the detection of the field of view, one channel for the working
// plane.

/** All bits set in the first `count` of four pixels. */
function firstPixels(count: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
}

/** Sums of red, green, blue and alpha of `count` (at most 512) pixels. */
function channelSums(p: usize, count: i32): v128 {
  let sums = i16x8.splat(0);
  let left = count;
  for (; left >= 4; left -= 4, p += 16) {
    const v = v128.load(p);
    sums = i16x8.add(sums, i16x8.add(i16x8.extend_low_i8x16_u(v), i16x8.extend_high_i8x16_u(v)));
  }
  if (left) {
    const v = v128.and(v128.load(p), firstPixels(left));
    sums = i16x8.add(sums, i16x8.add(i16x8.extend_low_i8x16_u(v), i16x8.extend_high_i8x16_u(v)));
  }
  return i32x4.add(i32x4.extend_low_i16x8_u(sums), i32x4.extend_high_i16x8_u(sums));
}

/** Sum of `count` bytes. */
function byteSum(p: usize, count: i32): i32 {
  let sum = 0;
  for (const end = p + <usize>count; p < end; p++) sum += load<u8>(p);
  return sum;
}

/**
 * Mean brightness of blocks of at most 512 x 512 pixels, output rows y0..y1-1: of the brightest channel, over every
 * `skip`-th row of a block. The last blocks may be smaller. `step`: bytes from one pixel to the next, 1 (gray) or 4.
 */
export function blockBrightness(
  source: usize,
  sourceStride: i32,
  step: i32,
  width: i32,
  height: i32,
  block: i32,
  skip: i32,
  target: usize,
  targetStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const top = y * block;
    const bottom = min(top + block, height);
    const rows = (bottom - top + skip - 1) / skip;
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x * block < width; x++) {
      const left = x * block;
      const count = min(block, width - left);
      let sum = 0;
      if (step > 1) {
        let sums = i32x4.splat(0);
        for (let r = top; r < bottom; r += skip)
          sums = i32x4.add(sums, channelSums(source + <usize>(r * sourceStride + 4 * left), count));
        sum = max(max(i32x4.extract_lane(sums, 0), i32x4.extract_lane(sums, 1)), i32x4.extract_lane(sums, 2));
      } else for (let r = top; r < bottom; r += skip) sum += byteSum(source + <usize>(r * sourceStride + left), count);
      store<f32>(out + ((<usize>x) << 2), <f32>sum / <f32>(count * rows));
    }
  }
  return 0;
}

/** Four samples of a channel as integers. `source`: the channel's first byte. */
function four(source: usize, step: i32, x: i32): v128 {
  if (step > 1) return v128.and(v128.load(source + ((<usize>x) << 2)), i32x4.splat(0xff));
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(source + <usize>x)));
}

/**
 * Means of one channel over whole blocks of `block` x `block`, output rows y0..y1-1. `source`: the channel's first
 * byte.
 */
export function blockMean(
  source: usize,
  sourceStride: i32,
  step: i32,
  block: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const scale: f32 = <f32>1 / <f32>(block * block);
  const samples = width * block;
  for (let y = y0; y < y1; y++) {
    const out = target + <usize>(y * targetStride);
    const top = source + <usize>(y * block * sourceStride);
    if (block == 1) {
      for (let x = 0; x < width; x += 4) v128.store(out + ((<usize>x) << 2), f32x4.convert_i32x4_s(four(top, step, x)));
      continue;
    }
    for (let x = 0; x < samples; x += 4) {
      let sum = four(top, step, x);
      for (let r = 1, p = top + sourceStride; r < block; r++, p += sourceStride) sum = i32x4.add(sum, four(p, step, x));
      v128.store(scratch + ((<usize>x) << 2), sum);
    }
    let p = scratch;
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (const end = p + ((<usize>block) << 2); p < end; p += 4) sum += load<i32>(p);
      store<f32>(out + ((<usize>x) << 2), <f32>sum * scale);
    }
  }
  return 0;
}

export function blockMeanScratch(width: i32, block: i32): i32 {
  return 4 * width * block + 64;
}
