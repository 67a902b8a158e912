/** Samples of 8 or 16 bits as a file has them, and what the stages take: 8 bits, gray or RGBA. */
import type { GrayImage } from '../../results/types.ts';
import { rgbaImage } from '../rgba-image.ts';
import type { Pace } from './pace.ts';

export interface Raster {
  width: number;
  height: number;
  /** Gray, gray and alpha, RGB, RGB and alpha (not premultiplied). */
  channels: 1 | 2 | 3 | 4;
  samples: Uint8Array | Uint16Array;
}

/** Cameras of 10, 12 and 14 bits are often stored in 16 without being scaled. */
const DEPTHS = [8, 10, 12, 14];

/** The bits that are set in any sample. `colors`: the samples of a pixel that count, alpha does not. */
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

/** Whether bits in use need the whole range, whatever comes. */
export const needsAll = (bits: number): boolean => bits >= 1 << DEPTHS.at(-1)!;

/**
 * The value that becomes 255, by the bits that are in use: that of all 16, unless no sample uses more than 14, 12, 10 or 8 of
 * them. (A picture of a 12-bit camera would else be left with 16 levels.)
 */
export function whiteOfBits(bits: number): { white: number; note?: string } {
  const depth = DEPTHS.find((n) => bits < 1 << n);
  if (depth === undefined || bits === 0) return { white: 65535 };
  const white = 2 ** depth - 1;
  return { white, note: `The 16-bit samples use only their lower ${depth} bits. 0..${white} became 0..255.` };
}

/** Of every 16-bit value its 8-bit one: 0..white linearly to 0..255, rounded. */
export const linearTable = (white: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: 65536 }, (_, value) => Math.min(255, Math.round((value * 255) / white)));

/** No change of 8-bit samples. */
const plainTable = Uint8Array.from({ length: 256 }, (_, value) => value);

/** 8-bit gray or RGBA; `table` maps the samples (needed for 16 bits), alpha is scaled by its full range. */
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
      if (opacity === 0) continue; // transparent pixels are black, as those that come through a canvas
      data[4 * i] = table[samples[from]!]!;
      data[4 * i + 1] = table[samples[from + color]!]!;
      data[4 * i + 2] = table[samples[from + 2 * color]!]!;
      data[4 * i + 3] = opacity;
    }
  };
  await pace.rows(raster, rgba, share);
  return rgbaImage(width, height, data);
}
