// Eigenvalues of the Hessian, fused: three smoothed rows are kept. Every new one completes a row of second derivatives
// and both eigenvalues from one shared root (paper 003, algorithm 2). The sign of its equations 6 to 8 is corrected:
// (IH - IV)^2 + 4 ID^2 under the root.

import { room, smoothBytes, smoothed, spread } from './smooth';
import { solve } from './solve';

/** One row of eigenvalues from the smoothed rows above, here and below, with replicated ends. */
function eigenRow(a: usize, b: usize, c: usize, width: i32, p: usize, q: usize, mask: v128): void {
  const half = f32x4.splat(0.5);
  const quarter = f32x4.splat(0.25);
  for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 16) {
    const center = v128.load(b + x);
    const twice = f32x4.add(center, center);
    const xx = f32x4.add(f32x4.sub(v128.load(b + x, 4), twice), v128.load(b + x - 4));
    const yy = f32x4.add(f32x4.sub(v128.load(c + x), twice), v128.load(a + x));
    const xy = f32x4.mul(
      quarter,
      f32x4.add(
        f32x4.sub(v128.load(c + x, 4), v128.load(c + x - 4)),
        f32x4.sub(v128.load(a + x - 4), v128.load(a + x, 4)),
      ),
    );
    solve(xx, yy, xy, p + x, q + x, half, mask);
  }
}

/**
 * Rows y0..y1-1 of both eigenvalues. `taps`: radius + 1 floats for the vertical pass, which also contain the unit of
 * gray, then radius + 1 for the horizontal pass, the center first. `ordered` 1: |lambda1| <= |lambda2|, 0: ascending.
 */
export function hessianEigenvalues(
  source: usize,
  sourceStride: i32,
  target1: usize,
  target2: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  ordered: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const rows = scratch;
  const line = <usize>((((width + 15) & ~15) + 8) << 2);
  const sums = (rows + ((<usize>(radius + 1)) << 3) + ((<usize>room(radius)) << 2) + 15) & ~15;
  let a = sums + ((<usize>(((width + 15) & ~15) + room(radius) + 4)) << 2);
  let b = a + line;
  let c = b + line;
  const mask = ordered ? i32x4.splat(0x80000000) : i32x4.splat(0);
  const rowwise = taps + ((<usize>(radius + 1)) << 2);
  smoothed(source, sourceStride, width, height, taps, rowwise, radius, max(y0 - 1, 0), rows, sums, a);
  smoothed(source, sourceStride, width, height, taps, rowwise, radius, y0, rows, sums, b);
  for (let y = y0; y < y1; y++) {
    smoothed(source, sourceStride, width, height, taps, rowwise, radius, min(y + 1, height - 1), rows, sums, c);
    const out = <usize>(y * targetStride);
    eigenRow(a, b, c, width, target1 + out, target2 + out, mask);
    const old = a;
    a = b;
    b = c;
    c = old;
  }
  return 0;
}

export function hessianEigenvaluesScratch(width: i32, radius: i32): i32 {
  return smoothBytes(width, radius, 3);
}

/** Row y of the image, with the border replicated. */
function rowAt(source: usize, stride: i32, height: i32, y: i32): usize {
  return source + <usize>(min(max(y, 0), height - 1) * stride);
}

/**
 * Vertical sums over five rows around y, times `unit`: [1 4 6 4 1], [1 0 -2 0 1] and [-1 -2 0 2 1]. The ends are
 * replicated.
 */
function sumsDown(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  y: i32,
  unit: f32,
  out: usize,
  line: usize,
): void {
  const a = rowAt(source, stride, height, y - 2);
  const b = rowAt(source, stride, height, y - 1);
  const c = rowAt(source, stride, height, y);
  const d = rowAt(source, stride, height, y + 1);
  const e = rowAt(source, stride, height, y + 2);
  for (let x: usize = 0; x < <usize>width; x++) {
    const outer = <i32>load<u8>(a + x) + <i32>load<u8>(e + x);
    const inner = <i32>load<u8>(b + x) + <i32>load<u8>(d + x);
    const center = <i32>load<u8>(c + x);
    const apart = <i32>load<u8>(e + x) - <i32>load<u8>(a + x);
    const near = <i32>load<u8>(d + x) - <i32>load<u8>(b + x);
    const p = out + (x << 2);
    store<f32>(p, unit * <f32>(outer + 4 * inner + 6 * center));
    store<f32>(p + line, unit * <f32>(outer - 2 * center));
    store<f32>(p + 2 * line, unit * <f32>(apart + 2 * near));
  }
  spread(out, width, 2);
  spread(out + line, width, 2);
  spread(out + 2 * line, width, 2);
}

/**
 * Eigenvalues from Sobel derivatives of Sobel derivatives: the two 3x3 filters combined to 5x5, without other
 * smoothing.
 */
export function sobelEigenvalues(
  source: usize,
  sourceStride: i32,
  target1: usize,
  target2: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  unit: f32,
  ordered: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const line = <usize>((((width + 15) & ~15) + 8) << 2);
  const smooth = scratch + 16;
  const second = smooth + line;
  const first = second + line;
  const mask = ordered ? i32x4.splat(0x80000000) : i32x4.splat(0);
  const half = f32x4.splat(0.5);
  const two = f32x4.splat(2);
  const four = f32x4.splat(4);
  const six = f32x4.splat(6);
  for (let y = y0; y < y1; y++) {
    sumsDown(source, sourceStride, width, height, y, unit, smooth, line);
    const out = <usize>(y * targetStride);
    for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 16) {
      let p = smooth + x;
      const xx = f32x4.sub(f32x4.add(v128.load(p - 8), v128.load(p, 8)), f32x4.mul(two, v128.load(p)));
      p = second + x;
      const yy = f32x4.add(
        f32x4.add(v128.load(p - 8), v128.load(p, 8)),
        f32x4.add(f32x4.mul(four, f32x4.add(v128.load(p - 4), v128.load(p, 4))), f32x4.mul(six, v128.load(p))),
      );
      p = first + x;
      const xy = f32x4.add(
        f32x4.sub(v128.load(p, 8), v128.load(p - 8)),
        f32x4.mul(two, f32x4.sub(v128.load(p, 4), v128.load(p - 4))),
      );
      solve(xx, yy, xy, target1 + out + x, target2 + out + x, half, mask);
    }
  }
  return 0;
}

export function sobelEigenvaluesScratch(width: i32): i32 {
  return 12 * (((width + 15) & ~15) + 8) + 64;
}
