/**
 * The directories of a TIFF file (TIFF 6.0, and BigTIFF with 64-bit offsets). For pages that are not read, only size
 * and kind are inspected.
 */
import { damaged, inFile, unsupported } from './faults.ts';
import type { FileBytes } from './file-bytes.ts';
import type { Pace } from './pace.ts';

/** Numbers of the tags in use. */
export const tags = {
  subfileType: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planar: 284,
  predictor: 317,
  colors: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
} as const;

export type TagName = keyof typeof tags;

/**
 * Maximum number of values of a tag that is used, because a file can declare any count. The number of strips and tiles
 * is compared with the page's size (tiff-layout.ts) and is at most `MAXIMUM_BLOCKS`.
 */
export const MAXIMUM_BLOCKS = 1 << 16;
const most: Readonly<Partial<Record<TagName, number>>> = {
  bits: 16,
  sampleFormat: 16,
  extraSamples: 16,
  colors: 3 << 8,
  jpegTables: 1 << 16,
  stripOffsets: MAXIMUM_BLOCKS,
  stripByteCounts: MAXIMUM_BLOCKS,
  tileOffsets: MAXIMUM_BLOCKS,
  tileByteCounts: MAXIMUM_BLOCKS,
};

/** Size in bytes of the integer types: BYTE, SHORT, LONG, UNDEFINED (bytes), LONG8. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 7: 1, 13: 4, 16: 8 };
const names = new Map(Object.entries(tags).map(([name, tag]) => [tag as number, name as TagName]));
const MAXIMUM_PAGES = 100_000;
/** Microscope and satellite software writes a few hundred. */
const MAXIMUM_ENTRIES = 4096;

/** Numbers of the file in its byte order. */
class Numbers {
  readonly bytes: FileBytes;
  readonly little: boolean;
  readonly big: boolean;

  constructor(bytes: FileBytes) {
    inFile(bytes, 0, 16, 'its header');
    this.bytes = bytes;
    this.little = bytes.view(0, 1)[0] === 0x49;
    this.big = this.at(2, 2) === 43;
    if (this.big && this.at(4, 2) !== 8)
      throw unsupported('This type of BigTIFF is not supported. Convert it to TIFF.');
  }

  at(place: number, size: number): number {
    return this.bytes.number(place, size, this.little);
  }

  /** Bytes of an offset. */
  get width(): number {
    return this.big ? 8 : 4;
  }

  offset(place: number): number {
    return this.at(place, this.width);
  }
}

interface Entry {
  size: number;
  count: number;
  from: number;
}

/** The tags of one page. Values are read on request. */
export class TiffPage {
  readonly #numbers: Numbers;
  readonly #entries = new Map<TagName, Entry>();

  constructor(numbers: Numbers, { from, count }: Directory) {
    this.#numbers = numbers;
    const { bytes, big, width } = numbers;
    const entrySize = big ? 20 : 12;
    for (let at = from; at < from + count * entrySize; at += entrySize) {
      const name = names.get(numbers.at(at, 2));
      const size = sizes[numbers.at(at + 2, 2)];
      if (!name || !size) continue;
      if (this.#entries.has(name)) throw damaged(`The TIFF file is damaged: its page has the tag ${tags[name]} twice.`);
      const values = numbers.offset(at + 4);
      if (values > (most[name] ?? 4))
        throw damaged(`The TIFF file is damaged: ${values} values of the tag ${tags[name]}.`);
      const start = values * size <= width ? at + 4 + width : numbers.offset(at + 4 + width);
      inFile(bytes, start, start + values * size, `the value of tag ${tags[name]}`);
      this.#entries.set(name, { size, count: values, from: start });
    }
  }

  count(name: TagName): number {
    return this.#entries.get(name)?.count ?? 0;
  }

  /** The first values of a tag, at most `limit`. */
  all(name: TagName, limit = Infinity): readonly number[] {
    const { size, count, from } = this.#entries.get(name) ?? { size: 1, count: 0, from: 0 };
    const { bytes, little } = this.#numbers;
    return count ? bytes.list(from, size, Math.min(count, limit), little) : [];
  }

  one(name: TagName, absent: number): number {
    return this.all(name, 1)[0] ?? absent;
  }
}

interface Directory {
  /** Start of its entries. */
  from: number;
  count: number;
  /** Position of the next directory. 0 at the end. */
  next: number;
}

function directoryAt(numbers: Numbers, start: number): Directory {
  const { bytes, big, width } = numbers;
  const from = start + (big ? 8 : 2);
  inFile(bytes, start, from, 'the list of its pages');
  const count = numbers.at(start, big ? 8 : 2);
  if (count > MAXIMUM_ENTRIES) throw damaged(`The TIFF file is damaged: a page with ${count} tags.`);
  const end = from + count * (big ? 20 : 12);
  inFile(bytes, start, end, 'the list of its pages');
  return { from, count, next: end + width > bytes.length ? 0 : numbers.offset(end) }; // some encoders omit the last zero
}

/** Data of every page that decides whether it is a frame. */
interface Summary {
  width: number;
  height: number;
  /** Bit 0: a smaller copy of another page. Bit 2: a mask for another page. */
  kind: number;
}

function summaryOf(numbers: Numbers, { from, count }: Directory): Summary {
  const summary: Summary = { width: 0, height: 0, kind: 0 };
  const names = new Map<number, keyof Summary>([
    [tags.width, 'width'],
    [tags.height, 'height'],
    [tags.subfileType, 'kind'],
  ]);
  const entrySize = numbers.big ? 20 : 12;
  for (let at = from; at < from + count * entrySize; at += entrySize) {
    const name = names.get(numbers.at(at, 2));
    const size = name && sizes[numbers.at(at + 2, 2)];
    if (size) summary[name] = numbers.at(at + 4 + numbers.width, size);
  }
  return summary;
}

export interface TiffEntry extends Summary {
  /** Page number, starting at 1. */
  number: number;
  directory: Directory;
}

export interface TiffFile {
  /**
   * The first page that is an image and not a copy of another page, and the later pages of its size. If no page
   * qualifies, the first page of the file is used.
   */
  frames: readonly TiffEntry[];
  /** Total number of pages. */
  pages: number;
  /** Little endian. */
  little: boolean;
  page(entry: TiffEntry): Promise<TiffPage>;
}

export async function tiffFile(bytes: FileBytes, pace: Pace): Promise<TiffFile> {
  const numbers = await bytes.look(() => new Numbers(bytes));
  const entries: TiffEntry[] = [];
  const seen = new Set<number>();
  let start = await bytes.look(() => numbers.offset(numbers.big ? 8 : 4));
  while (start !== 0 && !seen.has(start)) {
    // The chain may contain a loop.
    if (seen.size === MAXIMUM_PAGES)
      throw unsupported(`The TIFF file has more than ${MAXIMUM_PAGES} pages. Save it in several files.`);
    seen.add(start);
    const place = start;
    const directory = await bytes.look(() => directoryAt(numbers, place));
    entries.push({
      ...(await bytes.look(() => summaryOf(numbers, directory))),
      ...{ number: entries.length + 1, directory },
    });
    start = directory.next;
    await pace.step(NaN);
  }
  const first = entries.find(({ kind }) => (kind & 5) === 0) ?? entries[0];
  if (!first) throw damaged('The TIFF file has no page.');
  const isFrame = ({ kind, width, height, number }: TiffEntry) =>
    number >= first.number && (kind & 5) === (first.kind & 5) && width === first.width && height === first.height;
  return {
    frames: entries.filter(isFrame),
    pages: entries.length,
    little: numbers.little,
    page: ({ directory }) => bytes.look(() => new TiffPage(numbers, directory)),
  };
}
