// Faces cut out of an image and turned upright.

/**
 * Rows y0..y1-1 of a square crop of `side` pixels. A pixel is the mean of `samples` x `samples` samples, linear between
 * the pixels of the image, whose border is replicated. The first sample is at (left, top), and from one sample to the next it
 * is (c, s) along a row and (-s, c) along a column. `bytes`: rounded to u8, otherwise f32.
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
  const share = <f32>1 / <f32>(samples * samples);
  const right = <f64>(sourceWidth - 1);
  const bottom = <f64>(sourceHeight - 1);
  for (let y = y0; y < y1; y++) {
    const to = target + <usize>(y * targetStride);
    for (let x = 0; x < side; x++) {
      let sum: f32 = 0;
      for (let v = y * samples; v < (y + 1) * samples; v++)
        for (let u = x * samples; u < (x + 1) * samples; u++) {
          const px = min<f64>(right, max<f64>(0, left + c * <f64>u - s * <f64>v));
          const py = min<f64>(bottom, max<f64>(0, top + s * <f64>u + c * <f64>v));
          sum += sampleOf(source, sourceStride, sourceWidth - 1, sourceHeight - 1, px, py);
        }
      const mean = sum * share;
      if (bytes) store<u8>(to + <usize>x, <u8>(mean + 0.5));
      else store<f32>(to + ((<usize>x) << 2), mean);
    }
  }
  return 0;
}

/** Between the four pixels around a place, which is inside the image. */
function sampleOf(source: usize, stride: i32, lastColumn: i32, lastRow: i32, x: f64, y: f64): f32 {
  const i = <i32>x;
  const j = <i32>y;
  const wx = <f32>(x - <f64>i);
  const wy = <f32>(y - <f64>j);
  const above = source + <usize>(j * stride + i);
  const below = j < lastRow ? above + <usize>stride : above;
  const next: usize = i < lastColumn ? 1 : 0;
  const upper = mix(load<u8>(above), load<u8>(above + next), wx);
  return upper + (mix(load<u8>(below), load<u8>(below + next), wx) - upper) * wy;
}

function mix(a: i32, b: i32, weight: f32): f32 {
  return <f32>a + <f32>(b - a) * weight;
}
