// The Hessian turned to a direction and averaged along it: the second derivative across a line, summed over samples on
// the line, is the largest eigenvalue of a straight vessel with the noise of one sample divided by theirs.

import { across, columnsF32, room, rowTable, spread } from './smooth';

function smoothed(
  src: usize,
  stride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  y: i32,
  rows: usize,
  sums: usize,
  out: usize,
): void {
  rowTable(rows, src, stride, y, height, radius);
  columnsF32(rows, taps, radius, width, sums);
  spread(sums, width, radius);
  across(sums, taps, radius, width, out);
  spread(out, width, 1);
}

/** Rows y0..y1-1 of IH, IV and ID of a float image smoothed with `taps`. Scratch as for hessianEigenvalues. */
export function secondDerivatives(
  src: usize,
  srcStride: i32,
  dstH: usize,
  dstV: usize,
  dstD: usize,
  dstStride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
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
  const quarter = f32x4.splat(0.25);
  smoothed(src, srcStride, width, height, taps, radius, max(y0 - 1, 0), rows, sums, a);
  smoothed(src, srcStride, width, height, taps, radius, y0, rows, sums, b);
  for (let y = y0; y < y1; y++) {
    smoothed(src, srcStride, width, height, taps, radius, min(y + 1, height - 1), rows, sums, c);
    const out = <usize>(y * dstStride);
    for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 16) {
      const centre = v128.load(b + x);
      const twice = f32x4.add(centre, centre);
      v128.store(dstH + out + x, f32x4.add(f32x4.sub(v128.load(b + x, 4), twice), v128.load(b + x - 4)));
      v128.store(dstV + out + x, f32x4.add(f32x4.sub(v128.load(c + x), twice), v128.load(a + x)));
      v128.store(
        dstD + out + x,
        f32x4.mul(
          quarter,
          f32x4.add(
            f32x4.sub(v128.load(c + x, 4), v128.load(c + x - 4)),
            f32x4.sub(v128.load(a + x - 4), v128.load(a + x, 4)),
          ),
        ),
      );
    }
    const old = a;
    a = b;
    b = c;
    c = old;
  }
  return 0;
}

/** Rows y0..y1-1 of h IH + v IV + d ID, to `dst`, the address of its first pixel inside a margin. */
export function directional(
  planeH: usize,
  planeV: usize,
  planeD: usize,
  stride: i32,
  dst: usize,
  dstStride: i32,
  width: i32,
  h: f32,
  v: f32,
  d: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const wh = f32x4.splat(h);
  const wv = f32x4.splat(v);
  const wd = f32x4.splat(d);
  const whole = (<usize>(width & ~3)) << 2;
  for (let y = y0; y < y1; y++) {
    const p = <usize>(y * stride);
    const out = dst + <usize>(y * dstStride);
    for (let x: usize = 0; x < whole; x += 16)
      v128.store(
        out + x,
        f32x4.add(
          f32x4.add(f32x4.mul(wh, v128.load(planeH + p + x)), f32x4.mul(wv, v128.load(planeV + p + x))),
          f32x4.mul(wd, v128.load(planeD + p + x)),
        ),
      );
    // The margin must stay 0.
    for (let x = whole, end = (<usize>width) << 2; x < end; x += 4)
      store<f32>(
        out + x,
        h * load<f32>(planeH + p + x) + v * load<f32>(planeV + p + x) + d * load<f32>(planeD + p + x),
      );
  }
  return 0;
}

/** Sums of `count` samples at `offsets` (bytes) from each pixel; the larger of it and `best`, or it alone. */
export function lineMaximum(
  src: usize,
  srcStride: i32,
  best: usize,
  bestStride: i32,
  width: i32,
  offsets: usize,
  count: i32,
  fresh: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const lastOffset = offsets + ((<usize>count) << 2);
  for (let y = y0; y < y1; y++) {
    const p = src + <usize>(y * srcStride);
    const out = best + <usize>(y * bestStride);
    for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 64) {
      let a = f32x4.splat(0);
      let b = a;
      let c = a;
      let d = a;
      for (let o = offsets; o < lastOffset; o += 4) {
        const q = p + x + <usize>load<i32>(o);
        a = f32x4.add(a, v128.load(q));
        b = f32x4.add(b, v128.load(q, 16));
        c = f32x4.add(c, v128.load(q, 32));
        d = f32x4.add(d, v128.load(q, 48));
      }
      const r = out + x;
      if (!fresh) {
        a = f32x4.max(a, v128.load(r));
        b = f32x4.max(b, v128.load(r, 16));
        c = f32x4.max(c, v128.load(r, 32));
        d = f32x4.max(d, v128.load(r, 48));
      }
      v128.store(r, a);
      v128.store(r, b, 16);
      v128.store(r, c, 32);
      v128.store(r, d, 48);
    }
  }
  return 0;
}

/** Adds `weight` times what is positive of `src`, under the mask; or writes it. */
export function accumulate(
  src: usize,
  stride: i32,
  mask: usize,
  maskStride: i32,
  dst: usize,
  width: i32,
  weight: f32,
  fresh: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const p = src + <usize>(y * stride);
    const q = dst + <usize>(y * stride);
    const m = mask + <usize>(y * maskStride);
    for (let x = 0; x < width; x++) {
      const i = (<usize>x) << 2;
      const v: f32 = load<u8>(m + x) ? weight * max(load<f32>(p + i), <f32>0) : 0;
      store<f32>(q + i, fresh ? v : load<f32>(q + i) + v);
    }
  }
  return 0;
}
