/**
 * JPEG files that the platform's decoder refuses. Programs that stream a JPEG omit the end marker, and browsers then
 * treat the file as still loading. If the whole image is present, it is read with the marker added. Otherwise the file
 * is truncated.
 */
import { bytesOf, type Pace } from './pace.ts';
import { openAnimation } from './animation.ts';
import { checkHeld, damaged } from './faults.ts';
import { codesOf, type Codes, jpegHeader } from './jpeg.ts';
import { exifOrientation } from './raster.ts';
import type { PagedFile } from './paged.ts';

const cut = () => damaged('The JPEG file is cut off or damaged: it ends before its picture does.');

const [BASELINE, EXTENDED, TABLES, SCAN, RESTART, END] = [0xc0, 0xc1, 0xc4, 0xda, 0xdd, 0xd9];

interface Component {
  id: number;
  across: number;
  down: number;
}

interface Frame {
  width: number;
  height: number;
  components: readonly Component[];
}

/** Bits of a scan, without the zeros after 0xFF. */
class Bits {
  at: number;
  readonly #bytes: Uint8Array;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  #more(): void {
    const byte = this.#bytes[this.at];
    const stuffed = byte === 0xff && this.#bytes[this.at + 1] === 0;
    if (byte === undefined || (byte === 0xff && !stuffed)) throw cut();
    this.at += stuffed ? 2 : 1;
    this.#held = ((this.#held << 8) | byte) & 0xffffff;
    this.#count += 8;
  }

  skip(count: number): void {
    while (this.#count < count) this.#more();
    this.#count -= count;
  }

  /** The value of the next code. */
  code(codes: Codes): number {
    for (let length = 1; length <= 16; length++) {
      if (this.#count < length) this.#more();
      const next = (this.#held >> (this.#count - length)) & ((1 << length) - 1);
      const found = codes[next << (16 - length)]!;
      if (found >> 8 === length) {
        this.#count -= length;
        return found & 255;
      }
    }
    throw cut();
  }

  /** Moves to the byte after a restart marker. */
  restart(): void {
    this.#count = 0;
    const marker = this.#bytes[this.at + 1];
    if (this.#bytes[this.at] !== 0xff || marker === undefined || marker < 0xd0 || marker > 0xd7) throw cut();
    this.at += 2;
  }
}

/** Whether all blocks of the scan at `at` are present, and where it ends. */
async function scanEnd(
  bytes: Uint8Array,
  at: number,
  { frame, tables, restart }: { frame: Frame; tables: ReadonlyMap<number, Codes>; restart: number },
  pace: Pace,
): Promise<number> {
  const count = bytes[at + 4]!;
  const parts = Array.from({ length: count }, (_, i) => {
    const [id, which] = [bytes[at + 5 + 2 * i]!, bytes[at + 6 + 2 * i]!];
    const component = frame.components.find((one) => one.id === id);
    const [dc, ac] = [tables.get(which >> 4), tables.get(16 | (which & 15))];
    if (!component || !dc || !ac) throw cut();
    return { ...component, dc, ac };
  });
  const most = (side: 'across' | 'down') => Math.max(...frame.components.map((one) => one[side]));
  const single = count === 1;
  const blocks = (size: number, side: 'across' | 'down') =>
    single ? Math.ceil(Math.ceil((size * parts[0]![side]) / most(side)) / 8) : Math.ceil(size / (8 * most(side)));
  const units = blocks(frame.width, 'across') * blocks(frame.height, 'down');
  const bits = new Bits(bytes, at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!);
  for (let unit = 0; unit < units; unit++) {
    if (restart && unit && unit % restart === 0) bits.restart();
    for (const { across, down, dc, ac } of parts)
      for (let n = single ? 1 : across * down; n > 0; n--) {
        bits.skip(bits.code(dc));
        for (let k = 1; k < 64; k++) {
          const value = bits.code(ac);
          if (value === 0) break;
          k += value >> 4;
          bits.skip(value & 15);
        }
      }
    if (unit % 512 === 511) await pace.step((0.5 * unit) / units);
  }
  return bits.at;
}

function frameOf(bytes: Uint8Array, at: number): Frame {
  const u16 = (i: number) => bytes[i]! * 256 + bytes[i + 1]!;
  return {
    ...{ height: u16(at + 5), width: u16(at + 7) },
    components: Array.from({ length: bytes[at + 9]! }, (_, i) => ({
      id: bytes[at + 10 + 3 * i]!,
      across: bytes[at + 11 + 3 * i]! >> 4 || 1,
      down: bytes[at + 11 + 3 * i]! & 15 || 1,
    })),
  };
}

/** Each table uses 128 KiB. */
const MOST_TABLES = 64;

/** `read`: number of tables before. Returns the number including these. */
function addTables(part: Uint8Array, tables: Map<number, Codes>, read: number): number {
  for (let at = 0; at + 17 <= part.length;) {
    if (++read > MOST_TABLES) throw damaged('The JPEG file is damaged: it has far too many tables of codes.');
    const counts = part.subarray(at + 1, at + 17);
    const values = counts.reduce((sum, count) => sum + count, 0);
    const codes = codesOf(counts, part.subarray(at + 17, at + 17 + values));
    if (!codes) throw cut();
    tables.set(part[at]!, codes); // class in the upper half, number in the lower
    at += 17 + values;
  }
  return read;
}

/** End of the image. Throws if the image is incomplete, or if only a decoder could decide this (progressive images). */
async function pictureEnd(bytes: Uint8Array, pace: Pace): Promise<number> {
  const tables = new Map<number, Codes>();
  let frame: Frame | null = null;
  let [restart, left, read] = [0, 0, 0];
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) throw cut();
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END) return at;
    const end = at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
    if (end > bytes.length) throw cut();
    if (marker === BASELINE || marker === EXTENDED) {
      frame = frameOf(bytes, at);
      left = frame.components.length;
    } else if (marker === TABLES) read = addTables(bytes.subarray(at + 4, end), tables, read);
    else if (marker === RESTART) restart = bytes[at + 4]! * 256 + bytes[at + 5]!;
    if (marker !== SCAN) {
      at = end;
      continue;
    }
    if (!frame) throw cut();
    left -= bytes[at + 4]!;
    at = await scanEnd(bytes, at, { frame, tables, restart }, pace);
    if (left <= 0) return at;
  }
  throw cut();
}

/** The EXIF block among the segments before the image. */
function orientationOf(bytes: Uint8Array): number {
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SCAN;) {
    const end = at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
    if (bytes[at + 1] === 0xe1 && String.fromCharCode(...bytes.subarray(at + 4, at + 8)) === 'Exif')
      return exifOrientation(bytes.subarray(at + 10, end));
    at = end;
  }
  return 1;
}

export async function openJpeg(file: Blob, pace: Pace): Promise<PagedFile> {
  checkHeld(file.size);
  const bytes = await bytesOf(file);
  const header = jpegHeader(bytes);
  if (!header) throw cut();
  const end = await pictureEnd(bytes, pace);
  const whole = new Uint8Array(end + 2);
  whole.set(bytes.subarray(0, end));
  whole.set([0xff, END], end);
  const { width, height } = header;
  return openAnimation(
    {
      ...{ format: 'JPEG', type: 'image/jpeg', width, height, others: 0, held: 2 * bytes.length },
      frames: [{ x: 0, y: 0, width, height, delay: 0, over: false, dispose: 'keep', still: () => whole }],
      orientation: orientationOf(bytes),
    },
    pace,
  );
}
