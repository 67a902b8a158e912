/**
 * The readers of TIFF, DICOM, Netpbm, 16-bit PNG and animations are rarely needed, so they are loaded when such a file comes:
 * dist/image-files.js, a module of its own that all builds share; image-codecs.js, which decodes JPEG-LS and JPEG 2000 as well,
 * is large. The CDN build replaces this module by one that loads them from `data-assets`.
 */
import { loadPart } from '../runtime/engine/load-part.ts';
import { asOurs } from '../runtime/error.ts';
import { needsCodecs } from './blob-header.ts';
import type * as Reading from './image-files/page.ts';
import type { FileJob, FileOfImage, FileResult } from './image-files/page.ts';
import type { ReadOptions } from './image-files/pace.ts';
import type { RawFrame } from './clock.ts';
import { readerParts } from './reader-parts.ts';

const load = (job: FileJob): Promise<typeof Reading> =>
  'header' in job && needsCodecs(job.header) ? import('./image-files/codecs-page.ts') : import('./image-files/page.ts');

export async function readFile<J extends FileJob>(job: J, options: ReadOptions): Promise<FileResult<J>> {
  const module = await loadPart<typeof Reading>(
    load(job),
    'This kind of image file needs its reader',
    'save the image as 8-bit PNG',
  );
  try {
    return await module.readFile(job, options, readerParts);
  } catch (error) {
    throw asOurs(error);
  }
}

export async function* stackFrames(job: FileOfImage, options: ReadOptions): AsyncGenerator<RawFrame, void> {
  const module = await load(job);
  try {
    yield* module.stackFrames(job, options, readerParts);
  } catch (error) {
    throw asOurs(error);
  }
}
