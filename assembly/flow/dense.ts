// Dense pyramidal Lucas-Kanade with separable window sums. The residual of each pixel is computed with that pixel's
// flow, so the system of a window combines linearizations at different flows u_i:
//
//   (sum g g^T) u = sum g (I - J(x + u_i) + g^T u_i),   g the gradient of I, the sums over the window.
//
// If all u_i are equal, this is Bouguet's iteration. Its cost does not depend on the window. A pixel whose flow points
// outside the frame adds no information (its residual counts as 0).

import { Register } from '../runtime/wasm/registers';
import { addRow, beginBlock, blockOf, boxScratch, clearEnds, LEFT, rowBytes, rowSums, STRIP } from './dense-box';
import { Warp } from './dense-warp';

/** The planes of one level. Addresses are those of the first samples. */
@unmanaged
export class FlowLevel {
  /** Gray levels of both frames. */
  previous: usize;
  next: usize;
  frameStride: i32;
  /** Scharr derivatives of the previous frame, 16 bits. */
  gx: usize;
  gy: usize;
  gradientStride: i32;
  /** The mean structure tensor, then its inverse, and its smaller eigenvalue. */
  xx: usize;
  xy: usize;
  yy: usize;
  eigenvalue: usize;
  u: usize;
  v: usize;
  /** Right-hand side, summed horizontally. At the end the mean squared residual, and the confidence in `by`. */
  bx: usize;
  by: usize;
  /** Stride of all planes of 32-bit floats. */
  stride: i32;
  width: i32;
  height: i32;
  window: i32;
  /** Minimum eigenvalue of a tensor that is inverted (exclusive). */
  least: f32;
  /** Maximum component of the flow. */
  limit: f32;
}

/** Scratch of a row with its sums, for this number of rows. */
function rowScratch(width: i32, rows: i32): i32 {
  return 64 + 256 + rows * rowBytes(width);
}

/** Scharr derivatives are 32 times gray levels per pixel. */
const DERIVATIVE: f32 = 1.0 / 32.0;

/** Rows y0..y1-1 of gx gx, gx gy, gy gy (16-bit derivatives), summed horizontally over `window`. */
export function flowTensorRows(
  gx: usize,
  gy: usize,
  gradientStride: i32,
  xx: usize,
  xy: usize,
  yy: usize,
  outStride: i32,
  width: i32,
  height: i32,
  window: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const line = <usize>rowBytes(width);
  const terms = scratch;
  const fours = scratch + 64 + LEFT;
  const sixteens = fours + line;
  const a = sixteens + line;
  const b = a + line;
  const c = b + line;
  const unit = f32x4.splat(DERIVATIVE * DERIVATIVE);
  for (let y = y0; y < y1; y++) {
    const p = gx + <usize>(y * gradientStride);
    const q = gy + <usize>(y * gradientStride);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const dx = f32x4.convert_i32x4_s(v128.load16x4_s(p + (x << 1)));
      const dy = f32x4.convert_i32x4_s(v128.load16x4_s(q + (x << 1)));
      v128.store(a + (x << 2), f32x4.mul(f32x4.mul(dx, dx), unit));
      v128.store(b + (x << 2), f32x4.mul(f32x4.mul(dx, dy), unit));
      v128.store(c + (x << 2), f32x4.mul(f32x4.mul(dy, dy), unit));
    }
    clearEnds(a, width);
    clearEnds(b, width);
    clearEnds(c, width);
    const out = <usize>(y * outStride);
    rowSums(a, fours, sixteens, terms, width, window, xx + out);
    rowSums(b, fours, sixteens, terms, width, window, xy + out);
    rowSums(c, fours, sixteens, terms, width, window, yy + out);
  }
  return 0;
}

export function flowTensorRowsScratch(width: i32): i32 {
  return rowScratch(width, 5);
}

/**
 * Replaces the mean structure tensor (gray levels per pixel, squared) with its inverse, in place, and writes its
 * smaller eigenvalue. The inverse is set to zero, which is not a valid inverse, if that eigenvalue is not above the
 * minimum.
 */
export function flowInvert(level: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<FlowLevel>(level);
  const xx = record.xx;
  const xy = record.xy;
  const yy = record.yy;
  const eigenvalue = record.eigenvalue;
  const stride = record.stride;
  const width = record.width;
  const half = f32x4.splat(0.5);
  const limit = f32x4.splat(record.least);
  for (let y = y0; y < y1; y++) {
    const row = <usize>(y * stride);
    for (let x = row, end = row + ((<usize>width) << 2); x < end; x += 16) {
      const a = v128.load(xx + x);
      const b = v128.load(xy + x);
      const c = v128.load(yy + x);
      const difference = f32x4.mul(f32x4.sub(a, c), half);
      const root = f32x4.sqrt(f32x4.add(f32x4.mul(difference, difference), f32x4.mul(b, b)));
      const larger = f32x4.add(f32x4.mul(f32x4.add(a, c), half), root);
      // det / larger keeps the digits that are lost in (a + c) / 2 - root.
      const determinant = f32x4.sub(f32x4.mul(a, c), f32x4.mul(b, b));
      const smaller = f32x4.pmax(f32x4.splat(0), f32x4.div(determinant, larger));
      const good = f32x4.gt(smaller, limit);
      const inverse = v128.and(f32x4.div(f32x4.splat(1), determinant), good);
      v128.store(eigenvalue + x, smaller);
      v128.store(xx + x, v128.and(f32x4.mul(c, inverse), good));
      v128.store(xy + x, v128.and(f32x4.neg(f32x4.mul(b, inverse)), good));
      v128.store(yy + x, v128.and(f32x4.mul(a, inverse), good));
    }
  }
  return 0;
}

/**
 * Rows y0..y1-1 of gx r and gy r, summed horizontally over the window, with r = I - J(x + u) + g^T u. With `residual`,
 * only (I - J)^2, written to bx. In these sums the derivatives are still 32 times too large.
 */
export function flowMismatchRows(level: usize, residual: i32, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<FlowLevel>(level);
  const previous = record.previous;
  const next = record.next;
  const frameStride = record.frameStride;
  const gx = residual ? 0 : record.gx;
  const gy = record.gy;
  const gradientStride = record.gradientStride;
  const u = record.u;
  const v = record.v;
  const flowStride = record.stride;
  const bx = record.bx;
  const by = record.by;
  const width = record.width;
  const height = record.height;
  const window = record.window;
  const line = <usize>rowBytes(width);
  const terms = scratch;
  const fours = scratch + 64 + LEFT;
  const sixteens = fours + line;
  const a = sixteens + line;
  const b = a + line;
  const lastX = Register.vector(f32x4.splat(<f32>(width - 1)), scratch);
  const lastY = Register.vector(f32x4.splat(<f32>(height - 1)), scratch);
  const cornerX = Register.vector(i32x4.splat(max(0, width - 2)), scratch);
  const cornerY = Register.vector(i32x4.splat(max(0, height - 2)), scratch);
  const stride = Register.vector(i32x4.splat(frameStride), scratch);
  const unit = Register.vector(f32x4.splat(DERIVATIVE), scratch);
  const step = <usize>(height > 1 ? frameStride : 0);
  for (let y = y0; y < y1; y++) {
    const rowY = f32x4.splat(<f32>y);
    const from = previous + <usize>(y * frameStride);
    const flowU = u + <usize>(y * flowStride);
    const flowV = v + <usize>(y * flowStride);
    const rowX = gx + <usize>(y * gradientStride);
    const rowG = gy + <usize>(y * gradientStride);
    let column = f32x4(0, 1, 2, 3);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const du = v128.load(flowU + (x << 2));
      const dv = v128.load(flowV + (x << 2));
      const placeX = f32x4.add(column, du);
      const placeY = f32x4.add(rowY, dv);
      column = f32x4.add(column, f32x4.splat(4));
      const inside = Warp.inside(placeX, placeY, lastX, lastY);
      const px = Warp.clamped(placeX, lastX);
      const py = Warp.clamped(placeY, lastY);
      const ix = i32x4.min_s(i32x4.trunc_sat_f32x4_s(px), cornerX);
      const iy = i32x4.min_s(i32x4.trunc_sat_f32x4_s(py), cornerY);
      const fx = f32x4.sub(px, f32x4.convert_i32x4_s(ix));
      const fy = f32x4.sub(py, f32x4.convert_i32x4_s(iy));
      const moved = Warp.sample(next, stride, step, ix, iy, fx, fy);
      const bytes = v128.load32_zero(from + x);
      const gray = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)));
      const difference = v128.and(f32x4.sub(gray, moved), inside);
      if (gx) {
        const dx = f32x4.convert_i32x4_s(v128.load16x4_s(rowX + (x << 1)));
        const dy = f32x4.convert_i32x4_s(v128.load16x4_s(rowG + (x << 1)));
        const own = f32x4.mul(f32x4.add(f32x4.mul(dx, du), f32x4.mul(dy, dv)), unit);
        const r = f32x4.add(difference, own);
        v128.store(a + (x << 2), f32x4.mul(dx, r));
        v128.store(b + (x << 2), f32x4.mul(dy, r));
      } else v128.store(a + (x << 2), f32x4.mul(difference, difference));
    }
    clearEnds(a, width);
    rowSums(a, fours, sixteens, terms, width, window, bx + <usize>(y * flowStride));
    if (gx) {
      clearEnds(b, width);
      rowSums(b, fours, sixteens, terms, width, window, by + <usize>(y * flowStride));
    }
  }
  return 0;
}

export function flowMismatchRowsScratch(level: usize): i32 {
  return rowScratch(changetype<FlowLevel>(level).width, 4);
}

/**
 * Sums bx and by vertically over the window and solves: rows y0..y1-1 of u and v, in place. They stay unchanged if the
 * inverse is zero. No component exceeds the limit, so that an outlier cannot spread beyond its window.
 */
export function flowSolve(level: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const record = changetype<FlowLevel>(level);
  const bx = record.bx;
  const by = record.by;
  const xx = record.xx;
  const xy = record.xy;
  const yy = record.yy;
  const u = record.u;
  const v = record.v;
  const stride = record.stride;
  const width = record.width;
  const height = record.height;
  const window = record.window;
  const limit = record.limit;
  const reach = window >> 1;
  const strip = (<usize>STRIP) << 2;
  const prefixX = scratch;
  const prefixY = scratch + strip;
  const suffixX = prefixY + strip;
  const suffixY = suffixX + <usize>window * strip;
  const scale = Register.vector(f32x4.splat(DERIVATIVE / <f32>(window * window)), scratch);
  const largest = Register.vector(f32x4.splat(limit), scratch);
  const least = Register.vector(f32x4.splat(-limit), scratch);
  const zero = f32x4.splat(0);
  for (let x0 = 0; x0 < width; x0 += STRIP) {
    const bytes = (<usize>((min(STRIP, width - x0) + 3) & ~3)) << 2;
    const fromX = bx + ((<usize>x0) << 2);
    const fromY = by + ((<usize>x0) << 2);
    for (let y = y0; y < y1; y++) {
      const t = y - reach;
      const offset = t - blockOf(t, window) * window;
      if (offset == 0 || y == y0) {
        beginBlock(fromX, stride, height, t, window, bytes, suffixX, prefixX);
        beginBlock(fromY, stride, height, t, window, bytes, suffixY, prefixY);
      }
      if (offset > 0) {
        const end = t + window;
        for (let row = y == y0 ? end - offset : end - 1; row < end; row++) {
          addRow(fromX, stride, height, row, bytes, prefixX);
          addRow(fromY, stride, height, row, bytes, prefixY);
        }
      }
      const partX = suffixX + <usize>offset * strip;
      const partY = suffixY + <usize>offset * strip;
      const at = <usize>(y * stride) + ((<usize>x0) << 2);
      for (let x: usize = 0; x < bytes; x += 16) {
        const p = at + x;
        const sumX = f32x4.mul(f32x4.add(v128.load(partX + x), v128.load(prefixX + x)), scale);
        const sumY = f32x4.mul(f32x4.add(v128.load(partY + x), v128.load(prefixY + x)), scale);
        const a = v128.load(xx + p);
        const b = v128.load(xy + p);
        const c = v128.load(yy + p);
        const solvable = f32x4.ne(a, zero);
        const newU = f32x4.add(f32x4.mul(a, sumX), f32x4.mul(b, sumY));
        const newV = f32x4.add(f32x4.mul(b, sumX), f32x4.mul(c, sumY));
        const keptU = v128.bitselect(newU, v128.load(u + p), solvable);
        const keptV = v128.bitselect(newV, v128.load(v + p), solvable);
        v128.store(u + p, f32x4.min(f32x4.max(keptU, least), largest));
        v128.store(v + p, f32x4.min(f32x4.max(keptV, least), largest));
      }
    }
  }
  return 0;
}

export function flowSolveScratch(level: usize): i32 {
  return boxScratch(2, changetype<FlowLevel>(level).window);
}
