/**
 * TIFF 6.0 and BigTIFF: gray, RGB and palette of 1 to 16 bits, strips and tiles, uncompressed, LZW, deflate, PackBits and
 * JPEG. Of the libraries that were looked at, `tiff` 7.1 reads no PackBits, no orientation, no JPEG and one of three colors of
 * a tile, and `utif2` 4.1 gives black for what is cut off or not known to it.
 */
import type { GrayImage, ImageFile } from '../../results/types.ts';
import { damaged } from './faults.ts';
import { FileBytes } from './file-bytes.ts';
import { oriented } from './orientation.ts';
import type { Pace } from './pace.ts';
import { rgbaImage } from '../rgba-image.ts';
import { linearTable, toImage, whiteOf, type Raster } from './raster.ts';
import { tiffSamples } from './tiff-blocks.ts';
import { tiffLayout, type TiffLayout } from './tiff-layout.ts';
import { tiffFile } from './tiff-pages.ts';

/** Red, green, blue of each index. */
async function paletteImage(layout: TiffLayout, samples: Uint8Array, pace: Pace): Promise<ImageData> {
  const { width, height, bits, palette } = layout;
  const count = 1 << bits;
  if (palette.length < 3 * count) throw damaged('The TIFF file is damaged: its palette has too few colors.');
  const shift = palette.some((value) => value > 255) ? 8 : 0; // 16 bits a color; some writers give 8
  const colors = new Uint32Array(256);
  const bytes = new Uint8Array(colors.buffer);
  for (let i = 0; i < count; i++)
    bytes.set([palette[i]! >> shift, palette[count + i]! >> shift, palette[2 * count + i]! >> shift, 255], 4 * i);
  const data = new Uint32Array(width * height);
  const look = (y0: number, y1: number) => {
    for (let i = y0 * width; i < y1 * width; i++) data[i] = colors[samples[i]!]!;
  };
  await pace.rows(layout, look, [0.8, 0.95]);
  return rgbaImage(width, height, new Uint8ClampedArray(data.buffer));
}

/** Colors that were multiplied by alpha are divided by it. */
async function divideByAlpha(raster: Raster, full: number, pace: Pace): Promise<void> {
  const { width, channels, samples } = raster;
  const divide = (y0: number, y1: number) => {
    for (let i = y0 * width * channels; i < y1 * width * channels; i += channels) {
      const alpha = samples[i + channels - 1]!;
      if (alpha === 0 || alpha === full) continue;
      for (let c = 0; c < channels - 1; c++)
        samples[i + c] = Math.min(full, Math.round((samples[i + c]! * full) / alpha));
    }
  };
  await pace.rows(raster, divide, [0.7, 0.7]);
}

async function imageOf(
  layout: TiffLayout,
  samples: Uint8Array | Uint16Array,
  notes: string[],
  pace: Pace,
): Promise<GrayImage | ImageData> {
  const { width, height, bits, channels, photometric, alpha } = layout;
  if (photometric === 'palette') return paletteImage(layout, samples as Uint8Array, pace);
  const raster: Raster = { width, height, channels, samples };
  const full = 2 ** bits - 1;
  if (alpha === 'associated') await divideByAlpha(raster, full, pace);
  const negative = photometric === 'white';
  let table = Uint8Array.from({ length: 256 }, (_, value) => Math.min(255, Math.round((value * 255) / full)));
  if (samples instanceof Uint16Array) {
    // In a negative the unused bits are light, not dark: its whole range counts.
    const { white, note }: { white: number; note?: string } = negative
      ? { white: full }
      : await whiteOf(raster, alpha === 'none' ? channels : channels - 1, pace);
    table = linearTable(white);
    if (note) notes.push(note);
  }
  if (negative) table = table.map((value) => 255 - value);
  return toImage(raster, pace, table);
}

export async function readTiff(file: Blob, pace: Pace): Promise<ImageFile> {
  const bytes = await FileBytes.of(file);
  const { page, number, pages, little } = await tiffFile(bytes, pace);
  const layout = await bytes.look(() => tiffLayout(page));
  const notes: string[] = [];
  if (pages > 1) notes.push(`Page ${number} of the file's ${pages} was read.`);
  const samples = await tiffSamples(bytes, layout, little, pace);
  const image = await oriented(await imageOf(layout, samples, notes, pace), layout.orientation, pace);
  return { format: 'TIFF', bits: layout.bits, image, spacing: null, notes };
}
