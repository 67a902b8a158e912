/** Deflate by the platform, taken in pieces of the size that is wanted: what is not asked for is not kept. */
import { FoveolaError } from '../../runtime/error.ts';
import { damaged } from './faults.ts';

export class Inflater {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #at = 0;

  /** 'deflate': with zlib's header and checksum, as PNG and TIFF have it; 'deflate-raw': without, as DICOM has it. */
  constructor(parts: readonly Uint8Array[], format: 'deflate' | 'deflate-raw') {
    if (typeof DecompressionStream === 'undefined')
      throw new FoveolaError(
        'source-unsupported',
        'This browser has no DecompressionStream, which this file needs; take a browser of 2023 or later.',
      );
    const { readable, writable } = new DecompressionStream(format);
    this.#reader = readable.getReader();
    const writer = writable.getWriter();
    // What is wrong with the data is told by the reader; a closed reader needs none of it.
    const none = () => {};
    for (const part of parts) writer.write(part as Uint8Array<ArrayBuffer>).catch(none);
    writer.close().catch(none);
    writer.closed.catch(none);
  }

  async #next(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    this.#piece = value;
    this.#at = 0;
    return true;
  }

  /** Fills all of `target`. Throws 'decode-failed' when there is less, and a TypeError when the data is damaged. */
  async fill(target: Uint8Array): Promise<void> {
    for (let filled = 0; filled < target.length;) {
      if (this.#at === this.#piece.length) {
        if (!(await this.#next())) throw damaged('The file is cut off or damaged: its compressed picture ends early.');
        continue;
      }
      const count = Math.min(target.length - filled, this.#piece.length - this.#at);
      target.set(this.#piece.subarray(this.#at, this.#at + count), filled);
      this.#at += count;
      filled += count;
    }
  }

  /** To be called when nothing more is wanted: throws when the checksum at the end is wrong. */
  async end(): Promise<void> {
    for (let more = 0; more < 1 << 20 && (await this.#next());) more += this.#piece.length;
  }

  /** All that is left. Throws 'decode-failed' when it is more than `limit` bytes. */
  async rest(limit: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let length = 0; await this.#next();) {
      parts.push(this.#piece);
      length += this.#piece.length;
      if (length > limit) throw damaged(`The file is damaged: it grows to more than ${limit} bytes.`);
    }
    return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  }

  /** Gives back what the stream holds; to be called always. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}
