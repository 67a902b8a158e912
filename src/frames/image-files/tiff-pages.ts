/** The directories of a TIFF file (TIFF 6.0; BigTIFF, whose offsets have 64 bits): what it says of its pages. */
import { damaged, inFile, unsupported } from './faults.ts';

/** Numbers of the tags that are needed. */
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

/** Values of the tags of one page; the first value of a tag by `one`. */
export class TiffPage {
  readonly #values = new Map<number, readonly number[]>();

  set(tag: number, values: readonly number[]): void {
    this.#values.set(tag, values);
  }

  all(name: TagName): readonly number[] {
    return this.#values.get(tags[name]) ?? [];
  }

  one(name: TagName, absent: number): number {
    return this.all(name)[0] ?? absent;
  }
}

/** Bytes of the types that hold whole numbers: BYTE, SHORT, LONG, UNDEFINED (bytes), LONG8. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 7: 1, 13: 4, 16: 8 };
const needed = new Set<number>(Object.values(tags));
const MAXIMUM_PAGES = 10_000;

export interface TiffFile {
  pages: TiffPage[];
  /** Little endian. */
  little: boolean;
}

export function tiffPages(bytes: Uint8Array): TiffFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  inFile(bytes, 0, 16, 'its header');
  const little = bytes[0] === 0x49;
  const big = view.getUint16(2, little) === 43;
  if (big && view.getUint16(4, little) !== 8) throw unsupported('This kind of BigTIFF is not read; save it as TIFF.');
  const long = (at: number) => (big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little));
  const width = big ? 8 : 4;
  const number = (at: number, size: number) => {
    if (size === 1) return bytes[at]!;
    if (size === 2) return view.getUint16(at, little);
    return size === 4 ? view.getUint32(at, little) : Number(view.getBigUint64(at, little));
  };

  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  for (let start = long(big ? 8 : 4); start !== 0;) {
    if (seen.has(start) || pages.length === MAXIMUM_PAGES) break; // a chain that bites its tail
    seen.add(start);
    const entries = start + (big ? 8 : 2);
    inFile(bytes, start, entries, 'the list of its pages');
    const count = big ? long(start) : view.getUint16(start, little);
    const entrySize = big ? 20 : 12;
    const end = entries + count * entrySize;
    inFile(bytes, start, end, 'the list of its pages');
    const page = new TiffPage();
    for (let at = entries; at < end; at += entrySize) {
      const tag = view.getUint16(at, little);
      const size = sizes[view.getUint16(at + 2, little)];
      if (!needed.has(tag) || !size) continue;
      const values = long(at + 4);
      const inside = values * size <= width;
      const from = inside ? at + 4 + width : long(at + 4 + width);
      inFile(bytes, from, from + values * size, `the value of tag ${tag}`);
      page.set(
        tag,
        Array.from({ length: values }, (_, i) => number(from + i * size, size)),
      );
    }
    pages.push(page);
    if (end + width > bytes.length) break; // some writers leave the last zero out
    start = long(end);
  }
  if (!pages.length) throw damaged('The TIFF file has no page.');
  return { pages, little };
}
