/** Samples of 8 or 16 bits as a file has them, and what the stages take: 8 bits, gray or RGBA. */
import type { GrayImage } from '../../results/types.ts';
import { rgbaImage } from '../rgba-image.ts';

export interface Raster {
  width: number;
  height: number;
  /** Gray, gray and alpha, RGB, RGB and alpha (not premultiplied). */
  channels: 1 | 2 | 3 | 4;
  samples: Uint8Array | Uint16Array;
}

/** Cameras of 10, 12 and 14 bits are often stored in 16 without being scaled. */
const DEPTHS = [8, 10, 12, 14];

/**
 * The value that becomes 255: that of all 16 bits, unless no sample uses more than 14, 12, 10 or 8 of them. (A picture of
 * a 12-bit camera would else be left with 16 levels.)
 */
export function whiteOf(samples: Uint16Array, step = 1, colours = step): { white: number; note?: string } {
  let bits = 0;
  for (let i = 0; i < samples.length; i += step) for (let c = 0; c < colours; c++) bits |= samples[i + c]!;
  const depth = DEPTHS.find((n) => bits < 1 << n);
  if (depth === undefined || bits === 0) return { white: 65535 };
  const white = 2 ** depth - 1;
  return { white, note: `The 16-bit samples use their lower ${depth} bits only; 0..${white} became 0..255.` };
}

/** Of every 16-bit value its 8-bit one: 0..white linearly to 0..255, rounded. */
export const linearTable = (white: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: 65536 }, (_, value) => Math.min(255, Math.round((value * 255) / white)));

/** 8-bit gray or RGBA; `table` maps the samples (needed for 16 bits), alpha is scaled by its full range. */
export function toImage({ width, height, channels, samples }: Raster, table?: Uint8Array): GrayImage | ImageData {
  const count = width * height;
  const deep = samples.BYTES_PER_ELEMENT === 2;
  const value = (i: number) => (table ? table[samples[i]!]! : samples[i]!);
  const alpha = (i: number) => (deep ? Math.round(samples[i]! / 257) : samples[i]!);
  if (channels === 1) {
    const data = new Uint8Array(count);
    for (let i = 0; i < count; i++) data[i] = value(i);
    return { width, height, data };
  }
  const data = new Uint8ClampedArray(4 * count);
  const colour = channels > 2 ? 1 : 0;
  const transparent = channels === 2 || channels === 4;
  for (let i = 0; i < count; i++) {
    const from = i * channels;
    const opacity = transparent ? alpha(from + channels - 1) : 255;
    if (opacity === 0) continue; // transparent pixels are black, as those that come through a canvas
    data[4 * i] = value(from);
    data[4 * i + 1] = value(from + colour);
    data[4 * i + 2] = value(from + 2 * colour);
    data[4 * i + 3] = opacity;
  }
  return rgbaImage(width, height, data);
}
