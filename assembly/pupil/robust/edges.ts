// Edge points for the segment search (Canny 1986, at about 320x240 as in PuRe: Santini, Fuhl, Kasneci 2018). Block
// means, a binomial 5x5 window, central differences, non-maximum suppression between interpolated neighbors with the
// vertex of the parabola as sub-pixel position. Thresholds come from the histogram of the magnitudes. All sums are
// integers. Cost: a few vector operations per reduced pixel. The suppression runs only above the low threshold.
import { Robust } from './state';
import { Search } from '../search/search';

/** Share of the pixels below the high threshold, and the low threshold relative to it. */
const BELOW_HIGH: f32 = 0.85;
const LOW: f32 = 0.45;
/** If most pixels contain only noise, the low threshold is this multiple of the median. */
const ABOVE_NOISE: f32 = 2;
/** Magnitudes are in 1/16 level over two pixels. An edge needs at least 2 levels. */
const LEAST: i32 = 32;
const BINS: i32 = 1024;

/** Block means of the region. `line`: 2 bytes per pixel of the region's width. */
export function reduceRegion(s: Search, r: Robust, line: usize): void {
  const f = r.factor;
  const area = <u32>(f * f);
  const used = r.width * f;
  for (let y = 0; y < r.height; y++) {
    const row = s.source + <usize>((s.y0 + y * f) * s.stride + s.x0);
    const out = r.image + <usize>(y * r.stride);
    if (f == 1) {
      memory.copy(out, row, <usize>r.width);
      continue;
    }
    for (let x = 0; x < used; x += 16) {
      let lo = i16x8.splat(0);
      let hi = i16x8.splat(0);
      for (let k = 0; k < f; k++) {
        const v = v128.load(row + <usize>(k * s.stride + x));
        lo = i16x8.add(lo, i16x8.extend_low_i8x16_u(v));
        hi = i16x8.add(hi, i16x8.extend_high_i8x16_u(v));
      }
      v128.store(line + <usize>(x << 1), lo);
      v128.store(line + <usize>(x << 1) + 16, hi);
    }
    let from = line;
    if (f == 2) {
      for (let x = 0; x < r.width; x++, from += 4)
        store<u8>(out + <usize>x, <u8>((<u32>load<u16>(from) + load<u16>(from, 2)) >> 2));
      continue;
    }
    for (let x = 0; x < r.width; x++) {
      let sum: u32 = 0;
      for (let k = 0; k < f; k++, from += 2) sum += <u32>load<u16>(from);
      store<u8>(out + <usize>x, <u8>(sum / area));
    }
  }
}

/** 1 4 6 4 1 down the columns into `line` (i16, sum 16), then along it into the plane, sixteen times the gray level. */
function smoothRow(r: Robust, y: i32, line: usize): void {
  const last = r.height - 1;
  const stride = r.stride;
  const p0 = r.image + <usize>(max(0, y - 2) * stride);
  const p1 = r.image + <usize>(max(0, y - 1) * stride);
  const p2 = r.image + <usize>(y * stride);
  const p3 = r.image + <usize>(min(last, y + 1) * stride);
  const p4 = r.image + <usize>(min(last, y + 2) * stride);
  const body = line + 16;
  const six = i16x8.splat(6);
  for (let x: usize = 0; x < <usize>r.width; x += 8) {
    const outer = i16x8.add(v128.load_ext<u8>(p0 + x), v128.load_ext<u8>(p4 + x));
    const inner = i16x8.add(v128.load_ext<u8>(p1 + x), v128.load_ext<u8>(p3 + x));
    const middle = i16x8.mul(v128.load_ext<u8>(p2 + x), six);
    v128.store(body + (x << 1), i16x8.add(i16x8.add(outer, i16x8.shl(inner, 2)), middle));
  }
  const end = body + ((<usize>r.width) << 1);
  for (let k: usize = 2; k <= 4; k += 2) {
    store<i16>(body - k, load<i16>(body));
    store<i16>(end + k - 2, load<i16>(end - 2));
  }
  const out = r.smooth + ((<usize>(y * stride)) << 1);
  for (let x: usize = 0; x < (<usize>r.width) << 1; x += 16) {
    const at = body + x;
    const outer = i16x8.add(v128.load(at - 4), v128.load(at + 4));
    const inner = i16x8.add(v128.load(at - 2), v128.load(at + 2));
    // 16 * 16 * 255 just fits 16 bits.
    const sum = i16x8.add(i16x8.add(outer, i16x8.shl(inner, 2)), i16x8.mul(v128.load(at), six));
    v128.store(out + x, i16x8.shr_u(sum, 4));
  }
}

/** Central differences and magnitude of a row. 0 on the border. */
function gradientRow(r: Robust, y: i32): void {
  const bytes = (<usize>r.stride) << 1;
  const at = <usize>y * bytes;
  const gx = r.gradientX + at;
  const gy = r.gradientY + at;
  const m = r.magnitude + at;
  if (y == 0 || y == r.height - 1) {
    memory.fill(gx, 0, bytes);
    memory.fill(gy, 0, bytes);
    memory.fill(m, 0, bytes);
    return;
  }
  const row = r.smooth + at;
  for (let x: usize = 0; x < bytes; x += 16) {
    const dx = i16x8.sub(v128.load(row + x + 2), v128.load(row + x - 2));
    const dy = i16x8.sub(v128.load(row + x + bytes), v128.load(row + x - bytes));
    v128.store(gx + x, dx);
    v128.store(gy + x, dy);
    const a = i16x8.shuffle(dx, dy, 0, 8, 1, 9, 2, 10, 3, 11);
    const b = i16x8.shuffle(dx, dy, 4, 12, 5, 13, 6, 14, 7, 15);
    const lo = i32x4.trunc_sat_f32x4_u(f32x4.sqrt(f32x4.convert_i32x4_s(i32x4.dot_i16x8_s(a, a))));
    const hi = i32x4.trunc_sat_f32x4_u(f32x4.sqrt(f32x4.convert_i32x4_s(i32x4.dot_i16x8_s(b, b))));
    v128.store(m + x, i16x8.narrow_i32x4_u(lo, hi));
  }
  store<u16>(m, 0);
  for (let x = r.width - 1; x < r.stride; x++) store<u16>(m + ((<usize>x) << 1), 0);
}

/** Thresholds from the histogram of every fourth row. */
function thresholds(r: Robust, histogram: usize): void {
  memory.fill(histogram, 0, <usize>(BINS << 2));
  let count: u32 = 0;
  for (let y = 2; y < r.height - 2; y += 4) {
    const row = r.magnitude + ((<usize>(y * r.stride)) << 1);
    for (let x = 1; x < r.width - 1; x++) {
      const bin = min(BINS - 1, (<i32>load<u16>(row + ((<usize>x) << 1))) >> 2);
      const at = histogram + ((<usize>bin) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
    count += <u32>(r.width - 2);
  }
  let sum: u32 = 0;
  let middle = -1;
  let bin = 0;
  for (; bin < BINS - 1; bin++) {
    sum += load<u32>(histogram + ((<usize>bin) << 2));
    if (middle < 0 && sum * 2 > count) middle = bin;
    if (<f32>sum > BELOW_HIGH * <f32>count) break;
  }
  r.low = max(LEAST, max(<i32>(LOW * <f32>(bin << 2)), <i32>(ABOVE_NOISE * <f32>(middle << 2))));
  r.high = max(bin << 2, r.low);
}

/** Stores the ridge of the magnitude as a list of points. */
function suppress(r: Robust): void {
  const stride = r.stride;
  const low = <u32>r.low;
  let n = 0;
  memory.fill(r.index, 0, (<usize>(stride * r.height)) << 1);
  for (let y = 2; y < r.height - 2 && n < r.maxEdges; y++) {
    const row = r.magnitude + ((<usize>(y * stride)) << 1);
    for (let x = 2; x < r.width - 2; x++) {
      const at = row + ((<usize>x) << 1);
      const m = <u32>load<u16>(at);
      if (m < low) continue;
      const p = (<usize>(y * stride + x)) << 1;
      const gx = <f32>load<i16>(r.gradientX + p);
      const gy = <f32>load<i16>(r.gradientY + p);
      const ax = abs<f32>(gx);
      const ay = abs<f32>(gy);
      // The next row or column that the gradient crosses, between two of its pixels.
      let main: i32;
      let side: i32;
      let w: f32;
      if (ax >= ay) {
        main = gx > 0 ? 1 : -1;
        side = gy > 0 ? stride : -stride;
        w = ay / ax;
      } else {
        main = gy > 0 ? stride : -stride;
        side = gx > 0 ? 1 : -1;
        w = ax / ay;
      }
      const center = <f32>m;
      const a = at + ((<usize>main) << 1);
      const ahead = <f32>load<u16>(a) * (1 - w) + <f32>load<u16>(a + ((<usize>side) << 1)) * w;
      if (center <= ahead) continue;
      const b = at - ((<usize>main) << 1);
      const behind = <f32>load<u16>(b) * (1 - w) + <f32>load<u16>(b - ((<usize>side) << 1)) * w;
      if (center < behind) continue;
      const t: f32 = (0.5 * (behind - ahead)) / (behind + ahead - 2 * center); // in units of the step to `ahead`
      const scale: f32 = t / max<f32>(ax, ay);
      const inverse: f32 = 1 / sqrt<f32>(gx * gx + gy * gy);
      const i = (<usize>n) << 2;
      store<f32>(r.edgeX + i, <f32>x + gx * scale);
      store<f32>(r.edgeY + i, <f32>y + gy * scale);
      store<f32>(r.normalX + i, gx * inverse);
      store<f32>(r.normalY + i, gy * inverse);
      store<u8>(r.used + <usize>n, 0);
      store<u16>(r.index + p, <u16>(n + 1));
      if (++n >= r.maxEdges) break;
    }
  }
  r.edges = n;
}

/** Edge points of the region. `work`: 4 bytes per pixel of the region's width, at least 4096. */
export function findEdgePoints(s: Search, r: Robust, work: usize): void {
  reduceRegion(s, r, work);
  for (let y = 0; y < r.height; y++) smoothRow(r, y, work);
  for (let y = 0; y < r.height; y++) gradientRow(r, y);
  thresholds(r, work);
  suppress(r);
}
