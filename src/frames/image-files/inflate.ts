/** Deflate by the platform, read in pieces of the requested size. Data that is not requested is not kept. */
import { FoveolaError } from '../../runtime/error.ts';
import { damaged } from './faults.ts';
import type { Pace } from './pace.ts';

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
