// Direction of increasing brightness at the edges of an image, in eighths of a turn.

/** Number of the eighth of a turn, from +x towards +y, that contains (x, y). */
function octant(x: i32, y: i32): i32 {
  if (y >= 0 && x > 0) return y < x ? 0 : 1;
  if (x <= 0 && y > 0) return -x < y ? 2 : 3;
  if (y <= 0 && x < 0) return -y < -x ? 4 : 5;
  return x < -y ? 6 : 7;
}

/**
 * Rows y0..y1-1: for every edge (non-zero sample of `edges`) the two of eight directions that enclose the Sobel
 * gradient of `source`, as bits. 0 elsewhere and without a gradient. The border is replicated.
 */
export function edgeOctants(
  source: usize,
  sourceStride: i32,
  edges: usize,
  edgesStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const here = source + <usize>(y * sourceStride);
    const above = y > 0 ? here - <usize>sourceStride : here;
    const below = y < height - 1 ? here + <usize>sourceStride : here;
    const from = edges + <usize>(y * edgesStride);
    const to = target + <usize>(y * targetStride);
    memory.fill(to, 0, width);
    for (let x = 0; x < width; x += 16) {
      let bits = i8x16.bitmask(i8x16.ne(v128.load(from + <usize>x), i8x16.splat(0)));
      if (width - x < 16) bits &= (1 << (width - x)) - 1;
      for (; bits; bits &= bits - 1) {
        const at = x + ctz(bits);
        const left = <usize>max(0, at - 1);
        const middle = <usize>at;
        const right = <usize>min(width - 1, at + 1);
        const a = <i32>load<u8>(above + left);
        const c = <i32>load<u8>(above + right);
        const g = <i32>load<u8>(below + left);
        const i = <i32>load<u8>(below + right);
        const dx = c + 2 * <i32>load<u8>(here + right) + i - a - 2 * <i32>load<u8>(here + left) - g;
        const dy = g + 2 * <i32>load<u8>(below + middle) + i - a - 2 * <i32>load<u8>(above + middle) - c;
        if (dx == 0 && dy == 0) continue;
        const k = octant(dx, dy);
        const both: i32 = (1 << k) | (1 << ((k + 1) & 7));
        store<u8>(to + middle, <u8>both);
      }
    }
  }
  return 0;
}
