// An image a whole number of times as large, linear between the centers of samples. All sums are integers: a sample of the
// target lies at n / (2 factor) of the source with n = 2 t + 1 - factor, so that weights are whole parts of 2 factor.

/** Rows y0..y1-1 of the target; the source is sourceWidth by sourceHeight samples. factor 1 to 8. */
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
    const weight = <u32>(n - row * whole);
    const above = source + <usize>(max(0, row) * sourceStride);
    const below = source + <usize>(min(sourceHeight - 1, row + 1) * sourceStride);
    for (let x: usize = 0; x < <usize>sourceWidth; x++) {
      const sum = <u32>load<u8>(above + x) * (<u32>whole - weight) + <u32>load<u8>(below + x) * weight;
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

/** Bytes for a row of sums. */
export function enlargeScratch(sourceWidth: i32): i32 {
  return 2 * sourceWidth;
}
