// Binary threshold.

import { Register } from '../runtime/wasm/registers';

/** Rows y0..y1-1: `set` if the sample is greater than `level` (0..255), otherwise 0, like OpenCV's THRESH_BINARY. */
export function threshold(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  level: i32,
  set: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  // v > level is v >= level + 1, one minimum and one comparison. No sample is greater than 255.
  const least = Register.vector(i8x16.splat(<i8>(level + 1)), scratch);
  const value = Register.vector(i8x16.splat(<i8>(level < 255 ? set : 0)), scratch);
  for (let y = y0; y < y1; y++) {
    let s = source + <usize>(y * sourceStride);
    let d = target + <usize>(y * targetStride);
    const end = d + <usize>width;
    for (; d + 64 <= end; s += 64, d += 64) {
      v128.store(d, v128.and(i8x16.ge_u(v128.load(s), least), value));
      v128.store(d, v128.and(i8x16.ge_u(v128.load(s, 16), least), value), 16);
      v128.store(d, v128.and(i8x16.ge_u(v128.load(s, 32), least), value), 32);
      v128.store(d, v128.and(i8x16.ge_u(v128.load(s, 48), least), value), 48);
    }
    for (; d < end; s += 16, d += 16) v128.store(d, v128.and(i8x16.ge_u(v128.load(s), least), value));
  }
  return 0;
}
