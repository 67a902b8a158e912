// Line response: the Hessian is rotated to a direction and summed over samples along it. All computations use 16-bit
// integers, eight pixels per vector, so that both backends agree to the last bit.
//
// With m = (IH + IV) / 2 and f = (IH - IV) / 2 the second derivative across a line of direction t is m - (f cos 2t + ID
// sin 2t), and across the perpendicular line m + (...). Two directions cost one product more than one.

import { across, columnsF32, room, rowTable, smoothBytes, spread } from '../hessian/smooth';

function smoothed(
  source: usize,
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
  rowTable(rows, source, stride, y, height, radius);
  columnsF32(rows, taps, radius, width, sums);
  spread(sums, width, radius);
  across(sums, taps, radius, width, out);
  spread(out, width, 1);
}

/** Eight values as 16-bit integers, rounded to the nearest (halves to even) and saturated. */
function rounded(low: v128, high: v128): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.trunc_sat_f32x4_s(f32x4.nearest(low)),
    i32x4.trunc_sat_f32x4_s(f32x4.nearest(high)),
  );
}

/** IH of four pixels. */
function second(b: usize): v128 {
  const center = v128.load(b);
  return f32x4.add(f32x4.sub(v128.load(b, 4), f32x4.add(center, center)), v128.load(b - 4));
}

/** IV of four pixels. */
function down(a: usize, b: usize, c: usize): v128 {
  const center = v128.load(b);
  return f32x4.add(f32x4.sub(v128.load(c), f32x4.add(center, center)), v128.load(a));
}

/** Four times ID of four pixels. */
function mixed(a: usize, c: usize): v128 {
  return f32x4.add(f32x4.sub(v128.load(c, 4), v128.load(c - 4)), f32x4.sub(v128.load(a - 4), v128.load(a, 4)));
}

/**
 * Rows y0..y1-1 of (IH + IV) / 2, (IH - IV) / 2 and ID of a float image smoothed with `taps`, times `scale`, as 16-bit
 * integers.
 */
export function lineTerms(
  source: usize,
  sourceStride: i32,
  targetM: usize,
  targetF: usize,
  targetD: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  scale: f32,
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
  const half = f32x4.splat(0.5 * scale);
  const quarter = f32x4.splat(0.25 * scale);
  smoothed(source, sourceStride, width, height, taps, radius, max(y0 - 1, 0), rows, sums, a);
  smoothed(source, sourceStride, width, height, taps, radius, y0, rows, sums, b);
  for (let y = y0; y < y1; y++) {
    smoothed(source, sourceStride, width, height, taps, radius, min(y + 1, height - 1), rows, sums, c);
    let out = <usize>(y * targetStride);
    for (let x: usize = 0, end = (<usize>width) << 2; x < end; x += 32, out += 16) {
      const h = second(b + x);
      const v = down(a + x, b + x, c + x);
      const h2 = second(b + x + 16);
      const v2 = down(a + x + 16, b + x + 16, c + x + 16);
      v128.store(targetM + out, rounded(f32x4.mul(half, f32x4.add(h, v)), f32x4.mul(half, f32x4.add(h2, v2))));
      v128.store(targetF + out, rounded(f32x4.mul(half, f32x4.sub(h, v)), f32x4.mul(half, f32x4.sub(h2, v2))));
      v128.store(
        targetD + out,
        rounded(f32x4.mul(quarter, mixed(a + x, c + x)), f32x4.mul(quarter, mixed(a + x + 16, c + x + 16))),
      );
    }
    const old = a;
    a = b;
    b = c;
    c = old;
  }
  return 0;
}

export function lineTermsScratch(width: i32, radius: i32): i32 {
  return smoothBytes(width, radius, 3);
}

/** Number of output rows per step. */
const ROWS: i32 = 32;

/** Writes second derivatives across a line and across its perpendicular, for eight pixels, to p and q. */
function turn(
  m: usize,
  f: usize,
  d: usize,
  p: usize,
  q: usize,
  cos: v128,
  sin: v128,
  limit: v128,
  least: v128,
  mask: v128,
): void {
  const mean = v128.load(m);
  const part = i16x8.add_sat_s(i16x8.q15mulr_sat_s(v128.load(f), cos), i16x8.q15mulr_sat_s(v128.load(d), sin));
  v128.store(p, v128.and(mask, i16x8.max_s(least, i16x8.min_s(limit, i16x8.sub_sat_s(mean, part)))));
  v128.store(q, v128.and(mask, i16x8.max_s(least, i16x8.min_s(limit, i16x8.add_sat_s(mean, part)))));
}

/** Both strips of rotated derivatives: `rows` rows starting at row `first` of the image, 0 outside. */
function turnRows(
  m: usize,
  f: usize,
  d: usize,
  stride: i32,
  width: i32,
  height: i32,
  cos: i32,
  sin: i32,
  limit: i32,
  first: i32,
  rows: i32,
  a: usize,
  b: usize,
  stripStride: i32,
): void {
  const vc = i16x8.splat(<i16>cos);
  const vs = i16x8.splat(<i16>sin);
  const most = i16x8.splat(<i16>limit);
  const least = i16x8.splat(<i16>-limit);
  const all = i16x8.splat(-1);
  const tail = i16x8.lt_s(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>(width & 7)));
  const whole = (<usize>(width & ~7)) << 1;
  for (let r = 0; r < rows; r++) {
    const y = first + r;
    const p = a + <usize>(r * stripStride);
    const q = b + <usize>(r * stripStride);
    if (y < 0 || y >= height) {
      memory.fill(p, 0, (<usize>((width + 7) & ~7)) << 1);
      memory.fill(q, 0, (<usize>((width + 7) & ~7)) << 1);
      continue;
    }
    const row = <usize>(y * stride);
    for (let x: usize = 0; x < whole; x += 16)
      turn(m + row + x, f + row + x, d + row + x, p + x, q + x, vc, vs, most, least, all);
    if (width & 7)
      turn(m + row + whole, f + row + whole, d + row + whole, p + whole, q + whole, vc, vs, most, least, tail);
  }
}

/** Maximum of `best` and of two sums over samples at byte offsets, for one row. */
function sumRow(p: usize, q: usize, best: usize, width: i32, offsets: usize, count: i32): void {
  const middle = offsets + ((<usize>count) << 2);
  const last = middle + ((<usize>count) << 2);
  let x: usize = 0;
  const end = (<usize>((width + 7) & ~7)) << 1;
  for (; x + 64 <= end; x += 64) {
    let s = p + x + <usize>load<i32>(offsets);
    let a = v128.load(s);
    let b = v128.load(s, 16);
    let c = v128.load(s, 32);
    let d = v128.load(s, 48);
    for (let o = offsets + 4; o < middle; o += 4) {
      s = p + x + <usize>load<i32>(o);
      a = i16x8.add(a, v128.load(s));
      b = i16x8.add(b, v128.load(s, 16));
      c = i16x8.add(c, v128.load(s, 32));
      d = i16x8.add(d, v128.load(s, 48));
    }
    s = q + x + <usize>load<i32>(middle);
    let e = v128.load(s);
    let f = v128.load(s, 16);
    let g = v128.load(s, 32);
    let h = v128.load(s, 48);
    for (let o = middle + 4; o < last; o += 4) {
      s = q + x + <usize>load<i32>(o);
      e = i16x8.add(e, v128.load(s));
      f = i16x8.add(f, v128.load(s, 16));
      g = i16x8.add(g, v128.load(s, 32));
      h = i16x8.add(h, v128.load(s, 48));
    }
    const r = best + x;
    v128.store(r, i16x8.max_s(v128.load(r), i16x8.max_s(a, e)));
    v128.store(r, i16x8.max_s(v128.load(r, 16), i16x8.max_s(b, f)), 16);
    v128.store(r, i16x8.max_s(v128.load(r, 32), i16x8.max_s(c, g)), 32);
    v128.store(r, i16x8.max_s(v128.load(r, 48), i16x8.max_s(d, h)), 48);
  }
  for (; x < end; x += 16) {
    let a = i16x8.splat(0);
    let e = a;
    for (let o = offsets; o < middle; o += 4) a = i16x8.add(a, v128.load(p + x + <usize>load<i32>(o)));
    for (let o = middle; o < last; o += 4) e = i16x8.add(e, v128.load(q + x + <usize>load<i32>(o)));
    const r = best + x;
    v128.store(r, i16x8.max_s(v128.load(r), i16x8.max_s(a, e)));
  }
}

/** The lines of the summation. */
@unmanaged
export class LineDirections {
  /**
   * For each pair of directions cos 2t and sin 2t in 1/32768, then `count` offsets in bytes of samples along the line,
   * then `count` offsets along its perpendicular. All are 32-bit integers.
   */
  table: usize;
  pairs: i32;
  /** Number of samples of a line. */
  count: i32;
  /** Keeps the sums within 16 bits. */
  limit: i32;
  /** Vertical reach of the lines in rows. */
  reach: i32;
  /** Left padding of a strip in pixels, and bytes per row. */
  left: i32;
  stride: i32;
}

/**
 * Rows y0..y1-1 of the maximum sum over all directions, at least 0. `m`, `f` and `d` from lineTerms, rows of `stride`
 * bytes. Samples outside the image count as 0.
 */
export function lineMaximum(
  m: usize,
  f: usize,
  d: usize,
  stride: i32,
  best: usize,
  bestStride: i32,
  width: i32,
  height: i32,
  lines: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const l = changetype<LineDirections>(lines);
  const reach = l.reach;
  const stripStride = l.stride;
  const bytes = <usize>((ROWS + 2 * reach) * stripStride);
  memory.fill(scratch, 0, 2 * bytes);
  const a = scratch + ((<usize>l.left) << 1);
  const b = a + bytes;
  const words = (<usize>(2 + 2 * l.count)) << 2;
  for (let top = y0; top < y1; top += ROWS) {
    const bottom = min(top + ROWS, y1);
    for (let y = top; y < bottom; y++) memory.fill(best + <usize>(y * bestStride), 0, bestStride);
    for (let pair = 0, t = l.table; pair < l.pairs; pair++, t += words) {
      turnRows(
        m,
        f,
        d,
        stride,
        width,
        height,
        load<i32>(t),
        load<i32>(t, 4),
        l.limit,
        top - reach,
        bottom - top + 2 * reach,
        a,
        b,
        stripStride,
      );
      for (let y = top; y < bottom; y++) {
        const row = <usize>((y - top + reach) * stripStride);
        sumRow(a + row, b + row, best + <usize>(y * bestStride), width, t + 8, l.count);
      }
    }
  }
  return 0;
}

/** Scratch: two strips of rotated derivatives. */
export function lineMaximumScratch(lines: usize): i32 {
  const l = changetype<LineDirections>(lines);
  return 2 * (ROWS + 2 * l.reach) * l.stride + 64;
}
