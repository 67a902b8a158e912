// Faces cut out of an image and turned upright, four pixels at a time.
import { pairs } from './landmarks-turn';

/** Levels between pairs, by the weights of the right ones. */
function between(two: v128, weight: v128): v128 {
  const first = f32x4.convert_i32x4_s(v128.and(two, i32x4.splat(0xffff)));
  const second = f32x4.convert_i32x4_s(i32x4.shr_u(two, 16));
  return f32x4.add(first, f32x4.mul(f32x4.sub(second, first), weight));
}

/**
 * Rows y0..y1-1 of a square crop of `side` pixels, 4 or more. A pixel is the mean of `samples` x `samples` samples, linear
 * between the pixels of the image, whose border is replicated. The first sample is at (left, top), and from one sample to the
 * next it is (c, s) along a row and (-s, c) along a column. `bytes`: rounded to u8, otherwise f32.
 */
export function uprightCrop(
  source: usize,
  sourceStride: i32,
  sourceWidth: i32,
  sourceHeight: i32,
  target: usize,
  targetStride: i32,
  side: i32,
  samples: i32,
  left: f64,
  top: f64,
  c: f64,
  s: f64,
  bytes: bool,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  // Places are relative to whole pixels near the first one, so that 32 bits are exact enough in a large image.
  const column = floor<f64>(left);
  const row = floor<f64>(top);
  const lanes = f32x4(0, 1, 2, 3);
  const stepX = f32x4.mul(lanes, f32x4.splat(<f32>(c * <f64>samples)));
  const stepY = f32x4.mul(lanes, f32x4.splat(<f32>(s * <f64>samples)));
  const share = f32x4.splat(<f32>1 / <f32>(samples * samples));
  const columns = i32x4.splat(<i32>column);
  const rows = i32x4.splat(<i32>row);
  const leftmost = f32x4.splat(<f32>-column);
  const topmost = f32x4.splat(<f32>-row);
  const rightmost = f32x4.splat(<f32>(<f64>(sourceWidth - 1) - column));
  const lowest = f32x4.splat(<f32>(<f64>(sourceHeight - 1) - row));
  const lastRow = i32x4.splat(sourceHeight - 1);
  const stride = i32x4.splat(sourceStride);
  for (let y = y0; y < y1; y++)
    for (let x = 0; x < side; x += 4) {
      const at = min(x, side - 4); // the last four again where fewer are left
      let sum = f32x4.splat(0);
      for (let v = y * samples; v < (y + 1) * samples; v++)
        for (let u = at * samples; u < (at + 1) * samples; u++) {
          const firstX = left - column + c * <f64>u - s * <f64>v;
          const firstY = top - row + s * <f64>u + c * <f64>v;
          const px = f32x4.pmin(rightmost, f32x4.pmax(leftmost, f32x4.add(f32x4.splat(<f32>firstX), stepX)));
          const py = f32x4.pmin(lowest, f32x4.pmax(topmost, f32x4.add(f32x4.splat(<f32>firstY), stepY)));
          const wholeX = f32x4.floor(px);
          const wholeY = f32x4.floor(py);
          const i = i32x4.add(i32x4.trunc_sat_f32x4_s(wholeX), columns);
          const j = i32x4.add(i32x4.trunc_sat_f32x4_s(wholeY), rows);
          const below = i32x4.min_s(i32x4.add(j, i32x4.splat(1)), lastRow);
          const wx = f32x4.sub(px, wholeX);
          const upper = between(pairs(source, i32x4.add(i32x4.mul(j, stride), i)), wx);
          const lower = between(pairs(source, i32x4.add(i32x4.mul(below, stride), i)), wx);
          sum = f32x4.add(sum, f32x4.add(upper, f32x4.mul(f32x4.sub(lower, upper), f32x4.sub(py, wholeY))));
        }
      const mean = f32x4.mul(sum, share);
      const to = target + <usize>(y * targetStride);
      if (!bytes) v128.store(to + ((<usize>at) << 2), mean);
      else {
        const whole = i32x4.trunc_sat_f32x4_s(f32x4.add(mean, f32x4.splat(0.5)));
        const words = i16x8.narrow_i32x4_s(whole, whole);
        v128.store32_lane(to + <usize>at, i8x16.narrow_i16x8_u(words, words), 0);
      }
    }
  return 0;
}
