/**
 * The bytes of a file. A small file is kept in memory. A large file is read in pieces on request, so that one page of a
 * stack costs only the size of that page.
 */
import { bytesOf } from './pace.ts';

/** A larger file is read in pieces. This is also the maximum kept in memory then. */
const WHOLE = 64 << 20;
const PIECE = 1 << 16;
const MOST_PIECES = 256;

/** Thrown if a piece has not been read yet. */
class Missing {
  readonly piece: number;
  constructor(piece: number) {
    this.piece = piece;
  }
}

function numberAt(view: DataView, at: number, size: number, little: boolean): number {
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getUint16(at, little);
  if (size === 4) return view.getUint32(at, little);
  return Number(view.getBigUint64(at, little));
}

export class FileBytes {
  readonly length: number;
  readonly #file: Blob;
  readonly #whole: Uint8Array | null;
  readonly #numbers: DataView | null;
  /** By number, oldest first. */
  readonly #pieces = new Map<number, Uint8Array>();

  private constructor(file: Blob, whole: Uint8Array | null) {
    this.#file = file;
    this.#whole = whole;
    this.#numbers = whole && new DataView(whole.buffer);
    this.length = file.size;
  }

  static async of(file: Blob): Promise<FileBytes> {
    return new FileBytes(file, file.size > WHOLE ? null : await bytesOf(file));
  }

  /** Bytes in memory while parts of this many bytes are processed. */
  held(part: number): number {
    return this.#whole ? this.length : MOST_PIECES * PIECE + part;
  }

  /** Bytes `from` up to `to`, if they have been read. Call this only within `look`. */
  view(from: number, to: number): Uint8Array {
    if (this.#whole) return this.#whole.subarray(from, to);
    const first = Math.floor(from / PIECE);
    const piece = (n: number) => {
      const bytes = this.#pieces.get(n);
      if (!bytes) throw new Missing(n);
      return bytes;
    };
    if (to <= (first + 1) * PIECE) return piece(first).subarray(from - first * PIECE, to - first * PIECE);
    const bytes = new Uint8Array(to - from);
    for (let n = first; n * PIECE < to; n++) {
      const start = Math.max(from, n * PIECE);
      bytes.set(piece(n).subarray(start - n * PIECE, to - n * PIECE), start - from);
    }
    return bytes;
  }

  /** An integer of 1, 2, 4 or 8 bytes, only within `look`. */
  number(at: number, size: number, little: boolean): number {
    if (this.#numbers) return numberAt(this.#numbers, at, size, little);
    const { buffer, byteOffset } = this.view(at, at + size);
    return numberAt(new DataView(buffer, byteOffset, size), 0, size, little);
  }

  /** Several integers. */
  list(from: number, size: number, count: number, little: boolean): number[] {
    const { buffer, byteOffset, byteLength } = this.view(from, from + size * count);
    const view = new DataView(buffer, byteOffset, byteLength);
    return Array.from({ length: count }, (_, i) => numberAt(view, i * size, size, little));
  }

  /** Runs a function that needs `view`, and repeats it after each missing piece has been read. */
  async look<T>(work: () => T): Promise<T> {
    for (;;)
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        const { piece } = error;
        const bytes = await bytesOf(this.#file.slice(piece * PIECE, (piece + 1) * PIECE));
        if (this.#pieces.size === MOST_PIECES) this.#pieces.delete(this.#pieces.keys().next().value!);
        this.#pieces.set(piece, bytes);
      }
  }

  /** Bytes `from` up to `to`. */
  part(from: number, to: number): Promise<Uint8Array> {
    if (this.#whole || to - from < PIECE) return this.look(() => this.view(from, to));
    return bytesOf(this.#file.slice(from, to));
  }
}
