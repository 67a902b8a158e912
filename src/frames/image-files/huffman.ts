/** Huffman codes of JPEG (ITU-T T.81, annex C). */

/** By the next 16 bits: length of the code in the upper byte, what it means in the lower; 0 is no code. */
export type Codes = Uint16Array;

/**
 * @param counts how many codes there are of 1 to 16 bits
 * @param values what they mean, in order
 * @returns null where there cannot be so many, or one of them means more than `most`
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
