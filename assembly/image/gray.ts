// Gray from RGBA and from video-range luma, 16 pixels per step.

import { Register } from '../runtime/wasm/registers';

/**
 * Rows y0..y1-1 of an RGBA image, converted to 8-bit gray with OpenCV's fixed-point BT.601 weights, (9798 R + 19235 G +
 * 3735 B + 16384) >> 15. Alpha is ignored. Even bytes (R, B) and odd bytes (G, A) are 16-bit pairs, so one dot product
 * each produces whole pixels.
 */
export function grayFromRgba(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const even = Register.vector(i16x8.splat(0x00ff), scratch);
  const redBlue = Register.vector(i16x8(9798, 3735, 9798, 3735, 9798, 3735, 9798, 3735), scratch);
  const green = Register.vector(i16x8(19235, 0, 19235, 0, 19235, 0, 19235, 0), scratch);
  const half = Register.vector(i32x4.splat(16384), scratch);
  for (let y = y0; y < y1; y++) {
    let s = source + <usize>(y * sourceStride);
    let d = target + <usize>(y * targetStride);
    const end = d + <usize>width;
    for (; d < end; s += 64, d += 16) {
      // The last step may read up to 48 bytes after the row: the next row or the guard after the plane.
      const p0 = v128.load(s);
      const p1 = v128.load(s, 16);
      const p2 = v128.load(s, 32);
      const p3 = v128.load(s, 48);
      const a0 = i32x4.add(
        i32x4.add(i32x4.dot_i16x8_s(v128.and(p0, even), redBlue), half),
        i32x4.dot_i16x8_s(i16x8.shr_u(p0, 8), green),
      );
      const a1 = i32x4.add(
        i32x4.add(i32x4.dot_i16x8_s(v128.and(p1, even), redBlue), half),
        i32x4.dot_i16x8_s(i16x8.shr_u(p1, 8), green),
      );
      const a2 = i32x4.add(
        i32x4.add(i32x4.dot_i16x8_s(v128.and(p2, even), redBlue), half),
        i32x4.dot_i16x8_s(i16x8.shr_u(p2, 8), green),
      );
      const a3 = i32x4.add(
        i32x4.add(i32x4.dot_i16x8_s(v128.and(p3, even), redBlue), half),
        i32x4.dot_i16x8_s(i16x8.shr_u(p3, 8), green),
      );
      v128.store(
        d,
        i8x16.narrow_i16x8_u(
          i16x8.narrow_i32x4_s(i32x4.shr_u(a0, 15), i32x4.shr_u(a1, 15)),
          i16x8.narrow_i32x4_s(i32x4.shr_u(a2, 15), i32x4.shr_u(a3, 15)),
        ),
      );
    }
  }
  return 0;
}

/**
 * Luma of video range (16..235) to 0..255: (Y - 16) * 255 / 219, rounded and clamped. With v = Y - 16 this is v +
 * round(36 v / 219). 5386 / 2^15 is close enough to 36 / 219 that all v from 0 to 219 are rounded correctly.
 */
export function lumaRange(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const black = Register.vector(i8x16.splat(16), scratch);
  const white = Register.vector(i8x16.splat(<i8>219), scratch);
  const factor = Register.vector(i16x8.splat(5386), scratch);
  for (let y = y0; y < y1; y++) {
    let s = source + <usize>(y * sourceStride);
    let d = target + <usize>(y * targetStride);
    const end = d + <usize>width;
    for (; d < end; s += 16, d += 16) {
      const v = i8x16.min_u(i8x16.sub_sat_u(v128.load(s), black), white);
      const low = i16x8.extend_low_i8x16_u(v);
      const high = i16x8.extend_high_i8x16_u(v);
      v128.store(
        d,
        i8x16.add(v, i8x16.narrow_i16x8_u(i16x8.q15mulr_sat_s(low, factor), i16x8.q15mulr_sat_s(high, factor))),
      );
    }
  }
  return 0;
}
