/**
 * PNG with 16 bits per sample (PNG, third edition, W3C 2025). Browsers reduce such files to 8 bits and ignore the range
 * in use.
 */
import type { GrayImage } from '../../results/types.ts';
import { rgbaImage, checkDecoded, checkSize } from '../size.ts';
import { bytesOf, type Pace } from './pace.ts';
import { checkHeld, damaged, inFile, plausible, unsupported } from './faults.ts';
import { Inflater } from './decompress.ts';
import { exifOrientation, oriented, linearTable, needsAll, whiteOfBits } from './raster.ts';
import { onePicture, type PagedFile } from './paged.ts';
import { crc32 } from '../../runtime/crc32.ts';
import { openAnimation, type AnimationFrame } from './animation.ts';

interface Png {
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
  interlaced: boolean;
  data: Uint8Array[];
  /** The transparent color. */
  key: number[] | null;
  orientation: number;
}

const channelsOf: Readonly<Record<number, 1 | 2 | 3 | 4>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** First column and row, and steps between them, for each pass of Adam7, and for an image without interlacing. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const plain = [[0, 0, 1, 1]] as const;

/** Encoders write parts of at least 8 kB. */
const MAXIMUM_PARTS = 1 << 18;

async function parse(bytes: Uint8Array, pace: Pace): Promise<Png> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  inFile(bytes, 0, 33, 'its header');
  const [width, height, colorType] = [view.getUint32(16), view.getUint32(20), bytes[25]!];
  const channels = channelsOf[colorType];
  if (!channels || bytes[26] !== 0 || bytes[27] !== 0 || bytes[28]! > 1)
    throw damaged('The PNG file is damaged: its header names no known image type.');
  if (width < 1 || height < 1) throw damaged('The PNG file is damaged: its picture has no size.');
  checkSize(width, height);
  const png: Png = { width, height, channels, interlaced: bytes[28] === 1, data: [], key: null, orientation: 1 };
  for (let at = 33, parts = 0; at + 8 <= bytes.length; parts++) {
    if (parts > MAXIMUM_PARTS) throw damaged('The PNG file is damaged: it has too many parts.');
    await pace.step(NaN);
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IEND') break;
    inFile(bytes, at + 8, at + 8 + length, `its part '${type}'`);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT' && length) png.data.push(data);
    if (type === 'tRNS' && channels % 2 && length >= 2 * channels)
      png.key = Array.from({ length: channels }, (_, i) => view.getUint16(at + 8 + 2 * i));
    if (type === 'eXIf') png.orientation = exifOrientation(data);
    at += 12 + length;
  }
  return png;
}

/** Removes the filter from a row with `step` bytes per pixel. `above` is the previous row, all 0 before the first. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (filter > 4) throw damaged('The PNG file is damaged: a row names an unknown filter.');
  if (filter === 0) return;
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : row[i - step]!;
    const up = above[i]!;
    if (filter === 1) row[i]! += left;
    else if (filter === 2) row[i]! += up;
    else if (filter === 3) row[i]! += (left + up) >> 1;
    else {
      const corner = i < step ? 0 : above[i - step]!;
      const a = Math.abs(up - corner);
      const b = Math.abs(left - corner);
      const c = Math.abs(left + up - 2 * corner);
      row[i]! += a <= b && a <= c ? left : b <= c ? up : corner;
    }
  }
}

/**
 * Passes on the unfiltered rows of the image one after the other: big-endian samples, the position of the first pixel,
 * and the pixel distance to the next. `take` returns true to stop.
 */
async function eachRow(
  { width, height, channels, interlaced, data }: Png,
  pace: Pace,
  [from, to]: readonly [number, number],
  take: (row: DataView, columns: number, place: number, step: number) => boolean | void,
): Promise<void> {
  const inflater = new Inflater(data, 'deflate', pace);
  let rows = 0;
  try {
    for (const [x0, y0, dx, dy] of interlaced ? adam7 : plain) {
      const columns = Math.ceil((width - x0) / dx);
      if (columns < 1) continue;
      let line = new Uint8Array(1 + 2 * channels * columns);
      let before = new Uint8Array(line.length);
      for (let y = y0; y < height; y += dy) {
        await inflater.fill(line);
        unfilter(line[0]!, line.subarray(1), before.subarray(1), 2 * channels);
        if (take(new DataView(line.buffer, 1), columns, y * width + x0, dx)) return;
        [line, before] = [before, line];
        rows++;
        await pace.step(from + (to - from) * Math.min(1, rows / (interlaced ? 1.875 * height : height)));
      }
    }
    await inflater.end();
  } finally {
    await inflater.close();
  }
}

/** The bits that the samples use. Found in a first pass over the file, so that no 16-bit data is kept. */
async function usedBits(png: Png, pace: Pace): Promise<number> {
  const { channels } = png;
  const colors = channels > 2 ? 3 : 1;
  let bits = 0;
  await eachRow(png, pace, [0, 0.4], (row, columns) => {
    for (let x = 0; x < columns; x++) for (let c = 0; c < colors; c++) bits |= row.getUint16(2 * (x * channels + c));
    return needsAll(bits);
  });
  return bits;
}

/** Whether all samples at `at` equal the transparent color. */
const isKey = (row: DataView, at: number, key: number[]) =>
  key.every((value, c) => row.getUint16(at + 2 * c) === value);

async function imageOf(png: Png, table: Uint8Array, pace: Pace): Promise<GrayImage | ImageData> {
  const { width, height, channels, key } = png;
  const share = [0.4, 0.95] as const;
  if (channels === 1 && !key) {
    const data = new Uint8Array(width * height);
    await eachRow(png, pace, share, (row, columns, place, step) => {
      for (let x = 0; x < columns; x++) data[place + x * step] = table[row.getUint16(2 * x)]!;
    });
    return { width, height, data };
  }
  const data = new Uint8ClampedArray(4 * width * height);
  const color = channels > 2 ? 2 : 0;
  await eachRow(png, pace, share, (row, columns, place, step) => {
    for (let x = 0; x < columns; x++) {
      const at = 2 * x * channels;
      let opacity = 255;
      if (channels % 2 === 0) opacity = Math.round(row.getUint16(at + 2 * channels - 2) / 257);
      else if (key && isKey(row, at, key)) opacity = 0;
      if (opacity === 0) continue; // transparent pixels are black, like pixels read from a canvas
      const to = 4 * (place + x * step);
      data[to] = table[row.getUint16(at)]!;
      data[to + 1] = table[row.getUint16(at + color)]!;
      data[to + 2] = table[row.getUint16(at + 2 * color)]!;
      data[to + 3] = opacity;
    }
  });
  return rgbaImage(width, height, data);
}

/** Checks that the file is large enough for its image, before memory is allocated. */
function check({ width, height, channels, key, data, orientation }: Png, file: number): void {
  const length = data.reduce((sum, part) => sum + part.length, 0);
  plausible(length, 2 * width * height * channels, 'deflate');
  if (channels > 1 || key) checkDecoded(width, height);
  checkHeld(file + width * height * (channels > 1 || key ? 4 : 1) * (orientation > 1 ? 2 : 1));
}

async function openDeepPng(file: Blob, pace: Pace): Promise<PagedFile> {
  checkHeld(file.size);
  const bytes = await bytesOf(file);
  const png = await parse(bytes, pace);
  check(png, bytes.length);
  const notes: string[] = [];
  return onePicture({ format: 'PNG', bits: 16, spacing: null, notes }, async () => {
    const { white, note } = whiteOfBits(await usedBits(png, pace));
    if (note) notes.push(note);
    return oriented(await imageOf(png, linearTable(white), pace), png.orientation, pace);
  });
}

// PNG of 8 bits with animation frames or an orientation, which not all browsers apply. They are split into PNG files
// with one image each.

interface Chunk {
  type: string;
  data: Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
const MAXIMUM_CHUNKS = 1 << 18;
const disposals = ['keep', 'clear', 'restore'] as const;
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function chunksOf(bytes: Uint8Array, pace: Pace): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    if (chunks.length === MAXIMUM_CHUNKS) throw damaged('The PNG file is damaged: it has too many parts.');
    const length = view(bytes).getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IEND') break;
    inFile(bytes, at + 8, at + 8 + length, `its part '${type}'`);
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
    await pace.step(NaN);
  }
  return chunks;
}

function pngOf(chunks: readonly Chunk[]): Uint8Array {
  const whole = [...chunks, { type: 'IEND', data: new Uint8Array(0) }];
  const out = new Uint8Array(whole.reduce((sum, { data }) => sum + 12 + data.length, 8));
  out.set(SIGNATURE);
  let at = 8;
  for (const { type, data } of whole) {
    view(out).setUint32(at, data.length);
    for (let i = 0; i < 4; i++) out[at + 4 + i] = type.charCodeAt(i);
    out.set(data, at + 8);
    view(out).setUint32(at + 8 + data.length, crc32(out.subarray(at + 4, at + 8 + data.length)));
    at += 12 + data.length;
  }
  return out;
}

/** Data that all frames share: the header except its size, the palette and so on. */
interface Shared {
  header: Uint8Array;
  before: readonly Chunk[];
}

/** The control block of a frame (fcTL), and the parts with its image data. */
function frameOf(control: Uint8Array, picture: readonly Uint8Array[], { header, before }: Shared): AnimationFrame {
  inFile(control, 0, 26, 'the header of a frame');
  const numbers = view(control);
  const [width, height] = [numbers.getUint32(4), numbers.getUint32(8)];
  return {
    ...{ x: numbers.getUint32(12), y: numbers.getUint32(16), width, height },
    delay: (1000 * numbers.getUint16(20)) / (numbers.getUint16(22) || 100),
    dispose: disposals[control[24]!] ?? 'keep',
    over: control[25] === 1,
    still: () => {
      const sides = header.slice();
      view(sides).setUint32(0, width);
      view(sides).setUint32(4, height);
      const data = picture.map((part) => ({ type: 'IDAT', data: part }));
      return pngOf([{ type: 'IHDR', data: sides }, ...before, ...data]);
    },
  };
}

/** The frames, and the number of images that are not frames: the image shown by programs without animation. */
function animated(chunks: readonly Chunk[], header: Uint8Array): { frames: AnimationFrame[]; others: number } {
  const first = chunks.findIndex(({ type }) => type === 'IDAT');
  const before = chunks.slice(1, first).filter(({ type }) => !['acTL', 'fcTL', 'eXIf'].includes(type));
  const found: { control: Uint8Array; picture: Uint8Array[] }[] = [];
  let others = 0;
  for (const { type, data } of chunks) {
    if (type === 'fcTL') found.push({ control: data, picture: [] });
    else if (type === 'IDAT' && !found.length) others = 1;
    else if (type === 'IDAT') found.at(-1)!.picture.push(data);
    else if (type === 'fdAT') found.at(-1)?.picture.push(data.subarray(4));
  }
  const frames = found.map(({ control, picture }) => {
    if (!picture.length) throw damaged('The PNG file is cut off or damaged: one of its frames has no picture.');
    return frameOf(control, picture, { header, before });
  });
  return { frames, others };
}

export async function openPng(file: Blob, pace: Pace): Promise<PagedFile> {
  checkHeld(file.size);
  const bytes = await bytesOf(file);
  inFile(bytes, 0, 33, 'its header');
  const chunks = await chunksOf(bytes, pace);
  const moves = chunks.some(({ type }) => type === 'acTL');
  if (bytes[24] === 16) {
    if (moves) throw unsupported('The PNG file is a 16-bit animation, which is not supported. Save it with 8 bits.');
    return openDeepPng(file, pace);
  }
  const header = chunks[0]!.data;
  const [width, height] = [view(bytes).getUint32(16), view(bytes).getUint32(20)];
  const exif = chunks.find(({ type }) => type === 'eXIf');
  const still: AnimationFrame = {
    ...{ x: 0, y: 0, width, height, delay: 0, over: false, dispose: 'keep' },
    still: () => pngOf(chunks.filter(({ type }) => !['eXIf', 'acTL', 'fcTL', 'fdAT'].includes(type))),
  };
  const { frames, others } = moves ? animated(chunks, header) : { frames: [], others: 0 };
  return openAnimation(
    {
      ...{ format: 'PNG', type: 'image/png', width, height, held: bytes.length },
      frames: frames.length ? frames : [still],
      others: frames.length ? others : 0,
      orientation: exif ? exifOrientation(exif.data) : 1,
    },
    pace,
  );
}
