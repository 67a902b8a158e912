// What the kernels of a filling pass on: the picture with everything that is known of it, and the patch at hand.

import { Value } from '../runtime/wasm/value';

/** One filling. Addresses belong to the host, which also sets the sizes; the rest is the kernels'. */
@unmanaged
export class Filling {
  width: i32;
  height: i32;
  /** RGBA: the picture as it was given, and as it is so far. */
  source: usize;
  image: usize;
  /** Bytes of a row of 32-bit samples: source, image, confidence. */
  stride: i32;
  /** Bytes of a row of bytes: gray, hole, runs, valid. */
  byteStride: i32;
  gray: usize;
  /** 1 where to be filled. */
  hole: usize;
  /** In units of 2^-31, see terms.ts. */
  confidence: usize;
  /** Pixels free of the hole from each one to the right. */
  runs: usize;
  /** 255 where a patch of the size at hand lies in the source region. */
  valid: usize;
  /** Sums over blocks of the source, see match-candidates.ts. */
  sums: usize;
  sumsStride: i32;

  /** Half a patch's side, rounded down. */
  half: i32;
  /** Side of the blocks whose sums bound distances. */
  blockSide: i32;
  /** 1: of like matches the nearer one. */
  near: i32;
  /** Matches come from a square of this side around the patch; 0: from everywhere. */
  searchWindow: i32;
  /** round(2^21 / sqrt(n)) for n = 0..32, 0 first. */
  inverse: usize;
  /** Mean color of the source region. */
  red: i32;
  green: i32;
  blue: i32;

  /** Pixels of the hole to begin with, and their box. */
  unknown: i32;
  boxX: i32;
  boxY: i32;
  boxWidth: i32;
  boxHeight: i32;
  /** Of the box: priorities (fill-priority.ts) with each row's largest, and where filled pixels came from (fill.ts). */
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
  /** Of its known pixels: blocks and pairs of pixels, in lists of inpaintListBytes. */
  lists: usize;
  blocks: i32;
  pairBytes: i32;
  /** A match must have less than this. */
  bound: u32;
  /** Weight of the penalty for distance: known pixels, or 0. */
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

/** At most this many blocks bound the distance from below. */
export const BLOCKS: i32 = 12;
/** Offset of the candidate's block sums (i32), to 16 the target's: R, G, B, 0 twice. */
export const BLOCK: usize = 32;
/** Offset of the candidate's two pixels (i32), to 16 the target's R, G, B, 0 twice, to 32 a mask of the known ones. */
export const PAIR: usize = 48;
/** Pairs lie behind the blocks. */
export const FIRST_PAIR: usize = <usize>BLOCKS * BLOCK;

/** Bytes of the lists of a patch of this side: its pairs to a multiple of four. */
export function inpaintListBytes(patch: i32): Value {
  return <i32>FIRST_PAIR + <i32>PAIR * (patch * ((patch + 1) >> 1) + 4);
}
