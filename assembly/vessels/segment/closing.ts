// Fills holes and notches of a mask before thinning, because each would become a loop or a branch of the center line.

const REACH: i32 = 2;
/** Majority of the 25 samples around. */
const MOST: i32 = 13;

/**
 * Rows y0..y1-1: 255 if the mask is set, or if most of the 5x5 samples around it are. The border is replicated. The
 * mask is 0 or 255.
 */
export function closeMask(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const counts = scratch + 16; // number of set samples in the five rows, per column
  const most = i8x16.splat(<i8>MOST);
  for (let y = y0; y < y1; y++) {
    memory.fill(counts, 0, width + 32);
    for (let k = -REACH; k <= REACH; k++) {
      const row = source + <usize>(max(0, min(height - 1, y + k)) * sourceStride);
      // 255 is -1.
      for (let x: usize = 0; x < <usize>width; x += 16)
        v128.store(counts + x, i8x16.sub(v128.load(counts + x), v128.load(row + x)));
    }
    memory.fill(counts - REACH, load<u8>(counts), REACH);
    memory.fill(counts + width, load<u8>(counts + width - 1), REACH);
    const from = source + <usize>(y * sourceStride);
    const to = target + <usize>(y * targetStride);
    for (let x: usize = 0; x < <usize>width; x += 16) {
      const at = counts + x - REACH;
      let sum = i8x16.add(v128.load(at), v128.load(at, 1));
      sum = i8x16.add(sum, i8x16.add(v128.load(at, 2), v128.load(at, 3)));
      sum = i8x16.add(sum, v128.load(at, 4));
      v128.store(to + x, v128.or(i8x16.ge_s(sum, most), v128.load(from + x)));
    }
  }
  return 0;
}

/** Bytes for a row of counts with padding at both ends. */
export function closeMaskScratch(width: i32): i32 {
  return width + 96;
}
