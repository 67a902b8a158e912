/** Samples of 8 or 16 bits from a file, converted to the format of the stages: 8 bits, gray or RGBA. */
import type { GrayImage } from '../../results/types.ts';
import { rgbaImage } from '../size.ts';
import type { Pace } from './pace.ts';

/** Orientation as in EXIF and TIFF (1..8), applied to the pixels. */

/** x, y of the source for x, y of the result, with the source's last column and row: EXIF 2.32, table of tag 274. */
const places: Readonly<Record<number, (x: number, y: number, right: number, bottom: number) => [number, number]>> = {
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, _, bottom) => [y, bottom - x],
  7: (x, y, right, bottom) => [right - y, bottom - x],
  8: (x, y, right) => [right - y, x],
};

/** An invalid orientation leaves the image unchanged. */
export async function oriented<T extends GrayImage | ImageData>(image: T, orientation: number, pace: Pace): Promise<T> {
  const place = places[orientation];
  if (!place) return image;
  const { width: w, height: h, data } = image;
  const [width, height] = orientation > 4 ? [h, w] : [w, h];
  const wide = data.length > w * h; // four bytes per pixel
  const from = wide ? new Uint32Array(data.buffer, data.byteOffset, w * h) : data;
  const to = wide ? new Uint32Array(w * h) : new Uint8Array(w * h);
  const index = (x: number, y: number) => {
    const [sx, sy] = place(x, y, w - 1, h - 1);
    return sy * w + sx;
  };
  const start = index(0, 0);
  const stepX = index(1, 0) - start;
  const stepY = index(0, 1) - start;
  const turn = (y0: number, y1: number) => {
    for (let y = y0, i = y0 * width; y < y1; y++)
      for (let x = 0; x < width; x++) to[i++] = from[start + x * stepX + y * stepY]!;
  };
  await pace.rows({ width, height }, turn, [0.95, 1]);
  return (wide ? rgbaImage(width, height, new Uint8ClampedArray(to.buffer)) : { width, height, data: to }) as T;
}

/** Orientation in an EXIF block (a small TIFF, without the 'Exif\0\0' before it). 1 if there is none. */
export function exifOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 14) return 1;
  const little = view.getUint16(0) === 0x4949;
  const start = view.getUint32(4, little);
  if (start + 2 > bytes.length) return 1;
  const count = view.getUint16(start, little);
  for (let at = start + 2, i = 0; i < count && at + 12 <= bytes.length; at += 12, i++)
    if (view.getUint16(at, little) === 274) return view.getUint16(at + 8, little);
  return 1;
}

export interface Raster {
  width: number;
  height: number;
  /** Gray, gray and alpha, RGB, RGB and alpha (not premultiplied). */
  channels: 1 | 2 | 3 | 4;
  samples: Uint8Array | Uint16Array;
}

/** Data of 10, 12 and 14 bit cameras is often stored in 16 bits without scaling. */
const DEPTHS = [8, 10, 12, 14];

/** The bits that are set in any sample. `colors`: number of samples per pixel that count (without alpha). */
export async function bitsOf(raster: Raster, colors: number, pace: Pace): Promise<number> {
  const { width, channels, samples } = raster;
  let bits = 0;
  const look = (y0: number, y1: number) => {
    for (let i = y0 * width * channels, end = y1 * width * channels; i < end; i += channels)
      for (let c = 0; c < colors; c++) bits |= samples[i + c]!;
  };
  await pace.rows(raster, look, [0.7, 0.8]);
  return bits;
}

/** Whether the bits in use already require the whole range, so that further samples cannot change it. */
export const needsAll = (bits: number): boolean => bits >= 1 << DEPTHS.at(-1)!;

/**
 * The value that becomes 255, from the bits in use: the maximum of 16 bits, unless all samples fit in 14, 12, 10 or 8
 * bits. (Otherwise an image of a 12-bit camera would have only 16 levels.)
 */
export function whiteOfBits(bits: number): { white: number; note?: string } {
  const depth = DEPTHS.find((n) => bits < 1 << n);
  if (depth === undefined || bits === 0) return { white: 65535 };
  const white = 2 ** depth - 1;
  return { white, note: `The 16-bit samples use only their lower ${depth} bits. 0..${white} became 0..255.` };
}

/** The 8-bit value of every 16-bit value: 0..white mapped linearly to 0..255, rounded. */
export const linearTable = (white: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: 65536 }, (_, value) => Math.min(255, Math.round((value * 255) / white)));

/** Leaves 8-bit samples unchanged. */
const plainTable = Uint8Array.from({ length: 256 }, (_, value) => value);

/** 8-bit gray or RGBA. `table` maps the samples (required for 16 bits). Alpha is scaled by its full range. */
export async function toImage(raster: Raster, pace: Pace, table = plainTable): Promise<GrayImage | ImageData> {
  const { width, height, channels, samples } = raster;
  const share = [0.8, 0.95] as const;
  if (channels === 1) {
    const data = new Uint8Array(width * height);
    const gray = (y0: number, y1: number) => {
      for (let i = y0 * width; i < y1 * width; i++) data[i] = table[samples[i]!]!;
    };
    await pace.rows(raster, gray, share);
    return { width, height, data };
  }
  const data = new Uint8ClampedArray(4 * width * height);
  const color = channels > 2 ? 1 : 0;
  const transparent = channels === 2 || channels === 4;
  const full = samples.BYTES_PER_ELEMENT === 2 ? 257 : 1;
  const rgba = (y0: number, y1: number) => {
    for (let i = y0 * width, from = i * channels; i < y1 * width; i++, from += channels) {
      const opacity = transparent ? Math.round(samples[from + channels - 1]! / full) : 255;
      if (opacity === 0) continue; // transparent pixels are black, like pixels read from a canvas
      data[4 * i] = table[samples[from]!]!;
      data[4 * i + 1] = table[samples[from + color]!]!;
      data[4 * i + 2] = table[samples[from + 2 * color]!]!;
      data[4 * i + 3] = opacity;
    }
  };
  await pace.rows(raster, rgba, share);
  return rgbaImage(width, height, data);
}
