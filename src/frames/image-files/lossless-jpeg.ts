/**
 * Lossless JPEG with Huffman codes (ITU-T T.81, process 14: annexes C, F and H), as used in DICOM. Each sample is
 * stored as the difference between its value and a prediction from its neighbors. Cost: about 10 ns per sample.
 * Built-in, because the decoder must yield the thread between rows and get its size from its caller.
 * jpeg-lossless-decoder-js decodes in one go and allocates memory for any size that the last header in the file
 * declares.
 */
import { damaged } from './faults.ts';
import { codesOf, type Codes } from './jpeg.ts';
import type { Pace } from './pace.ts';

export interface LosslessFormat {
  width: number;
  height: number;
  samples: number;
  /** Bits of a sample in the result: 8 or 16. */
  allocated: number;
}

const broken = (what: string) => damaged(`The file is damaged: its lossless JPEG ${what}.`);

interface Scan {
  /** Its components, each with its codes. */
  components: { index: number; codes: Codes }[];
  predictor: number;
  /** Number of low bits that were omitted. */
  shift: number;
  precision: number;
  /** Rows between two restarts. 0: none. */
  restartRows: number;
}

/** Bits of a scan without the zeros after 0xFF. Ends at a marker. */
class Bits {
  at: number;
  readonly #bytes: Uint8Array;
  #held = 0;
  #count = 0;
  /** Number of padding bits read past the end. */
  #missing = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#bytes[this.at];
      const marker = byte === undefined || (byte === 0xff && this.#bytes[this.at + 1] !== 0);
      if (marker) this.#missing += 8;
      else this.at += byte === 0xff ? 2 : 1;
      this.#held = (this.#held << 8) | (marker ? 0 : byte);
      this.#count += 8;
    }
  }

  /** The next difference. */
  difference(codes: Codes): number {
    this.#fill();
    const code = codes[(this.#held >>> (this.#count - 16)) & 0xffff]!;
    if (code === 0) throw broken('has a code that its tables lack');
    this.#count -= code >> 8;
    const bits = code & 0xff;
    if (bits === 0) return 0;
    if (bits === 16) return 32768;
    this.#fill();
    this.#count -= bits;
    const value = (this.#held >>> this.#count) & ((1 << bits) - 1);
    return value < 1 << (bits - 1) ? value - (1 << bits) + 1 : value;
  }

  /** Throws if more bits were read than the scan contains. */
  check(): void {
    if (this.#missing > this.#count) throw broken('ends early');
  }

  /** Continues after the restart marker, which must be at this position. */
  restart(): void {
    this.check();
    const marker = this.#bytes[this.at] === 0xff ? this.#bytes[this.at + 1]! : 0;
    if ((marker & 0xf8) !== 0xd0) throw broken('lacks a restart marker');
    this.at += 2;
    this.#held = this.#count = this.#missing = 0;
  }
}

function predict(predictor: number, left: number, above: number, corner: number): number {
  if (predictor === 1) return left;
  if (predictor === 2) return above;
  if (predictor === 3) return corner;
  if (predictor === 4) return left + above - corner;
  if (predictor === 5) return left + ((above - corner) >> 1);
  if (predictor === 6) return above + ((left - corner) >> 1);
  return (left + above) >> 1;
}

/** Decodes one scan into `out`. Returns the position after it. */
async function decodeScan(
  file: Uint8Array,
  from: number,
  scan: Scan,
  { width, height, samples }: LosslessFormat,
  out: Uint8Array | Uint16Array,
  pace: Pace,
): Promise<number> {
  const { components, predictor, shift, precision, restartRows } = scan;
  const bits = new Bits(file, from);
  const start = 1 << (precision - shift - 1);
  const lines = components.map(() => new Uint16Array(width));
  let first = true;
  const decode = (y0: number, y1: number) => {
    for (let y = y0; y < y1; y++) {
      if (restartRows && y > 0 && y % restartRows === 0) {
        bits.restart();
        first = true;
      }
      const corners = components.map(() => 0);
      for (let x = 0; x < width; x++)
        for (let c = 0; c < components.length; c++) {
          const { index, codes } = components[c]!;
          const line = lines[c]!; // of the row above, starting at x
          const above = line[x]!;
          let prediction: number;
          if (first) prediction = x === 0 ? start : line[x - 1]!;
          else prediction = x === 0 ? above : predict(predictor, line[x - 1]!, above, corners[c]!);
          corners[c] = above;
          const value = (prediction + bits.difference(codes)) & 0xffff;
          line[x] = value;
          out[(y * width + x) * samples + index] = value << shift;
        }
      bits.check();
      first = false;
    }
  };
  await pace.rows({ width: width * components.length, height }, decode, [0.1, 0.7]);
  return bits.at;
}

/** Interleaved samples. Throws 'decode-failed'. */
export async function losslessJpeg(
  file: Uint8Array,
  format: LosslessFormat,
  pace: Pace,
): Promise<Uint8Array | Uint16Array> {
  const { width, height, samples, allocated } = format;
  // A Huffman code has at least one bit.
  if (width * height * samples > 8 * file.length) throw broken('is too short for its picture');
  const out = new (allocated === 16 ? Uint16Array : Uint8Array)(width * height * samples);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tables: Codes[] = [];
  let ids: number[] = [];
  let precision = 0;
  let restart = 0;
  let missing = samples;
  let read = 0;
  for (let at = 2; missing > 0;) {
    if (at + 4 > file.length || file[at] !== 0xff) throw broken('ends early');
    const marker = file[at + 1]!;
    if (marker === 0xff) {
      at++; // fill byte
      continue;
    }
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > file.length) throw broken('has a part that does not fit');
    const part = file.subarray(at + 4, end);
    at = end;
    if (marker === 0xc4) read = readTables(part, tables, read);
    else if (marker === 0xc3) {
      if (ids.length) throw broken('names its size twice');
      ({ ids, precision } = readFrame(part, format));
    } else if (marker === 0xdd) restart = part.length < 2 ? 0 : (part[0]! << 8) | part[1]!;
    else if (marker === 0xda) {
      const scan = readScan(part, ids, tables, precision);
      if (restart % width) throw broken('restarts within a row');
      missing -= scan.components.length;
      at = await decodeScan(file, at, { ...scan, restartRows: restart / width }, format, out, pace);
    } else if (marker < 0xdb || marker === 0xdc) throw broken(`has the marker ${marker.toString(16)}`);
  }
  return out;
}

/** Each table uses 128 KiB. A component needs one, and may have another one in each scan. */
const MAXIMUM_TABLES = 64;

/** `read`: number of tables before this part. Returns the number including this part. */
function readTables(part: Uint8Array, tables: Codes[], read: number): number {
  for (let at = 0; at + 17 <= part.length;) {
    if (++read > MAXIMUM_TABLES) throw broken('has far too many tables of codes');
    const id = part[at]!;
    const counts = part.subarray(at + 1, at + 17);
    const values = part.subarray(at + 17, at + 17 + counts.reduce((sum, n) => sum + n, 0));
    const codes = codesOf(counts, values, 16);
    if (!codes) throw broken('has an impossible table of codes');
    if (id < 4) tables[id] = codes;
    at += 17 + values.length;
  }
  return read;
}

function readFrame(part: Uint8Array, { width, height, samples, allocated }: LosslessFormat) {
  const [precision = 0, h1 = 0, h0 = 0, w1 = 0, w0 = 0, components = 0] = part;
  if ((h1 << 8) + h0 !== height || (w1 << 8) + w0 !== width || components !== samples || precision > allocated)
    throw broken('has a size that differs from its header');
  if (precision < 2 || part.length < 6 + 3 * samples) throw broken('has no complete header');
  const ids = Array.from({ length: samples }, (_, i) => part[6 + 3 * i]!);
  if (samples > 1 && ids.some((_, i) => part[7 + 3 * i] !== 0x11)) throw broken('has components of different sizes');
  return { ids, precision };
}

function readScan(part: Uint8Array, ids: number[], tables: Codes[], precision: number): Omit<Scan, 'restartRows'> {
  const count = part[0] ?? 0;
  if (count < 1 || count > ids.length || part.length < 4 + 2 * count) throw broken('has a scan without a header');
  const components = Array.from({ length: count }, (_, i) => {
    const index = ids.indexOf(part[1 + 2 * i]!);
    const codes = tables[part[2 + 2 * i]! >> 4];
    if (index < 0 || !codes) throw broken('has a scan of a missing component');
    return { index, codes };
  });
  const predictor = part[1 + 2 * count]!;
  const shift = part[3 + 2 * count]! & 15;
  if (predictor < 1 || predictor > 7 || shift >= precision) throw broken('has an unknown predictor');
  return { components, predictor, shift, precision };
}
