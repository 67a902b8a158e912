/** For the CDN scripts: the readers of image files are not inside but loaded when such a file comes. */
import type * as Reading from './image-files/page.ts';
import type { FileJob, FileOfImage, FileResult } from './image-files/page.ts';
import { asOurs } from '../runtime/error.ts';
import { needsCodecs } from './blob-header.ts';
import { loadChunk, readerParts } from '../runtime/engine/load-chunk.cdn.ts';
import type { ReadOptions } from './image-files/pace.ts';
import type { RawFrame } from './presented.ts';

const fileFor = (job: FileJob) => ('header' in job && needsCodecs(job.header) ? 'image-codecs.js' : 'image-files.js');
const load = (file: string) =>
  loadChunk<typeof Reading>(file, 'This file needs its reader', 'save the image as 8-bit PNG');

export async function readFile<J extends FileJob>(job: J, options: ReadOptions): Promise<FileResult<J>> {
  const file = fileFor(job);
  const module = await load(file);
  try {
    return await module.readFile(job, options, readerParts(file));
  } catch (error) {
    throw asOurs(error);
  }
}

export async function* stackFrames(job: FileOfImage, options: ReadOptions): AsyncGenerator<RawFrame, void> {
  const file = fileFor(job);
  const module = await load(file);
  try {
    yield* module.stackFrames(job, options, readerParts(file));
  } catch (error) {
    throw asOurs(error);
  }
}
