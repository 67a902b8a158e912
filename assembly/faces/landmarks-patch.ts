// Input of our own landmark models: the box and a margin around it, resized to a fixed size, with sums of gray values
// that yield the mean of any square with four loads. lab/landmarks/patch.mjs uses identical arithmetic, number for
// number. About 170 x 170 pixels: a tenth of a millisecond for a face of any size.

import { sampleTurned } from './landmarks-turn';
import { resizeExact, resizeExactScratch } from './resize';

/** Standard deviations below this number of gray levels are noise, not contrast. */
const LEAST: f64 = 4;
/** Normalized standard deviation in gray levels. */
const CONTRAST: f64 = 64;

/** Bytes per row of a gray patch. */
function pitchOf(side: i32): i32 {
  return (side + 15) & ~15;
}

/**
 * Bytes that `makePatch` needs for a patch of `side` pixels: sums, gray, tables of columns and rows, and memory for
 * resizing.
 */
export function patchBytes(side: i32): usize {
  return <usize>(4 * (side + 1) * (side + 1) + pitchOf(side) * side + 16 * side + resizeExactScratch(side) + 128);
}

function clamp(v: f64, most: i32): f64 {
  return min(<f64>most, max<f64>(0, v));
}

/** Integer pixels of the two sampling positions for each pixel of the patch, along an axis. */
function placeTwo(start: f64, step: f64, side: i32, most: i32, out: usize): void {
  for (let n = 0; n < 2 * side; n++, out += 4)
    store<i32>(out, <i32>clamp(floor<f64>(start + ((<f64>n + 0.5) / 2 - 0.5) * step + 0.5), most));
}

/** For each interpolated pixel along an axis: the integer position before it and the weight of the next one, of 256. */
function weigh(start: f64, step: f64, side: i32, most: i32, out: usize): void {
  for (let i = 0; i < side; i++, out += 8) {
    const v = clamp(start + <f64>i * step, most);
    const k = floor<f64>(v);
    store<i32>(out, <i32>k);
    store<i32>(out, <i32>floor<f64>(256 * (v - k)), 4);
  }
}

/** Means of 2 x 2 positions per pixel. */
function average(source: usize, stride: i32, columns: usize, rows: usize, side: i32, gray: usize): void {
  for (let j = 0; j < side; j++, rows += 8) {
    const upper = source + <usize>(stride * load<i32>(rows));
    const lower = source + <usize>(stride * load<i32>(rows, 4));
    const row = gray + <usize>(pitchOf(side) * j);
    for (let i = 0; i < side; i++) {
      const a = <usize>load<i32>(columns + ((<usize>i) << 3));
      const b = <usize>load<i32>(columns + ((<usize>i) << 3), 4);
      const sum =
        <i32>load<u8>(upper + a) + <i32>load<u8>(upper + b) + <i32>load<u8>(lower + a) + <i32>load<u8>(lower + b);
      store<u8>(row + i, (sum + 2) >> 2);
    }
  }
}

/**
 * Gray values of the square whose pixel (i, j) is at first + i across + j down in the image. `frame` contains these
 * three vectors, x and y of each.
 */
function sample(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  frame: usize,
  side: i32,
  gray: usize,
  room: usize,
): void {
  const stepX = load<f64>(frame, 16);
  const stepY = load<f64>(frame, 40);
  const turnX = load<f64>(frame, 24);
  const turnY = load<f64>(frame, 32);
  const columns = gray + <usize>(pitchOf(side) * side);
  const rows = columns + <usize>(8 * side);
  if (turnX != 0 || turnY != 0) {
    sampleTurned(source, stride, width, height, frame, side, gray, pitchOf(side));
  } else if (max(stepX, stepY) < 1.5) {
    weigh(load<f64>(frame), stepX, side, width - 1, columns);
    weigh(load<f64>(frame, 8), stepY, side, height - 1, rows);
    resizeExact(source, stride, gray, pitchOf(side), side, columns, rows, height, 0, side, room);
  } else {
    placeTwo(load<f64>(frame), stepX, side, width - 1, columns);
    placeTwo(load<f64>(frame, 8), stepY, side, height - 1, rows);
    average(source, stride, columns, rows, side, gray);
  }
}

/**
 * Sums over all pixels above and to the left, side + 1 per row, of a square of the image. `frame` contains the position
 * of its first pixel and the steps along its rows and columns, x and y of each. Images with twice the resolution or
 * more are averaged over 2 x 2 positions, others interpolated. Returns the gray factor that normalizes the contrast of
 * the part within the margin.
 */
export function makePatch(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  frame: usize,
  side: i32,
  margin: i32,
  sums: usize,
): f64 {
  const pitch = (<usize>(side + 1)) << 2;
  const gray = (sums + pitch * (side + 1) + 15) & ~15;
  const room = (gray + <usize>(pitchOf(side) * side + 16 * side) + 15) & ~15;
  sample(source, stride, width, height, frame, side, gray, room);
  memory.fill(sums, 0, pitch);
  let total: i64 = 0;
  let squares: i64 = 0;
  for (let j = 0; j < side; j++) {
    const from = gray + <usize>(pitchOf(side) * j);
    const own = sums + pitch * (j + 1);
    store<u32>(own, 0);
    let row: u32 = 0;
    for (let i = 0; i < side; i++) {
      row += load<u8>(from + i);
      const at = own + ((<usize>i) << 2);
      store<u32>(at, row + load<u32>(at - pitch, 4), 4);
    }
    if (j < margin || j >= side - margin) continue;
    let bright = 0;
    for (let i = margin; i < side - margin; i++) {
      const v = <i32>load<u8>(from + i);
      bright += v * v;
      total += v;
    }
    squares += bright;
  }
  const n = <f64>((side - 2 * margin) * (side - 2 * margin));
  return CONTRAST / max(LEAST, sqrt<f64>(n * <f64>squares - <f64>total * <f64>total) / n);
}

/** Mean gray of the square of `reach` pixels around a position, times `gain`, as an integer. */
export function patchFeature(sums: usize, side: i32, x: f64, y: f64, reach: i32, gain: f64): f32 {
  const most = side - 1 - reach;
  const i = <i32>min(<f64>most, max(<f64>reach, floor<f64>(x + 0.5)));
  const j = <i32>min(<f64>most, max(<f64>reach, floor<f64>(y + 0.5)));
  const span = 2 * reach + 1;
  const at = sums + ((<usize>((j - reach) * (side + 1) + i - reach)) << 2);
  const below = at + ((<usize>(span * (side + 1))) << 2);
  const right = (<usize>span) << 2;
  const sum = load<u32>(below + right) - load<u32>(below) - load<u32>(at + right) + load<u32>(at);
  return <f32>floor<f64>((<f64>sum * gain) / <f64>(span * span) + 0.5);
}
