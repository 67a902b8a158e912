// Bilateral filter of 8-bit images, border replicated: the mean of a square, where the weight of a sample decreases
// with its distance and with the difference of its gray level. Source: Tomasi and Manduchi, ICCV 1998. Integers
// throughout: both weights are bytes, their product has 16 bits, and 225 of them times a sample stay below 2^32.
//
// 16 pixels at a time. WebAssembly has no gather instruction, but a lookup in 16 bytes. The weights of the differences
// are in groups of 16, and a difference outside a group yields 0 there.

/** Rows y0..y1-1. `range`: 256 weights by difference, 0 starting at 16 * groups. `space`: size * size weights. */
export function bilateral(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  size: i32,
  range: usize,
  groups: i32,
  space: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const radius = size >> 1;
  const pitch = pitchOf(width, size);
  const groupsEnd = range + ((<usize>groups) << 4);
  const step = i8x16.splat(16);
  // Row y of the image, with its border, is row (y - y0 + radius) % size of the scratch.
  for (let i = 0; i < size - 1; i++)
    widen(source, sourceStride, width, height, radius, y0 - radius + i, scratch + i * pitch);
  for (let y = y0, newest = size - 1; y < y1; y++) {
    widen(source, sourceStride, width, height, radius, y + radius, scratch + newest * pitch);
    const oldest = newest + 1 == size ? 0 : newest + 1;
    const middleRow = oldest + radius < size ? oldest + radius : oldest + radius - size;
    for (let x = 0; x < width; x += 16) {
      const middle = v128.load(scratch + middleRow * pitch + x + radius);
      let w0 = i32x4.splat(0);
      let w1 = w0;
      let w2 = w0;
      let w3 = w0;
      let s0 = w0;
      let s1 = w0;
      let s2 = w0;
      let s3 = w0;
      let weight = space;
      for (let i = 0, row = oldest; i < size; i++) {
        let p = scratch + row * pitch + x;
        for (const end = weight + size; weight < end; weight++, p++) {
          const v = v128.load(p);
          let difference = v128.or(i8x16.sub_sat_u(v, middle), i8x16.sub_sat_u(middle, v));
          let near = i8x16.swizzle(v128.load(range), difference);
          for (let group = range + 16; group < groupsEnd; group += 16) {
            difference = i8x16.sub(difference, step);
            near = v128.or(near, i8x16.swizzle(v128.load(group), difference));
          }
          const close = v128.load8_splat(weight);
          const low = i16x8.extmul_low_i8x16_u(near, close);
          const high = i16x8.extmul_high_i8x16_u(near, close);
          const lowSamples = i16x8.extend_low_i8x16_u(v);
          const highSamples = i16x8.extend_high_i8x16_u(v);
          w0 = i32x4.add(w0, i32x4.extend_low_i16x8_u(low));
          w1 = i32x4.add(w1, i32x4.extend_high_i16x8_u(low));
          w2 = i32x4.add(w2, i32x4.extend_low_i16x8_u(high));
          w3 = i32x4.add(w3, i32x4.extend_high_i16x8_u(high));
          s0 = i32x4.add(s0, i32x4.extmul_low_i16x8_u(low, lowSamples));
          s1 = i32x4.add(s1, i32x4.extmul_high_i16x8_u(low, lowSamples));
          s2 = i32x4.add(s2, i32x4.extmul_low_i16x8_u(high, highSamples));
          s3 = i32x4.add(s3, i32x4.extmul_high_i16x8_u(high, highSamples));
        }
        if (++row == size) row = 0;
      }
      const sums = scratch + size * pitch;
      v128.store(sums, w0);
      v128.store(sums, w1, 16);
      v128.store(sums, w2, 32);
      v128.store(sums, w3, 48);
      v128.store(sums, s0, 64);
      v128.store(sums, s1, 80);
      v128.store(sums, s2, 96);
      v128.store(sums, s3, 112);
      const d = target + <usize>(y * targetStride + x);
      const count = min(16, width - x);
      for (let i = 0; i < count; i++) {
        const weights = load<u32>(sums + (i << 2));
        store<u8>(d + i, <u8>((load<u32>(sums + (i << 2), 64) + (weights >> 1)) / weights));
      }
    }
    newest = oldest;
  }
  return 0;
}

/** Row y (replicated) of the image with `radius` more samples at both ends. */
function widen(source: usize, stride: i32, width: i32, height: i32, radius: i32, y: i32, to: usize): void {
  const s = source + <usize>(min(max(y, 0), height - 1) * stride);
  memory.fill(to, load<u8>(s), radius);
  memory.copy(to + radius, s, width);
  memory.fill(to + radius + width, load<u8>(s + width - 1), radius);
}

/** Distance between rows of the scratch: 16 samples are read at a time. */
function pitchOf(width: i32, size: i32): i32 {
  return (width + size + 31) & ~15;
}

export function bilateralScratch(width: i32, size: i32): i32 {
  return size * pitchOf(width, size) + 128;
}
