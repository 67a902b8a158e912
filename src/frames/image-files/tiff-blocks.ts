/** The samples of a TIFF page out of its strips or tiles. */
import { damaged, growth, inFile, plausible } from './faults.ts';
import { Inflater } from './inflate.ts';
import { jpegHeader, jpegPixels, markedRgb } from './jpeg.ts';
import type { Pace } from './pace.ts';
import type { TiffLayout } from './tiff-layout.ts';
import { lzw, packBits } from './unpack.ts';

/** Decompressed bytes of a block. */
async function unpacked(
  source: Uint8Array,
  length: number,
  compression: TiffLayout['compression'],
  pace: Pace,
): Promise<Uint8Array> {
  if (compression === 'none') {
    inFile(source, 0, length, 'one of its strips or tiles');
    return source.subarray(0, length);
  }
  const target = new Uint8Array(length);
  if (compression === 'lzw') await lzw(source, target, pace);
  else if (compression === 'packBits') await packBits(source, target, pace);
  else {
    const inflater = new Inflater([source], 'deflate');
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

/** The page has to fit into what the file has before memory is taken for it. */
function check(bytes: Uint8Array, { offsets, lengths, width, height, ...layout }: TiffLayout): void {
  const { bits, samples, compression } = layout;
  let stored = 0;
  for (let i = 0; i < lengths.length && i < offsets.length; i++) {
    inFile(bytes, offsets[i]!, offsets[i]! + lengths[i]!, 'its picture');
    stored += lengths[i]!;
  }
  const wanted = Math.floor((width * height * bits * samples) / 8);
  if (compression === 'none') {
    if (stored < wanted)
      throw damaged(`The TIFF file is damaged: it holds ${stored} of the ${wanted} bytes of its picture.`);
  } else if (compression in growth) plausible(stored, wanted, compression as keyof typeof growth);
}

/** Of each pixel the used samples, row by row; samples of less than 8 bits one a byte. */
export async function tiffSamples(
  bytes: Uint8Array,
  layout: TiffLayout,
  little: boolean,
  pace: Pace,
): Promise<Uint8Array | Uint16Array> {
  check(bytes, layout);
  const { width, height, block, bits, samples, channels, planar, offsets, lengths, compression } = layout;
  const out = new (bits === 16 ? Uint16Array : Uint8Array)(width * height * channels);
  const across = Math.ceil(width / block.width);
  const down = Math.ceil(height / block.height);
  const planes = planar ? channels : 1;
  const perPixel = planar ? 1 : samples;
  const used = planar ? 1 : channels;
  const row = new (bits === 16 ? Uint16Array : Uint8Array)(block.width * perPixel);
  const rowBytes = Math.ceil((block.width * perPixel * bits) / 8);
  const limit = bits === 16 ? 0xffff : 0xff;

  for (let n = 0; n < across * down * planes; n++) {
    const plane = Math.floor(n / (across * down));
    const x0 = (n % across) * block.width;
    const y0 = (Math.floor(n / across) % down) * block.height;
    const rows = block.tiles ? block.height : Math.min(block.height, height - y0);
    const columns = Math.min(block.width, width - x0);
    const source = bytes.subarray(offsets[n], offsets[n]! + lengths[n]!);
    const place = { out, width, channels, x0, y0, columns, rows: Math.min(rows, height - y0) };
    if (compression === 'jpeg') await jpegBlock(source, layout, place);
    else {
      const data = await unpacked(source, rowBytes * rows, compression, pace);
      for (let y = 0; y < place.rows; y++) {
        rowOf(data.subarray(y * rowBytes, (y + 1) * rowBytes), row, bits, little);
        if (layout.differences)
          for (let i = perPixel; i < row.length; i++) row[i] = (row[i]! + row[i - perPixel]!) & limit;
        const to = ((y0 + y) * width + x0) * channels + plane;
        if (perPixel === channels) out.set(row.subarray(0, columns * channels), to);
        else
          for (let x = 0; x < columns; x++)
            for (let c = 0; c < used; c++) out[to + x * channels + c] = row[x * perPixel + c]!;
        if (y % 16 === 15) await pace.step((0.7 * n) / (across * down * planes));
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

/** A whole JPEG, or one whose tables stand in the tag JPEGTables (TIFF Technical Note 2). */
async function jpegBlock(source: Uint8Array, { jpegTables, photometric }: TiffLayout, place: Place): Promise<void> {
  let file = source;
  if (jpegTables && jpegTables.length > 4) {
    // Without the end of the one and the start of the other.
    file = new Uint8Array(jpegTables.length + source.length - 4);
    file.set(jpegTables.subarray(0, -2));
    file.set(source.subarray(2), jpegTables.length - 2);
  }
  const header = jpegHeader(file);
  const { out, width, channels, x0, y0, columns, rows } = place;
  if (
    !header ||
    header.width < columns ||
    header.height < rows ||
    header.width > 4 * columns + 4096 ||
    header.height > 4 * rows + 4096
  )
    throw damaged('The TIFF file is damaged: one of its strips or tiles is no JPEG of its size.');
  const rgb = photometric === 'rgb' && !header.tells;
  const pixels = await jpegPixels(rgb ? markedRgb(file) : file, header);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      for (let c = 0; c < channels; c++)
        out[((y0 + y) * width + x0 + x) * channels + c] = pixels[4 * (y * header.width + x) + c]!;
}
