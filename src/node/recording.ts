/** A recording that is open for reading. */
import type { Picture } from './decoded-frame.ts';

export interface Recording {
  /** Sides of its pictures as they are coded. */
  width: number;
  height: number;
  decoder: 'node-av' | 'ffmpeg';
  /** Each picture once, in the order of showing. Whoever receives one releases it. */
  pictures(): Iterable<Picture> | AsyncIterable<Picture>;
  close(): void;
}
