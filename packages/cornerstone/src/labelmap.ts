/**
 * The labelmap of a DICOM Segmentation that foveola has written. It is read from the file, so that the viewer shows what
 * the archive receives.
 */

/** Names of the segments. The value in the labelmap is the index. */
export const segmentNames = [
  'Background',
  'Retinal vessels',
  'Retinal arteries',
  'Retinal veins',
  'Optic disc',
  'Fovea',
] as const;

export interface Labelmap {
  readonly columns: number;
  readonly rows: number;
  /** One value per pixel, row by row. */
  readonly scalarData: Uint8Array;
  /** Values that occur in the file, with their names. */
  readonly segments: readonly { readonly value: number; readonly label: string }[];
}

type Elements = Map<number, Uint8Array>;

const LONG = ['OB', 'OW', 'SQ', 'UN', 'UT', 'UC', 'UR'];
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const short = (bytes: Uint8Array | undefined) => (bytes && bytes.length >= 2 ? view(bytes).getUint16(0, true) : 0);

/** Elements in Explicit VR Little Endian. foveola writes defined lengths only. */
function elementsOf(bytes: Uint8Array, from = 0): Elements {
  const elements: Elements = new Map();
  const data = view(bytes);
  for (let at = from; at + 8 <= bytes.length;) {
    const tag = data.getUint16(at, true) * 65536 + data.getUint16(at + 2, true);
    const long = LONG.includes(String.fromCharCode(bytes[at + 4]!, bytes[at + 5]!));
    const start = at + (long ? 12 : 8);
    const length = long ? data.getUint32(at + 8, true) : data.getUint16(at + 6, true);
    elements.set(tag, bytes.subarray(start, start + length));
    at = start + length;
  }
  return elements;
}

function itemsOf(sequence: Uint8Array | undefined): Elements[] {
  const items: Elements[] = [];
  for (let at = 0; sequence && at + 8 <= sequence.length;) {
    const length = view(sequence).getUint32(at + 4, true);
    items.push(elementsOf(sequence.subarray(at + 8, at + 8 + length)));
    at += 8 + length;
  }
  return items;
}

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes).trim();

/**
 * The labelmap of a Segmentation that `toDicomSeg` has written. A pixel has one value: arteries and veins replace vessels,
 * and vessels stay visible on the disc.
 */
export function labelmapOf(segmentation: Uint8Array): Labelmap {
  const elements = elementsOf(segmentation, 132);
  const [rows, columns] = [short(elements.get(0x00280010)), short(elements.get(0x00280011))];
  const pixels = elements.get(0x7fe00010);
  const labels = itemsOf(elements.get(0x00620002)).map((item) => textOf(item.get(0x00620005)));
  const values = labels.map((label) => (segmentNames as readonly string[]).indexOf(label));
  const size = rows * columns;
  if (!pixels || !size || !labels.length || values.includes(-1) || pixels.length * 8 < size * labels.length)
    throw new TypeError('labelmapOf: the file is not a Segmentation of foveola.');
  const scalarData = new Uint8Array(size);
  values.forEach((value, frame) => {
    const under = value >= 4; // circles
    for (let i = 0, bit = frame * size; i < size; i++, bit++)
      if ((pixels[bit >> 3]! >> (bit & 7)) & 1 && !(under && scalarData[i])) scalarData[i] = value;
  });
  return { columns, rows, scalarData, segments: values.map((value, i) => ({ value, label: labels[i]! })) };
}
