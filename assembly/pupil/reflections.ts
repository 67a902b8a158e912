// Corneal reflections filled from their border (paper 000, section 2.1): every masked pixel becomes the mean of the
// nearest unmasked pixels in eight directions, weighted by 1 / distance, so that no new border arises inside the pupil.

/** Rows y0..y1-1: dst = src where the mask is 0, else the weighted mean. At most `reach` pixels in each direction. */
export function fillReflections(
  src: usize,
  srcStride: i32,
  mask: usize,
  maskStride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  height: i32,
  reach: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const from = src + <usize>(y * srcStride);
    const hidden = mask + <usize>(y * maskStride);
    const to = dst + <usize>(y * dstStride);
    memory.copy(to, from, width);
    for (let x = 0; x < width; x++) {
      if (!load<u8>(hidden + <usize>x)) continue;
      let sum: f32 = 0;
      let weights: f32 = 0;
      for (let k = 0; k < 9; k++) {
        const dx = (k % 3) - 1;
        const dy = k / 3 - 1;
        if (!dx && !dy) continue;
        let px = x;
        let py = y;
        for (let t = 1; t <= reach; t++) {
          px += dx;
          py += dy;
          if (px < 0 || py < 0 || px >= width || py >= height) break;
          if (load<u8>(mask + <usize>(py * maskStride + px))) continue;
          const d: f32 = dx && dy ? 1.4142135 * <f32>t : <f32>t;
          sum += <f32>load<u8>(src + <usize>(py * srcStride + px)) / d;
          weights += 1 / d;
          break;
        }
      }
      if (weights > 0) store<u8>(to + <usize>x, <u8>(sum / weights + 0.5));
    }
  }
  return 0;
}
