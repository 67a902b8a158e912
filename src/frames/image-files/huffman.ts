/** Huffman codes of JPEG (ITU-T T.81, annex C). */

/** By the next 16 bits: length of the code in the upper byte, its value in the lower. 0 is not a code. */
export type Codes = Uint16Array;

/**
 * @param counts number of codes of 1 to 16 bits
 * @param values of the codes, in order
 * @returns null if there are too many codes, or if a value exceeds `most`
 */
export function codesOf(counts: Uint8Array, values: Uint8Array, most = 255): Codes | null {
  const codes = new Uint16Array(1 << 16);
  let place = 0;
  for (let length = 1, i = 0; length <= 16; length++)
    for (let n = 0; n < counts[length - 1]!; n++, i++) {
      const value = values[i] ?? Infinity;
      const end = place + (1 << (16 - length));
      if (end > codes.length || value > most) return null;
      codes.fill((length << 8) | value, place, end);
      place = end;
    }
  return codes;
}
