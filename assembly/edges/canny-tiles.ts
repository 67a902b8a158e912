// Converts marks that the GPU packed into tiles of 8x8 pixels to the map used by hysteresis.

/**
 * Tiles have 16 bytes: 8 rows of strong bits, one byte each, then 8 rows of weak bits. The map has the format of
 * cannyMap, including rows and columns of zeros around it.
 */
export function tilesToMap(tiles: usize, tilesAcross: i32, map: usize, mapStride: i32, height: i32): i32 {
  memory.fill(map - mapStride, 0, mapStride);
  memory.fill(map + <usize>(height * mapStride), 0, mapStride);
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  // The low eight lanes become -128 for strong marks, the high ones 1 for weak marks.
  const marks = i8x16(-128, -128, -128, -128, -128, -128, -128, -128, 1, 1, 1, 1, 1, 1, 1, 1);
  for (let top = 0; top < height; top += 8) {
    const rows = min(8, height - top);
    const first = map + <usize>(top * mapStride);
    for (let y = 0; y < rows; y++) memory.fill(first + <usize>(y * mapStride), 0, mapStride);
    for (let t = 0; t < tilesAcross; t++, tiles += 16) {
      if (!v128.any_true(v128.load(tiles))) continue;
      let p = first + ((<usize>t) << 3);
      for (let y = 0; y < rows; y++, p += mapStride) {
        const strong = <u64>load<u8>(tiles + y) * 0x0101010101010101;
        const weak = <u64>load<u8>(tiles + y, 8) * 0x0101010101010101;
        const both = i64x2.replace_lane(i64x2.splat(strong), 1, weak);
        const set = v128.and(i8x16.eq(v128.and(both, bits), bits), marks);
        store<u64>(p, i64x2.extract_lane(set, 0) | i64x2.extract_lane(set, 1));
      }
    }
  }
  return 0;
}
