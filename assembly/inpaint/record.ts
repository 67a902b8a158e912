// The patch at hand, as the kernels of the filling pass it on: a block of memory that the host allocates.
//
//   0 left, 4 top, 8 columns, 12 rows of the patch clipped to the image
//   16 blocks, 20 bytes of the pairs' list, 24 samples a block side, 28 bound: a match must have less than this
//   32 weight of the penalty for distance
//   64 blocks, BLOCK bytes each; PAIRS pairs, PAIR bytes each

/** At most this many blocks bound the distance from below. */
export const BLOCKS: i32 = 12;
/** Offset of the candidate's block sums (i32), to 16 the target's: R, G, B, 0 twice. */
export const BLOCK: usize = 32;
/** Offset of the candidate's two pixels (i32), to 16 the target's R, G, B, 0 twice, to 32 a mask of the known ones. */
export const PAIR: usize = 48;
export const FIRST_BLOCK: usize = 64;
export const FIRST_PAIR: usize = 448;

export function left(record: usize): i32 {
  return load<i32>(record);
}
export function top(record: usize): i32 {
  return load<i32>(record, 4);
}
export function columns(record: usize): i32 {
  return load<i32>(record, 8);
}
export function rows(record: usize): i32 {
  return load<i32>(record, 12);
}
