// U and V from RGBA, 2x2 pixels at a time.

/**
 * Rows y0..y1-1 of interleaved U and V, `across` pairs each. From the sums over 2x2 pixels: 128 + ((-38 R - 74 G + 112
 * B + 512) >> 10) and 128 + ((112 R - 94 G - 18 B + 512) >> 10). Alpha is ignored.
 */
export function chromaFromRgba(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  across: i32,
  y0: i32,
  y1: i32,
  _scratch: usize,
): i32 {
  const even = i16x8.splat(0x00ff);
  const redBlueU = i16x8(-38, 112, -38, 112, -38, 112, -38, 112);
  const greenU = i16x8(-74, 0, -74, 0, -74, 0, -74, 0);
  const redBlueV = i16x8(112, -18, 112, -18, 112, -18, 112, -18);
  const greenV = i16x8(-94, 0, -94, 0, -94, 0, -94, 0);
  const half = i32x4.splat(512 + (128 << 10));
  for (let y = y0; y < y1; y++) {
    let p = source + <usize>(2 * y * sourceStride);
    let q = p + <usize>sourceStride;
    let to = target + <usize>(y * targetStride);
    for (let x = 0; x < across; x += 4, p += 32, q += 32, to += 8) {
      // The last step may read up to 16 bytes after the row: the next row or the guard after the plane.
      const a = v128.load(p);
      const b = v128.load(q);
      const c = v128.load(p, 16);
      const d = v128.load(q, 16);
      const rb0 = i16x8.add(v128.and(a, even), v128.and(b, even));
      const ga0 = i16x8.add(i16x8.shr_u(a, 8), i16x8.shr_u(b, 8));
      const rb1 = i16x8.add(v128.and(c, even), v128.and(d, even));
      const ga1 = i16x8.add(i16x8.shr_u(c, 8), i16x8.shr_u(d, 8));
      const u0 = i32x4.add(i32x4.dot_i16x8_s(rb0, redBlueU), i32x4.dot_i16x8_s(ga0, greenU));
      const u1 = i32x4.add(i32x4.dot_i16x8_s(rb1, redBlueU), i32x4.dot_i16x8_s(ga1, greenU));
      const v0 = i32x4.add(i32x4.dot_i16x8_s(rb0, redBlueV), i32x4.dot_i16x8_s(ga0, greenV));
      const v1 = i32x4.add(i32x4.dot_i16x8_s(rb1, redBlueV), i32x4.dot_i16x8_s(ga1, greenV));
      const u = i32x4.add(v128.shuffle<i32>(u0, u1, 0, 2, 4, 6), v128.shuffle<i32>(u0, u1, 1, 3, 5, 7));
      const v = i32x4.add(v128.shuffle<i32>(v0, v1, 0, 2, 4, 6), v128.shuffle<i32>(v0, v1, 1, 3, 5, 7));
      const both = v128.or(i32x4.shr_u(i32x4.add(u, half), 10), i32x4.shl(i32x4.shr_u(i32x4.add(v, half), 10), 8));
      // Each sum is a byte: U and V of four pairs are the low halves of four words.
      v128.store64_lane(to, v128.shuffle<i16>(both, both, 0, 2, 4, 6, 0, 2, 4, 6), 0);
    }
  }
  return 0;
}
