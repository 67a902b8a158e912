// RGBA to gray with OpenCV's fixed-point BT.601 weights: (9798 R + 19235 G + 3735 B + 16384) >> 15.

/** Rows y0..y1-1 of an RGBA image to 8-bit gray. */
export function grayFromRgba(
  src: usize,
  srcStride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    let s = src + <usize>(y * srcStride);
    let d = dst + <usize>(y * dstStride);
    for (let x = 0; x < width; x++, s += 4, d++) {
      const r = <u32>load<u8>(s);
      const g = <u32>load<u8>(s, 1);
      const b = <u32>load<u8>(s, 2);
      store<u8>(d, <u8>((9798 * r + 19235 * g + 3735 * b + 16384) >> 15));
    }
  }
  return 0;
}
