/** JPEG inside other files: reads its header, and decodes it with the browser. */
import { checkScans } from '../blob-header.ts';
import { damaged, unsupported } from './faults.ts';
import type { Pace } from './pace.ts';
import { platformRows } from './platform.ts';

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

export interface JpegHeader {
  width: number;
  height: number;
  precision: number;
  components: number;
  /** Which of the fourteen processes: 0 baseline, 1 extended, 2 progressive, 3 lossless. */
  process: number;
  /** A marker specifies whether the colors are RGB or YCbCr. */
  tells: boolean;
}

/** Null if `bytes` are not a JPEG with a frame header. */
export function jpegHeader(bytes: Uint8Array): JpegHeader | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let tells = false;
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) return null;
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame)
      return {
        precision: bytes[at + 4]!,
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        components: bytes[at + 9]!,
        process: marker & 15,
        tells,
      };
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if ((marker === 0xe0 && name === 'JFIF') || (marker === 0xee && name === 'Adob')) tells = true;
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

/** 'Adobe' marker that means: not YCbCr. */
const isRgb = Uint8Array.of(0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0);

/** The JPEG with a marker for RGB. */
export function markedRgb(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + isRgb.length);
  out.set(bytes.subarray(0, 2));
  out.set(isRgb, 2);
  out.set(bytes.subarray(2), 2 + isRgb.length);
  return out;
}

/** RGBA of a JPEG that browsers decode, some rows at a time, in the size that its header declares. */
export async function jpegRows(
  bytes: Uint8Array,
  { width, height, precision }: JpegHeader,
  pace: Pace,
  take: (rgba: Uint8ClampedArray, y0: number, y1: number) => void,
): Promise<void> {
  if (precision !== 8)
    throw unsupported(`The file has a JPEG of ${precision} bits, which browsers do not decode. Save it uncompressed.`);
  if (!pace.decode) await checkScans(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const broken = () => damaged('The file is cut off or damaged: the JPEG in it cannot be decoded.');
  await platformRows({ bytes, width, height, type: 'image/jpeg', broken }, pace, take);
}
