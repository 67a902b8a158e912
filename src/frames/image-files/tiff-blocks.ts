/** The samples of a TIFF page from its strips or tiles. */
import { checkDecoded } from '../size.ts';
import { checkHeld, damaged, growth, inFile, plausible, unsupported } from './faults.ts';
import type { FileBytes } from './file-bytes.ts';
import { Inflater, lzw, packBits } from './decompress.ts';
import { jpegHeader, jpegRows, markedRgb } from './jpeg.ts';
import type { Pace } from './pace.ts';
import type { TiffLayout } from './tiff-layout.ts';

/** Decompressed bytes of a block. */
async function unpacked(
  source: Uint8Array,
  length: number,
  compression: 'lzw' | 'packBits' | 'deflate',
  pace: Pace,
): Promise<Uint8Array> {
  const target = new Uint8Array(length);
  if (compression === 'lzw') await lzw(source, target, pace);
  else if (compression === 'packBits') await packBits(source, target, pace);
  else {
    const inflater = new Inflater([source], 'deflate', pace);
    try {
      await inflater.fill(target);
    } finally {
      await inflater.close();
    }
  }
  return target;
}

/** Samples of one row of a block. */
function rowOf(bytes: Uint8Array, row: Uint8Array | Uint16Array, bits: number, little: boolean): void {
  if (bits === 16)
    for (let i = 0; i < row.length; i++)
      row[i] = little ? bytes[2 * i]! | (bytes[2 * i + 1]! << 8) : (bytes[2 * i]! << 8) | bytes[2 * i + 1]!;
  else if (bits === 8) row.set(bytes.subarray(0, row.length));
  else
    for (let i = 0, perByte = 8 / bits; i < row.length; i++)
      row[i] = (bytes[Math.floor(i / perByte)]! >> (8 - bits * ((i % perByte) + 1))) & ((1 << bits) - 1);
}

/** Bytes of rows that are read at once. */
const BAND = 1 << 22;

/** The platform needs 10 kB and a tenth of a millisecond for each stream, however short. */
const MAXIMUM_DEFLATED = 1 << 15;

interface Grid {
  across: number;
  down: number;
  planes: number;
  /** Samples per pixel in a block. */
  perPixel: number;
  rowBytes: number;
}

function gridOf({ width, height, block, bits, samples, channels, planar }: TiffLayout): Grid {
  const perPixel = planar ? 1 : samples;
  return {
    across: Math.ceil(width / block.width),
    down: Math.ceil(height / block.height),
    planes: planar ? channels : 1,
    perPixel,
    rowBytes: Math.ceil((block.width * perPixel * bits) / 8),
  };
}

/** Rows of a block that are inside the page. The rows of a tile outside the page are not unpacked. */
const rowsOf = ({ block, height }: TiffLayout, y0: number) => Math.min(block.height, height - y0);

/**
 * Checks that the file is large enough for the page and for each of its strips and tiles, before memory is allocated. A
 * tile may be larger than the page, but its memory counts.
 */
function check(bytes: FileBytes, layout: TiffLayout, { across, down, planes, rowBytes }: Grid): void {
  const { offsets, lengths, width, height, block, bits, channels, compression, orientation } = layout;
  const blocks = across * down * planes;
  if (compression === 'deflate' && blocks > MAXIMUM_DEFLATED)
    throw unsupported(`The TIFF file has ${blocks} separately deflated strips or tiles. Save it with larger ones.`);
  let claimed = 0;
  for (let n = 0; n < blocks; n++) {
    claimed += lengths[n]!;
    inFile(bytes, offsets[n]!, offsets[n]! + lengths[n]!, 'its picture');
    const wanted = rowBytes * rowsOf(layout, (Math.floor(n / across) % down) * block.height);
    if (compression === 'none' && lengths[n]! < wanted)
      throw damaged(`The TIFF file is damaged: one of its strips or tiles has ${lengths[n]} of ${wanted} bytes.`);
    if (compression in growth) plausible(lengths[n]!, wanted, compression as keyof typeof growth);
  }
  // The platform unpacks 4 KiB of each block completely, even if little of it is needed. A file that uses the same bomb
  // for all blocks is refused.
  if (compression === 'deflate' && claimed > 2 * bytes.length)
    throw damaged('The TIFF file is damaged: its strips or tiles overlap.');
  const pixels = width * height;
  const blockPixels = block.width * Math.min(block.height, height);
  const unpacking =
    compression === 'none' ? 0 : compression === 'jpeg' ? 4 * blockPixels : rowBytes * rowsOf(layout, 0);
  const samples = pixels * channels * (bits === 16 ? 2 : 1);
  const colored = channels > 1 || layout.photometric === 'palette';
  if (colored) checkDecoded(width, height);
  const image = pixels * (colored ? 4 : 1);
  const longest = compression === 'none' ? 0 : lengths.reduce((most, length) => Math.max(most, length), 0);
  checkHeld(bytes.held(longest) + samples + Math.max(unpacking, orientation > 1 ? 2 * image : image));
}

/** The used samples of each pixel, row by row. Samples of less than 8 bits use one byte each. */
export async function tiffSamples(
  bytes: FileBytes,
  layout: TiffLayout,
  little: boolean,
  pace: Pace,
): Promise<Uint8Array | Uint16Array> {
  const grid = gridOf(layout);
  check(bytes, layout, grid);
  const { width, height, block, bits, channels, planar, offsets, lengths, compression } = layout;
  const { across, down, planes, perPixel, rowBytes } = grid;
  const out = new (bits === 16 ? Uint16Array : Uint8Array)(width * height * channels);
  const used = planar ? 1 : channels;
  const row = new (bits === 16 ? Uint16Array : Uint8Array)(block.width * perPixel);
  const limit = bits === 16 ? 0xffff : 0xff;

  for (let n = 0; n < across * down * planes; n++) {
    const plane = Math.floor(n / (across * down));
    const x0 = (n % across) * block.width;
    const y0 = (Math.floor(n / across) % down) * block.height;
    const rows = rowsOf(layout, y0);
    const columns = Math.min(block.width, width - x0);
    const [start, length] = [offsets[n]!, lengths[n]!];
    const place = { out, width, channels, x0, y0, columns, rows };
    if (compression === 'jpeg') await jpegBlock(await bytes.part(start, start + length), layout, place, pace);
    else {
      // Uncompressed data is read some rows at a time.
      const band = compression === 'none' ? Math.max(1, Math.floor(BAND / rowBytes)) : rows;
      let data: Uint8Array = new Uint8Array(0);
      for (let y = 0; y < rows; y++) {
        if (y % band === 0) {
          const to = start + Math.min(rows, y + band) * rowBytes;
          if (compression === 'none') data = await bytes.part(start + y * rowBytes, to);
          else data = await unpacked(await bytes.part(start, start + length), rowBytes * rows, compression, pace);
        }
        rowOf(data.subarray((y % band) * rowBytes, ((y % band) + 1) * rowBytes), row, bits, little);
        if (layout.differences)
          for (let i = perPixel; i < row.length; i++) row[i] = (row[i]! + row[i - perPixel]!) & limit;
        const to = ((y0 + y) * width + x0) * channels + plane;
        if (perPixel === channels) out.set(row.subarray(0, columns * channels), to);
        else
          for (let x = 0; x < columns; x++)
            for (let c = 0; c < used; c++) out[to + x * channels + c] = row[x * perPixel + c]!;
        if (y % 16 === 15 || rowBytes > 1 << 15) await pace.step((0.7 * n) / (across * down * planes));
      }
    }
    await pace.step((0.7 * n) / (across * down * planes));
  }
  return out;
}

interface Place {
  out: Uint8Array | Uint16Array;
  width: number;
  channels: number;
  x0: number;
  y0: number;
  columns: number;
  rows: number;
}

/** A complete JPEG, or one with tables in the tag JPEGTables (TIFF Technical Note 2). */
async function jpegBlock(
  source: Uint8Array,
  { jpegTables, photometric, block }: TiffLayout,
  place: Place,
  pace: Pace,
): Promise<void> {
  let file = source;
  if (jpegTables && jpegTables.length > 4) {
    // Without the end of the first and the start of the second.
    file = new Uint8Array(jpegTables.length + source.length - 4);
    file.set(jpegTables.subarray(0, -2));
    file.set(source.subarray(2), jpegTables.length - 2);
  }
  const header = jpegHeader(file);
  const { out, width, channels, x0, y0, columns, rows } = place;
  // Encoders may pad the last block to the block size of the JPEG.
  const fits = (size: number, least: number, most: number) => size >= least && size <= most + 64;
  if (!header || !fits(header.width, columns, block.width) || !fits(header.height, rows, block.height))
    throw damaged('The TIFF file is damaged: one of its strips or tiles is not a JPEG of its size.');
  const rgb = photometric === 'rgb' && !header.tells;
  const take = (pixels: Uint8ClampedArray, from: number, to: number) => {
    for (let y = from; y < Math.min(to, rows); y++)
      for (let x = 0; x < columns; x++)
        for (let c = 0; c < channels; c++)
          out[((y0 + y) * width + x0 + x) * channels + c] = pixels[4 * ((y - from) * header.width + x) + c]!;
  };
  await jpegRows(rgb ? markedRgb(file) : file, header, pace, take);
}
