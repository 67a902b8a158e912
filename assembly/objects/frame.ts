// What all targets of a frame share; src/objects/frame.ts writes it.
import { windowVarianceAt, windowVarianceOf } from './frame-variance';

@unmanaged
export class ObjectFrame {
  gray: usize; // u8
  grayStride: i32;
  width: i32;
  height: i32;
  blurred: usize; // u8; 0: not made yet
  blurredStride: i32;
  sums: usize; // integral image, u32; 0: not made yet
  squares: usize; // that of (v - 128)^2; 0: not made
  sumStride: i32; // of both
  levels: usize; // the frame and its halvings: address, row stride, width, height, i32
  levelCount: i32;
  serial: i32; // no two frames have the same
  colors: usize; // of every two by two pixels, U and V side by side (u8, 128 is gray); 0: there are none
  colorStride: i32;
}

/** To the nearest whole number, halves upward. */
function rounded(value: f64): f64 {
  const up = ceil(value);
  return up - 0.5 > value ? up - 1 : up;
}

/** Variance of the gray values of a box, to whole pixels, inside the frame; its pixels or its integrals give the same. */
export function boxVariance(frame: ObjectFrame, x: f64, y: f64, width: f64, height: f64): f64 {
  const left = min(<f64>(frame.width - 1), max<f64>(0, rounded(x)));
  const top = min(<f64>(frame.height - 1), max<f64>(0, rounded(y)));
  const columns = <i32>max<f64>(1, min(<f64>frame.width - left, rounded(width)));
  const rows = <i32>max<f64>(1, min(<f64>frame.height - top, rounded(height)));
  if (frame.sums && frame.squares)
    return windowVarianceAt(frame.sums, frame.squares, frame.sumStride, <i32>left, <i32>top, columns, rows);
  return windowVarianceOf(frame.gray, frame.grayStride, <i32>left, <i32>top, columns, rows);
}
