/** Lossless decompression: Deflate, LZW and PackBits. */
import { damaged } from './faults.ts';
import type { Pace } from './pace.ts';
import { FoveolaError } from '../../runtime/error.ts';

/**
 * LZW and PackBits of TIFF 6.0 (sections 13 and 9). PackBits is also the run-length coding of DICOM (PS3.5, annex G).
 */

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

/** Deflate by the platform, read in pieces of the requested size. Data that is not requested is not kept. */

/**
 * Number of bytes passed to the platform at once. The platform unpacks all of them before anyone reads the result: at
 * most 4 MiB.
 */
const FED = 1 << 12;

export class Inflater {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #pace: Pace;
  #piece: Uint8Array = new Uint8Array(0);
  #at = 0;

  /** 'deflate': with zlib's header and checksum, as in PNG and TIFF. 'deflate-raw': without, as in DICOM. */
  constructor(parts: readonly Uint8Array[], format: 'deflate' | 'deflate-raw', pace: Pace) {
    if (typeof DecompressionStream === 'undefined')
      throw new FoveolaError(
        'source-unsupported',
        'This browser has no DecompressionStream, which this file needs. Use a browser from 2023 or later.',
      );
    const { readable, writable } = new DecompressionStream(format);
    this.#reader = readable.getReader();
    this.#pace = pace;
    // The reader reports errors in the data. A closed reader ignores them.
    const none = () => {};
    const writer = writable.getWriter();
    writer.closed.catch(none);
    feed(writer, parts).catch(none);
  }

  async #next(): Promise<boolean> {
    await this.#pace.step(NaN);
    const { done, value } = await this.#reader.read();
    if (done) return false;
    this.#piece = value;
    this.#at = 0;
    return true;
  }

  /** Fills `target` and returns the number of bytes available. Throws a TypeError if the data is damaged. */
  async take(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      if (this.#at === this.#piece.length) {
        if (!(await this.#next())) break;
        continue;
      }
      const count = Math.min(target.length - filled, this.#piece.length - this.#at);
      target.set(this.#piece.subarray(this.#at, this.#at + count), filled);
      this.#at += count;
      filled += count;
    }
    return filled;
  }

  /** Fills all of `target`. Throws 'decode-failed' if there is less data, and a TypeError if it is damaged. */
  async fill(target: Uint8Array): Promise<void> {
    if ((await this.take(target)) < target.length)
      throw damaged('The file is cut off or damaged: its compressed picture ends early.');
  }

  /** Call this when no more data is needed. Throws if the checksum at the end is wrong. */
  async end(): Promise<void> {
    for (let more = 0; more < 1 << 20 && (await this.#next());) more += this.#piece.length;
  }

  /** Releases the stream's memory. Always call this. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}

async function feed(writer: WritableStreamDefaultWriter, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts)
    for (let at = 0; at < part.length; at += FED) {
      await writer.ready;
      await writer.write(part.subarray(at, at + FED) as Uint8Array<ArrayBuffer>);
    }
  await writer.close();
}
