// Blur, integral images and pyramid without SIMD, as assembly/image gives them.

/** Separable, border replicated, nothing rounded between the passes. scratch: width u16 and both margins. */
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
  const sums = scratch + 64;
  for (let y = y0; y < y1; y++) {
    const row = src + <usize>(y * srcStride);
    for (let x = 0; x < width; x++) {
      let sum = <i32>load<u16>(taps) * <i32>load<u8>(row + x);
      for (let i = 1; i <= radius; i++) {
        const above = src + <usize>(max(0, y - i) * srcStride);
        const below = src + <usize>(min(height - 1, y + i) * srcStride);
        sum += <i32>load<u16>(taps + (i << 1)) * (<i32>load<u8>(above + x) + <i32>load<u8>(below + x));
      }
      store<u16>(sums + (x << 1), <u16>sum);
    }
    for (let i = 1; i <= radius; i++) {
      store<u16>(sums - (i << 1), load<u16>(sums));
      store<u16>(sums + ((width - 1 + i) << 1), load<u16>(sums + ((width - 1) << 1)));
    }
    const out = dst + <usize>(y * dstStride);
    for (let x = 0; x < width; x++) {
      const at = sums + (x << 1);
      let sum = <i32>load<u16>(taps) * <i32>load<u16>(at);
      for (let i = 1; i <= radius; i++)
        sum += <i32>load<u16>(taps + (i << 1)) * (<i32>load<u16>(at - (i << 1)) + <i32>load<u16>(at + (i << 1)));
      store<u8>(out + x, <u8>((sum + 32768) >> 16));
    }
  }
  return 0;
}

export function integral(
  src: usize,
  srcStride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  height: i32,
  blockRows: i32,
  offsets: usize,
  offsetStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  memory.fill(dst, 0, (width + 1) << 2);
  for (let y = 0; y < height; y++) {
    const up = dst + <usize>(y * dstStride);
    const out = up + dstStride;
    const row = src + <usize>(y * srcStride);
    let sum: u32 = 0;
    store<u32>(out, 0);
    for (let x = 0; x < width; x++) {
      sum += <u32>load<u8>(row + x);
      store<u32>(out + (x << 2), load<u32>(up + (x << 2), 4) + sum, 4);
    }
  }
  return 0;
}

export function integralSquares(
  src: usize,
  srcStride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  height: i32,
  blockRows: i32,
  offsets: usize,
  offsetStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  memory.fill(dst, 0, (width + 1) << 2);
  for (let y = 0; y < height; y++) {
    const up = dst + <usize>(y * dstStride);
    const out = up + dstStride;
    const row = src + <usize>(y * srcStride);
    let sum: u32 = 0;
    store<u32>(out, 0);
    for (let x = 0; x < width; x++) {
      const v = <i32>load<u8>(row + x) - 128;
      sum += v * v;
      store<u32>(out + (x << 2), load<u32>(up + (x << 2), 4) + sum, 4);
    }
  }
  return 0;
}

function outside(i: i32, n: i32, reflect: i32): i32 {
  if (reflect && n > 1) {
    if (i < 0) i = -i;
    if (i >= n) i = 2 * n - 2 - i;
  }
  return min(max(i, 0), n - 1);
}

/** [1 4 6 4 1] both ways, every other sample; columns first. scratch: width u16 and both margins. */
export function pyramidDown(
  src: usize,
  srcStride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  height: i32,
  reflect: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const outWidth = (width + 1) >> 1;
  for (let y = y0; y < y1; y++) {
    const r0 = src + <usize>(outside(2 * y - 2, height, reflect) * srcStride);
    const r1 = src + <usize>(outside(2 * y - 1, height, reflect) * srcStride);
    const r2 = src + <usize>(outside(2 * y, height, reflect) * srcStride);
    const r3 = src + <usize>(outside(2 * y + 1, height, reflect) * srcStride);
    const r4 = src + <usize>(outside(2 * y + 2, height, reflect) * srcStride);
    const out = dst + <usize>(y * dstStride);
    let a = column(r0, r1, r2, r3, r4, outside(-2, width, reflect));
    let b = column(r0, r1, r2, r3, r4, outside(-1, width, reflect));
    let c = column(r0, r1, r2, r3, r4, 0);
    for (let x = 0; x < outWidth; x++) {
      const d = column(r0, r1, r2, r3, r4, outside(2 * x + 1, width, reflect));
      const e = column(r0, r1, r2, r3, r4, outside(2 * x + 2, width, reflect));
      store<u8>(out + x, <u8>((a + e + 4 * (b + d) + 6 * c + 128) >> 8));
      a = c;
      b = d;
      c = e;
    }
  }
  return 0;
}

function column(r0: usize, r1: usize, r2: usize, r3: usize, r4: usize, x: i32): i32 {
  return (
    <i32>load<u8>(r0 + x) +
    <i32>load<u8>(r4 + x) +
    4 * (<i32>load<u8>(r1 + x) + <i32>load<u8>(r3 + x)) +
    6 * <i32>load<u8>(r2 + x)
  );
}
