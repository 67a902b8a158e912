// From the response to the mask: histogram inside the field of view, thresholds, remaining components.
import { inside } from './contrast';

/** The maximum of the values under the mask and 0. */
export function maskedMaximum(
  source: usize,
  sourceStride: i32,
  mask: usize,
  maskStride: i32,
  width: i32,
  height: i32,
): f32 {
  let most = f32x4.splat(0);
  let top: f32 = 0;
  const whole = width & ~3;
  for (let y = 0; y < height; y++) {
    const p = source + <usize>(y * sourceStride);
    const m = mask + <usize>(y * maskStride);
    for (let x = 0; x < whole; x += 4)
      most = f32x4.max(most, v128.and(inside(m + x), v128.load(p + ((<usize>x) << 2))));
    for (let x = whole; x < width; x++) if (load<u8>(m + x)) top = max(top, load<f32>(p + ((<usize>x) << 2)));
  }
  const a = max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1));
  const b = max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3));
  return max(top, max(a, b));
}

/** `bins` 32-bit counts of value * scale. Negative values count as 0. */
export function maskedHistogram(
  source: usize,
  sourceStride: i32,
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
    const p = source + <usize>(y * sourceStride);
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

/** -1 in the lanes of four pixels above the level. */
function over(p: usize, level: v128): v128 {
  return f32x4.gt(v128.load(p), level);
}

/** 255 if the value is above the level. */
export function above(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  level: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const l = f32x4.splat(level);
  for (let y = y0; y < y1; y++) {
    const p = source + <usize>(y * sourceStride);
    const out = target + <usize>(y * targetStride);
    // Writes up to 15 pixels more, because rows of bytes also end on a multiple of 16.
    for (let x = 0; x < width; x += 16) {
      const q = p + ((<usize>x) << 2);
      v128.store(
        out + x,
        i8x16.narrow_i16x8_s(
          i16x8.narrow_i32x4_s(over(q, l), over(q + 16, l)),
          i16x8.narrow_i32x4_s(over(q + 32, l), over(q + 48, l)),
        ),
      );
    }
  }
  return 0;
}

/** Writes the maximum value of each component to `maxima` (floats, by label; 0 is the background). */
export function componentMaxima(
  labels: usize,
  labelsStride: i32,
  source: usize,
  sourceStride: i32,
  width: i32,
  height: i32,
  maxima: usize,
): i32 {
  for (let y = 0; y < height; y++) {
    const p = source + <usize>(y * sourceStride);
    const l = labels + <usize>(y * labelsStride);
    for (let x = 0; x < width; x++) {
      const label = load<u32>(l + ((<usize>x) << 2));
      if (!label) continue;
      const q = maxima + ((<usize>label) << 2);
      store<f32>(q, max(load<f32>(q), load<f32>(p + ((<usize>x) << 2))));
    }
  }
  return 0;
}

/** Clears the values of components that are not in `keep` (bytes, by label). */
export function keepComponents(
  source: usize,
  sourceStride: i32,
  labels: usize,
  labelsStride: i32,
  keep: usize,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const p = source + <usize>(y * sourceStride);
    const l = labels + <usize>(y * labelsStride);
    const out = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x++) {
      const i = (<usize>x) << 2;
      const label = load<u32>(l + i);
      store<f32>(out + i, label && !load<u8>(keep + label) ? <f32>0 : load<f32>(p + i));
    }
  }
  return 0;
}
