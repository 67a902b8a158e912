/**
 * Locates the frames of a DICOM file: one after the other, or in the fragments of encapsulated pixel data (PS3.5, annex
 * A).
 */
import { bytesOf, type Pace } from './pace.ts';
import { PIXEL_DATA, syntaxes, type DataSet, type Item } from './dicom-elements.ts';
import { nativeBytes, runLength, type FrameFormat, type StoredFrame } from './dicom-frame.ts';
import { damaged, inFile } from './faults.ts';
import { FileBytes } from './file-bytes.ts';

const EXTENDED_OFFSETS = 0x7fe00001;
const [ITEM, SEQUENCE_END] = [0xfffee000, 0xfffee0dd];
const MAXIMUM_FRAGMENTS = 1 << 20;

/** Fragments of the first frame, and whether another frame begins right after them. */
function firstFragments({ bytes, items }: Encapsulated, frames: number, oneEach: boolean) {
  const [table, ...fragments] = items;
  if (!table || !fragments.length) throw damaged('The DICOM file is damaged: its pixel data is empty.');
  if (oneEach) return { parts: fragments.slice(0, 1), closed: true };
  if (frames === 1) return { parts: fragments, closed: false };
  // By the offset table, or by the start of the next frame if there is none.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const second = table.to - table.from >= 8 && table.to <= bytes.length ? view.getUint32(table.from + 4, true) : 0;
  const starts = (item: Item) => isStart(bytes[item.from], bytes[item.from + 1]);
  const found = fragments.findIndex((item, i) => i > 0 && (second ? item.from - 8 >= table.to + second : starts(item)));
  return { parts: found > 0 ? fragments.slice(0, found) : fragments, closed: found > 0 };
}

interface Encapsulated {
  bytes: Uint8Array;
  items: readonly Item[];
}

/** JPEG and JPEG-LS, or JPEG 2000. */
const isStart = (first?: number, second?: number) => first === 0xff && (second === 0xd8 || second === 0x4f);

/** End of the first frame in the file. Infinity if the part that was read does not show it. */
export function frameEnd(dataSet: DataSet, syntax: string, format: FrameFormat): number {
  const { from, items } = dataSet.get(PIXEL_DATA)!;
  if (!items) return from + nativeBytes(format);
  const [table, fragment] = items;
  if (!table || !fragment || table.to > dataSet.bytes.length) return Infinity;
  const { parts, closed } = firstFragments({ bytes: dataSet.bytes, items }, format.frames, syntax === runLength);
  return closed ? parts.at(-1)!.to : Infinity;
}

function joined(bytes: Uint8Array, parts: readonly Item[]): Uint8Array {
  for (const part of parts) inFile(bytes, part.from, part.to, 'its picture');
  if (parts.length === 1) return bytes.subarray(parts[0]!.from, parts[0]!.to);
  const out = new Uint8Array(parts.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { from, to } of parts) {
    out.set(bytes.subarray(from, to), at);
    at += to - from;
  }
  return out;
}

const orderOf = (dataSet: DataSet) => ({ little: dataSet.coding.little, words: dataSet.get(PIXEL_DATA)!.vr === 'OW' });

/** The bytes of the first frame, from the part of the file that was read. */
export function firstFrame(dataSet: DataSet, syntax: string, format: FrameFormat): StoredFrame {
  const { bytes, held } = dataSet;
  const { from, to, items } = dataSet.get(PIXEL_DATA)!;
  if (items) {
    const { parts } = firstFragments({ bytes, items }, format.frames, syntax === runLength);
    const frame = joined(bytes, parts);
    const copied = parts.length > 1 ? frame.length : 0;
    return { bytes: frame, encapsulated: true, held: held + copied, ...orderOf(dataSet) };
  }
  const length = nativeBytes(format);
  inFile(bytes, from, from + length, 'its picture');
  if (to - from < length)
    throw damaged(`The DICOM file is damaged: ${to - from} of the ${length} bytes of its picture.`);
  return { bytes: bytes.subarray(from, from + length), encapsulated: false, held, ...orderOf(dataSet) };
}

/** Reads the bytes of any frame. */
export type FrameReader = (frame: number) => Promise<StoredFrame>;

/**
 * Reader for a file of several frames. A deflated file is already complete in the data set. Otherwise each frame is
 * read on request.
 * @throws {FoveolaError} (the reader rejects) 'decode-failed' if a frame is missing
 */
export async function frameReader(
  file: Blob,
  dataSet: DataSet,
  syntax: string,
  format: FrameFormat,
  pace: Pace,
): Promise<FrameReader> {
  const { from, items } = dataSet.get(PIXEL_DATA)!;
  const { bytes, held } = dataSet;
  const order = orderOf(dataSet);
  if (!items) {
    const length = nativeBytes(format);
    return async (frame) => {
      const start = from + frame * length;
      const inMemory = syntax === syntaxes.deflated;
      inFile(inMemory ? bytes : { length: file.size }, start, start + length, `its frame ${frame + 1}`);
      const part = inMemory ? bytes.subarray(start, start + length) : await bytesOf(file.slice(start, start + length));
      return { bytes: part, encapsulated: false, held: held + length, ...order };
    };
  }
  const source = await FileBytes.of(file);
  const parts = await fragmentsByFrame(source, dataSet, format.frames, syntax === runLength, pace);
  return async (frame) => {
    const fragments = parts[frame];
    if (!fragments?.length)
      throw damaged(`The DICOM file is cut off or damaged: it has ${parts.length} of its ${format.frames} frames.`);
    const read: Uint8Array[] = [];
    for (const { from, to } of fragments) {
      inFile(source, from, to, `its frame ${frame + 1}`);
      read.push(await source.part(from, to));
    }
    const whole = read.length === 1 ? read[0]! : new Uint8Array(await new Blob(read as BlobPart[]).arrayBuffer());
    return { bytes: whole, encapsulated: true, held: source.held(2 * whole.length), ...order };
  };
}

/** All items of the pixel data. Items after a broken one are ignored. */
async function allItems(source: FileBytes, from: number, pace: Pace): Promise<Item[]> {
  const items: Item[] = [];
  for (let at = from; at + 8 <= source.length;) {
    const place = at;
    const [tag, length] = await source.look(() => [
      source.number(place, 2, true) * 65536 + source.number(place + 2, 2, true),
      source.number(place + 4, 4, true),
    ]);
    if (tag === SEQUENCE_END) break;
    if (tag !== ITEM) throw damaged(`The DICOM file is damaged at byte ${at}: an item is expected there.`);
    if (items.length > MAXIMUM_FRAGMENTS) throw damaged('The DICOM file is damaged: it has far too many fragments.');
    items.push({ from: at + 8, to: at + 8 + length! });
    at += 8 + length!;
    await pace.step(NaN);
  }
  return items;
}

async function fragmentsByFrame(
  source: FileBytes,
  dataSet: DataSet,
  frames: number,
  oneEach: boolean,
  pace: Pace,
): Promise<Item[][]> {
  const [table, ...fragments] = await allItems(source, dataSet.get(PIXEL_DATA)!.from, pace);
  if (!table) return [];
  if (oneEach || fragments.length === frames) return fragments.map((item) => [item]);
  const listed = dataSet.longs(EXTENDED_OFFSETS);
  const offsets =
    listed.length || table.to - table.from < 8 || table.to > source.length
      ? listed
      : await source.look(() => source.list(table.from, 4, Math.floor((table.to - table.from) / 4), true));
  const begins = new Set(offsets.map((offset) => table.to + offset));
  const groups: Item[][] = [];
  for (const item of fragments) {
    const start = offsets.length
      ? begins.has(item.from - 8)
      : item.from + 2 <= source.length &&
        isStart(...(await source.look(() => [...source.view(item.from, item.from + 2)] as [number, number])));
    if (start || !groups.length) groups.push([]);
    groups.at(-1)!.push(item);
  }
  return groups;
}
