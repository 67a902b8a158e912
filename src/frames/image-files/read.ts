/**
 * Image files that browsers do not open, or not with all of their bits: TIFF, DICOM and PNG of 16 bits; on whatever thread
 * this is called (page.ts has the worker). The containers and lossless JPEG are read here; JPEG is left to the browser,
 * deflate to the platform's DecompressionStream (in pieces, so that a small file cannot become a large one).
 */
import type { ImageFile } from '../../results/types.ts';
import { asFoveolaError, FoveolaError } from '../../runtime/error.ts';
import { identify } from '../blob-header.ts';
import { readDicom } from './dicom.ts';
import { Pace, type ReadOptions } from './pace.ts';
import { readDeepPng } from './png.ts';
import { readTiff } from './tiff.ts';

/** Larger files are recordings, not photographs. */
const MAXIMUM_BYTES = 1 << 30;

const readers = { TIFF: readTiff, DICOM: readDicom, PNG: readDeepPng } as const;

/**
 * @param header the first bytes of the file
 * @throws {FoveolaError} (rejects) 'source-unsupported' (the message names the part that is not read, and what to convert
 * it to), 'decode-failed' (cut off or damaged), 'image-too-large', 'out-of-memory', 'aborted'
 */
export async function readImageFile(file: Blob, header: Uint8Array, options: ReadOptions = {}): Promise<ImageFile> {
  const format = Object.keys(readers).find((name) => identify(header).name.includes(name)) as keyof typeof readers;
  if (file.size > MAXIMUM_BYTES)
    throw new FoveolaError(
      'image-too-large',
      `The ${format} file has ${Math.round(file.size / 1e6)} MB; at most 1 GB is read. Save one page or frame of it alone.`,
    );
  try {
    return await readers[format](file, new Pace(options));
  } catch (error) {
    if (error instanceof FoveolaError) throw error;
    const known = asFoveolaError(error, 'Reading the file');
    if (known.code === 'out-of-memory') throw known;
    throw new FoveolaError('decode-failed', `The ${format} file is damaged. Copy it again from where it was made.`, {
      cause: error,
    });
  }
}
