// DICOM files made in tests (PS3.5, PS3.10): explicit and implicit VR, native and encapsulated pixel data.
import { ByteWriter, deflated, packed } from './bytes.ts';

export const syntaxes = {
  implicit: '1.2.840.10008.1.2',
  explicit: '1.2.840.10008.1.2.1',
  deflated: '1.2.840.10008.1.2.1.99',
  bigEndian: '1.2.840.10008.1.2.2',
  baseline: '1.2.840.10008.1.2.4.50',
  lossless: '1.2.840.10008.1.2.4.70',
  jpegLs: '1.2.840.10008.1.2.4.80',
  jpeg2000: '1.2.840.10008.1.2.4.90',
  runLength: '1.2.840.10008.1.2.5',
} as const;

export type Value = string | number | readonly number[] | Uint8Array | readonly (readonly DicomElement[])[];
export type DicomElement = readonly [tag: number, vr: string, value: Value];

const wide = ['OB', 'OW', 'SQ', 'UN', 'UT'];

function valueBytes(vr: string, value: Value, explicit: boolean, little: boolean): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const out = new ByteWriter(little);
  if (vr === 'SQ')
    for (const item of value as readonly (readonly DicomElement[])[]) {
      const content = elementBytes(item, explicit, little);
      out.number(0xfffe, 2).number(0xe000, 2).number(content.length, 4).bytes(content);
    }
  else if (vr === 'US' || vr === 'OW') for (const one of [value].flat() as number[]) out.number(one, 2);
  else if (vr === 'UL') out.number(value as number, 4);
  else out.text(String(value));
  if (out.length % 2) out.number(vr === 'UI' || vr === 'OB' ? 0 : 32, 1);
  return out.done();
}

function elementBytes(elements: readonly DicomElement[], explicit: boolean, little = true): Uint8Array {
  const out = new ByteWriter(little);
  for (const [tag, vr, value] of [...elements].sort((a, b) => a[0] - b[0])) {
    const content = valueBytes(vr, value, explicit, little);
    out.number(Math.floor(tag / 65536), 2).number(tag % 65536, 2);
    if (!explicit) out.number(content.length, 4);
    else if (wide.includes(vr)) out.text(vr).number(0, 2).number(content.length, 4);
    else out.text(vr).number(content.length, 2);
    out.bytes(content);
  }
  return out.done();
}

export interface DicomOptions {
  syntax?: string;
  /** The data set without its pixels. */
  elements: readonly DicomElement[];
  /** Native bytes, or the fragments of encapsulated data; none: a file without a picture. */
  pixels?: Uint8Array | readonly Uint8Array[];
  /** Offsets of the frames, in the basic offset table. */
  offsets?: readonly number[];
  /** The beginning of the 128 bytes before the name of the format. */
  preamble?: ArrayLike<number>;
  /** VR of native pixels. */
  vr?: 'OB' | 'OW';
  /** The instance in the meta information. */
  media?: { sopClass: string; instance: string };
}

export async function dicomFile({
  syntax = syntaxes.explicit,
  elements,
  pixels,
  offsets = [],
  preamble = [],
  vr = 'OW',
  media,
}: DicomOptions) {
  const explicit = syntax !== syntaxes.implicit;
  const little = syntax !== syntaxes.bigEndian;
  const meta = elementBytes(
    [
      [0x00020001, 'OB', Uint8Array.of(0, 1)],
      [0x00020010, 'UI', syntax],
      ...(media
        ? ([
            [0x00020002, 'UI', media.sopClass],
            [0x00020003, 'UI', media.instance],
            [0x00020012, 'UI', '1.2.826.0.1.3680043.10.1000'],
          ] satisfies DicomElement[])
        : []),
    ],
    true,
  );
  const body = new ByteWriter(little).bytes(elementBytes(elements, explicit, little));
  if (pixels) {
    body.number(0x7fe0, 2).number(0x0010, 2);
    if (explicit) body.text(pixels instanceof Uint8Array ? vr : 'OB').number(0, 2);
    if (pixels instanceof Uint8Array) body.number(pixels.length, 4).bytes(pixels);
    else {
      body.number(0xffffffff, 4);
      const table = new ByteWriter();
      for (const offset of offsets) table.number(offset, 4);
      for (const item of [table.done(), ...pixels]) {
        body
          .number(0xfffe, 2)
          .number(0xe000, 2)
          .number(item.length + (item.length % 2), 4)
          .bytes(item);
        if (item.length % 2) body.number(0, 1);
      }
      body.number(0xfffe, 2).number(0xe0dd, 2).number(0, 4);
    }
  }
  const content = syntax === syntaxes.deflated ? await deflated(body.done(), 'deflate-raw') : body.done();
  return new ByteWriter()
    .bytes(Uint8Array.from({ length: 128 }, (_, i) => preamble[i] ?? 0))
    .text('DICM')
    .bytes(elementBytes([[0x00020000, 'UL', meta.length]], true))
    .bytes(meta)
    .bytes(content)
    .done();
}

interface PictureOptions {
  samples?: number;
  bits?: number;
  stored?: number;
  photometric?: string;
}

/** The elements of a picture; further ones replace elements with an equal tag. */
export function pictureElements(
  width: number,
  height: number,
  { samples = 1, bits = 8, stored = bits, photometric = samples === 3 ? 'RGB' : 'MONOCHROME2' }: PictureOptions = {},
  further: readonly DicomElement[] = [],
): DicomElement[] {
  const elements: DicomElement[] = [
    [0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.77.1.5.1'], // ophthalmic photography, 8 bit
    [0x00080060, 'CS', 'OP'],
    [0x00280002, 'US', samples],
    [0x00280004, 'CS', photometric],
    [0x00280006, 'US', 0],
    [0x00280010, 'US', height],
    [0x00280011, 'US', width],
    [0x00280100, 'US', bits],
    [0x00280101, 'US', stored],
    [0x00280102, 'US', stored - 1],
    [0x00280103, 'US', 0],
  ];
  const replaced = new Set(further.map(([tag]) => tag));
  return [...elements.filter(([tag]) => !replaced.has(tag)), ...further];
}

/** 16-bit samples, little endian. */
export const words = (values: readonly number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(values.flatMap((value) => [value & 255, (value >> 8) & 255]));

/** A frame of RLE (PS3.5, annex G): planes of bytes, each packed. */
export function runLengthFrame(planes: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const parts = planes
    .map((plane) => packed(plane))
    .map((part) => (part.length % 2 ? Uint8Array.of(...part, 0) : part));
  const out = new ByteWriter().number(parts.length, 4);
  let at = 64;
  for (let i = 0; i < 15; i++) {
    out.number(i < parts.length ? at : 0, 4);
    at += parts[i]?.length ?? 0;
  }
  for (const part of parts) out.bytes(part);
  return out.done();
}

/** Prediction of a sample from its neighbors to the left, above, and above left (ITU-T T.81, table H.1). */
const predictions = [
  (left: number) => left,
  (_: number, above: number) => above,
  (_: number, __: number, corner: number) => corner,
  (left: number, above: number, corner: number) => left + above - corner,
  (left: number, above: number, corner: number) => left + ((above - corner) >> 1),
  (left: number, above: number, corner: number) => above + ((left - corner) >> 1),
  (left: number, above: number) => (left + above) >> 1,
];

/**
 * Lossless JPEG (ITU-T T.81, annex H). All categories have codes of five bits, so that no table has to be made. `restart`:
 * rows between two restart markers, none where it is 0.
 */
export function losslessJpeg(
  width: number,
  height: number,
  components: 1 | 3,
  data: readonly number[],
  precision = 8,
  { predictor = 1, restart = 0 } = {},
) {
  const out = new ByteWriter(false).bytes([0xff, 0xd8, 0xff, 0xc3]);
  out
    .number(8 + 3 * components, 2)
    .number(precision, 1)
    .number(height, 2)
    .number(width, 2)
    .number(components, 1);
  for (let c = 1; c <= components; c++) out.bytes([c, 0x11, 0]);
  out
    .bytes([0xff, 0xc4])
    .number(19 + 17, 2)
    .number(0, 1);
  out.bytes(Array.from({ length: 16 }, (_, i) => (i === 4 ? 17 : 0))).bytes(Array.from({ length: 17 }, (_, i) => i));
  if (restart) out.bytes([0xff, 0xdd, 0, 4]).number(restart * width, 2);
  out
    .bytes([0xff, 0xda])
    .number(6 + 2 * components, 2)
    .number(components, 1);
  for (let c = 1; c <= components; c++) out.bytes([c, 0]);
  out.bytes([predictor, 0, 0]);
  let [held, bits] = [0, 0];
  const put = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) {
      held = (held << 1) | ((value >> i) & 1);
      if (++bits === 8) {
        out.number(held, 1);
        if (held === 255) out.number(0, 1);
        [held, bits] = [0, 0];
      }
    }
  };
  for (let y = 0; y < height; y++) {
    const first = y === 0 || (restart > 0 && y % restart === 0);
    if (first && y > 0) {
      while (bits) put(1, 1);
      out.bytes([0xff, 0xd0 + ((y / restart - 1) % 8)]);
    }
    for (let x = 0; x < width; x++)
      for (let c = 0; c < components; c++) {
        const at = (y * width + x) * components + c;
        const [left, above] = [data[at - components]!, data[at - width * components]!];
        let before = first ? 2 ** (precision - 1) : above;
        if (x > 0)
          before = first ? left : predictions[predictor - 1]!(left, above, data[at - (width + 1) * components]!);
        // Differences are taken modulo 2^16.
        const difference = ((data[at]! - before + 32768) & 0xffff) - 32768;
        const category = difference === -32768 ? 16 : 32 - Math.clz32(Math.abs(difference));
        put(category, 5);
        if (category < 16) put(difference < 0 ? difference + 2 ** category - 1 : difference, category);
      }
  }
  while (bits) put(1, 1);
  return out.bytes([0xff, 0xd9]).done();
}
