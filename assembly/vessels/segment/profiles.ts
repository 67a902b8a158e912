// Gray levels across vessels: see src/vessels/segment/profile-lines.ts.

/** Number of samples of a profile. */
const SAMPLES = 40;
/** Numbers per point: x, y, the normal there, and the distance between samples. */
const POINT = 5;
/** Every fourth byte starting at the second, rows y0..y1-1: green of RGBA. */
export function greenRows(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const whole = width & ~7;
  const low = i32x4.splat(255);
  for (let y = y0; y < y1; y++) {
    const p = source + <usize>(y * sourceStride);
    const q = target + <usize>(y * targetStride);
    let x = 0;
    for (; x < whole; x += 8) {
      const at = p + ((<usize>x) << 2);
      const a = v128.and(i32x4.shr_u(v128.load(at), 8), low);
      const b = v128.and(i32x4.shr_u(v128.load(at, 16), 8), low);
      const words = i16x8.narrow_i32x4_u(a, b);
      v128.store64_lane(q + x, i8x16.narrow_i16x8_u(words, words), 0);
    }
    for (; x < width; x++) store<u8>(q + x, load<u8>(p + ((<usize>x) << 2), 1));
  }
  return 0;
}

/** Interpolates between the pixels of a plane. NaN beyond its border. */
function pixelAt(source: usize, stride: i32, width: i32, height: i32, x: f64, y: f64): f64 {
  if (!(x >= 0 && y >= 0 && x <= <f64>(width - 1) && y <= <f64>(height - 1))) return NaN;
  const left = <i32>x;
  const top = <i32>y;
  const u = x - <f64>left;
  const v = y - <f64>top;
  const right: usize = left + 1 < width ? 1 : 0;
  const p = source + <usize>(top * stride + left);
  const q = top + 1 < height ? p + <usize>stride : p;
  const upper = <f64>load<u8>(p) + u * (<f64>load<u8>(p + right) - <f64>load<u8>(p));
  const lower = <f64>load<u8>(q) + u * (<f64>load<u8>(q + right) - <f64>load<u8>(q));
  return upper + v * (lower - upper);
}

/**
 * Profiles of the points y0..y1-1. A sample is the mean over its step, NaN outside the field: a coarse mask of 0 and 1,
 * `block` pixels per sample.
 */
export function profileSamples(
  source: usize,
  sourceStride: i32,
  width: i32,
  height: i32,
  field: usize,
  fieldStride: i32,
  block: i32,
  points: usize,
  samples: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const perPixel: f64 = 1 / <f64>block;
  for (let i = y0; i < y1; i++) {
    const point = points + <usize>(8 * POINT * i);
    const x = load<f64>(point);
    const y = load<f64>(point, 8);
    const nx = load<f64>(point, 16);
    const ny = load<f64>(point, 24);
    const step = load<f64>(point, 32);
    const taps = max<i32>(1, <i32>Math.ceil(step));
    const part = step / <f64>taps;
    const out = samples + <usize>(4 * SAMPLES * i);
    for (let k = 0; k < SAMPLES; k++) {
      let sum: f64 = 0;
      const begin = (<f64>k - 0.5 * <f64>SAMPLES) * step + 0.5 * part;
      for (let j = 0; j < taps; j++) {
        const t = begin + <f64>j * part;
        sum += pixelAt(source, sourceStride, width, height, x + t * nx, y + t * ny);
      }
      const middle = begin + 0.5 * (step - part);
      const column = <i32>((x + middle * nx + 0.5) * perPixel);
      const row = <i32>((y + middle * ny + 0.5) * perPixel);
      // Beyond the border the sum is already NaN, and no lookup is needed.
      if (sum == sum && !(load<f32>(field + <usize>(row * fieldStride + 4 * column)) > 0.5)) sum = NaN;
      store<f32>(out + ((<usize>k) << 2), <f32>(sum / <f64>taps));
    }
  }
  return 0;
}
