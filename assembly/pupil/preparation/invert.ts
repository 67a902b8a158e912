// A bright pupil (the light beside the lens) is the dark one of the inverted image.

/** Rows y0..y1-1: 255 - level. */
export function invertLevels(
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
    const from = source + <usize>(y * sourceStride);
    const to = target + <usize>(y * targetStride);
    for (let x: usize = 0; x < <usize>width; x += 16) v128.store(to + x, v128.not(v128.load(from + x)));
  }
  return 0;
}
