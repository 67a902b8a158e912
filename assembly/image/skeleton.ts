// One half of an iteration of Zhang and Suen's thinning (CACM 27(3), 1984): clears removable samples of the border.

function sample(row: usize, x: i32, width: i32, inside: bool): i32 {
  return inside && x >= 0 && x < width && load<u8>(row + x) ? 1 : 0;
}

/**
 * Rows y0..y1-1. `phase` 0 or 1 as in the paper's two subiterations. Stores 1 to `changed` if a sample was cleared.
 * Samples outside the image are background.
 */
export function skeletonStep(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  phase: i32,
  changed: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const b = source + <usize>(y * sourceStride);
    const a = b - sourceStride;
    const c = b + sourceStride;
    const above = y > 0;
    const below = y < height - 1;
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x++) {
      if ((x & 15) == 0 && x + 16 <= width && !v128.any_true(v128.load(b + x))) {
        v128.store(out + x, i8x16.splat(0));
        x += 15;
        continue;
      }
      const v = load<u8>(b + x);
      store<u8>(out + x, v);
      if (!v) continue;
      const p2 = sample(a, x, width, above);
      const p3 = sample(a, x + 1, width, above);
      const p4 = sample(b, x + 1, width, true);
      const p5 = sample(c, x + 1, width, below);
      const p6 = sample(c, x, width, below);
      const p7 = sample(c, x - 1, width, below);
      const p8 = sample(b, x - 1, width, true);
      const p9 = sample(a, x - 1, width, above);
      const count = p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9;
      if (count < 2 || count > 6) continue;
      const steps =
        (1 - p2) * p3 +
        (1 - p3) * p4 +
        (1 - p4) * p5 +
        (1 - p5) * p6 +
        (1 - p6) * p7 +
        (1 - p7) * p8 +
        (1 - p8) * p9 +
        (1 - p9) * p2;
      if (steps != 1) continue;
      if (phase == 0 ? p2 * p4 * p6 || p4 * p6 * p8 : p2 * p4 * p8 || p2 * p6 * p8) continue;
      store<u8>(out + x, 0);
      store<i32>(changed, 1);
    }
  }
  return 0;
}
