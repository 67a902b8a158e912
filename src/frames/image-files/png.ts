/** PNG of 16 bits a sample (PNG, third edition, W3C 2025); browsers cut those down to 8 without a look at their range. */
import type { ImageFile } from '../../results/types.ts';
import { checkSize } from '../size.ts';
import { damaged, inFile, plausible } from './faults.ts';
import { Inflater } from './inflate.ts';
import { exifOrientation, oriented } from './orientation.ts';
import type { Pace } from './pace.ts';
import { linearTable, toImage, whiteOf, type Raster } from './raster.ts';

interface Png {
  width: number;
  height: number;
  channels: Raster['channels'];
  interlaced: boolean;
  data: Uint8Array[];
  /** The color that is transparent. */
  key: number[] | null;
  orientation: number;
}

const channelsOf: Readonly<Record<number, Raster['channels']>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** First column and row, and steps between them, of each pass of Adam7; of a plain picture. */
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

function parse(bytes: Uint8Array): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  inFile(bytes, 0, 33, 'its header');
  const [width, height, colorType] = [view.getUint32(16), view.getUint32(20), bytes[25]!];
  const channels = channelsOf[colorType];
  if (!channels || bytes[26] !== 0 || bytes[27] !== 0 || bytes[28]! > 1)
    throw damaged('The PNG file is damaged: its header names no known kind of picture.');
  checkSize(width, height);
  const png: Png = { width, height, channels, interlaced: bytes[28] === 1, data: [], key: null, orientation: 1 };
  for (let at = 33; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IEND') break;
    inFile(bytes, at + 8, at + 8 + length, `its part '${type}'`);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT') png.data.push(data);
    if (type === 'tRNS' && channels % 2 && length >= 2 * channels)
      png.key = Array.from({ length: channels }, (_, i) => view.getUint16(at + 8 + 2 * i));
    if (type === 'eXIf') png.orientation = exifOrientation(data);
    at += 12 + length;
  }
  return png;
}

/** Takes the filter off a row of `step` bytes a pixel; `above` is the row before it, all 0 before the first. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (filter > 4) throw damaged('The PNG file is damaged: a row names a filter that there is not.');
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

async function samplesOf({ width, height, channels, interlaced, data }: Png, pace: Pace): Promise<Uint16Array> {
  const passes = interlaced ? adam7 : plain;
  const length = data.reduce((sum, part) => sum + part.length, 0);
  plausible(length, 2 * width * height * channels, 'deflate');
  const samples = new Uint16Array(width * height * channels);
  const inflater = new Inflater(data, 'deflate');
  let rows = 0;
  try {
    for (const [x0, y0, dx, dy] of passes) {
      const columns = Math.ceil((width - x0) / dx);
      if (columns < 1) continue;
      let line = new Uint8Array(1 + 2 * channels * columns);
      let before = new Uint8Array(line.length);
      for (let y = y0; y < height; y += dy) {
        await inflater.fill(line);
        const row = line.subarray(1);
        unfilter(line[0]!, row, before.subarray(1), 2 * channels);
        for (let x = 0, i = 0; x < columns; x++) {
          const to = (y * width + x0 + x * dx) * channels;
          for (let c = 0; c < channels; c++, i += 2) samples[to + c] = (row[i]! << 8) | row[i + 1]!;
        }
        [line, before] = [before, line];
        rows++;
        await pace.step(0.7 * Math.min(1, rows / (interlaced ? 1.875 * height : height)));
      }
    }
    await inflater.end();
  } finally {
    await inflater.close();
  }
  return samples;
}

/** Gray or RGB with the transparent color as alpha. */
async function withAlpha({ width, height, channels, samples }: Raster, key: number[], pace: Pace): Promise<Raster> {
  const out = new Uint16Array(width * height * (channels + 1));
  const add = (y0: number, y1: number) => {
    for (let i = y0 * width; i < y1 * width; i++) {
      const from = i * channels;
      const to = i * (channels + 1);
      let other = false;
      for (let c = 0; c < channels; c++) {
        out[to + c] = samples[from + c]!;
        other ||= samples[from + c] !== key[c];
      }
      out[to + channels] = other ? 65535 : 0;
    }
  };
  await pace.rows({ width, height }, add, [0.8, 0.8]);
  return { width, height, channels: (channels + 1) as Raster['channels'], samples: out };
}

export async function readDeepPng(bytes: Uint8Array, pace: Pace): Promise<ImageFile> {
  const png = parse(bytes);
  const { width, height, channels, key } = png;
  let raster: Raster = { width, height, channels, samples: await samplesOf(png, pace) };
  const { white, note } = await whiteOf(raster, channels > 2 ? 3 : 1, pace);
  if (key) raster = await withAlpha(raster, key, pace);
  const image = await oriented(await toImage(raster, pace, linearTable(white)), png.orientation, pace);
  return { format: 'PNG', bits: 16, image, spacing: null, notes: note ? [note] : [] };
}
