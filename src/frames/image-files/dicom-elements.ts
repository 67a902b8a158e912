/**
 * The elements of a DICOM file (PS3.10, PS3.5): their positions and values, with explicit and implicit VR, in either
 * byte order.
 */
import { bytesOf, type Pace } from './pace.ts';
import { checkHeld, damaged, growth, inFile } from './faults.ts';
import { Inflater } from './decompress.ts';

export interface Element {
  vr: string;
  from: number;
  /** End of the value. For an undefined length, the end of its last item. */
  to: number;
  /** Items of a sequence, fragments of encapsulated pixel data. */
  items: readonly Item[] | null;
}

export interface Item {
  from: number;
  to: number;
}

const UNDEFINED = 0xffffffff;
/** VRs with a length of four bytes. */
const wide = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);
const MAXIMUM_DEPTH = 16;
/** Maximum number of elements and items in a file. A volume of a few thousand frames has a hundred thousand. */
const MAXIMUM_ENTRIES = 1 << 18;
const BETWEEN_LOOKS = 256;
/** Maximum bytes before the pixels of a deflated data set, and how much is unpacked or read first. */
const MAXIMUM_HEAD = 1 << 25;
const FIRST_HEAD = 1 << 16;

const ITEM = 0xfffee000;
const ITEM_END = 0xfffee00d;
const SEQUENCE_END = 0xfffee0dd;
export const PIXEL_DATA = 0x7fe00010;

const latin = new TextDecoder('latin1');
const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** Encoding of the elements. */
export interface Coding {
  explicit: boolean;
  little: boolean;
}

export class DataSet {
  readonly bytes: Uint8Array;
  /** Bytes of the file in memory. */
  held: number;
  readonly coding: Coding;
  readonly #view: DataView;
  readonly #elements: Map<number, Element>;

  constructor(bytes: Uint8Array, coding: Coding, elements: Map<number, Element>) {
    this.bytes = bytes;
    this.held = bytes.length;
    this.coding = coding;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#elements = elements;
  }

  get(tag: number): Element | undefined {
    return this.#elements.get(tag);
  }

  has(tag: number): boolean {
    return this.#elements.has(tag);
  }

  text(tag: number, most = 1024): string {
    const element = this.#elements.get(tag);
    if (!element) return '';
    const text = latin.decode(this.bytes.subarray(element.from, Math.min(element.to, element.from + most)));
    return text.replace(/\0.*$/s, '').trim();
  }

  /**
   * The whole text in a character set of TextDecoder. Null if it is not ASCII and the set is not known or does not fit.
   * It keeps spaces at its start, because an archive distinguishes patients by them.
   */
  decoded(tag: number, set: string | undefined): string | null {
    const { from, to } = this.#elements.get(tag) ?? { from: 0, to: 0 };
    const bytes = this.bytes.subarray(from, to);
    const isAscii = bytes.every((byte) => byte < 0x80 && byte !== 0x1b);
    if (set === undefined && !isAscii) return null;
    try {
      const decoder = isAscii ? latin : new TextDecoder(set, { fatal: true });
      return decoder.decode(bytes).replace(/\0.*$/s, '').trimEnd();
    } catch {
      return null;
    }
  }

  /** A number of the VR US. */
  short(tag: number, absent: number, index = 0): number {
    const element = this.#elements.get(tag);
    const at = (element?.from ?? 0) + 2 * index;
    return element && at + 2 <= element.to ? this.#view.getUint16(at, this.coding.little) : absent;
  }

  /** 64-bit numbers of the VR OV. */
  longs(tag: number): number[] {
    const { from, to } = this.#elements.get(tag) ?? { from: 0, to: 0 };
    const count = Math.floor((Math.min(to, this.bytes.length) - from) / 8);
    return Array.from({ length: count }, (_, i) => Number(this.#view.getBigUint64(from + 8 * i, this.coding.little)));
  }

  /** Numbers of the VR DS or IS. */
  numbers(tag: number): number[] {
    const text = this.text(tag, 1 << 16);
    return text ? text.split('\\').map(Number) : [];
  }

  /** The data set in the first item of a sequence. */
  async first(tag: number, pace: Pace): Promise<DataSet | null> {
    const item = this.#elements.get(tag)?.items?.[0];
    if (!item) return null;
    const { little, explicit } = this.coding;
    const { elements } = await new Elements(this.bytes, pace, little).parse(item.from, item.to, explicit, 1);
    return new DataSet(this.bytes, this.coding, elements);
  }
}

interface Parsed {
  elements: Map<number, Element>;
  end: number;
}

class Elements {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #pace: Pace;
  readonly #little: boolean;
  #left = MAXIMUM_ENTRIES;

  constructor(bytes: Uint8Array, pace: Pace, little = true) {
    this.#bytes = bytes;
    this.#pace = pace;
    this.#little = little;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #tag(at: number): number {
    if (--this.#left < 0) throw damaged('The DICOM file is damaged: it has far too many elements.');
    return this.#view.getUint16(at, this.#little) * 65536 + this.#view.getUint16(at + 2, this.#little);
  }

  /** Whether it is time to check the clock. */
  get #isTime(): boolean {
    return this.#left % BETWEEN_LOOKS === 0;
  }

  /** Elements from `from` to `to`, or to the end of an item of undefined length. */
  async parse(from: number, to: number, explicit: boolean, depth: number): Promise<Parsed> {
    if (depth > MAXIMUM_DEPTH) throw damaged('The DICOM file is damaged: its sequences are nested too deeply.');
    const [bytes, view, little] = [this.#bytes, this.#view, this.#little];
    const elements = new Map<number, Element>();
    let at = from;
    while (at + 8 <= to) {
      const tag = this.#tag(at);
      if (this.#isTime) await this.#pace.step(NaN);
      if (tag === ITEM_END) return { elements, end: at + 8 };
      let vr = '';
      let length: number;
      let start = at + 8;
      if (!explicit) length = view.getUint32(at + 4, little);
      else {
        vr = ascii(bytes, at + 4, at + 6);
        if (!/^[A-Z]{2}$/.test(vr)) throw damaged(`The DICOM file is damaged at byte ${at}.`);
        if (wide.has(vr)) {
          start = at + 12;
          inFile(bytes, at, start, 'its data set');
          length = view.getUint32(at + 8, little);
        } else length = view.getUint16(at + 6, little);
      }
      const pixels = tag === PIXEL_DATA;
      const sequence = vr === 'SQ' || (length === UNDEFINED && !pixels);
      let items: Item[] | null = null;
      let end = start + length;
      if (length === UNDEFINED || sequence) {
        const limit = length === UNDEFINED ? to : end;
        inFile(bytes, start, limit, 'a sequence in it');
        // A sequence of the VR UN is in implicit VR (PS3.5, 6.2.2).
        ({ items, end } = await this.#items(start, limit, vr === 'UN' ? false : explicit, { pixels, depth }));
        if (length !== UNDEFINED) end = start + length;
      }
      // Elements after the pixels are not needed. The code that reads the pixels checks them.
      elements.set(tag, { vr, from: start, to: end, items });
      if (pixels) break;
      inFile(bytes, start, end, `element ${name(tag)}`);
      at = end;
    }
    return { elements, end: at };
  }

  async #items(from: number, to: number, explicit: boolean, { pixels, depth }: { pixels: boolean; depth: number }) {
    const items: Item[] = [];
    let at = from;
    while (at + 8 <= to) {
      const tag = this.#tag(at);
      if (this.#isTime) await this.#pace.step(NaN);
      const length = this.#view.getUint32(at + 4, this.#little);
      if (tag === SEQUENCE_END) return { items, end: at + 8 };
      if (tag !== ITEM) throw damaged(`The DICOM file is damaged at byte ${at}: an item is expected there.`);
      const start = at + 8;
      if (length !== UNDEFINED) {
        if (!pixels) inFile(this.#bytes, start, start + length, 'an item in it');
        items.push({ from: start, to: start + length });
        at = start + length;
      } else {
        const { end } = await this.parse(start, to, explicit, depth + 1);
        items.push({ from: start, to: end });
        at = end;
      }
    }
    return { items, end: at };
  }
}

export const name = (tag: number): string => {
  const digits = tag.toString(16).padStart(8, '0').toUpperCase();
  return `(${digits.slice(0, 4)},${digits.slice(4)})`;
};

export const syntaxes = {
  implicit: '1.2.840.10008.1.2',
  explicit: '1.2.840.10008.1.2.1',
  deflated: '1.2.840.10008.1.2.1.99',
  bigEndian: '1.2.840.10008.1.2.2',
} as const;

/** Encoding of the meta group, independent of the data set's encoding, and of deflated data sets. */
const META: Coding = { explicit: true, little: true };

/**
 * The data set of a file and its transfer syntax, from its start to the end of the requested image. The rest is not
 * read (a volume has hundreds of further images).
 * @param pictureEnd of a data set: end of its image, or Infinity if that is not known yet
 */
export async function dataSetOf(
  file: Blob,
  pace: Pace,
  pictureEnd: (dataSet: DataSet, syntax: string) => number,
): Promise<{ dataSet: DataSet; syntax: string }> {
  const start = 132; // preamble and 'DICM'
  const head = new Beginning(readingOf(file, pace), file.size + 1);
  await head.grow(FIRST_HEAD);
  inFile(head.bytes, 0, start + 12, 'its header');
  // The meta group is always explicit. Its first element contains its length.
  const view = new DataView(head.bytes.buffer);
  const sized = view.getUint32(start, true) === 0x00000002 && view.getUint16(start + 6, true) === 4;
  let end = sized ? start + 12 + view.getUint32(start + 8, true) : start;
  if (end > head.bytes.length && end < MAXIMUM_HEAD) await head.grow(end);
  const { bytes } = head;
  if (!sized) while (end + 8 <= bytes.length && view.getUint16(end, true) === 2) end = next(bytes, view, end);
  inFile(bytes, start, end, 'its header');
  const meta = new DataSet(bytes, META, (await new Elements(bytes, pace).parse(start, end, true, 0)).elements);
  const syntax = meta.text(0x00020010) || syntaxes.implicit;
  const wanted = (dataSet: DataSet) => pictureEnd(dataSet, syntax);
  if (syntax !== syntaxes.deflated) {
    const coding = { explicit: syntax !== syntaxes.implicit, little: syntax !== syntaxes.bigEndian };
    return { dataSet: await upToPicture(head, { from: end, coding, size: file.size }, wanted, pace), syntax };
  }
  checkHeld(file.size);
  const packed = await bytesOf(file.slice(end));
  const inflater = new Inflater([packed], 'deflate-raw', pace);
  try {
    const inflated = new Beginning((target) => inflater.take(target), growth.deflate * packed.length + 1024);
    const dataSet = await upToPicture(inflated, { from: 0, coding: META }, wanted, pace);
    dataSet.held += packed.length;
    return { dataSet, syntax };
  } finally {
    await inflater.close();
  }
}

/** Fills an array with the next bytes and returns the number of bytes available. */
type Reading = (target: Uint8Array) => Promise<number>;

/** Reads the first bytes of a file or stream on request. */
class Beginning {
  bytes = new Uint8Array(0);
  /** Whether all bytes have been read. */
  ended = false;
  readonly #read: Reading;
  readonly #most: number;

  /** `most`: an upper limit that the size cannot reach. */
  constructor(read: Reading, most: number) {
    this.#read = read;
    this.#most = most;
  }

  async grow(asked: number): Promise<void> {
    const length = Math.min(asked, this.#most);
    if (this.ended || length <= this.bytes.length) return;
    const larger = new Uint8Array(length);
    larger.set(this.bytes);
    const there = this.bytes.length + (await this.#read(larger.subarray(this.bytes.length)));
    this.ended = there < length;
    this.bytes = larger.subarray(0, there);
  }
}

const READ = 1 << 22;

function readingOf(file: Blob, pace: Pace): Reading {
  let at = 0;
  return async (target) => {
    let filled = 0;
    while (filled < target.length && at < file.size) {
      const piece = await bytesOf(file.slice(at, at + Math.min(READ, target.length - filled)));
      target.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      await pace.step(NaN);
    }
    return filled;
  };
}

/** `size`: size of a file that is not deflated. The whole file is read if its image does not start early. */
async function upToPicture(
  head: Beginning,
  { from, coding, size = 0 }: { from: number; coding: Coding; size?: number },
  pictureEnd: (dataSet: DataSet) => number,
  pace: Pace,
): Promise<DataSet> {
  for (let length = FIRST_HEAD; ; length = length < MAXIMUM_HEAD ? 2 * length : MAXIMUM_HEAD + size) {
    if (length > MAXIMUM_HEAD) {
      if (!size)
        throw damaged(`The DICOM file is damaged: no picture in the first ${MAXIMUM_HEAD >> 20} MiB of its data set.`);
      checkHeld(head.bytes.length + size);
    }
    await head.grow(length);
    const { bytes, ended } = head;
    let elements: Map<number, Element>;
    try {
      ({ elements } = await new Elements(bytes, pace, coding.little).parse(from, bytes.length, coding.explicit, 0));
    } catch (error) {
      if (ended) throw error;
      continue; // the element is not complete
    }
    const picture = elements.get(PIXEL_DATA);
    if (!picture && !ended) continue;
    const dataSet = new DataSet(bytes, coding, elements);
    if (!picture) return dataSet;
    if (picture.items && !size) throw damaged('The DICOM file is damaged: its picture is compressed twice.');
    const wanted = pictureEnd(dataSet);
    if (wanted === Infinity && !ended) continue;
    if (wanted !== Infinity) await head.grow(wanted);
    return new DataSet(head.bytes, coding, elements);
  }
}

/** The end of one element of the meta group. */
function next(bytes: Uint8Array, view: DataView, at: number): number {
  const long = wide.has(ascii(bytes, at + 4, at + 6));
  inFile(bytes, at, at + (long ? 12 : 8), 'its header');
  return long ? at + 12 + view.getUint32(at + 8, true) : at + 8 + view.getUint16(at + 6, true);
}
