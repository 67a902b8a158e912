// Preprocessing on demand (paper 000, sections 2.1 and 4.1). Starburst reads pixels only along its rays, so the
// Gaussian and the reflection mask are computed per 64x64 tile when a ray first enters it, by the kernels of the whole
// frame on a piece of it: piece and image end together at the image's border, and elsewhere the piece is larger than
// the tile by what the filters reach, so the bytes are those of the whole frame. Cost of a tile without reflections:
// one Gaussian and one minimum/maximum scan, because src - open(src) <= max(src) - min(src) tells that no pixel can
// exceed the threshold.
import { gaussian } from '../image/gaussian';
import { dilate, topHat } from '../image/morphology';
import { threshold } from '../image/threshold';
import { Search } from './search';

const TILE: i32 = 64;
const SHIFT: i32 = 6;
const MARGIN: i32 = 32; // largest reach: two halves of a 25 square and half of a 15 square
const PITCH: i32 = 128; // row stride of a piece: tile and margins
const PIECE: usize = 128 * 128;

/** Copies the piece of the source that holds columns x0..x1-1 and rows y0..y1-1, all inside the image. */
function copyPiece(s: Search, x0: i32, y0: i32, x1: i32, y1: i32, to: usize): void {
  let from = s.src + <usize>(y0 * s.stride + x0);
  for (let y = y0; y < y1; y++, from += s.stride, to += PITCH)
    for (let x = 0; x < x1 - x0; x += 16) v128.store(to + <usize>x, v128.load(from + <usize>x));
}

/** Copies `columns` x `rows` of a piece to a plane. */
function paste(from: usize, to: usize, stride: i32, columns: i32, rows: i32): void {
  for (let y = 0; y < rows; y++, from += PITCH, to += stride)
    for (let x = 0; x < columns; x += 16) v128.store(to + <usize>x, v128.load(from + <usize>x));
}

/**
 * Whether a pixel near the tile (within 16, more than the mask's dilation reaches) can exceed the smallest one of the
 * piece by more than the threshold.
 */
function mayReflect(s: Search, left: i32, top: i32, right: i32, bottom: i32, x0: i32, y0: i32): bool {
  let high = i8x16.splat(0);
  let low = i8x16.splat(-1);
  const last = max(right - 16, left); // vectors overlap at the end; a narrower image adds padding: at worst more work
  for (let y = top; y < bottom; y++) {
    const row = s.src + <usize>(y * s.stride);
    const near = y >= y0 - 16 && y < y0 + TILE + 16;
    for (let x = left; x < right; x += 16) {
      const v = v128.load(row + <usize>min(x, last));
      low = i8x16.min_u(low, v);
      if (near && x > x0 - 32 && x < x0 + TILE + 16) high = i8x16.max_u(high, v);
    }
  }
  high = i8x16.max_u(high, i8x16.shuffle(high, high, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  low = i8x16.min_u(low, i8x16.shuffle(low, low, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  const a = i64x2.extract_lane(high, 0);
  const b = i64x2.extract_lane(low, 0);
  let h: i32 = 0;
  let l: i32 = 255;
  for (let i: i64 = 0; i < 64; i += 8) {
    h = max(h, <i32>((a >> i) & 255));
    l = min(l, <i32>((b >> i) & 255));
  }
  return h - l > s.reflectionThreshold;
}

/** Mask of one tile: dilate(src - open(src) > threshold). */
function maskTile(s: Search, x0: i32, y0: i32, columns: i32, rows: i32): void {
  const out = s.mask + <usize>(y0 * s.planeStride + x0);
  if (s.reflectionKernel > 1) {
    const grow = s.reflectionDilation >> 1;
    const left = max(0, x0 - MARGIN);
    const halo = 2 * (s.reflectionKernel >> 1) + grow;
    const top = max(0, y0 - halo);
    const right = min(s.width, x0 + columns + MARGIN);
    const bottom = min(s.height, y0 + rows + halo);
    const width = right - left;
    const height = bottom - top;
    if (mayReflect(s, left, top, right, bottom, x0, y0)) {
      const piece = s.scratch;
      const hat = piece + PIECE;
      const free = hat + PIECE;
      copyPiece(s, left, top, right, bottom, piece);
      const first = max(0, y0 - grow - top);
      const end = min(height, y0 + rows + grow - top);
      topHat(piece, PITCH, hat, PITCH, width, height, s.reflectionKernel, first, end, free);
      threshold(hat, PITCH, hat, PITCH, width, s.reflectionThreshold, 255, first, end, free);
      // The dilation sees only the rows that were computed; the others are beyond its reach.
      const part = hat + <usize>(first * PITCH);
      const at = y0 - top - first;
      dilate(part, PITCH, piece, PITCH, width, end - first, s.reflectionDilation, at, at + rows, free);
      paste(piece + <usize>(at * PITCH + x0 - left), out, s.planeStride, columns, rows);
      return;
    }
  }
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x += 16) v128.store(out + <usize>(y * s.planeStride + x), i8x16.splat(0));
}

/** Computes one tile. */
function computeTile(s: Search, tx: i32, ty: i32): void {
  const x0 = tx << SHIFT;
  const y0 = ty << SHIFT;
  const columns = min(TILE, s.width - x0);
  const rows = min(TILE, s.height - y0);
  const radius = s.gaussianSize >> 1;
  const left = max(0, x0 - 16);
  const top = max(0, y0 - radius);
  const right = min(s.width, x0 + columns + 16);
  const bottom = min(s.height, y0 + rows + radius);
  const piece = s.scratch;
  const smooth = piece + PIECE;
  copyPiece(s, left, top, right, bottom, piece);
  const at = y0 - top;
  gaussian(piece, PITCH, smooth, PITCH, right - left, bottom - top, s.gaussian, radius, at, at + rows, smooth + PIECE);
  const to = s.blurred + <usize>(y0 * s.planeStride + x0);
  paste(smooth + <usize>(at * PITCH + x0 - left), to, s.planeStride, columns, rows);
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

/** Bytes of scratch memory that the tiles need: two pieces and the scratch of the kernels. */
export function tileScratchBytes(): i32 {
  return 2 * <i32>PIECE + 65536;
}
