/**
 * FFmpeg's pixel formats by name: which ones are read directly, what the others are converted to, and the meaning of
 * their levels.
 */
import { whiteOfBits, linearTable, needsAll } from '../frames/image-files/raster.ts';
import type { Picture } from './decoded-frame.ts';

export interface PixelFormat extends Pick<Picture, 'format' | 'bits'> {
  /** Number of its planes. */
  planes: number;
}

/** Null for a format that must be converted first. */
export function pixelFormat(name: string): PixelFormat | null {
  if (name === 'nv12') return { format: 'NV12', bits: 8, planes: 2 };
  if (name === 'rgba') return { format: 'RGBA', bits: 8, planes: 1 };
  if (name === 'rgba64le') return { format: 'RGBA', bits: 16, planes: 1 };
  const gray = /^gray(\d+le)?$/.exec(name);
  if (gray) return { format: 'I420', bits: parseInt(gray[1] ?? '8'), planes: 1 };
  const yuv = /^yuv[aj]?(420|422|444)p(\d+le)?$/.exec(name);
  return yuv && { format: `I${yuv[1]}` as Picture['format'], bits: parseInt(yuv[2] ?? '8'), planes: 3 };
}

/** Luma with its colors, in any packing. */
const isLuma = /^(yuv|yuyv|uyvy|yvyu|uyyv|nv\d|p[024]1|y21|vuy|ayuv|xv)/;

/**
 * Conversion target of a format: the format itself if it is read directly, or its other byte order. For other formats,
 * planes of luma and colors (which leave the luma unchanged) or RGBA, with the same number of bits.
 */
export function readAs(name: string): string {
  const little = name.replace(/be$/, 'le');
  if (pixelFormat(name)) return name;
  if (pixelFormat(little)) return little;
  if (isLuma.test(name)) return /[lb]e$/.test(name) ? 'yuv444p16le' : name.startsWith('yuvj') ? 'yuvj444p' : 'yuv444p';
  return isStoredDeep(name) ? 'rgba64le' : 'rgba';
}

/**
 * 16 bits per sample, of which a camera's file may use fewer: gray and RGB. YUV needs all bits because of the chroma
 * center.
 */
export const isStoredDeep = (name: string): boolean =>
  /^(gray|ya|rgba?|bgra?|gbra?p|bayer_.*)(16|48|64)[lb]e$/.test(name);

/** Codecs whose gray frames are luma without colors. */
const lumaCodecs = ['h264', 'hevc', 'av1', 'vvc'];

/** Whether levels are 0..255 and not 16..235. `range`: as declared by the stream. */
export function isFullRange(name: string, range: 'full' | 'video' | null, codec: string): boolean {
  if (name.startsWith('yuvj') || range === 'full') return true;
  return !name.startsWith('yuv') && !name.startsWith('nv') && !(name.startsWith('gray') && lumaCodecs.includes(codec));
}

/** The conversion of a recording's 16-bit samples to 8 bits, and a note about it. */
export interface UsedBits {
  levels: Uint8Array;
  note?: string;
}

/**
 * Determined by the bits that any sample of the recording uses, like for photographs, because data of 10 or 12 bit
 * cameras is often stored without scaling. Reads the whole recording, up to a sample that uses the highest bits,
 * because its first frames may be dark.
 */
export async function usedBits(pictures: AsyncIterable<Picture> | Iterable<Picture>): Promise<UsedBits> {
  let used = 0;
  for await (const picture of pictures) {
    used |= bitsOf(picture);
    picture.release();
    if (needsAll(used)) break;
  }
  const { white, note } = whiteOfBits(used);
  return { levels: linearTable(white), note };
}

/** All bits that are set in some sample. Transparency does not count. */
function bitsOf({ format, width, height, planes: [plane] }: Picture): number {
  const { data, stride } = plane!;
  const channels = format === 'RGBA' ? 4 : 1;
  let used = 0;
  for (let y = 0; y < height; y++)
    for (let i = 0, at = y * stride; i < channels * width; i++, at += 2)
      if (channels === 1 || i % 4 < 3) used |= data[at]! | (data[at + 1]! << 8);
  return used;
}
