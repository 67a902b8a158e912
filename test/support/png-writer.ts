// PNG files of 16 bits, made in tests: every filter, interlaced or not.
import { crc32 } from '../../src/runtime/crc32.ts';
import { ByteWriter, deflated } from './bytes.ts';

export interface DeepPngOptions {
  width: number;
  height: number;
  /** Samples of 16 bits, pixel by pixel. */
  data: readonly number[];
  /** 0 gray, 2 RGB, 4 gray and alpha, 6 RGB and alpha. */
  colorType: 0 | 2 | 4 | 6;
  interlaced?: boolean;
  /** Further chunks before the picture. */
  chunks?: readonly (readonly [string, Uint8Array])[];
}

const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const paeth = (a: number, b: number, c: number) => {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};

/** Rows go through the five filters in turn. */
export async function deepPng({
  width,
  height,
  data,
  colorType,
  ...rest
}: DeepPngOptions): Promise<Uint8Array<ArrayBuffer>> {
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[colorType];
  const step = 2 * channels;
  const rows = new ByteWriter();
  for (const [x0, y0, dx, dy] of rest.interlaced ? passes : [[0, 0, 1, 1]]) {
    let above: number[] = [];
    for (let y = y0, n = 0; y < height && x0 < width; y += dy, n++) {
      const row: number[] = [];
      for (let x = x0; x < width; x += dx)
        for (let c = 0; c < channels; c++) {
          const value = data[(y * width + x) * channels + c]!;
          row.push(value >> 8, value & 255);
        }
      const filter = n % 5;
      rows.number(filter, 1).bytes(
        row.map((value, i) => {
          const [a, b, c] = [row[i - step] ?? 0, above[i] ?? 0, i < step ? 0 : (above[i - step] ?? 0)];
          return (value - [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter]!) & 255;
        }),
      );
      above = row;
    }
  }
  const out = new ByteWriter(false).bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const chunk = (type: string, content: Uint8Array) => {
    const body = new ByteWriter(false).text(type).bytes(content).done();
    out.number(content.length, 4).bytes(body).number(crc32(body), 4);
  };
  const header = new ByteWriter(false).number(width, 4).number(height, 4);
  chunk('IHDR', header.bytes([16, colorType, 0, 0, rest.interlaced ? 1 : 0]).done());
  for (const [type, content] of rest.chunks ?? []) chunk(type, content);
  const picture = await deflated(rows.done());
  const half = picture.length >> 1;
  chunk('IDAT', picture.subarray(0, half));
  chunk('IDAT', picture.subarray(half));
  chunk('IEND', new Uint8Array(0));
  return out.done();
}
