/**
 * LZW and PackBits of TIFF 6.0 (sections 13 and 9). PackBits is also the run-length coding of DICOM (PS3.5, annex G).
 */
import { damaged } from './faults.ts';
import type { Pace } from './pace.ts';

const early = () => damaged('The file is cut off or damaged: its compressed picture ends early.');

/** Bytes read and written between two reads of the clock. */
const PIECE = 1 << 17;

/** Fills `target` from runs and literals. */
export async function packBits(source: Uint8Array, target: Uint8Array, pace: Pace): Promise<void> {
  for (let at = 0, to = 0, stop = PIECE; to < target.length;) {
    if (at + to >= stop) {
      await pace.step(NaN);
      stop = at + to + PIECE;
    }
    if (at >= source.length) throw early();
    const n = source[at++]!;
    if (n === 128) continue;
    if (n < 128) {
      const count = Math.min(n + 1, target.length - to);
      if (at + count > source.length) throw early();
      target.set(source.subarray(at, at + count), to);
      at += n + 1;
      to += count;
    } else {
      if (at >= source.length) throw early();
      const end = Math.min(target.length, to + 257 - n);
      target.fill(source[at++]!, to, end);
      to = end;
    }
  }
}

const CLEAR = 256;
const END = 257;

/**
 * Fills `target`. Codes have 9 to 12 bits, most significant bit first. The width grows one code early. A string is
 * stored as its length and the position in `target` where it was last written.
 */
export async function lzw(source: Uint8Array, target: Uint8Array, pace: Pace): Promise<void> {
  if (source[0] === 0 && source[1]! & 1)
    throw damaged('The TIFF file has old-style LZW from before 1988. Save it again.');
  const places = new Uint32Array(4096);
  const lengths = new Uint16Array(4096);
  let next = 258;
  let width = 9;
  let at = 0;
  let bits = 0;
  let held = 0;
  let to = 0;
  // Position and length of the previous string. Length 0 after a clear.
  let place = 0;
  let length = 0;
  let stop = PIECE;
  while (to < target.length) {
    if (at + to >= stop) {
      await pace.step(NaN);
      stop = at + to + PIECE;
    }
    while (bits < width) {
      if (at >= source.length) throw early();
      held = ((held << 8) | source[at++]!) & 0xffffff;
      bits += 8;
    }
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === CLEAR) {
      next = 258;
      width = 9;
      length = 0;
      continue;
    }
    if (code === END) throw early();
    // The next free code is the previous string plus the first byte of this one.
    if (length > 0 && next < 4096) {
      places[next] = place;
      lengths[next] = length + 1;
    }
    const start = to;
    if (code < CLEAR) target[to++] = code;
    else {
      if (code > next || (code === next && length === 0))
        throw damaged('The file is damaged: its LZW data names an unknown code.');
      const from = places[code]!;
      const end = Math.min(target.length, to + lengths[code]!);
      for (let i = from; to < end; i++) target[to++] = target[i]!; // may read bytes that it has just written
    }
    if (length > 0 && next < 4096) next++;
    if (next >= (1 << width) - 1 && width < 12) width++;
    place = start;
    length = to - start;
  }
}
