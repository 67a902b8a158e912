/** Scales that both sides compute with. */

/** The data term in the field's unit (|isophote . normal| / 255 for gray in 0..255) is the integer over this. */
export const DATA_UNIT = 2 * 255 * 2 ** 21;

/** round(2^21 / sqrt(n)), by the square of the normal's length; 0 where there is no normal. */
export const inverseLengths: Uint32Array = Uint32Array.from({ length: 33 }, (_, n) =>
  n === 0 ? 0 : Math.round(2 ** 21 / Math.sqrt(n)),
);
