// Words of a record of the window layout, written by src/objects/windows.ts. A scan-line pair is a row of windows of one
// scale: their top and bottom edges lie on two rows of the integral image. A batch is a run of pairs with about the same
// number of windows as any other batch (the clusters of Gurcan and Temizel 2015, section 4.1).

/** Bytes of a scan-line pair's record. */
export const PAIR_BYTES: i32 = 32;
export const PAIR_Y: usize = 0;
export const PAIR_WIDTH: usize = 4;
export const PAIR_HEIGHT: usize = 8;
/** Address of the windows' left edges, i32. */
export const PAIR_LEFTS: usize = 12;
export const PAIR_COUNT: usize = 16;
/** Where the pair's windows begin in the lists of all windows. */
export const PAIR_FIRST: usize = 20;
/** Number of the scale. */
export const PAIR_SCALE: usize = 24;

/** 10 ferns of 13 comparisons, two points each. */
export const FERNS: i32 = 10;
export const COMPARISONS: i32 = 13;
export const CODES: i32 = 1 << COMPARISONS;
/** Bytes of the offsets of all comparisons at one scale: two i32 a comparison. */
export const OFFSET_BYTES: i32 = FERNS * COMPARISONS * 8;
