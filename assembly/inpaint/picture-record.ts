// Shared data of the filling kernels: the image with its derived data, and the current patch.

import { Value } from '../runtime/wasm/value';

/** One filling. The host owns the addresses and sets the sizes. The kernels own the rest. */
@unmanaged
export class Filling {
  width: i32;
  height: i32;
  /** RGBA: the input image, and the current one. */
  source: usize;
  image: usize;
  /** Bytes per row of 32-bit samples: source, image, confidence. */
  stride: i32;
  /** Bytes per row of bytes: gray, hole, runs, valid. */
  byteStride: i32;
  gray: usize;
  /** 1 for pixels to fill. */
  hole: usize;
  /** In units of 2^-31, see terms.ts. */
  confidence: usize;
  /** Number of pixels free of the hole, from each pixel to the right. */
  runs: usize;
  /** 255 if a patch of the current size is in the source region. */
  valid: usize;
  /** Sums over blocks of the source, see match-candidates.ts. */
  sums: usize;
  sumsStride: i32;

  /** Half the patch width, rounded down. */
  half: i32;
  /** Width of the blocks whose sums bound distances. */
  blockSide: i32;
  /** 1: of similar matches the nearer one. */
  near: i32;
  /** Matches must be in a square of this width around the patch. 0: anywhere. */
  searchWindow: i32;
  /** round(2^21 / sqrt(n)) for n = 0..32, 0 first. */
  inverse: usize;
  /** Mean color of the source region. */
  red: i32;
  green: i32;
  blue: i32;

  /** Initial number of hole pixels, and their box. */
  unknown: i32;
  boxX: i32;
  boxY: i32;
  boxWidth: i32;
  boxHeight: i32;
  /**
   * For the box: priorities (fill-priority.ts) with the maximum of each row, and origins of filled pixels (fill.ts).
   */
  keys: usize;
  largest: usize;
  origin: usize;

  /** Center of the patch, and the patch clipped to the image. */
  x: i32;
  y: i32;
  left: i32;
  top: i32;
  columns: i32;
  rows: i32;
  /** For its known pixels: blocks and pairs of pixels, in lists of inpaintListBytes. */
  lists: usize;
  blocks: i32;
  pairBytes: i32;
  /** Exclusive upper bound of a match. */
  bound: u32;
  /** Weight of the penalty for distance: number of known pixels, or 0. */
  weight: u32;
  /** Candidates: columns x0..x1-1, rows y0..y1-1. */
  x0: i32;
  x1: i32;
  y0: i32;
  y1: i32;
  /** The best candidate of each row (match-search.ts). */
  best: usize;
  /** The match: first pixel and SSD with its penalty. */
  matchX: i32;
  matchY: i32;
  matchSsd: u32;
}

/** Maximum number of blocks that bound the distance from below. */
export const BLOCKS: i32 = 12;
/** Offset of the candidate's block sums (i32). At 16 the target's: R, G, B, 0 twice. */
export const BLOCK: usize = 32;
/** Offset of the candidate's two pixels (i32). At 16 the target's R, G, B, 0 twice. At 32 a mask of the known ones. */
export const PAIR: usize = 48;
/** Pairs follow the blocks. */
export const FIRST_PAIR: usize = <usize>BLOCKS * BLOCK;

/** Bytes of the lists of a patch with this width. Pairs are padded to a multiple of four. */
export function inpaintListBytes(patch: i32): Value {
  return <i32>FIRST_PAIR + <i32>PAIR * (patch * ((patch + 1) >> 1) + 4);
}
