// Data of a frame shared by all targets. Written by src/objects/frame.ts.
import { windowVarianceAt, windowVarianceOf } from './frame-variance';

@unmanaged
export class ObjectFrame {
  gray: usize; // u8
  grayStride: i32;
  width: i32;
  height: i32;
  blurred: usize; // u8, 0: not computed yet
  blurredStride: i32;
  sums: usize; // integral image, u32, 0: not computed yet
  squares: usize; // integral image of (v - 128)^2, 0: not computed
  sumStride: i32; // of both
  levels: usize; // pyramid levels of the frame: address, row stride, width, height, i32
  levelCount: i32;
  serial: i32; // unique number of the frame
  colors: usize; // interleaved U and V of every 2x2 pixels (u8, 128 is gray), 0: none
  colorStride: i32;
}

/** Rounds to the nearest integer, halves upward. */
function rounded(value: f64): f64 {
  const up = ceil(value);
  return up - 0.5 > value ? up - 1 : up;
}

/**
 * Variance of the gray values of a box, rounded to whole pixels, inside the frame. Its pixels or its integrals yield
 * equal results.
 */
export function boxVariance(frame: ObjectFrame, x: f64, y: f64, width: f64, height: f64): f64 {
  const left = min(<f64>(frame.width - 1), max<f64>(0, rounded(x)));
  const top = min(<f64>(frame.height - 1), max<f64>(0, rounded(y)));
  const columns = <i32>max<f64>(1, min(<f64>frame.width - left, rounded(width)));
  const rows = <i32>max<f64>(1, min(<f64>frame.height - top, rounded(height)));
  if (frame.sums && frame.squares)
    return windowVarianceAt(frame.sums, frame.squares, frame.sumStride, <i32>left, <i32>top, columns, rows);
  return windowVarianceOf(frame.gray, frame.grayStride, <i32>left, <i32>top, columns, rows);
}
