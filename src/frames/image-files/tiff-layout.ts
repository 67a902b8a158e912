/** Layout of the samples of a TIFF page, checked before memory is allocated for them. */
import { checkSize } from '../size.ts';
import { damaged, unsupported } from './faults.ts';
import type { TagName, TiffPage } from './tiff-pages.ts';

export const compressions: Readonly<Record<number, 'none' | 'lzw' | 'jpeg' | 'deflate' | 'packBits'>> = {
  1: 'none',
  5: 'lzw',
  7: 'jpeg',
  8: 'deflate',
  32946: 'deflate',
  32773: 'packBits',
};
const unread: Readonly<Record<number, string>> = {
  2: 'CCITT',
  3: 'CCITT fax',
  4: 'CCITT fax',
  6: 'old-style JPEG',
  34712: 'JPEG 2000',
  34925: 'LZMA',
  50000: 'Zstandard',
  50001: 'WebP',
};
const photometrics: Readonly<Record<number, 'white' | 'black' | 'rgb' | 'palette' | 'ycc'>> = {
  0: 'white',
  1: 'black',
  2: 'rgb',
  3: 'palette',
  6: 'ycc',
};

export interface TiffLayout {
  width: number;
  height: number;
  /** Bits per sample. */
  bits: 1 | 2 | 4 | 8 | 16;
  /** Samples per pixel in the file, and how many of them are used. */
  samples: number;
  channels: 1 | 2 | 3 | 4;
  alpha: 'none' | 'associated' | 'unassociated';
  photometric: 'white' | 'black' | 'rgb' | 'palette' | 'ycc';
  compression: 'none' | 'lzw' | 'jpeg' | 'deflate' | 'packBits';
  /** Rows are stored as differences from the previous pixel. */
  differences: boolean;
  /** Each block holds only one of the samples of each pixel. */
  planar: boolean;
  orientation: number;
  /** Strips (as wide as the page) or tiles, row by row. For planar pages, plane by plane. */
  block: { width: number; height: number; tiles: boolean };
  offsets: readonly number[];
  lengths: readonly number[];
  palette: readonly number[];
  jpegTables: Uint8Array | null;
}

const other = (what: string) =>
  unsupported(
    `The TIFF file has ${what}, which is not supported. Save it as gray or RGB of 8 or 16 bits, LZW or uncompressed.`,
  );

export function tiffLayout(page: TiffPage): TiffLayout {
  const width = page.one('width', 0);
  const height = page.one('height', 0);
  if (width < 1 || height < 1) throw damaged('The TIFF file is damaged: its page has no size.');
  checkSize(width, height);

  const compression = compressions[page.one('compression', 1)];
  if (!compression) throw other(`${unread[page.one('compression', 1)] ?? 'unknown'} compression`);
  const photometric = photometrics[page.one('photometric', 1)];
  if (!photometric || (photometric === 'ycc' && compression !== 'jpeg'))
    throw other(`colors of the kind ${page.one('photometric', 1)}`);
  const depths = page.count('bits') ? page.all('bits') : [1];
  const bits = depths[0] as TiffLayout['bits'];
  if (![1, 2, 4, 8, 16].includes(bits) || depths.some((depth) => depth !== bits))
    throw other(`samples of ${depths.join(', ')} bits`);
  const signed = page.all('sampleFormat').some((format) => format !== 1 && format !== 4);
  if (signed) throw other('samples that are not unsigned integers');
  const color = photometric === 'rgb' || photometric === 'ycc';
  if ((bits < 8 && color) || (photometric === 'palette' && bits > 8)) throw other(`colors of ${bits} bits`);
  if (compression === 'jpeg' && bits !== 8) throw other(`JPEG of ${bits} bits`);
  if (bits < 8 && page.one('fillOrder', 1) === 2) throw other('bits in reverse order');

  const colors = color ? 3 : 1;
  const samples = page.one('samples', colors);
  if (samples < colors || samples > 16) throw damaged(`The TIFF file is damaged: ${samples} samples per pixel.`);
  const extra = samples > colors ? page.one('extraSamples', 0) : 0;
  const opaque = extra < 1 || extra > 2 || photometric === 'palette' || bits < 8 || compression === 'jpeg';
  const predictor = page.one('predictor', 1);
  if (predictor !== 1 && !(predictor === 2 && bits >= 8)) throw other(`differences of the kind ${predictor}`);
  const planar = page.one('planar', 1) === 2 && samples > 1;
  if (planar && compression === 'jpeg') throw other('JPEG in planes');

  return {
    ...{ width, height, bits, samples, photometric, compression, planar },
    channels: (colors + (opaque ? 0 : 1)) as TiffLayout['channels'],
    alpha: opaque ? 'none' : extra === 1 ? 'associated' : 'unassociated',
    differences: predictor === 2,
    orientation: page.one('orientation', 1),
    palette: photometric === 'palette' ? page.all('colors') : [],
    jpegTables: page.count('jpegTables') ? Uint8Array.from(page.all('jpegTables')) : null,
    ...blocksOf(page, { width, height, planes: planar ? samples : 1, compression, bits, samples }),
  };
}

interface Page {
  width: number;
  height: number;
  planes: number;
  compression: TiffLayout['compression'];
  bits: number;
  samples: number;
}

function blocksOf(page: TiffPage, { width, height, planes, ...rest }: Page) {
  const tiles = page.count('tileOffsets') > 0;
  const [across, down] = tiles
    ? [page.one('tileWidth', 0), page.one('tileHeight', 0)]
    : [width, Math.min(height, page.one('rowsPerStrip', height))];
  if (across < 1 || down < 1) throw damaged('The TIFF file is damaged: its strips or tiles have no size.');
  checkSize(across, down);
  const count = Math.ceil(width / across) * Math.ceil(height / down) * planes;
  const [places, counts]: [TagName, TagName] = tiles
    ? ['tileOffsets', 'tileByteCounts']
    : ['stripOffsets', 'stripByteCounts'];
  const found = Math.min(page.count(places), page.count(counts) || Infinity);
  // Old encoders omit the count if it follows from the size.
  const follows = page.count(counts) === 0 && rest.compression === 'none' && page.count(places) === 1;
  if (found < count || (page.count(counts) === 0 && !follows))
    throw damaged(`The TIFF file is damaged: ${count} strips or tiles, but ${found} places.`);
  const row = Math.ceil((width * rest.bits * (planes > 1 ? 1 : rest.samples)) / 8);
  return {
    block: { width: across, height: down, tiles },
    offsets: page.all(places, count),
    lengths: follows ? [row * height] : page.all(counts, count),
  };
}
