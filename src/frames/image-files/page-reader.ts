/**
 * Image files for a page. They are read in a worker (page.ts and codecs-page.ts are also its scripts), so that a
 * damaged file crashes only the worker and not the page. Without a worker they are read on the page's thread, in
 * slices.
 */
import type { GrayImage, ImageFile } from '../../results/types.ts';
import { FoveolaError } from '../../runtime/error.ts';
import type { RawFrame } from '../clock.ts';
import type { PartPlace } from '../../runtime/engine/assets.ts';
import { ReaderWorker, startReader, serveReader, type ServedPiece } from '../reader-worker.ts';
import { rgbaImage } from '../size.ts';
import { bitmapPixels } from './platform.ts';
import type { Codec } from './codec.ts';
import { Pace, type ReadOptions } from './pace.ts';
import { readImageFile, readPages, type ReadPage } from './read.ts';

/** A file that browsers cannot open, or not with all of its bits or pages. */
export interface FileOfImage {
  file: Blob;
  header: Uint8Array;
}
/** Or a bitmap that is converted to pixels and closed. */
export type FileJob = FileOfImage | { bitmap: ImageBitmap };
export type FileResult<J extends FileJob> = J extends { bitmap: ImageBitmap } ? Uint8ClampedArray : ImageFile;
type WorkerJob = FileJob | (FileOfImage & { all: true });

/**
 * After reading a file, a worker waits this many milliseconds for the next one. After a large file it does not wait.
 */
const IDLE = 5000;
const LARGE = 1 << 26;

interface Own {
  /** Name of the worker. */
  name: string;
  /** URL of its script. */
  url: () => string;
  codec?: Codec;
}

type WithImage = Pick<ImageFile, 'image'>;

/** An ImageData is not posted as such, only its samples. */
function sent<T extends WithImage>(result: T): ServedPiece {
  const { width, height, data } = result.image;
  return { value: { ...result, image: { width, height, data } }, transfer: [data.buffer] };
}

function received<T extends WithImage>(result: T): T {
  const { width, height, data } = result.image;
  return data instanceof Uint8ClampedArray ? { ...result, image: rgbaImage(width, height, data) } : result;
}

export interface PageReader {
  /** @throws {FoveolaError} (rejects) like `readImageFile` */
  readFile<J extends FileJob>(job: J, options: ReadOptions, place?: PartPlace): Promise<FileResult<J>>;
  /** @throws {FoveolaError} like `readPages` of read.ts */
  readPages(job: FileOfImage, options: ReadOptions, place?: PartPlace): AsyncGenerator<ReadPage, void>;
  /** Returns the frames in the same form as `everyFrameOf` for a recording. Throws like that function. */
  stackFrames(job: FileOfImage, options: ReadOptions, place?: PartPlace): AsyncGenerator<RawFrame, void>;
}

/** Gray images become frames with luma and neutral chroma. Browsers without VideoFrame get bitmaps. */
function frameOf({ image, time, duration }: ReadPage): VideoFrame | Promise<ImageBitmap> {
  const { width, height, data } = image;
  if (typeof VideoFrame === 'undefined') {
    const { data: rgba } = data instanceof Uint8ClampedArray ? { data } : grayAsRgba(image as GrayImage);
    return createImageBitmap(rgbaImage(width, height, rgba));
  }
  const init = {
    codedWidth: width,
    codedHeight: height,
    timestamp: Math.round(1000 * time),
    duration: Math.round(1000 * duration),
  };
  if (data instanceof Uint8ClampedArray)
    return new VideoFrame(data as Uint8ClampedArray<ArrayBuffer>, { format: 'RGBA', ...init });
  const planes = new Uint8Array(data.length + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)).fill(128, data.length);
  planes.set(data);
  return new VideoFrame(planes, { format: 'I420', ...init, colorSpace: { matrix: 'bt709', fullRange: true } });
}

function grayAsRgba({ width, height, data }: GrayImage): ImageData {
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0; i < data.length; i++) rgba.fill(data[i]!, 4 * i, 4 * i + 3);
  return rgbaImage(width, height, rgba);
}

/** Call this once in a script. If the script runs as its worker, it then serves requests. */
export function pageReader({ name, url, codec }: Own): PageReader {
  const here = async (job: FileJob, options: ReadOptions): Promise<ImageFile | Uint8ClampedArray> =>
    'bitmap' in job
      ? bitmapPixels(job.bitmap, new Pace(options))
      : readImageFile(job.file, job.header, { codec, ...options });

  serveReader(name, async function* (job: WorkerJob, onProgress): AsyncGenerator<ServedPiece, void> {
    if ('all' in job) {
      for await (const page of readPages(job.file, job.header, { onProgress, codec })) yield sent(page);
      return;
    }
    const result = await here(job, { onProgress });
    yield result instanceof Uint8ClampedArray ? { value: result, transfer: [result.buffer] } : sent(result);
  });

  let idle: { worker: ReaderWorker; timer: ReturnType<typeof setTimeout> } | null = null;
  const take = async (place?: PartPlace): Promise<ReaderWorker | null> => {
    if (!idle) return startReader(url(), name, place);
    const { worker, timer } = idle;
    clearTimeout(timer);
    idle = null;
    return worker;
  };
  const keep = (worker: ReaderWorker): void => {
    if (idle) return worker.end();
    const timer = setTimeout(() => {
      idle = null;
      worker.end();
    }, IDLE);
    idle = { worker, timer };
  };

  async function* pages({ file, header }: FileOfImage, options: ReadOptions, place?: PartPlace) {
    const worker = await take(place);
    if (!worker) return yield* readPages(file, header, { codec, ...options });
    try {
      const { signal, onProgress: report } = options;
      const job: WorkerJob = { file, header, all: true };
      let piece = await worker.ask({ job }, { signal, report });
      for (; 'value' in piece; piece = await worker.ask({ next: true }, { signal, report }))
        yield received(piece.value as ReadPage);
    } finally {
      worker.end();
    }
  }

  return {
    async readFile<J extends FileJob>(job: J, options: ReadOptions, place?: PartPlace) {
      const worker = await take(place);
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
      const file = value as ImageFile;
      if (value instanceof Uint8ClampedArray || file.image.data.length > LARGE) worker.end();
      else keep(worker);
      return (value instanceof Uint8ClampedArray ? value : received(file)) as FileResult<J>;
    },

    readPages: pages,

    async *stackFrames(job: FileOfImage, options: ReadOptions, place?: PartPlace) {
      let frames = 0;
      let media = NaN;
      try {
        for await (const page of pages(job, options, place)) {
          const { time, skipped, file } = page;
          yield { frame: await frameOf(page), media: time, arrival: performance.now(), dropped: skipped, file };
          frames++;
          media = time;
        }
      } catch (error) {
        if (!(error instanceof FoveolaError) || error.code !== 'decode-failed') throw error;
        throw new FoveolaError('decode-failed', error.message, { cause: error, partial: { frames, mediaTime: media } });
      }
    },
  };
}
