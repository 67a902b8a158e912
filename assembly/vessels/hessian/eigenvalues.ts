// Eigenvalues of the Hessian, fused: three smoothed rows are kept; every new one gives a row of second derivatives and
// both eigenvalues from one shared root (paper 003, algorithm 2, with the sign of its equations 6 to 8 corrected:
// (IH - IV)^2 + 4 ID^2 under the root).

import { room, smoothBytes, smoothed, spread } from './smooth';
import { solve } from './solve';

/** One row of eigenvalues from the smoothed rows above, here and below, whose ends were replicated. */
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
 * Rows y0..y1-1 of both eigenvalues. `taps`: radius + 1 floats for down the columns, which also carry the unit of gray,
 * then as many for across, the center first. `ordered` 1: |lambda1| <= |lambda2|; 0: ascending.
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

/** The gray level at (x, y) of the image continued by its border. */
function at(row: usize, x: i32, width: i32): f32 {
  return <f32>load<u8>(row + min(max(x, 0), width - 1));
}

/** Row y of the three Sobel derivatives, across, down and along the diagonal, in eighths times `unit`. */
function sobelRow(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  y: i32,
  unit: f32,
  out: usize,
  line: usize,
): void {
  const a = source + <usize>(max(y - 1, 0) * stride);
  const b = source + <usize>(y * stride);
  const c = source + <usize>(min(y + 1, height - 1) * stride);
  for (let x = 0; x < width; x++) {
    const nw = at(a, x - 1, width);
    const n = at(a, x, width);
    const ne = at(a, x + 1, width);
    const w = at(b, x - 1, width);
    const e = at(b, x + 1, width);
    const sw = at(c, x - 1, width);
    const s = at(c, x, width);
    const se = at(c, x + 1, width);
    const p = out + ((<usize>x) << 2);
    store<f32>(p, unit * (ne - nw + 2 * (e - w) + (se - sw)));
    store<f32>(p + line, unit * (sw - nw + 2 * (s - n) + (se - ne)));
    store<f32>(p + 2 * line, unit * (2 * (se - nw) + (s - n) + (e - w)));
  }
  spread(out, width, 1);
  spread(out + line, width, 1);
  spread(out + 2 * line, width, 1);
}

/** The five-point Laplacian of four pixels. */
function laplacian(a: usize, b: usize, c: usize): v128 {
  const center = v128.load(b);
  const twice = f32x4.add(center, center);
  return f32x4.add(
    f32x4.add(f32x4.sub(v128.load(b, 4), twice), v128.load(b - 4)),
    f32x4.add(f32x4.sub(v128.load(c), twice), v128.load(a)),
  );
}

/** The same from the paper's second channel: IH, IV and ID are Laplacians of Sobel derivatives. */
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
  let a = scratch + 16;
  let b = a + 3 * line;
  let c = b + 3 * line;
  const mask = ordered ? i32x4.splat(0x80000000) : i32x4.splat(0);
  const half = f32x4.splat(0.5);
  sobelRow(source, sourceStride, width, height, max(y0 - 1, 0), unit, a, line);
  sobelRow(source, sourceStride, width, height, y0, unit, b, line);
  for (let y = y0; y < y1; y++) {
    sobelRow(source, sourceStride, width, height, min(y + 1, height - 1), unit, c, line);
    const out = <usize>(y * targetStride);
    for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 16) {
      const xx = laplacian(a + x, b + x, c + x);
      const yy = laplacian(a + line + x, b + line + x, c + line + x);
      const xy = laplacian(a + 2 * line + x, b + 2 * line + x, c + 2 * line + x);
      solve(xx, yy, xy, target1 + out + x, target2 + out + x, half, mask);
    }
    const old = a;
    a = b;
    b = c;
    c = old;
  }
  return 0;
}

export function sobelEigenvaluesScratch(width: i32): i32 {
  return 36 * (((width + 15) & ~15) + 8) + 64;
}
