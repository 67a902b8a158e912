/**
 * Image files for a page: read in a worker (this file is its script, too), which costs a damaged file the worker and not the
 * page; where there is no worker, on the page's own thread, in slices.
 */
import type { ImageFile } from '../../results/types.ts';
import { ReaderWorker, startReader, type ReaderParts } from '../reader-worker.ts';
import { rgbaImage } from '../rgba-image.ts';
import { serveReader, type Piece } from '../serve-reader.ts';
import { bitmapPixels } from './bitmap-rows.ts';
import { Pace, type ReadOptions } from './pace.ts';
import { readImageFile } from './read.ts';

/** A file that browsers do not open, or a bitmap whose pixels are wanted (it is closed). */
export type FileJob = { file: Blob; header: Uint8Array } | { bitmap: ImageBitmap };
export type FileResult<J extends FileJob> = J extends { bitmap: ImageBitmap } ? Uint8ClampedArray : ImageFile;

const NAME = 'foveola-image-files';
/** A worker that has read a file waits so many milliseconds for the next; one that has read a large one does not. */
const IDLE = 5000;
const LARGE = 1 << 26;

const here = async (job: FileJob, options: ReadOptions): Promise<ImageFile | Uint8ClampedArray> =>
  'bitmap' in job ? bitmapPixels(job.bitmap, new Pace(options)) : readImageFile(job.file, job.header, options);

serveReader(NAME, async function* (job: FileJob, onProgress): AsyncGenerator<Piece, void> {
  const result = await here(job, { onProgress });
  if (result instanceof Uint8ClampedArray) return yield { value: result, transfer: [result.buffer] };
  const { width, height, data } = result.image;
  yield { value: { ...result, image: { width, height, data } }, transfer: [data.buffer] };
});

let idle: { worker: ReaderWorker; timer: ReturnType<typeof setTimeout> } | null = null;

async function take(parts?: ReaderParts): Promise<ReaderWorker | null> {
  if (!idle) return startReader(new URL('./page.ts', import.meta.url).href, NAME, parts);
  const { worker, timer } = idle;
  clearTimeout(timer);
  idle = null;
  return worker;
}

function keep(worker: ReaderWorker): void {
  if (idle) return worker.end();
  const timer = setTimeout(() => {
    idle = null;
    worker.end();
  }, IDLE);
  idle = { worker, timer };
}

/** @throws {FoveolaError} (rejects) as `readImageFile` does */
export async function readFile<J extends FileJob>(
  job: J,
  options: ReadOptions,
  parts?: ReaderParts,
): Promise<FileResult<J>> {
  const worker = await take(parts);
  if (!worker) return (await here(job, options)) as FileResult<J>;
  let value: unknown;
  try {
    const { signal, onProgress: report } = options;
    const piece = await worker.ask({ job }, { signal, report }, 'bitmap' in job ? [job.bitmap] : []);
    value = (piece as { value: unknown }).value;
  } catch (error) {
    worker.end();
    throw error;
  }
  if (value instanceof Uint8ClampedArray) {
    worker.end();
    return value as FileResult<J>;
  }
  const file = value as ImageFile;
  const { width, height, data } = file.image;
  if (data.length > LARGE) worker.end();
  else keep(worker);
  const image = data instanceof Uint8ClampedArray ? rgbaImage(width, height, data) : file.image;
  return { ...file, image } as FileResult<J>;
}
