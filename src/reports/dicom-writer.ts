/**
 * Writes DICOM Part 10 files in Explicit VR Little Endian (PS3.5, chapter 7; PS3.10, chapter 7): elements to bytes. We
 * have our own writer because the existing one (dcmjs 0.52, MIT) is a hundred times as large. It contains the whole
 * dictionary.
 */
import { FoveolaError } from '../runtime/error.ts';
import { version } from '../results/version.ts';
import { uidOf } from './check.ts';

/** Value representations supported by the writer. */
export type Vr =
  | 'AS'
  | 'AT'
  | 'CS'
  | 'DA'
  | 'DS'
  | 'IS'
  | 'LO'
  | 'LT'
  | 'OB'
  | 'PN'
  | 'SH'
  | 'SQ'
  | 'ST'
  | 'TM'
  | 'UC'
  | 'UI'
  | 'UL'
  | 'US'
  | 'UT'
  | 'UR';
export type DataSet = readonly DicomElement[];
/** Tag, representation and value: a text or a number, a list of several, the items of a sequence, or bytes. */
export type DicomElement = readonly [
  tag: number,
  vr: Vr,
  value: string | number | readonly string[] | readonly number[] | readonly DataSet[] | Uint8Array,
];

/** Representations with a length field of four bytes, after two reserved ones (PS3.5, 7.1.2). */
const wide: readonly Vr[] = ['OB', 'SQ', 'UC', 'UT', 'UR'];
/**
 * Maximum length of one value in characters (PS3.5, table 6.2-1). Longer texts are cut. A name has up to three groups.
 */
export const most: Partial<Record<Vr, number>> = { CS: 16, LO: 64, PN: 194, SH: 16, ST: 1024 };
const SEQUENCE_ITEM = 0xfffee000;

export const explicitLittleEndian = '1.2.840.10008.1.2.1';
/** Identifies foveola as the software that wrote a file. Generated once. */
export const implementation = uidOf('6d0f6a5e-1c3a-4b0e-9a57-8f5f2f0e7b11');

/** A number in at most 16 characters (PS3.5, 6.2, DS). */
export function decimalString(value: number): string {
  for (let digits = 15; digits > 0; digits--) {
    const text = String(Number(value.toPrecision(digits)));
    if (text.length <= 16) return text;
  }
  throw new FoveolaError('internal', `The number ${value} has no decimal string.`);
}

/**
 * One value. A backslash would separate it from the next one, so it becomes a slash. Representations with only one
 * value may contain it.
 */
function textOf(vr: Vr, value: string): string {
  const whole = vr === 'ST' || vr === 'LT' || vr === 'UT' || vr === 'UR' ? value : value.replaceAll('\\', '/');
  return Array.from(whole).slice(0, most[vr]).join('');
}

function integers(vr: 'AT' | 'UL' | 'US', values: readonly number[]): Uint8Array {
  const size = vr === 'US' ? 2 : 4;
  const out = new Uint8Array(size * values.length);
  const view = new DataView(out.buffer);
  values.forEach((value, i) => {
    if (vr === 'US') view.setUint16(2 * i, value, true);
    else if (vr === 'UL') view.setUint32(4 * i, value, true);
    else {
      view.setUint16(4 * i, value >>> 16, true); // a tag is two numbers
      view.setUint16(4 * i + 2, value & 0xffff, true);
    }
  });
  return out;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function tagged(tag: number, length: number): Uint8Array {
  const out = new Uint8Array(8);
  const view = new DataView(out.buffer);
  view.setUint16(0, tag >>> 16, true);
  view.setUint16(2, tag & 0xffff, true);
  view.setUint32(4, length, true);
  return out;
}

function contentOf([, vr, value]: DicomElement): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (vr === 'SQ')
    return joined(
      (values as readonly DataSet[]).flatMap((item) => {
        const bytes = dataSetBytes(item);
        return [tagged(SEQUENCE_ITEM, bytes.length), bytes];
      }),
    );
  if (vr === 'AT' || vr === 'UL' || vr === 'US') return integers(vr, values as readonly number[]);
  const texts = values.map((one) => (vr === 'DS' ? decimalString(Number(one)) : textOf(vr, String(one))));
  return new TextEncoder().encode(texts.join('\\'));
}

function elementBytes(element: DicomElement): Uint8Array[] {
  const [tag, vr] = element;
  const content = contentOf(element);
  // Lengths must be even. Texts are padded with a space, UIDs and bytes with a zero.
  const padding = content.length % 2 ? [Uint8Array.of(vr === 'UI' || vr === 'OB' ? 0 : 0x20)] : [];
  const length = content.length + padding.length;
  const head = new Uint8Array(wide.includes(vr) ? 12 : 8);
  const view = new DataView(head.buffer);
  view.setUint16(0, tag >>> 16, true);
  view.setUint16(2, tag & 0xffff, true);
  head[4] = vr.charCodeAt(0);
  head[5] = vr.charCodeAt(1);
  if (head.length === 12) view.setUint32(8, length, true);
  else if (length <= 0xffff) view.setUint16(6, length, true);
  else throw new FoveolaError('internal', `The element ${tag.toString(16)} of ${length} bytes is too long for ${vr}.`);
  return [head, content, ...padding];
}

/** Elements are written in the order of their tags, as PS3.5 (7.1) requires. */
export const dataSetBytes = (elements: DataSet): Uint8Array<ArrayBuffer> =>
  joined([...elements].sort(([a], [b]) => a - b).flatMap(elementBytes));

/** A file: preamble, meta information, data set. */
export function dicomFile(sopClass: string, sopInstance: string, elements: DataSet): Uint8Array<ArrayBuffer> {
  const meta = dataSetBytes([
    [0x00020001, 'OB', Uint8Array.of(0, 1)],
    [0x00020002, 'UI', sopClass],
    [0x00020003, 'UI', sopInstance],
    [0x00020010, 'UI', explicitLittleEndian],
    [0x00020012, 'UI', implementation],
    [0x00020013, 'SH', `FOVEOLA ${version}`],
  ]);
  const length = dataSetBytes([[0x00020000, 'UL', meta.length]]);
  const start = new Uint8Array(132);
  start.set(new TextEncoder().encode('DICM'), 128);
  return joined([start, length, meta, dataSetBytes(elements)]);
}
