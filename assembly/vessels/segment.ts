// From the response to the mask: histogram under the field of view, levels, components that stay.

export function maskedMaximum(src: usize, stride: i32, mask: usize, maskStride: i32, width: i32, height: i32): f32 {
  let top: f32 = 0;
  for (let y = 0; y < height; y++) {
    const p = src + <usize>(y * stride);
    const m = mask + <usize>(y * maskStride);
    for (let x = 0; x < width; x++) if (load<u8>(m + x)) top = max(top, load<f32>(p + ((<usize>x) << 2)));
  }
  return top;
}

/** `bins` 32-bit counts of value * scale; negative values count as 0. */
export function maskedHistogram(
  src: usize,
  stride: i32,
  mask: usize,
  maskStride: i32,
  width: i32,
  height: i32,
  scale: f32,
  bins: i32,
  counts: usize,
): i32 {
  memory.fill(counts, 0, (<usize>bins) << 2);
  for (let y = 0; y < height; y++) {
    const p = src + <usize>(y * stride);
    const m = mask + <usize>(y * maskStride);
    for (let x = 0; x < width; x++) {
      if (!load<u8>(m + x)) continue;
      const bin = min(max(<i32>(load<f32>(p + ((<usize>x) << 2)) * scale), 0), bins - 1);
      const q = counts + ((<usize>bin) << 2);
      store<u32>(q, load<u32>(q) + 1);
    }
  }
  return 0;
}

/** 255 where the value is above the level. */
export function above(
  src: usize,
  stride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  level: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const p = src + <usize>(y * stride);
    const out = dst + <usize>(y * dstStride);
    for (let x = 0; x < width; x++) store<u8>(out + x, load<f32>(p + ((<usize>x) << 2)) > level ? 255 : 0);
  }
  return 0;
}

/** The largest value of each component to `maxima` (floats, by label; 0 is the background). */
export function componentMaxima(
  labels: usize,
  labelStride: i32,
  src: usize,
  stride: i32,
  width: i32,
  height: i32,
  maxima: usize,
): i32 {
  for (let y = 0; y < height; y++) {
    const p = src + <usize>(y * stride);
    const l = labels + <usize>(y * labelStride);
    for (let x = 0; x < width; x++) {
      const q = maxima + ((<usize>load<u32>(l + ((<usize>x) << 2))) << 2);
      store<f32>(q, max(load<f32>(q), load<f32>(p + ((<usize>x) << 2))));
    }
  }
  return 0;
}

/** Sets to 0 what belongs to no component or to one that `keep` (bytes, by label) does not keep. */
export function keepComponents(
  labels: usize,
  labelStride: i32,
  keep: usize,
  dst: usize,
  dstStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const l = labels + <usize>(y * labelStride);
    const out = dst + <usize>(y * dstStride);
    for (let x = 0; x < width; x++) {
      const i = (<usize>x) << 2;
      const label = load<u32>(l + i);
      if (label && !load<u8>(keep + label)) store<f32>(out + i, 0);
    }
  }
  return 0;
}
