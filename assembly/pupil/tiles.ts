// Preprocessing on demand (paper 000, sections 2.1 and 4.1). Starburst reads pixels only along its rays, so the
// Gaussian and the reflection mask are computed per 64x64 tile when a ray first enters it. A tile's bytes are those of
// the whole-frame stages: Gaussian with replicated border (golden 02), white top-hat and dilation over the samples
// inside the image (golden 04). Cost of a tile without reflections: one Gaussian and one minimum/maximum scan, because
// src - open(src) <= max(src) - min(src) tells that no pixel can exceed the threshold.
import { Search } from './search';

export const TILE: i32 = 64;
const SHIFT: i32 = 6;
const PATCH: i32 = 192; // row stride of patches; a tile with its largest halo (63) fits


/** Copies rows y0..y1-1, columns x0..x1-1 with replicated border to a patch. */
function copyPatch(s: Search, x0: i32, y0: i32, x1: i32, y1: i32, to: usize): void {
  const last = s.width - 1;
  for (let y = y0; y < y1; y++) {
    const row = s.src + <usize>(min(max(y, 0), s.height - 1) * s.stride);
    const left = min(max(-x0, 0), x1 - x0);
    const right = min(max(x1 - 1 - last, 0), x1 - x0 - left);
    if (left) memory.fill(to, load<u8>(row), left);
    memory.copy(to + left, row + x0 + left, x1 - x0 - left - right);
    if (right) memory.fill(to + (x1 - x0 - right), load<u8>(row + last), right);
    to += PATCH;
  }
}

/** Gaussian of the patch (halo = radius) to 64 columns at `to`: vertical sums to u16 without rounding, then horizontal. */
function blurPatch(patch: usize, to: usize, stride: i32, rows: i32, columns: i32, kernel: usize, size: i32, line: usize): void {
  const radius = size >> 1;
  const wide = columns + 2 * radius;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < wide; x += 8) {
      let lo = i32x4.splat(0);
      let hi = i32x4.splat(0);
      for (let k = 0; k < size; k++) {
        const v = i16x8.extend_low_i8x16_u(v128.load64_zero(patch + <usize>((y + k) * PATCH + x)));
        const q = i16x8.splat(load<u16>(kernel + <usize>(k << 1)));
        lo = i32x4.add(lo, i32x4.extmul_low_i16x8_u(v, q));
        hi = i32x4.add(hi, i32x4.extmul_high_i16x8_u(v, q));
      }
      v128.store(line + <usize>(x << 2), lo);
      v128.store(line + <usize>(x << 2) + 16, hi);
    }
    const out = to + <usize>(y * stride);
    for (let x = 0; x < columns; x += 8) {
      let lo = i32x4.splat(32768);
      let hi = i32x4.splat(32768);
      for (let k = 0; k < size; k++) {
        const q = i32x4.splat(<i32>load<u16>(kernel + <usize>(k << 1)));
        lo = i32x4.add(lo, i32x4.mul(v128.load(line + <usize>((x + k) << 2)), q));
        hi = i32x4.add(hi, i32x4.mul(v128.load(line + <usize>((x + k) << 2) + 16), q));
      }
      const h = i16x8.narrow_i32x4_u(i32x4.shr_u(lo, 16), i32x4.shr_u(hi, 16));
      v128.store64_lane(out + <usize>x, i8x16.narrow_i16x8_u(h, h), 0);
    }
  }
}

/** Minimum (or maximum) over size x size windows of a patch, in place; the result's origin is the window's corner. */
function extremePatch(patch: usize, rows: i32, columns: i32, size: i32, largest: bool): void {
  // Horizontal by doubling: after k steps a sample covers 2^k pixels.
  for (let y = 0; y < rows; y++) {
    const row = patch + <usize>(y * PATCH);
    let covered = 1;
    while (covered < size) {
      const shift = min(covered, size - covered);
      for (let x = 0; x < columns; x += 16) {
        const a = v128.load(row + <usize>x);
        const b = v128.load(row + <usize>(x + shift));
        v128.store(row + <usize>x, largest ? i8x16.max_u(a, b) : i8x16.min_u(a, b));
      }
      covered += shift;
    }
  }
  let covered = 1;
  while (covered < size) {
    const shift = min(covered, size - covered);
    for (let y = 0; y + shift < rows; y++) {
      const row = patch + <usize>(y * PATCH);
      const next = row + <usize>(shift * PATCH);
      for (let x = 0; x < columns; x += 16) {
        const a = v128.load(row + <usize>x);
        const b = v128.load(next + <usize>x);
        v128.store(row + <usize>x, largest ? i8x16.max_u(a, b) : i8x16.min_u(a, b));
      }
    }
    covered += shift;
  }
}

/** Zero where a patch with origin (x0, y0) lies outside of the image: a maximum then ignores those samples. */
function clearOutside(s: Search, patch: usize, x0: i32, y0: i32, columns: i32, rows: i32): void {
  if (x0 >= 0 && y0 >= 0 && x0 + columns <= s.width && y0 + rows <= s.height) return;
  const left = min(max(-x0, 0), columns);
  const right = min(max(x0 + columns - s.width, 0), columns - left);
  for (let y = 0; y < rows; y++) {
    const row = patch + <usize>(y * PATCH);
    if (y0 + y < 0 || y0 + y >= s.height) memory.fill(row, 0, columns);
    else {
      if (left) memory.fill(row, 0, left);
      if (right) memory.fill(row + <usize>(columns - right), 0, right);
    }
  }
}

/** Largest and smallest value of a patch part, as (max << 8) | min. */
function range(patch: usize, x0: i32, x1: i32, y0: i32, y1: i32): i32 {
  let high = i8x16.splat(0);
  let low = i8x16.splat(-1);
  for (let y = y0; y < y1; y++) {
    const row = patch + <usize>(y * PATCH);
    let x = x0;
    for (; x + 16 <= x1; x += 16) {
      const v = v128.load(row + <usize>x);
      high = i8x16.max_u(high, v);
      low = i8x16.min_u(low, v);
    }
    const v = v128.load(row + <usize>max(x1 - 16, x0)); // widths are at least 64
    high = i8x16.max_u(high, v);
    low = i8x16.min_u(low, v);
  }
  high = i8x16.max_u(high, i8x16.shuffle(high, high, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  low = i8x16.min_u(low, i8x16.shuffle(low, low, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  let h: u32 = 0;
  let l: u32 = 255;
  const a = i64x2.extract_lane(high, 0);
  const b = i64x2.extract_lane(low, 0);
  for (let i: i64 = 0; i < 64; i += 8) {
    h = max(h, <u32>((a >> i) & 255));
    l = min(l, <u32>((b >> i) & 255));
  }
  return <i32>((h << 8) | l);
}

/** Mask of one tile: dilate(src - open(src) > threshold). */
function maskTile(s: Search, x0: i32, y0: i32, columns: i32, rows: i32): void {
  const out = s.mask + <usize>(y0 * s.planeStride + x0);
  const half = s.reflectionKernel >> 1;
  const grow = s.reflectionDilation >> 1;
  const halo = 2 * half + grow;
  const source = s.scratch;
  let any = false;
  if (s.reflectionKernel > 1) {
    const w = columns + 2 * halo;
    const h = rows + 2 * halo;
    copyPatch(s, x0 - halo, y0 - halo, x0 + columns + halo, y0 + rows + halo, source);
    const near = range(source, 2 * half, w - 2 * half, 2 * half, h - 2 * half) >> 8;
    const low = range(source, 0, w, 0, h) & 255;
    any = near - low > s.reflectionThreshold;
    if (any) {
      const work = source + <usize>(PATCH * PATCH);
      memory.copy(work, source, <usize>(PATCH * h));
      extremePatch(work, h, w, s.reflectionKernel, false); // erosion, origin shifted by half
      clearOutside(s, work, x0 - halo + half, y0 - halo + half, w - 2 * half, h - 2 * half);
      extremePatch(work, h - 2 * half, w - 2 * half, s.reflectionKernel, true);
      const limit = i8x16.splat(<i8>s.reflectionThreshold);
      const th = h - 4 * half;
      const tw = w - 4 * half;
      for (let y = 0; y < th; y++) {
        const row = work + <usize>(y * PATCH);
        const from = source + <usize>((y + 2 * half) * PATCH + 2 * half);
        for (let x = 0; x < tw; x += 16) {
          const hat = i8x16.sub_sat_u(v128.load(from + <usize>x), v128.load(row + <usize>x));
          v128.store(row + <usize>x, i8x16.gt_u(hat, limit));
        }
      }
      clearOutside(s, work, x0 - grow, y0 - grow, tw, th);
      if (s.reflectionDilation > 1) extremePatch(work, th, tw, s.reflectionDilation, true);
      for (let y = 0; y < rows; y++) memory.copy(out + <usize>(y * s.planeStride), work + <usize>(y * PATCH), columns);
    }
  }
  if (!any) for (let y = 0; y < rows; y++) memory.fill(out + <usize>(y * s.planeStride), 0, columns);
}

/** Computes the tile that holds pixel (x, y). */
function computeTile(s: Search, tx: i32, ty: i32): void {
  const x0 = tx << SHIFT;
  const y0 = ty << SHIFT;
  const columns = min(TILE, s.width - x0);
  const rows = min(TILE, s.height - y0);
  const radius = s.gaussianSize >> 1;
  const line = s.scratch + <usize>(2 * PATCH * PATCH);
  copyPatch(s, x0 - radius, y0 - radius, x0 + columns + radius, y0 + rows + radius, s.scratch);
  blurPatch(s.scratch, s.blurred + <usize>(y0 * s.planeStride + x0), s.planeStride, rows, columns, s.gaussian, s.gaussianSize, line);
  maskTile(s, x0, y0, columns, rows);
  store<u8>(s.tiles + <usize>(ty * s.tilesAcross + tx), 1);
}

/** Tile number of a pixel, for callers that remember the tile they are in. */
export function tileOf(x: i32, y: i32): i32 {
  return ((y >> SHIFT) << 16) | (x >> SHIFT);
}

/** Makes blurred image and mask valid at the pixels of a tile number. */
export function ensureTile(s: Search, tile: i32): void {
  const tx = tile & 0xffff;
  const ty = tile >> 16;
  if (!load<u8>(s.tiles + <usize>(ty * s.tilesAcross + tx))) computeTile(s, tx, ty);
}

/** Computes every tile: the whole-frame images, for the comparison with the image stages. */
export function computeTiles(search: usize): i32 {
  const s = changetype<Search>(search);
  for (let ty = 0; ty < s.tilesDown; ty++) for (let tx = 0; tx < s.tilesAcross; tx++) ensureTile(s, (ty << 16) | tx);
  return 0;
}

/** Bytes of scratch memory that the tiles need. */
export function tileScratchBytes(): i32 {
  return 2 * PATCH * PATCH + PATCH * 8 + 1024;
}
