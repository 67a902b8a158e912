/**
 * Image files that browsers cannot open, or not with all of their bits or pages. Runs on the caller's thread (page.ts
 * provides the worker). Containers, their pages and lossless JPEG are read here. Formats that browsers decode are
 * decoded by the browser, frame by frame. The platform's DecompressionStream handles deflate (in pieces, so that a
 * small file cannot expand into a large one).
 */
import type { ImageFile, ImageFileNotes } from '../../results/types.ts';
import { asFoveolaError, FoveolaError } from '../../runtime/error.ts';
import { identify } from '../blob-header.ts';
import { openPng } from './png.ts';
import { openDicom } from './dicom.ts';
import { openGif } from './gif.ts';
import { openJpeg } from './jpeg-file.ts';
import { Pace, type ReadOptions } from './pace.ts';
import type { FilePage, PagedFile } from './paged.ts';
import { openPnm } from './pnm.ts';
import { openTiff } from './tiff.ts';
import { openWebp } from './webp.ts';

/** Limit for files that are read as a whole. */
const MAXIMUM_BYTES = 1 << 30;

const readers = {
  ...{ TIFF: openTiff, DICOM: openDicom, PNG: openPng, GIF: openGif, WebP: openWebp, JPEG: openJpeg },
  ...{ PBM: openPnm, PGM: openPnm, PPM: openPnm, PAM: openPnm },
} as const;
type Format = keyof typeof readers;

const formatOf = (header: Uint8Array): Format => {
  const { name } = identify(header);
  return Object.keys(readers).find((format) => name.includes(` ${format} `)) as Format;
};

/** An error that names the format, independent of how much the reader knew about it. */
function named(error: unknown, format: Format): FoveolaError {
  if (error instanceof FoveolaError) {
    const { code, message, cause } = error;
    const text = message.replace(/^The file\b(?! is an? )/, `The ${format} file`);
    return text === message ? error : new FoveolaError(code, text, { cause });
  }
  const known = asFoveolaError(error, 'Reading the file');
  if (known.code === 'out-of-memory') return known;
  return new FoveolaError(
    'decode-failed',
    `The ${format} file cannot be decoded. Check it in another program, or copy it again from its source.`,
    {
      cause: error,
    },
  );
}

async function opened(file: Blob, format: Format, options: ReadOptions): Promise<PagedFile> {
  if (file.size > MAXIMUM_BYTES)
    throw new FoveolaError(
      'image-too-large',
      `The ${format} file has ${Math.round(file.size / 1e6)} MB. The maximum is 1 GB. Split it into several files.`,
    );
  return readers[format](file, new Pace(options));
}

const aboutOf = ({ format, bits, spacing, notes, pages, frames, dicom }: PagedFile, frame = 1): ImageFileNotes => ({
  ...{ format, bits, spacing, notes: [...notes], pages, frames },
  ...(dicom && { dicom: frames > 1 ? { ...dicom, frame } : dicom }),
});

/**
 * The image, or the first of several.
 * @param header the first bytes of the file
 * @throws {FoveolaError} (rejects) 'source-unsupported' (the message names the unsupported part and the format to
 * convert to), 'decode-failed' (truncated or damaged), 'image-too-large', 'out-of-memory', 'aborted'
 */
export async function readImageFile(file: Blob, header: Uint8Array, options: ReadOptions = {}): Promise<ImageFile> {
  const format = formatOf(header);
  try {
    const paged = await opened(file, format, options);
    const pages = paged.read(false);
    const { value } = await pages.next();
    await pages.return();
    return { ...aboutOf(paged), image: (value as FilePage).image };
  } catch (error) {
    throw named(error, format);
  }
}

/** A frame of a file, with notes on the file. */
export interface ReadPage extends FilePage {
  file: ImageFileNotes;
}

/**
 * Every frame of a stack or an animation, with its time.
 * @throws {FoveolaError} like `readImageFile`, and 'source-unsupported' if it has only one image
 */
export async function* readPages(
  file: Blob,
  header: Uint8Array,
  options: ReadOptions = {},
): AsyncGenerator<ReadPage, void> {
  const format = formatOf(header);
  try {
    const paged = await opened(file, format, options);
    if (paged.frames === 1)
      throw new FoveolaError(
        'source-unsupported',
        `The file is a ${format} image, not a recording. Read it with readImage.`,
      );
    let frame = 0;
    for await (const page of paged.read(true)) yield { ...page, file: aboutOf(paged, ++frame) };
  } catch (error) {
    throw named(error, format);
  }
}
