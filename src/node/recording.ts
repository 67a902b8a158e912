/** A recording that is open for reading. */
import { checkDecoded } from '../frames/size.ts';
import type { Picture } from './decoded-frame.ts';

export interface Recording {
  /** Sides of its pictures as they are coded. */
  width: number;
  height: number;
  decoder: 'node-av' | 'ffmpeg';
  /** Samples are stored in 16 bits, of which they may use fewer (pixel-formats.ts). */
  deep: boolean;
  /** Milliseconds between two pictures, for streams that have no times. */
  interval: number;
  /** Each picture once, in the order of showing; its timestamp is NaN where the stream has none. Whoever receives one releases it. */
  pictures(): Iterable<Picture> | AsyncIterable<Picture>;
  close(): void;
}

export interface OpenOptions {
  /** Without its edit list: every picture, by the clock of its track. */
  asStored?: boolean;
}

/** Milliseconds between two pictures by the first of these rates that is one. */
export function intervalOf(...rates: { num: number; den: number }[]): number {
  const rate = rates.find(({ num, den }) => num > 0 && den > 0 && num / den <= 1000);
  return rate ? (1000 * rate.den) / rate.num : 40;
}

/** Throws 'image-too-large' for a picture whose samples or square pixels are more than what is read. */
export function checkPicture({ width, height, square }: Pick<Picture, 'width' | 'height' | 'square'>): void {
  checkDecoded(width, height);
  if (square) checkDecoded(...square);
}
