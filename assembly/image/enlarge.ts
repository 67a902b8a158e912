// Enlarges an image by an integer factor, linear between the centers of samples. All sums are integers: a sample of the
// target is at n / (2 factor) of the source with n = 2 t + 1 - factor, so weights are integer multiples of 1 / (2
// factor). Factor 2, which a pupil search needs for whole frames, is processed eight samples at a time.

/** A row with the height of the source: weighted sums of two rows, with the outermost ones replicated. u16. */
function sumRows(above: usize, below: usize, width: i32, weight: i32, sums: usize): void {
  const a = i16x8.splat(<i16>(4 - weight));
  const b = i16x8.splat(<i16>weight);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const upper = i16x8.mul(v128.load8x8_u(above + x), a);
    const lower = i16x8.mul(v128.load8x8_u(below + x), b);
    v128.store(sums + (x << 1), i16x8.add(upper, lower));
  }
  const end = sums + ((<usize>width) << 1);
  store<u16>(sums - 2, load<u16>(sums));
  store<u16>(end, load<u16>(end - 2));
}

/** Two output samples per sum: three quarters of the nearer and a quarter of the farther one. */
function doubleRow(sums: usize, target: usize, width: i32): void {
  const three = i16x8.splat(3);
  const half = i16x8.splat(8);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const at = sums + (x << 1);
    const near = i16x8.add(i16x8.mul(v128.load(at), three), half);
    const even = i16x8.shr_u(i16x8.add(near, v128.load(at - 2)), 4);
    const odd = i16x8.shr_u(i16x8.add(near, v128.load(at + 2)), 4);
    v128.store(target + (x << 1), v128.or(even, i16x8.shl(odd, 8)));
  }
}

/** Rows y0..y1-1 of the target. The source is sourceWidth by sourceHeight samples. factor 1 to 8. */
export function enlarge(
  source: usize,
  sourceStride: i32,
  sourceWidth: i32,
  sourceHeight: i32,
  target: usize,
  targetStride: i32,
  factor: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const whole = 2 * factor;
  const area = <u32>(whole * whole);
  for (let y = y0; y < y1; y++) {
    const n = 2 * y + 1 - factor;
    const row = n < 0 ? -1 : n / whole;
    const weight = n - row * whole;
    const above = source + <usize>(max(0, row) * sourceStride);
    const below = source + <usize>(min(sourceHeight - 1, row + 1) * sourceStride);
    if (factor == 2) {
      sumRows(above, below, sourceWidth, weight, scratch + 16);
      doubleRow(scratch + 16, target + <usize>(y * targetStride), sourceWidth);
      continue;
    }
    for (let x: usize = 0; x < <usize>sourceWidth; x++) {
      const sum = <u32>load<u8>(above + x) * <u32>(whole - weight) + <u32>load<u8>(below + x) * <u32>weight;
      store<u16>(scratch + (x << 1), <u16>sum);
    }
    const to = target + <usize>(y * targetStride);
    for (let x = 0; x < sourceWidth * factor; x++) {
      const m = 2 * x + 1 - factor;
      const column = m < 0 ? -1 : m / whole;
      const w = <u32>(m - column * whole);
      const left = <u32>load<u16>(scratch + ((<usize>max(0, column)) << 1));
      const right = <u32>load<u16>(scratch + ((<usize>min(sourceWidth - 1, column + 1)) << 1));
      store<u8>(to + <usize>x, (left * (<u32>whole - w) + right * w + (area >> 1)) / area);
    }
  }
  return 0;
}

/** Bytes for a row of sums, including padding. */
export function enlargeScratch(sourceWidth: i32): i32 {
  return 2 * sourceWidth + 64;
}
