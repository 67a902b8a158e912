/** What both sides compute with: scales of the terms, sizes of blocks, and the record of a patch (see assembly/). */

/** Confidence 1: that of a known pixel. */
export const CERTAIN = 2 ** 31;

/** The data term in the field's unit (|isophote . normal| / 255 for gray in 0..255) is the integer over this. */
export const DATA_UNIT = 2 * 255 * 2 ** 21;

/** round(2^21 / sqrt(n)), by the square of the normal's length; 0 where there is no normal. */
export const inverseLengths: Uint32Array = Uint32Array.from({ length: 33 }, (_, n) =>
  n === 0 ? 0 : Math.round(2 ** 21 / Math.sqrt(n)),
);

/** Side of the blocks whose sums bound distances: three of them in a patch of the default size, at most 5. */
export const blockSide = (patch: number): number => Math.min(5, Math.floor(patch / 3));

/** Bytes of the patch's record: 12 blocks, and pairs for 31 x 31 pixels. */
export const RECORD_BYTES = 448 + 48 * (31 * 16 + 4);
