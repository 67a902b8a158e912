/**
 * The readers of TIFF, DICOM and 16-bit PNG are rarely needed, so they are loaded when such a file comes: dist/
 * image-files.js, a module of its own that all builds share. The CDN build replaces this module by one that loads it from
 * `data-assets`.
 */
import { loadPart } from '../runtime/engine/load-part.ts';
import { asOurs } from '../runtime/error.ts';
import type * as Reading from './image-files/page.ts';
import type { FileJob, FileResult } from './image-files/page.ts';
import type { ReadOptions } from './image-files/pace.ts';
import { readerParts } from './reader-parts.ts';

export async function readFile<J extends FileJob>(job: J, options: ReadOptions): Promise<FileResult<J>> {
  const module = await loadPart<typeof Reading>(
    import('./image-files/page.ts'),
    'TIFF, DICOM and 16-bit PNG need their readers',
    'save the image as 8-bit PNG',
  );
  try {
    return await module.readFile(job, options, readerParts);
  } catch (error) {
    throw asOurs(error);
  }
}
