/**
 * The readers of TIFF, DICOM, Netpbm, 16-bit PNG and animations are rarely needed, so they are loaded on demand. There
 * are two files: image-files.js, and image-codecs.js, which is large and also decodes JPEG-LS and JPEG 2000.
 */
import { loadPart, partPlace, type PartPlace } from '../runtime/engine/assets.ts';
import { asOurs, type FoveolaError } from '../runtime/error.ts';
import { needsCodecs } from './blob-header.ts';
import type * as Codecs from './image-files/codecs-page.ts';
import type * as Page from './image-files/page.ts';
import type { FileJob, FileOfImage, FileResult } from './image-files/page.ts';
import type { ReadOptions } from './image-files/pace.ts';
import type { RawFrame } from './clock.ts';

type Reading = Pick<typeof Page | typeof Codecs, 'readFile' | 'stackFrames'>;

async function reader(job: FileJob): Promise<[Reading, PartPlace]> {
  const coded = 'header' in job && needsCodecs(job.header);
  const file = coded ? 'image-codecs.js' : 'image-files.js';
  const load = coded ? () => import('./image-files/codecs-page.ts') : () => import('./image-files/page.ts');
  const need = 'This kind of image file needs its reader';
  return [await loadPart<Reading>(file, load, need, 'save the image as 8-bit PNG'), partPlace(file)];
}

export async function readFile<J extends FileJob>(job: J, options: ReadOptions): Promise<FileResult<J>> {
  const [module, place] = await reader(job);
  try {
    return await module.readFile(job, options, place);
  } catch (error) {
    throw asOurs(error);
  }
}

/** Why a video element does not play this. Rejects if the code for it cannot be loaded. */
export async function whyNotPlayed(source: Blob | URL, foreign: boolean, cause: unknown): Promise<FoveolaError> {
  const load = () => import('./image-files/page.ts');
  const { explainVideo } = await loadPart<typeof Page>('image-files.js', load, '', '');
  return asOurs(await explainVideo(source, foreign, cause)) as FoveolaError;
}

export async function* stackFrames(job: FileOfImage, options: ReadOptions): AsyncGenerator<RawFrame, void> {
  const [module, place] = await reader(job);
  try {
    yield* module.stackFrames(job, options, place);
  } catch (error) {
    throw asOurs(error);
  }
}
