/** For the CDN scripts: the readers of TIFF, DICOM and 16-bit PNG are not inside but loaded when such a file comes. */
import type * as Reading from './image-files/page.ts';
import type { FileJob, FileResult } from './image-files/page.ts';
import { asOurs } from '../runtime/error.ts';
import { loadChunk, readerParts } from '../runtime/engine/load-chunk.cdn.ts';
import type { ReadOptions } from './image-files/pace.ts';

export async function readFile<J extends FileJob>(job: J, options: ReadOptions): Promise<FileResult<J>> {
  const file = 'image-files.js';
  const module = await loadChunk<typeof Reading>(
    file,
    'TIFF, DICOM and 16-bit PNG need their readers',
    'save the image as 8-bit PNG',
  );
  try {
    return await module.readFile(job, options, readerParts(file));
  } catch (error) {
    throw asOurs(error);
  }
}
