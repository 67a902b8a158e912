// Eigenvalues of the Hessian from central differences applied twice, like numpy.gradient: in the first and last row and
// column, the difference to the only neighbor. This is the Hessian of scikit-image's feature.hessian_matrix.

import { room, smoothBytes, smoothed } from './smooth';
import { solve } from './solve';

/** Slot of row y, with the first and last one replicated, in a ring of five smoothed rows. */
function slot(ring: usize, line: usize, y: i32, height: i32): usize {
  return ring + line * <usize>(min(max(y, 0), height - 1) % 5);
}

/**
 * Extrapolates two samples beyond both ends of a row, so that central differences become one-sided at the ends, applied
 * once or twice. l(-1) = 2 l(0) - l(1), and l(-2) = 4 l(0) - 4 l(1) + l(2). If a row has two samples, l(2) is such an
 * extrapolated sample itself.
 */
function continueEnds(row: usize, width: i32): void {
  const end = row + ((<usize>(width - 1)) << 2);
  const a = load<f32>(row);
  const z = load<f32>(end);
  const b = width > 1 ? load<f32>(row, 4) : a;
  const y = width > 1 ? load<f32>(end - 4) : z;
  const c = width > 2 ? load<f32>(row, 8) : 2 * b - a;
  const x = width > 2 ? load<f32>(end - 8) : 2 * y - z;
  store<f32>(row - 4, 2 * a - b);
  store<f32>(row - 8, 4 * (a - b) + c);
  store<f32>(end, 2 * z - y, 4);
  store<f32>(end, 4 * (z - y) + x, 8);
}

/**
 * Rows y0..y1-1 of both eigenvalues. Parameters as in hessianEigenvalues. In the vertical direction neighbors are
 * clamped to the image, and their difference is divided by their distance.
 */
export function gradientEigenvalues(
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
  const ring = sums + ((<usize>(((width + 15) & ~15) + room(radius) + 4)) << 2);
  const mask = ordered ? i32x4.splat(0x80000000) : i32x4.splat(0);
  const rowwise = taps + ((<usize>(radius + 1)) << 2);
  const half = f32x4.splat(0.5);
  const quarter = f32x4.splat(0.25);
  let next = max(y0 - 2, 0);
  for (let y = y0; y < y1; y++) {
    for (const reach = min(y + 2, height - 1); next <= reach; next++) {
      const row = slot(ring, line, next, height);
      smoothed(source, sourceStride, width, height, taps, rowwise, radius, next, rows, sums, row);
      continueEnds(row, width);
    }
    const n = max(y - 1, 0);
    const s = min(y + 1, height - 1);
    const b = slot(ring, line, y, height);
    const north = slot(ring, line, n, height);
    const south = slot(ring, line, s, height);
    const nn = slot(ring, line, n - 1, height);
    const ns = slot(ring, line, n + 1, height);
    const sn = slot(ring, line, s - 1, height);
    const ss = slot(ring, line, s + 1, height);
    const apart: f32 = 1 / <f32>max(s - n, 1);
    const upper = f32x4.splat(apart / <f32>max(min(n + 1, height - 1) - max(n - 1, 0), 1));
    const lower = f32x4.splat(apart / <f32>max(min(s + 1, height - 1) - max(s - 1, 0), 1));
    const mixed = f32x4.splat(<f32>0.5 * apart);
    const out = <usize>(y * targetStride);
    for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 16) {
      const center = v128.load(b + x);
      const east = f32x4.sub(v128.load(b + x, 8), center);
      const xx = f32x4.mul(quarter, f32x4.sub(east, f32x4.sub(center, v128.load(b + x - 8))));
      const below = f32x4.mul(lower, f32x4.sub(v128.load(ss + x), v128.load(sn + x)));
      const yy = f32x4.sub(below, f32x4.mul(upper, f32x4.sub(v128.load(ns + x), v128.load(nn + x))));
      const rightward = f32x4.sub(v128.load(south + x, 4), v128.load(south + x - 4));
      const xy = f32x4.mul(mixed, f32x4.sub(rightward, f32x4.sub(v128.load(north + x, 4), v128.load(north + x - 4))));
      solve(xx, yy, xy, target1 + out + x, target2 + out + x, half, mask);
    }
  }
  return 0;
}

export function gradientEigenvaluesScratch(width: i32, radius: i32): i32 {
  return smoothBytes(width, radius, 5);
}
