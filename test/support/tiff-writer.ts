// TIFF files of any layout, made in tests (TIFF 6.0; BigTIFF).
import { ByteWriter, deflated, packed } from './bytes.ts';

export interface TiffPageOptions {
  width: number;
  height: number;
  /** Samples pixel by pixel, as numbers. */
  data: readonly number[];
  samples?: number;
  bits?: number;
  /** 0 white is zero, 1 black is zero, 2 RGB, 3 palette. */
  photometric?: number;
  compression?: 'none' | 'lzw' | 'packBits' | 'deflate';
  predictor?: boolean;
  tile?: readonly [width: number, height: number];
  rowsPerStrip?: number;
  planar?: boolean;
  /** Further tags: [tag, type, values]. */
  tags?: readonly (readonly [number, 1 | 3 | 4 | 7, readonly number[]])[];
}

const codes = { none: 1, lzw: 5, packBits: 32773, deflate: 8 } as const;
const sizes = { 1: 1, 3: 2, 4: 4, 7: 1, 16: 8 } as const;

/** LZW of TIFF 6.0, section 13: codes grow from 9 to 12 bits, one code early. */
export function lzwPacked(bytes: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  let [held, bits, width] = [0, 0, 9];
  const put = (code: number) => {
    held = (held << width) | code;
    bits += width;
    for (; bits >= 8; bits -= 8) out.push((held >> (bits - 8)) & 255);
    held &= (1 << bits) - 1;
  };
  let table = new Map<string, number>();
  const clear = () => {
    put(256);
    table = new Map(Array.from({ length: 256 }, (_, i) => [String.fromCharCode(i), i]));
    width = 9;
  };
  clear();
  let string = '';
  let next = 258;
  for (let i = 0; i < bytes.length; i++) {
    const longer = string + String.fromCharCode(bytes[i]!);
    if (table.has(longer)) {
      string = longer;
      continue;
    }
    put(table.get(string)!);
    table.set(longer, next++);
    if (next === 512 || next === 1024 || next === 2048) width++;
    if (next === 4095) {
      clear();
      next = 258;
    }
    string = String.fromCharCode(bytes[i]!);
  }
  if (string) {
    put(table.get(string)!);
    next++;
    if (next === 512 || next === 1024 || next === 2048) width++;
  }
  put(257);
  if (bits) out.push((held << (8 - bits)) & 255);
  return Uint8Array.from(out);
}

interface Block {
  x0: number;
  y0: number;
  columns: number;
  rows: number;
  plane: number | null;
}

function blocksOf({ width, height, tile, rowsPerStrip = height, planar, samples = 1 }: TiffPageOptions): Block[] {
  const [columns, rows] = tile ?? [width, rowsPerStrip];
  const blocks: Block[] = [];
  for (const plane of planar ? Array.from({ length: samples }, (_, i) => i) : [null])
    for (let y0 = 0; y0 < height; y0 += rows)
      for (let x0 = 0; x0 < width; x0 += columns)
        blocks.push({ x0, y0, columns, rows: tile ? rows : Math.min(rows, height - y0), plane });
  return blocks;
}

async function blockBytes(page: TiffPageOptions, block: Block, little: boolean): Promise<Uint8Array> {
  const { width, height, data, samples = 1, bits = 8, predictor, compression = 'none' } = page;
  const channels = block.plane === null ? Array.from({ length: samples }, (_, c) => c) : [block.plane];
  const out = new ByteWriter(little);
  for (let y = block.y0; y < block.y0 + block.rows; y++) {
    const row: number[] = [];
    for (let x = block.x0; x < block.x0 + block.columns; x++)
      for (const c of channels)
        row.push(data[(Math.min(y, height - 1) * width + Math.min(x, width - 1)) * samples + c]!);
    if (predictor)
      for (let i = row.length - 1; i >= channels.length; i--)
        row[i] = (row[i]! - row[i - channels.length]!) & (2 ** bits - 1);
    if (bits >= 8) for (const value of row) out.number(value, bits / 8);
    else
      for (let i = 0; i < row.length; i += 8 / bits) {
        let byte = 0;
        for (let k = 0; k < 8 / bits; k++) byte = (byte << bits) | (row[i + k] ?? 0);
        out.number(byte, 1);
      }
  }
  const bytes = out.done();
  if (compression === 'lzw') return lzwPacked(bytes);
  if (compression === 'packBits') return packed(bytes);
  return compression === 'deflate' ? deflated(bytes) : bytes;
}

export async function tiffFile(
  pages: readonly TiffPageOptions[],
  { little = true, big = false }: { little?: boolean; big?: boolean } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const out = new ByteWriter(little);
  const offset = big ? 8 : 4;
  out.text(little ? 'II' : 'MM').number(big ? 43 : 42, 2);
  if (big) out.number(8, 2).number(0, 2);
  let link = out.length;
  out.number(0, offset);
  for (const page of pages) {
    const { width, height, samples = 1, bits = 8, compression = 'none', tile, planar, predictor } = page;
    const places: number[] = [];
    const counts: number[] = [];
    for (const block of blocksOf(page)) {
      const bytes = await blockBytes(page, block, little);
      places.push(out.length);
      counts.push(bytes.length);
      out.bytes(bytes);
    }
    const entries: (readonly [number, keyof typeof sizes, readonly number[]])[] = [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, new Array<number>(samples).fill(bits)],
      [259, 3, [codes[compression]]],
      [262, 3, [page.photometric ?? (samples >= 3 ? 2 : 1)]],
      [277, 3, [samples]],
      [284, 3, [planar ? 2 : 1]],
      [317, 3, [predictor ? 2 : 1]],
      ...(tile
        ? ([
            [322, 4, [tile[0]]],
            [323, 4, [tile[1]]],
            [324, 4, places],
            [325, 4, counts],
          ] as const)
        : ([
            [273, 4, places],
            [278, 4, [page.rowsPerStrip ?? height]],
            [279, 4, counts],
          ] as const)),
      ...(page.tags ?? []),
    ];
    // A further tag replaces one of the same number.
    const sorted = [...new Map(entries.map((entry) => [entry[0], entry])).values()].sort((a, b) => a[0] - b[0]);
    // Values that do not fit into their entries stand before the directory.
    const values = sorted.map(([, type, list]) => {
      const at = out.length;
      if (list.length * sizes[type] > offset) for (const value of list) out.number(value, sizes[type]);
      return at;
    });
    out.patch(link, out.length, offset);
    out.number(sorted.length, big ? 8 : 2);
    sorted.forEach(([tag, type, list], i) => {
      out.number(tag, 2).number(type, 2).number(list.length, offset);
      const end = out.length + offset;
      if (list.length * sizes[type] > offset) out.number(values[i]!, offset);
      else {
        for (const value of list) out.number(value, sizes[type]);
        while (out.length < end) out.number(0, 1);
      }
    });
    link = out.length;
    out.number(0, offset);
  }
  return out.done();
}
