// Stretches gray levels around one of them, so that a dark or flat image has normal contrast. With gain -1 a bright
// pupil (light next to the lens) becomes the dark pupil of the inverted image.

/** Rows y0..y1-1: base + gain (level - from), rounded and clamped. `sixteenths` of the gain, -128 to 128. */
export function spreadLevels(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  from: i32,
  sixteenths: i32,
  base: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const first = i16x8.splat(<i16>from);
  const times = i16x8.splat(<i16>sixteenths);
  const rest = i16x8.splat(<i16>(16 * base + 8));
  for (let y = y0; y < y1; y++) {
    const row = source + <usize>(y * sourceStride);
    const to = target + <usize>(y * targetStride);
    for (let x: usize = 0; x < <usize>width; x += 8) {
      // The product fits 16 bits. The sum may exceed them upwards.
      const product = i16x8.mul(i16x8.sub(v128.load8x8_u(row + x), first), times);
      const levels = i16x8.shr_s(i16x8.add_sat_s(product, rest), 4);
      v128.store64_lane(to + x, i8x16.narrow_i16x8_u(levels, levels), 0);
    }
  }
  return 0;
}
