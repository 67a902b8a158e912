// Preprocessing on demand (paper 000, sections 2.1 and 4.1). Starburst reads pixels only along its rays. The Gaussian
// and the reflection mask are therefore computed per 64x64 tile when a ray first enters it, by applying the whole-frame
// kernels to a piece. At the image's border piece and image end together. Elsewhere the piece exceeds the tile by the
// reach of the filters, so the bytes equal the whole-frame result. Most tiles cost only one Gaussian: the extremes of
// 16x16 blocks show where a reflection is possible, and the top-hat is computed only there.
import { Value } from '../../runtime/wasm/value';
import { gaussian } from '../../image/gaussian';
import { dilate, topHat } from '../../image/morphology';
import { threshold } from '../../image/threshold';
import { reflectionBox } from './blocks';
import { Search } from '../search/search';

export const TILE: i32 = 64;
const SHIFT: i32 = 6;
const MARGIN: i32 = 32; // maximum reach: two halves of a 25 square and half of a 15 square
const PITCH: i32 = 128; // row stride of a piece: tile and margins
const PIECE: usize = 128 * 128;
// State of a tile: 0 not computed, otherwise both images are valid, and the mask is clear or may be set somewhere.
const CLEAR: u8 = 1;
const MASKED: u8 = 2;

/** Copies the piece of the source with columns x0..x1-1 and rows y0..y1-1, all inside the image. */
function copyPiece(s: Search, x0: i32, y0: i32, x1: i32, y1: i32, to: usize): void {
  let from = s.source + <usize>(y0 * s.stride + x0);
  for (let y = y0; y < y1; y++, from += s.stride, to += PITCH)
    for (let x = 0; x < x1 - x0; x += 16) v128.store(to + <usize>x, v128.load(from + <usize>x));
}

/** Copies `columns` x `rows` of a piece to a plane. */
function paste(from: usize, to: usize, stride: i32, columns: i32, rows: i32): void {
  for (let y = 0; y < rows; y++, from += PITCH, to += stride)
    for (let x = 0; x < columns; x += 16) v128.store(to + <usize>x, v128.load(from + <usize>x));
}

/**
 * Mask of one tile: dilate(source - open(source) > threshold), computed around the blocks that may contain a
 * reflection.
 */
function maskTile(s: Search, x0: i32, y0: i32, columns: i32, rows: i32): u8 {
  const out = s.mask + <usize>(y0 * s.planeStride + x0);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x += 16) v128.store(out + <usize>(y * s.planeStride + x), i8x16.splat(0));
  if (s.reflectionSize <= 1) return CLEAR;
  // Reflections in the neighboring blocks count too, because the dilation reaches at most 7 pixels.
  const left = max(0, (x0 >> 4) - 1);
  const top = max(0, (y0 >> 4) - 1);
  const right = min(s.blocksAcross - 1, ((x0 + columns - 1) >> 4) + 1);
  const bottom = min((s.height - 1) >> 4, ((y0 + rows - 1) >> 4) + 1);
  const box = reflectionBox(s, left, top, right, bottom);
  if (box == -1) return CLEAR;
  const grow = s.reflectionDilation >> 1;
  const reach = 2 * (s.reflectionSize >> 1);
  // Area where the mask may be set inside the tile, the top-hat area that it needs, and the image area that this needs.
  const maskLeft = max(x0, ((left + (box & 255)) << 4) - 16);
  const maskRight = min(x0 + columns, ((left + ((box >> 16) & 255) + 1) << 4) + 16);
  const maskTop = max(y0, ((top + ((box >> 8) & 255)) << 4) - grow);
  const maskBottom = min(y0 + rows, ((top + (box >> 24) + 1) << 4) + grow);
  if (maskLeft >= maskRight || maskTop >= maskBottom) return CLEAR;
  const pieceLeft = max(0, maskLeft - MARGIN);
  const pieceRight = min(s.width, maskRight + MARGIN);
  const hatTop = max(0, maskTop - grow);
  const hatBottom = min(s.height, maskBottom + grow);
  const pieceTop = max(0, hatTop - reach);
  const pieceBottom = min(s.height, hatBottom + reach);
  const piece = s.tileRoom;
  const hat = piece + PIECE;
  const free = hat + PIECE;
  copyPiece(s, pieceLeft, pieceTop, pieceRight, pieceBottom, piece);
  const width = pieceRight - pieceLeft;
  const first = hatTop - pieceTop;
  const end = hatBottom - pieceTop;
  topHat(piece, PITCH, hat, PITCH, width, pieceBottom - pieceTop, s.reflectionSize, first, end, free);
  threshold(hat, PITCH, hat, PITCH, width, s.reflectionThreshold, 255, first, end, free);
  // The dilation reads only rows that were computed. The others are beyond its reach.
  const at = maskTop - hatTop;
  const count = maskBottom - maskTop;
  dilate(
    hat + <usize>(first * PITCH),
    PITCH,
    piece,
    PITCH,
    width,
    end - first,
    s.reflectionDilation,
    at,
    at + count,
    free,
  );
  paste(
    piece + <usize>(at * PITCH + maskLeft - pieceLeft),
    out + <usize>((maskTop - y0) * s.planeStride + maskLeft - x0),
    s.planeStride,
    maskRight - maskLeft,
    count,
  );
  return MASKED;
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
  const piece = s.tileRoom;
  const smooth = piece + PIECE;
  copyPiece(s, left, top, right, bottom, piece);
  const at = y0 - top;
  gaussian(piece, PITCH, smooth, PITCH, right - left, bottom - top, s.gaussian, radius, at, at + rows, smooth + PIECE);
  const to = s.blurred + <usize>(y0 * s.planeStride + x0);
  paste(smooth + <usize>(at * PITCH + x0 - left), to, s.planeStride, columns, rows);
  store<u8>(s.tiles + <usize>(ty * s.tilesAcross + tx), maskTile(s, x0, y0, columns, rows));
}

/** Tile number of a pixel, for callers that remember their current tile. */
export function tileOf(x: i32, y: i32): i32 {
  return ((y >> SHIFT) << 16) | (x >> SHIFT);
}

/**
 * Makes blurred image and mask valid at the pixels of a tile number. Returns whether the mask is set anywhere in it.
 */
export function ensureTile(s: Search, tile: i32): bool {
  const tx = tile & 0xffff;
  const ty = tile >> 16;
  const at = s.tiles + <usize>(ty * s.tilesAcross + tx);
  if (!load<u8>(at)) computeTile(s, tx, ty);
  return load<u8>(at) == MASKED;
}

/** Computes every tile: the whole-frame images, for comparison with the image stages. */
export function computeTiles(search: usize): Value {
  const s = changetype<Search>(search);
  for (let ty = 0; ty < s.tilesDown; ty++) for (let tx = 0; tx < s.tilesAcross; tx++) ensureTile(s, (ty << 16) | tx);
  return 0;
}

/** Scratch bytes of a tile: two pieces and the scratch of the kernels. */
export function tileRoom(): Value {
  return 2 * <i32>PIECE + 65536;
}
