/**
 * Rows of a recording as bytes, column by column: times and counts as Float64, values with a stated number of digits as
 * Float32 (24 bits: a thousandth of a pixel up to 8000 pixels), and a column that stays the same or counts in small steps
 * in less. What a column holds is chosen block by block; reading gives the numbers that were written.
 *
 *     u32 rows | u32 number of the first row | u32 frames and u32 dropped frames so far | for each column: u8 encoding, data
 */
import type { Column, Recording } from '../results/recording.ts';
import { joined } from './blocks.ts';

const encodings = { constant: 0, bytes: 1, integers: 2, singles: 3, doubles: 4, copy: 5 } as const;

/** Rows of a block, and how much of the recording they end. */
export interface RowsHead {
  rows: number;
  first: number;
  frames: number;
  dropped: number;
}

const headLength = 16;
/** In bytes, for missing. */
const none = 255;

/** Digits that are exported say that single precision holds it; times need more. */
const isSingle = ({ type, digits, unit }: Column) => type === 'number' && digits !== undefined && unit !== 'ms';

/** The number as it is kept. */
export const asKept = (column: Column, value: number): number => (isSingle(column) ? Math.fround(value) : value);

function valuesOf(recording: Recording, column: number, from: number, to: number): Float64Array<ArrayBuffer> {
  const about = recording.columns[column]!;
  return Float64Array.from({ length: to - from }, (_, i) => asKept(about, recording.at(from + i, column)));
}

const same = (a: Float64Array, b: Float64Array) => a.every((value, i) => Object.is(value, b[i]));
/** -0 is no integer here: it would come back as 0. */
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

/** Rows `from` to `to` (not with it) of what is in memory. Typed arrays are little-endian wherever browsers run. */
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

/** Throws a RangeError for what cannot be one. */
export function rowsHead(payload: Uint8Array): RowsHead {
  const [rows, first, frames, dropped] = new Uint32Array(payload.slice(0, headLength).buffer);
  if (!(rows! <= mostRows)) throw new RangeError(`${rows} rows in a block`);
  return { rows: rows!, first: first!, frames: frames!, dropped: dropped! };
}

/** Rows and values of a block at most: a constant column takes nine bytes, however many rows it says. */
const mostRows = 1 << 16;
const mostValues = 1 << 22;

/** Appends the rows of a block. Throws a RangeError or a TypeError where they are not as `rowsPayload` writes them. */
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
