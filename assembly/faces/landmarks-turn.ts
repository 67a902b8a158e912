// Gray values of a rotated square, four pixels at a time. Positions are 32-bit fractions, relative to the pixel of the
// first one: exact to 1e-4 px for faces of a thousand pixels.

/** Converts to a fixed-point fraction with saturation. */
function fraction(value: f64, bits: i32): i32 {
  return <i32>floor<f64>(value * <f64>(1 << bits) + 0.5);
}

/** Two neighbors of each of four pixels, as 16-bit numbers. */
export function pairs(source: usize, at: v128): v128 {
  let two = v128.load16_lane(source + <usize>i32x4.extract_lane(at, 0), i32x4.splat(0), 0);
  two = v128.load16_lane(source + <usize>i32x4.extract_lane(at, 1), two, 1);
  two = v128.load16_lane(source + <usize>i32x4.extract_lane(at, 2), two, 2);
  two = v128.load16_lane(source + <usize>i32x4.extract_lane(at, 3), two, 3);
  return i16x8.extend_low_i8x16_u(two);
}

/** Clamps integers to 0..`most`. */
function within(place: v128, most: v128): v128 {
  return i32x4.min_s(most, i32x4.max_s(i32x4.splat(0), place));
}

/** The low bits for values above 0 and below `most`, otherwise 0. */
function weightOf(whole: v128, fractions: v128, most: v128): v128 {
  const inside = v128.and(i32x4.ge_s(whole, i32x4.splat(0)), i32x4.lt_s(whole, most));
  return v128.and(v128.and(fractions, i32x4.splat(255)), inside);
}

/**
 * The square of `side` pixels whose pixel (i, j) is at first + i across + j down in the image. `frame` contains these
 * three vectors, x and y of each, as doubles. Rows have `pitch` bytes, a multiple of 16. Interpolated with weights of
 * 256ths, also in images with a higher resolution, because features are means of squares. The border is replicated.
 */
export function sampleTurned(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  frame: usize,
  side: i32,
  gray: usize,
  pitch: i32,
): void {
  const left = floor<f64>(load<f64>(frame));
  const top = floor<f64>(load<f64>(frame, 8));
  const farX = abs<f64>(load<f64>(frame, 16)) + abs<f64>(load<f64>(frame, 32));
  const farY = abs<f64>(load<f64>(frame, 24)) + abs<f64>(load<f64>(frame, 40));
  const span = <f64>(side + 1) * max<f64>(farX, farY) + 2;
  const bits = max(8, clz<i32>(<i32>span) - 2);
  const acrossX = fraction(load<f64>(frame, 16), bits);
  const acrossY = fraction(load<f64>(frame, 24), bits);
  const downX = fraction(load<f64>(frame, 32), bits);
  const downY = fraction(load<f64>(frame, 40), bits);
  const firstX = fraction(load<f64>(frame) - left, bits);
  const firstY = fraction(load<f64>(frame, 8) - top, bits);
  const lefts = i32x4.splat(<i32>left);
  const tops = i32x4.splat(<i32>top);
  const mostX = i32x4.splat(width - 1);
  const mostY = i32x4.splat(height - 1);
  const rows = i32x4.splat(stride);
  const four = i32x4(0, 1, 2, 3);
  const stepX = i32x4.mul(four, i32x4.splat(acrossX));
  const stepY = i32x4.mul(four, i32x4.splat(acrossY));
  for (let j = 0; j < side; j++, gray += pitch)
    for (let i = 0; i < side; i += 4) {
      const x = i32x4.add(i32x4.splat(firstX + j * downX + i * acrossX), stepX);
      const y = i32x4.add(i32x4.splat(firstY + j * downY + i * acrossY), stepY);
      const column = i32x4.add(i32x4.shr_s(x, bits), lefts);
      const row = i32x4.add(i32x4.shr_s(y, bits), tops);
      const wx = weightOf(column, i32x4.shr_s(x, bits - 8), mostX);
      const wy = weightOf(row, i32x4.shr_s(y, bits - 8), mostY);
      const at = i32x4.add(i32x4.mul(within(row, mostY), rows), within(column, mostX));
      const below = i32x4.add(at, v128.and(i32x4.gt_s(wy, i32x4.splat(0)), rows));
      const weights = v128.or(i32x4.sub(i32x4.splat(256), wx), i32x4.shl(wx, 16));
      const upper = i32x4.mul(i32x4.dot_i16x8_s(pairs(source, at), weights), i32x4.sub(i32x4.splat(256), wy));
      const lower = i32x4.mul(i32x4.dot_i16x8_s(pairs(source, below), weights), wy);
      const sum = i32x4.shr_s(i32x4.add(i32x4.add(upper, lower), i32x4.splat(32768)), 16);
      const narrow = i16x8.narrow_i32x4_s(sum, sum);
      v128.store32_lane(gray + i, i8x16.narrow_i16x8_u(narrow, narrow), 0);
    }
}
