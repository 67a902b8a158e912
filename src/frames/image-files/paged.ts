/** A file as its readers open it: what it says of itself, and its pages or frames one after the other. */
import type { GrayImage, ImageFileNotes } from '../../results/types.ts';

/** Milliseconds from one page to the next where the file names no times: 25 pages per second. */
export const PAGE_TIME = 40;

export interface FilePage {
  image: GrayImage | ImageData;
  /** Milliseconds from the first frame to this one. */
  time: number;
  /** Milliseconds that it is shown. */
  duration: number;
  /** Pages of the file before it, since the last one, that are not frames. */
  skipped: number;
}

export interface PagedFile extends ImageFileNotes {
  /**
   * Its frames. `all`: they will all be taken, so gray levels are those of all of them; otherwise the first one's. `notes` is
   * complete when the first one is there.
   */
  read(all: boolean): AsyncGenerator<FilePage, void>;
}

/** A file of one picture. */
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

/** What a file of several pages says where one is read. */
export const firstOf = (number: number, pages: number, what: 'page' | 'frame'): string =>
  what === 'page'
    ? `Page ${number} of the file's ${pages} was read.`
    : `The first of the file's ${pages} frames was read.`;
