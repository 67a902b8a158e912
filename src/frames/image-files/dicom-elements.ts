/** The elements of a DICOM file (PS3.10, PS3.5): where they stand and what they hold, explicit and implicit VR, little endian. */
import { damaged, inFile, unsupported } from './faults.ts';
import { Inflater } from './inflate.ts';

export interface Element {
  vr: string;
  from: number;
  /** Where the value ends; of undefined length that of its last item. */
  to: number;
  /** Items of a sequence, fragments of encapsulated pixel data. */
  items: readonly Item[] | null;
}

export interface Item {
  from: number;
  to: number;
}

const UNDEFINED = 0xffffffff;
/** VRs whose length has four bytes. */
const wide = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);
const MAXIMUM_DEPTH = 16;
/** What a deflated data set may grow to. */
const MAXIMUM_INFLATED = 1 << 30;

const ITEM = 0xfffee000;
const ITEM_END = 0xfffee00d;
const SEQUENCE_END = 0xfffee0dd;
export const PIXEL_DATA = 0x7fe00010;

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

export class DataSet {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #explicit: boolean;
  readonly #elements: Map<number, Element>;

  constructor(bytes: Uint8Array, explicit: boolean, elements: Map<number, Element>) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#explicit = explicit;
    this.#elements = elements;
  }

  get(tag: number): Element | undefined {
    return this.#elements.get(tag);
  }

  has(tag: number): boolean {
    return this.#elements.has(tag);
  }

  text(tag: number): string {
    const element = this.#elements.get(tag);
    if (!element) return '';
    const text = ascii(this.bytes, element.from, Math.min(element.to, element.from + 1024));
    return text.replace(/\0.*$/s, '').trim();
  }

  /** A number of the VR US. */
  short(tag: number, absent: number, index = 0): number {
    const element = this.#elements.get(tag);
    const at = (element?.from ?? 0) + 2 * index;
    return element && at + 2 <= element.to ? this.#view.getUint16(at, true) : absent;
  }

  /** Numbers of the VR DS or IS. */
  numbers(tag: number): number[] {
    const text = this.text(tag);
    return text ? text.split('\\').map(Number) : [];
  }

  /** The data set in the first item of a sequence. */
  first(tag: number): DataSet | null {
    const item = this.#elements.get(tag)?.items?.[0];
    if (!item) return null;
    return new DataSet(this.bytes, this.#explicit, parse(this.bytes, item.from, item.to, this.#explicit, 1).elements);
  }
}

interface Parsed {
  elements: Map<number, Element>;
  end: number;
}

/** Elements from `from` to `to`, or to the end of an item of undefined length. */
function parse(bytes: Uint8Array, from: number, to: number, explicit: boolean, depth: number): Parsed {
  if (depth > MAXIMUM_DEPTH) throw damaged('The DICOM file is damaged: its sequences lie too deep in each other.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const elements = new Map<number, Element>();
  let at = from;
  while (at + 8 <= to) {
    const tag = view.getUint16(at, true) * 65536 + view.getUint16(at + 2, true);
    if (tag === ITEM_END) return { elements, end: at + 8 };
    let vr = '';
    let length: number;
    let start = at + 8;
    if (!explicit) length = view.getUint32(at + 4, true);
    else {
      vr = ascii(bytes, at + 4, at + 6);
      if (!/^[A-Z]{2}$/.test(vr)) throw damaged(`The DICOM file is damaged at byte ${at}.`);
      if (wide.has(vr)) {
        start = at + 12;
        inFile(bytes, at, start, 'its data set');
        length = view.getUint32(at + 8, true);
      } else length = view.getUint16(at + 6, true);
    }
    const pixels = tag === PIXEL_DATA;
    const sequence = vr === 'SQ' || (length === UNDEFINED && !pixels);
    let items: Item[] | null = null;
    let end = start + length;
    if (length === UNDEFINED || sequence) {
      const limit = length === UNDEFINED ? to : end;
      inFile(bytes, start, limit, 'a sequence in it');
      // A sequence of the VR UN is in implicit VR (PS3.5, 6.2.2).
      ({ items, end } = itemsOf(bytes, start, limit, vr === 'UN' ? false : explicit, { pixels, depth }));
      if (length !== UNDEFINED) end = start + length;
    }
    // What is behind the pixels is not needed, and the pixels themselves are checked by who reads them.
    elements.set(tag, { vr, from: start, to: end, items });
    if (pixels) break;
    inFile(bytes, start, end, `element ${name(tag)}`);
    at = end;
  }
  return { elements, end: at };
}

export const name = (tag: number): string => {
  const digits = tag.toString(16).padStart(8, '0').toUpperCase();
  return `(${digits.slice(0, 4)},${digits.slice(4)})`;
};

function itemsOf(
  bytes: Uint8Array,
  from: number,
  to: number,
  explicit: boolean,
  { pixels, depth }: { pixels: boolean; depth: number },
): { items: Item[]; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const items: Item[] = [];
  let at = from;
  while (at + 8 <= to) {
    const tag = view.getUint16(at, true) * 65536 + view.getUint16(at + 2, true);
    const length = view.getUint32(at + 4, true);
    if (tag === SEQUENCE_END) return { items, end: at + 8 };
    if (tag !== ITEM) throw damaged(`The DICOM file is damaged at byte ${at}: an item is expected there.`);
    const start = at + 8;
    if (length !== UNDEFINED) {
      if (!pixels) inFile(bytes, start, start + length, 'an item in it');
      items.push({ from: start, to: start + length });
      at = start + length;
    } else {
      const { end } = parse(bytes, start, to, explicit, depth + 1);
      items.push({ from: start, to: end });
      at = end;
    }
  }
  return { items, end: at };
}

export const syntaxes = {
  implicit: '1.2.840.10008.1.2',
  explicit: '1.2.840.10008.1.2.1',
  deflated: '1.2.840.10008.1.2.1.99',
  bigEndian: '1.2.840.10008.1.2.2',
} as const;

/** The data set of a file and its transfer syntax. */
export async function dataSetOf(file: Uint8Array): Promise<{ dataSet: DataSet; syntax: string }> {
  const start = 132; // preamble and 'DICM'
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  inFile(file, 0, start + 12, 'its header');
  // The meta group: always explicit; its first element says how long it is.
  const sized = view.getUint32(start, true) === 0x00000002 && view.getUint16(start + 6, true) === 4;
  let end = sized ? start + 12 + view.getUint32(start + 8, true) : start;
  if (!sized) while (end + 8 <= file.length && view.getUint16(end, true) === 2) end = next(file, view, end);
  inFile(file, start, end, 'its header');
  const meta = new DataSet(file, true, parse(file, start, end, true, 0).elements);
  const syntax = meta.text(0x00020010) || syntaxes.implicit;
  if (syntax === syntaxes.bigEndian)
    throw unsupported('The DICOM file is in big endian, which was retired; convert it: dcmconv +te in.dcm out.dcm');
  let [bytes, from] = [file, end];
  if (syntax === syntaxes.deflated) {
    const inflater = new Inflater([file.subarray(end)], 'deflate-raw');
    try {
      [bytes, from] = [await inflater.rest(MAXIMUM_INFLATED), 0];
    } finally {
      await inflater.close();
    }
  }
  const explicit = syntax !== syntaxes.implicit;
  return { dataSet: new DataSet(bytes, explicit, parse(bytes, from, bytes.length, explicit, 0).elements), syntax };
}

/** The end of one element of the meta group. */
function next(bytes: Uint8Array, view: DataView, at: number): number {
  const long = wide.has(ascii(bytes, at + 4, at + 6));
  inFile(bytes, at, at + (long ? 12 : 8), 'its header');
  return long ? at + 12 + view.getUint32(at + 8, true) : at + 8 + view.getUint16(at + 6, true);
}
