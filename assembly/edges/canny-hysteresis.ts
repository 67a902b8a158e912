// Second half of Canny: weak marks of the map that are 8-connected to a strong one become strong, by a flood fill with
// a stack. The result does not depend on the order, so it is equal for every number of threads.

/** Marks `p` if it is weak and pushes it onto the stack. Returns the stack's top. */
function visit(p: usize, top: usize): usize {
  if (load<u8>(p) != 1) return top;
  store<u8>(p, 0x80);
  store<u32>(top, <u32>p);
  return top + 4;
}

/** Spreads from the strong mark at `seed`. */
function flood(seed: usize, stride: usize, stack: usize): void {
  store<u32>(stack, <u32>seed);
  let top = stack + 4;
  while (top > stack) {
    top -= 4;
    const p = <usize>load<u32>(top);
    // Three marks of a row at a time. 1 is the only one with its last bit set.
    const a = p - stride - 1;
    if (load<u32>(a) & 0x10101) {
      top = visit(a, top);
      top = visit(a + 1, top);
      top = visit(a + 2, top);
    }
    if (load<u32>(p - 1) & 0x10001) {
      top = visit(p - 1, top);
      top = visit(p + 1, top);
    }
    const c = p + stride - 1;
    if (load<u32>(c) & 0x10101) {
      top = visit(c, top);
      top = visit(c + 1, top);
      top = visit(c + 2, top);
    }
  }
}

/**
 * Processes a whole map, see cannyMap: 0, 1 weak, -128 strong, zeros around. `stack` has space for 4 bytes per pixel
 * and 4 more.
 */
export function hysteresis(map: usize, mapStride: i32, height: i32, stack: usize): i32 {
  const stride = <usize>mapStride;
  for (let p = map, end = map + <usize>height * stride; p < end; p += 16) {
    const v = v128.load(p);
    if (!i8x16.bitmask(v)) continue;
    // Only strong marks next to a weak one need a visit.
    const a = p - stride;
    const b = p + stride;
    let near = i8x16.max_s(v128.load(a - 1), i8x16.max_s(v128.load(a), v128.load(a, 1)));
    near = i8x16.max_s(near, i8x16.max_s(v128.load(p - 1), v128.load(p, 1)));
    near = i8x16.max_s(near, i8x16.max_s(v128.load(b - 1), i8x16.max_s(v128.load(b), v128.load(b, 1))));
    let bits = i8x16.bitmask(v128.and(v, i8x16.gt_s(near, i8x16.splat(0))));
    for (; bits; bits &= bits - 1) flood(p + <usize>ctz(bits), stride, stack);
  }
  return 0;
}

/** Rows y0..y1-1 of the edges: 255 where the map is strong, otherwise 0. */
export function mapEdges(
  map: usize,
  mapStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const s = map + <usize>(y * mapStride);
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x += 16) v128.store(out + x, i8x16.shr_s(v128.load(s + x), 7));
  }
  return 0;
}
