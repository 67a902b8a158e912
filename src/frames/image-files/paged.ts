/** An opened file: its notes, and its pages or frames one after the other. */
import type { GrayImage, ImageFileNotes } from '../../results/types.ts';

/** Milliseconds from one page to the next if the file contains no times: 25 pages per second. */
export const PAGE_TIME = 40;

export interface FilePage {
  image: GrayImage | ImageData;
  /** Milliseconds from the first frame to this one. */
  time: number;
  /** Display duration in milliseconds. */
  duration: number;
  /** Pages of the file between the last frame and this one that are not frames. */
  skipped: number;
}

export interface PagedFile extends ImageFileNotes {
  /**
   * Its frames. `all`: all of them will be read, so gray levels are computed over all frames. Otherwise they are
   * computed from the first one. `notes` is complete once the first frame has arrived.
   */
  read(all: boolean): AsyncGenerator<FilePage, void>;
}

/** A file with one image. */
export function onePicture(
  about: Omit<ImageFileNotes, 'pages' | 'frames'>,
  read: () => Promise<GrayImage | ImageData>,
): PagedFile {
  return {
    ...about,
    ...{ pages: 1, frames: 1 },
    async *read() {
      yield { image: await read(), time: 0, duration: PAGE_TIME, skipped: 0 };
    },
  };
}

/** The note for a file with several pages if only one is read. */
export const firstOf = (number: number, pages: number, what: 'page' | 'frame'): string =>
  what === 'page'
    ? `Page ${number} of the file's ${pages} was read.`
    : `The first of the file's ${pages} frames was read.`;
