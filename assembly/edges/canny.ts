// First half of Canny: gradient, magnitude, non-maximum suppression and double threshold, fused row by row, to a map of
// bytes: 0 nothing, 1 weak, -128 strong. Three rows of magnitudes and two of gradients are in scratch.
//
// The rule is OpenCV's. Sectors by the tangent T = 13573 / 32768: horizontal if ay < T ax, vertical if ay > (2 + T) ax,
// otherwise diagonal. With f = floor(T ax) these are ay <= f and ay - f > 2 ax. T ax is an integer for ax = 0 only. In
// that case either there is no gradient or the second condition holds. A magnitude outside the image is 0.

import { Register } from '../runtime/wasm/registers';
import { derivativeRow, rowOf, sobelRow, squaredRow } from './canny-gradient';

const STRONG: i16 = -128;

/** Size of a row of 16-bit values, with one more vector on both ends. */
function rowBytes(width: i32): i32 {
  return (((width + 31) & ~15) << 1) + 48;
}

/** The integer part of T ax. */
function tangent(ax: v128, t: v128): v128 {
  // The rounded product, minus one if the fraction was at least one half.
  return i16x8.add(i16x8.q15mulr_sat_s(ax, t), i16x8.shr_s(i16x8.shl(i16x8.mul(ax, t), 1), 15));
}

/**
 * The map of a row from |dx| + |dy| of this row and its neighbors. Writes `bytes` bytes, a multiple of 16. All rows end
 * in zeros.
 */
function suppress(
  above: usize,
  at: usize,
  below: usize,
  dx: usize,
  dy: usize,
  out: usize,
  bytes: i32,
  low: v128,
  high: v128,
  t: v128,
): void {
  for (const end = out + bytes; out < end; out += 16, at += 32, above += 32, below += 32, dx += 32, dy += 32) {
    if (!v128.any_true(v128.or(i16x8.gt_s(v128.load(at), low), i16x8.gt_s(v128.load(at, 16), low)))) {
      v128.store(out, i64x2.splat(0));
      continue;
    }
    for (let i: usize = 0; i < 32; i += 16) {
      const m = v128.load(at + i);
      const gx = v128.load(dx + i);
      const gy = v128.load(dy + i);
      const ax = i16x8.abs(gx);
      const ay = i16x8.abs(gy);
      const f = tangent(ax, t);
      const steep = i16x8.gt_s(i16x8.sub(ay, f), i16x8.add(ax, ax));
      const notFlat = i16x8.gt_s(ay, f);
      const rising = i16x8.shr_s(v128.xor(gx, gy), 15);
      const p = above + i;
      const q = below + i;
      let one = v128.bitselect(v128.load(p, 2), v128.load(p - 2), rising);
      let two = v128.bitselect(v128.load(q - 2), v128.load(q, 2), rising);
      one = v128.bitselect(v128.load(p), one, steep);
      two = v128.bitselect(v128.load(q), two, steep);
      one = v128.bitselect(one, v128.load(at + i - 2), notFlat);
      two = v128.bitselect(two, v128.load(at + i, 2), notFlat);
      // Along the axes the second neighbor may be equal, so one is subtracted from it.
      two = i16x8.add(two, v128.or(steep, v128.not(notFlat)));
      const kept = v128.and(v128.and(i16x8.gt_s(m, one), i16x8.gt_s(m, two)), i16x8.gt_s(m, low));
      const level = v128.bitselect(i16x8.splat(STRONG), i16x8.splat(1), i16x8.gt_s(m, high));
      const marks = v128.and(kept, level);
      v128.store64_lane(out + (i >> 1), i8x16.narrow_i16x8_s(marks, marks), 0);
    }
  }
}

/** Four magnitudes at `at` that exceed `low` and both neighbors along the gradient. */
function keeps4(above: usize, at: usize, below: usize, steep: v128, notFlat: v128, rising: v128, low: v128): v128 {
  const m = v128.load(at);
  let one = v128.bitselect(v128.load(above, 4), v128.load(above - 4), rising);
  let two = v128.bitselect(v128.load(below - 4), v128.load(below, 4), rising);
  one = v128.bitselect(v128.load(above), one, steep);
  two = v128.bitselect(v128.load(below), two, steep);
  one = v128.bitselect(one, v128.load(at - 4), notFlat);
  two = v128.bitselect(two, v128.load(at, 4), notFlat);
  two = i32x4.add(two, v128.or(steep, v128.not(notFlat)));
  return v128.and(v128.and(i32x4.gt_s(m, one), i32x4.gt_s(m, two)), i32x4.gt_s(m, low));
}

/** `suppress` with magnitudes in 32 bits. */
function suppressSquared(
  above: usize,
  at: usize,
  below: usize,
  dx: usize,
  dy: usize,
  out: usize,
  bytes: i32,
  low: v128,
  high: v128,
  t: v128,
): void {
  for (const end = out + bytes; out < end; out += 8, at += 32, above += 32, below += 32, dx += 16, dy += 16) {
    if (!v128.any_true(v128.or(i32x4.gt_s(v128.load(at), low), i32x4.gt_s(v128.load(at, 16), low)))) {
      v128.store64_lane(out, i64x2.splat(0), 0);
      continue;
    }
    const gx = v128.load(dx);
    const gy = v128.load(dy);
    const ax = i16x8.abs(gx);
    const ay = i16x8.abs(gy);
    const f = tangent(ax, t);
    const steep = i16x8.gt_s(i16x8.sub(ay, f), i16x8.add(ax, ax));
    const notFlat = i16x8.gt_s(ay, f);
    const rising = i16x8.shr_s(v128.xor(gx, gy), 15);
    const kept = i16x8.narrow_i32x4_s(
      keeps4(
        above,
        at,
        below,
        i32x4.extend_low_i16x8_s(steep),
        i32x4.extend_low_i16x8_s(notFlat),
        i32x4.extend_low_i16x8_s(rising),
        low,
      ),
      keeps4(
        above + 16,
        at + 16,
        below + 16,
        i32x4.extend_high_i16x8_s(steep),
        i32x4.extend_high_i16x8_s(notFlat),
        i32x4.extend_high_i16x8_s(rising),
        low,
      ),
    );
    const over = i16x8.narrow_i32x4_s(i32x4.gt_s(v128.load(at), high), i32x4.gt_s(v128.load(at, 16), high));
    const marks = v128.and(kept, v128.bitselect(i16x8.splat(STRONG), i16x8.splat(1), over));
    v128.store64_lane(out, i8x16.narrow_i16x8_s(marks, marks), 0);
  }
}

/** Rows of gradients and magnitudes, and a padded row of samples. */
export function cannyMapScratch(width: i32): i32 {
  return 256 + width + 11 * (2 * width + 128);
}

/**
 * Rows y0..y1-1 of the map. `mapStride`, a multiple of 16, exceeds the width. Its bytes after a row become 0, as do the
 * row before the first and the one after the last. A magnitude counts if it is greater than `low`, and is strong if
 * greater than `high`. `derivative`: the derivative of Gaussian instead of Sobel. `squared`: thresholds and magnitudes
 * are dx^2 + dy^2.
 */
export function cannyMap(
  source: usize,
  sourceStride: i32,
  map: usize,
  mapStride: i32,
  width: i32,
  height: i32,
  low: i32,
  high: i32,
  derivative: i32,
  squared: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const bytes = rowBytes(width);
  const gradients = scratch + 64 + <usize>((width + 79) & ~15); // after a padded row of samples
  const magnitudes = gradients + <usize>(5 * bytes);
  const plain = gradients + <usize>(4 * bytes) + 16;
  const magnitudeBytes = squared ? bytes << 1 : bytes;
  const vectorLow = squared ? i32x4.splat(low) : i16x8.splat(<i16>low);
  const vectorHigh = squared ? i32x4.splat(high) : i16x8.splat(<i16>high);
  const lows = Register.vector(vectorLow, scratch);
  const highs = Register.vector(vectorHigh, scratch);
  const t = Register.vector(i16x8.splat(13573), scratch);
  if (y0 == 0) memory.fill(map - mapStride, 0, mapStride);
  if (y1 == height) memory.fill(map + <usize>(height * mapStride), 0, mapStride);
  memory.fill(gradients, 0, 5 * bytes + 3 * magnitudeBytes);
  let above = magnitudes + 16;
  let at = above + <usize>magnitudeBytes;
  let below = at + <usize>magnitudeBytes;
  let dx = gradients;
  let dy = gradients + <usize>bytes;
  let nextX = dy + <usize>bytes;
  let nextY = nextX + <usize>bytes;
  for (let y = y0 - 1; y <= y1; y++) {
    const target = squared ? plain : below;
    if (y < 0 || y >= height) memory.fill(below, 0, magnitudeBytes - 16);
    else {
      if (derivative) derivativeRow(source, sourceStride, y, width, height, scratch + 32, nextX, nextY, target);
      else
        sobelRow(
          rowOf(source, sourceStride, y - 1, height),
          rowOf(source, sourceStride, y, height),
          rowOf(source, sourceStride, y + 1, height),
          width,
          nextX,
          nextY,
          target,
        );
      if (squared) squaredRow(nextX, nextY, width, below);
      // Values that the vectors wrote after the row are outside the image.
      const behind = below + ((<usize>width) << (squared ? 2 : 1));
      const rest = squared ? 32 : 16;
      memory.fill(behind, 0, rest);
    }
    if (y > y0) {
      const out = map + <usize>((y - 1) * mapStride);
      if (squared) suppressSquared(above, at, below, dx, dy, out, mapStride, lows, highs, t);
      else suppress(above, at, below, dx, dy, out, mapStride, lows, highs, t);
    }
    const oldest = above;
    above = at;
    at = below;
    below = oldest;
    const oldX = dx;
    const oldY = dy;
    dx = nextX;
    dy = nextY;
    nextX = oldX;
    nextY = oldY;
  }
  return 0;
}
