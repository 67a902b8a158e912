/**
 * File format of a saved recording: a preamble, then blocks that are only ever appended. Each block contains its
 * length, its number and a CRC-32. So a truncated block is detected and everything before it is read. After damage in
 * the middle, the next complete block is found by its mark. All numbers are little-endian.
 *
 *     preamble  'foveola\n' | u8 version | u8 sealed | u16 0 | 8 random bytes (for the nonces) | u32 CRC-32 of the 20
 *     block     u32 bytes of the payload | u32 number of the block, from 0 | u8 kind | 'fvr' | u32 CRC-32 of the 12 and of
 *               the payload | payload
 */
import { crc32 } from '../runtime/crc32.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Column, Recording } from '../results/recording.ts';

export const preambleBytes = 24;
export const headBytes = 16;
/** Maximum size of a payload. A block with a larger length is damaged. */
const largestPayload = 1 << 20;
const version = 1;
const magic = new TextEncoder().encode('foveola\n');
const mark = new TextEncoder().encode('fvr');
/** Maximum number of missing blocks in a row. A larger gap means that the number is invalid. */
const longestGap = 1 << 20;

export const blockKinds = { about: 1, rows: 2, note: 3 } as const;
export type BlockKind = (typeof blockKinds)[keyof typeof blockKinds];

interface Preamble {
  /** The payloads are encrypted. */
  sealed: boolean;
  /** 8 random bytes, the first part of every nonce of this file. */
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
  new FoveolaError('decode-failed', `The recording cannot be read: ${text}. No part of it can be recovered.`);

/** @throws {FoveolaError} 'decode-failed' */
export function readPreamble(bytes: Uint8Array): Preamble {
  if (bytes.length < preambleBytes) throw unreadable('the file ends within its first 24 bytes');
  if (magic.some((byte, i) => bytes[i] !== byte)) throw unreadable('it is not a foveola recording');
  if (crc32(bytes, 0, 20) !== viewOf(bytes).getUint32(20, true)) throw unreadable('its first 24 bytes are damaged');
  if (bytes[8] !== version) throw unreadable(`it has format version ${bytes[8]}, but this build reads ${version}`);
  return { sealed: bytes[9] === 1, chance: bytes.slice(12, 20) };
}

/** The first 12 bytes of a block. Encryption also authenticates them. */
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

/** CRC of the head's first 12 bytes and the payload, for a block from `at` to `end`. */
function crcOf(bytes: Uint8Array, at: number, end: number): number {
  const checked = new Uint8Array(end - at - 4);
  checked.set(bytes.subarray(at, at + 12));
  checked.set(bytes.subarray(at + headBytes, end), 12);
  return crc32(checked);
}

/** Data that could not be read. */
export interface Loss {
  /** Bytes at the end that are not a complete block, because the write was interrupted. */
  tornBytes: number;
  /** Damaged bytes before the next readable block. */
  damagedBytes: number;
  /** Number of missing blocks before a block that was read. */
  lostBlocks: number;
}

/**
 * Finds the blocks in bytes that arrive in pieces, after the preamble. Never throws: bytes outside blocks are counted.
 */
export class BlockScanner {
  readonly loss: Loss = { tornBytes: 0, damagedBytes: 0, lostBlocks: 0 };
  #bytes = new Uint8Array(0);
  #next = 0;
  /** Bytes since the last complete block. */
  #skipped = 0;

  push(piece: Uint8Array): Block[] {
    return this.#scan(joined([this.#bytes, piece]), false);
  }

  /** No more bytes will arrive. */
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
          if (!last) break; // the rest has not arrived
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

/** Concatenates the pieces. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

// Rows of a recording as bytes, column by column. Times and counts are stored as Float64. Values with a fixed number of
// digits are stored as Float32 (24 bits: a thousandth of a pixel up to 8000 pixels). Columns that are constant or
// change in small steps need less. The encoding of a column is chosen per block. Reading returns exactly the numbers
// that were written.
//
//     u32 rows | u32 number of the first row | u32 frames and u32 dropped frames so far | for each column: u8 encoding, data

const encodings = { constant: 0, bytes: 1, integers: 2, singles: 3, doubles: 4, copy: 5 } as const;

/** Number of rows of a block, and position of its end in the recording. */
interface RowsHead {
  rows: number;
  first: number;
  frames: number;
  dropped: number;
}

const headLength = 16;
/** The byte that means "missing". */
const none = 255;

/** A column with a number of exported digits fits in single precision. Times need more. */
const isSingle = ({ type, digits, unit }: Column) => type === 'number' && digits !== undefined && unit !== 'ms';

/** The number in its stored precision. */
export const asKept = (column: Column, value: number): number => (isSingle(column) ? Math.fround(value) : value);

function valuesOf(recording: Recording, column: number, from: number, to: number): Float64Array<ArrayBuffer> {
  const about = recording.columns[column]!;
  return Float64Array.from({ length: to - from }, (_, i) => asKept(about, recording.at(from + i, column)));
}

const same = (a: Float64Array, b: Float64Array) => a.every((value, i) => Object.is(value, b[i]));
/** -0 does not count as an integer here, because it would be read as 0. */
const whole = (value: number, low: number, high: number) =>
  Number.isInteger(value) && value >= low && value <= high && !Object.is(value, -0);

function encode(column: Column, values: Float64Array<ArrayBuffer>, before: Float64Array[]): Uint8Array[] {
  const as = (encoding: number, data: ArrayBuffer) => [Uint8Array.of(encoding), new Uint8Array(data)];
  const [first] = values;
  if (values.every((value) => Object.is(value, first))) return as(encodings.constant, values.slice(0, 1).buffer);
  if (values.every((value) => Number.isNaN(value) || whole(value, 0, none - 1)))
    return as(encodings.bytes, Uint8Array.from(values, (value) => (Number.isNaN(value) ? none : value)).buffer);
  const twin = before.findIndex((other) => same(values, other));
  if (twin >= 0) return as(encodings.copy, Uint8Array.of(twin).buffer);
  if (values.every((value) => whole(value, -(2 ** 31), 2 ** 31 - 1)))
    return as(encodings.integers, Int32Array.from(values).buffer);
  if (isSingle(column)) return as(encodings.singles, Float32Array.from(values).buffer);
  return as(encodings.doubles, values.buffer);
}

/**
 * Rows `from` to `to` (exclusive) of a recording in memory. Typed arrays are little-endian on all platforms with
 * browsers.
 */
export function rowsPayload(
  recording: Recording,
  from: number,
  to: number,
  { frames, dropped }: Pick<RowsHead, 'frames' | 'dropped'>,
): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(Uint32Array.of(to - from, from, frames, dropped).buffer);
  const before: Float64Array[] = [];
  const parts: Uint8Array[] = [head];
  recording.columns.forEach((column, index) => {
    const values = valuesOf(recording, index, from, to);
    parts.push(...encode(column, values, before));
    before.push(values);
  });
  return joined(parts);
}

/** Throws a RangeError for an invalid payload. */
export function rowsHead(payload: Uint8Array): RowsHead {
  const [rows, first, frames, dropped] = new Uint32Array(payload.slice(0, headLength).buffer);
  if (!(rows! <= mostRows)) throw new RangeError(`${rows} rows in a block`);
  return { rows: rows!, first: first!, frames: frames!, dropped: dropped! };
}

/**
 * Maximum rows and values of a block. A constant column needs nine bytes, regardless of the number of rows it declares.
 */
const mostRows = 1 << 16;
const mostValues = 1 << 22;

/** Appends the rows of a block. Throws a RangeError or a TypeError if they do not have the format of `rowsPayload`. */
export function readRows(payload: Uint8Array<ArrayBuffer>, into: Recording): void {
  const { rows } = rowsHead(payload);
  if (rows * into.columns.length > mostValues) throw new RangeError(`${rows} rows in a block`);
  const columns: Float64Array[] = [];
  let at = headLength;
  const take = (bytes: number) => {
    if (at + bytes > payload.length) throw new RangeError('a block that is cut short');
    return payload.slice(at, (at += bytes)).buffer;
  };
  for (let column = 0; column < into.columns.length; column++) {
    const encoding = payload[at++];
    if (encoding === encodings.constant) columns.push(new Float64Array(rows).fill(new Float64Array(take(8))[0]!));
    else if (encoding === encodings.bytes)
      columns.push(Float64Array.from(new Uint8Array(take(rows)), (value) => (value === none ? NaN : value)));
    else if (encoding === encodings.copy) columns.push(columns[new Uint8Array(take(1))[0]!]!);
    else if (encoding === encodings.integers) columns.push(Float64Array.from(new Int32Array(take(rows * 4))));
    else if (encoding === encodings.singles) columns.push(Float64Array.from(new Float32Array(take(rows * 4))));
    else columns.push(new Float64Array(take(rows * 8)));
  }
  const row = new Float64Array(columns.length);
  for (let i = 0; i < rows; i++) {
    for (let column = 0; column < columns.length; column++) row[column] = columns[column]![i]!;
    into.push(row);
  }
}
