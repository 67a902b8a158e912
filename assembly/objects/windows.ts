// The windows of a grid, written by src/objects/windows.ts. A scan-line pair is a row of windows of one scale: their
// top and bottom edges are on two rows of the integral image. A batch is a sequence of pairs with about as many windows
// as any other batch (the clusters of Gurcan and Temizel 2015, section 4.1).

/** 10 ferns of 13 comparisons, two points each. */
export const FERNS: i32 = 10;
export const COMPARISONS: i32 = 13;
export const CODES: i32 = 1 << COMPARISONS;
/** Bytes of the offsets of all comparisons at one scale: two i32 per comparison. */
export const OFFSET_BYTES: i32 = FERNS * COMPARISONS * 8;

@unmanaged
export class WindowPair {
  y: i32;
  width: i32; // of its windows
  height: i32;
  lefts: usize; // the windows' left edges, i32
  count: i32;
  first: i32; // index of its first window in the lists of all windows
  scale: i32;
  number: i32; // number of its first window in the order of the grid
  step: i32; // difference between the numbers of adjacent windows
}

@unmanaged
export class WindowScale {
  width: i32;
  height: i32;
  lefts: usize; // i32
  leftCount: i32;
  tops: usize; // i32
  topCount: i32;
  first: i32; // its first pair
}

export function pairAt(pairs: usize, p: i32): WindowPair {
  return changetype<WindowPair>(pairs + <usize>p * offsetof<WindowPair>());
}

export function scaleAt(scales: usize, s: i32): WindowScale {
  return changetype<WindowScale>(scales + <usize>s * offsetof<WindowScale>());
}
