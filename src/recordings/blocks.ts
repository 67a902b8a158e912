/**
 * The file of a kept recording: a preamble, then blocks that are only ever appended. Each block says its length and its
 * number and carries a CRC-32, so that a block that was cut off is known and everything before it is read; after damage in
 * the middle the next whole block is found by its mark. All numbers are little-endian.
 *
 *     preamble  'foveola\n' | u8 version | u8 sealed | u16 0 | 8 bytes of chance (for the nonces) | u32 CRC-32 of the 20
 *     block     u32 bytes of the payload | u32 number of the block, from 0 | u8 kind | 'fvr' | u32 CRC-32 of the 12 and of
 *               the payload | payload
 */
import { crc32 } from '../runtime/crc32.ts';
import { FoveolaError } from '../runtime/error.ts';

export const preambleBytes = 24;
export const headBytes = 16;
/** Of a payload. A block whose length says more is damaged. */
export const largestPayload = 1 << 20;
const version = 1;
const magic = new TextEncoder().encode('foveola\n');
const mark = new TextEncoder().encode('fvr');
/** Blocks that may be missing in a row; a number beyond is no number of a block. */
const longestGap = 1 << 20;

export const blockKinds = { about: 1, rows: 2, note: 3 } as const;
export type BlockKind = (typeof blockKinds)[keyof typeof blockKinds];

export interface Preamble {
  /** The payloads are encrypted. */
  sealed: boolean;
  /** 8 bytes of chance, the first part of every nonce of this file. */
  chance: Uint8Array;
}

export interface Block {
  kind: BlockKind;
  number: number;
  payload: Uint8Array<ArrayBuffer>;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

export function preamble({ sealed, chance }: Preamble): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(preambleBytes);
  bytes.set(magic);
  bytes[8] = version;
  bytes[9] = Number(sealed);
  bytes.set(chance, 12);
  viewOf(bytes).setUint32(20, crc32(bytes, 0, 20), true);
  return bytes;
}

const unreadable = (text: string) =>
  new FoveolaError('decode-failed', `The recording cannot be read: ${text}. Nothing of it can be recovered.`);

/** @throws {FoveolaError} 'decode-failed' */
export function readPreamble(bytes: Uint8Array): Preamble {
  if (bytes.length < preambleBytes) throw unreadable('the file ends within its first 24 bytes');
  if (magic.some((byte, i) => bytes[i] !== byte)) throw unreadable('it is no recording of foveola');
  if (crc32(bytes, 0, 20) !== viewOf(bytes).getUint32(20, true)) throw unreadable('its first 24 bytes are damaged');
  if (bytes[8] !== version) throw unreadable(`it has version ${bytes[8]} of the format, and ${version} is known here`);
  return { sealed: bytes[9] === 1, chance: bytes.slice(12, 20) };
}

/** The first 12 bytes of a block, which an encrypted block authenticates too. */
export function blockHead(kind: BlockKind, number: number, payloadLength: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(12);
  const view = viewOf(head);
  view.setUint32(0, payloadLength, true);
  view.setUint32(4, number, true);
  head[8] = kind;
  head.set(mark, 9);
  return head;
}

export function blockBytes({ kind, number, payload }: Block): Uint8Array<ArrayBuffer> {
  if (payload.length > largestPayload)
    throw new FoveolaError('invalid-argument', `A block may have ${largestPayload} bytes, not ${payload.length}.`);
  const bytes = new Uint8Array(headBytes + payload.length);
  bytes.set(blockHead(kind, number, payload.length));
  bytes.set(payload, headBytes);
  viewOf(bytes).setUint32(12, crcOf(bytes, 0, bytes.length), true);
  return bytes;
}

/** Of the head's first 12 bytes and the payload, of a block from `at` to `end`. */
function crcOf(bytes: Uint8Array, at: number, end: number): number {
  const checked = new Uint8Array(end - at - 4);
  checked.set(bytes.subarray(at, at + 12));
  checked.set(bytes.subarray(at + headBytes, end), 12);
  return crc32(checked);
}

/** What could not be read. */
export interface Loss {
  /** Bytes at the end that are no whole block: what was being written when it broke off. */
  tornBytes: number;
  /** Damaged bytes before a block that was read again. */
  damagedBytes: number;
  /** Blocks that are missing before one that was read. */
  lostBlocks: number;
}

/** Finds the blocks in bytes that come piece by piece, after the preamble. Never throws: what is no block is counted. */
export class BlockScanner {
  readonly loss: Loss = { tornBytes: 0, damagedBytes: 0, lostBlocks: 0 };
  #bytes = new Uint8Array(0);
  #next = 0;
  /** Bytes since the last whole block. */
  #skipped = 0;

  push(piece: Uint8Array): Block[] {
    return this.#scan(joined([this.#bytes, piece]), false);
  }

  /** Nothing comes any more. */
  end(): Block[] {
    const blocks = this.#scan(this.#bytes, true);
    this.loss.tornBytes = this.#skipped;
    return blocks;
  }

  #scan(bytes: Uint8Array<ArrayBuffer>, last: boolean): Block[] {
    const blocks: Block[] = [];
    const view = viewOf(bytes);
    let at = 0;
    while (at < bytes.length) {
      const left = bytes.length - at;
      if (left < headBytes) {
        if (!last) break;
      } else if (this.#plausible(bytes, view, at)) {
        const end = at + headBytes + view.getUint32(at, true);
        if (end > bytes.length) {
          if (!last) break; // the rest comes
        } else if (crcOf(bytes, at, end) === view.getUint32(at + 12, true)) {
          const number = view.getUint32(at + 4, true);
          this.loss.lostBlocks += number - this.#next;
          this.loss.damagedBytes += this.#skipped;
          this.#skipped = 0;
          this.#next = number + 1;
          blocks.push({ kind: bytes[at + 8] as BlockKind, number, payload: bytes.slice(at + headBytes, end) });
          at = end;
          continue;
        }
      }
      at++;
      this.#skipped++;
    }
    this.#bytes = bytes.slice(at);
    return blocks;
  }

  #plausible(bytes: Uint8Array, view: DataView, at: number): boolean {
    const kind = bytes[at + 8]!;
    const number = view.getUint32(at + 4, true);
    return (
      mark.every((byte, i) => bytes[at + 9 + i] === byte) &&
      kind >= blockKinds.about &&
      kind <= blockKinds.note &&
      number >= this.#next &&
      number - this.#next < longestGap &&
      view.getUint32(at, true) <= largestPayload
    );
  }
}

/** Pieces one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
