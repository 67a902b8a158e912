/**
 * TIFF 6.0 and BigTIFF: gray, RGB and palette of 1 to 16 bits, strips and tiles, uncompressed, LZW, deflate, PackBits
 * and JPEG. In a file of several pages, the pages with the size of the first one are frames. Evaluated libraries:
 * `tiff` 7.1 does not support PackBits, orientation and JPEG, and reads one of three colors of a tile. `utif2` 4.1
 * returns black for truncated or unknown data.
 */
import type { GrayImage } from '../../results/types.ts';
import { damaged } from './faults.ts';
import { FileBytes } from './file-bytes.ts';
import { oriented, bitsOf, linearTable, needsAll, toImage, whiteOfBits, type Raster } from './raster.ts';
import type { Pace } from './pace.ts';
import { firstOf, PAGE_TIME, type PagedFile } from './paged.ts';
import { rgbaImage } from '../size.ts';
import { tiffSamples } from './tiff-blocks.ts';
import { tiffLayout, type TiffLayout } from './tiff-layout.ts';
import { tiffFile, type TiffEntry } from './tiff-pages.ts';

/** Red, green, blue of each index. */
async function paletteImage(layout: TiffLayout, samples: Uint8Array, pace: Pace): Promise<ImageData> {
  const { width, height, bits, palette } = layout;
  const count = 1 << bits;
  if (palette.length < 3 * count) throw damaged('The TIFF file is damaged: its palette has too few colors.');
  const shift = palette.some((value) => value > 255) ? 8 : 0; // 16 bits per color, but some encoders write 8
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

/** Divides premultiplied colors by alpha. */
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

/**
 * Number of samples per pixel that count for the bits in use. 0 for a negative, because its unused bits are light, not
 * dark.
 */
const colorsOf = ({ channels, alpha, photometric, bits }: TiffLayout): number =>
  bits < 16 || photometric === 'white' ? 0 : alpha === 'none' ? channels : channels - 1;

interface Page {
  layout: TiffLayout;
  samples: Uint8Array | Uint16Array;
}

const rasterOf = ({ layout: { width, height, channels }, samples }: Page): Raster => ({
  ...{ width, height, channels, samples },
});

/** `white`: the 16-bit value that becomes 255. */
async function imageOf({ layout, samples }: Page, white: number, pace: Pace): Promise<GrayImage | ImageData> {
  const { bits, photometric } = layout;
  if (photometric === 'palette') return paletteImage(layout, samples as Uint8Array, pace);
  const raster = rasterOf({ layout, samples });
  const full = 2 ** bits - 1;
  const negative = photometric === 'white';
  let table: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 256 }, (_, value) =>
    Math.min(255, Math.round((value * 255) / full)),
  );
  if (bits === 16) table = linearTable(negative ? full : white);
  if (negative) table = table.map((value) => 255 - value);
  return toImage(raster, pace, table);
}

export async function openTiff(file: Blob, pace: Pace): Promise<PagedFile> {
  const bytes = await FileBytes.of(file);
  const tiff = await tiffFile(bytes, pace);
  const { frames, pages, little } = tiff;
  const layoutOf = async (entry: TiffEntry) => {
    const page = await tiff.page(entry);
    return bytes.look(() => tiffLayout(page));
  };
  const pageOf = async (entry: TiffEntry): Promise<Page> => {
    const layout = await layoutOf(entry);
    const page = { layout, samples: await tiffSamples(bytes, layout, little, pace) };
    if (layout.alpha === 'associated') await divideByAlpha(rasterOf(page), 2 ** layout.bits - 1, pace);
    return page;
  };
  const bitsIn = (page: Page) => bitsOf(rasterOf(page), colorsOf(page.layout), pace);
  const first = await layoutOf(frames[0]!);
  const notes: string[] = [];
  return {
    ...{ format: 'TIFF', bits: first.bits, spacing: null, notes, pages, frames: frames.length },
    async *read(all) {
      if (!all && pages > 1) notes.push(firstOf(frames[0]!.number, pages, 'page'));
      let white: number | null = null;
      const look = (bits: number) => {
        const found = whiteOfBits(bits);
        if (found.note) notes.push(found.note);
        return found.white;
      };
      if (all && frames.length > 1 && colorsOf(first)) {
        let bits = 0;
        for (const entry of frames) if (!needsAll(bits)) bits |= await bitsIn(await pageOf(entry));
        white = look(bits);
      }
      let before = frames[0]!.number - 1;
      for (const [i, entry] of frames.entries()) {
        const page = await pageOf(entry);
        if (colorsOf(page.layout)) white ??= look(await bitsIn(page));
        const image = await oriented(await imageOf(page, white ?? 65535, pace), page.layout.orientation, pace);
        yield { image, time: i * PAGE_TIME, duration: PAGE_TIME, skipped: entry.number - before - 1 };
        before = entry.number;
      }
    },
  };
}
