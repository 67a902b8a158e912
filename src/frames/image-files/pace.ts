/** Yields the page's thread during long decoding, with progress and cancel. */
import { nextTask } from '../../runtime/engine/queue.ts';
import type { Codec } from './codec.ts';
import { cancelled } from './faults.ts';

/**
 * Progress of a reader so far. A worker reports it to the page. The page's watchdog ends a worker without progress
 * (reader-worker.ts).
 */
export const work = { done: 0, waiting: 0 };

/** Waits for something other than the reader's own work (a network, a disk, the browser's image decoder). */
export async function waitingFor<T>(promise: Promise<T>): Promise<T> {
  work.waiting++;
  try {
    return await promise;
  } finally {
    work.waiting--;
    work.done++;
  }
}

/** The bytes of a file or of a part of it. */
export const bytesOf = async (file: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await waitingFor(file.arrayBuffer()));

export interface ReadOptions {
  signal?: AbortSignal;
  /** Called with the decoded share of the file, 0..1. */
  onProgress?: (done: number) => void;
  /**
   * Decodes an image inside another file like a browser, for platforms without a browser: RGBA, not rotated.
   * @internal
   */
  decode?: (bytes: Uint8Array) => Promise<ImageData>;
  /**
   * Decodes JPEG-LS and JPEG 2000.
   * @internal
   */
  codec?: Codec;
}

/** Milliseconds of work before the thread is yielded. */
const SLICE = 8;
/** Pixels processed between two reads of the clock. */
const BAND_PIXELS = 1 << 15;

export class Pace {
  readonly #options: ReadOptions;
  /** A decoder to use in place of the browser's. */
  get decode(): ReadOptions['decode'] {
    return this.#options.decode;
  }
  get codec(): ReadOptions['codec'] {
    return this.#options.codec;
  }
  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }
  #since = performance.now();

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /**
   * Await this between pieces of work. It costs nothing until 8 ms are used up. Throws 'aborted' after a cancel.
   * `done`: share of the whole, 0..1, or NaN if unknown.
   */
  async step(done: number): Promise<void> {
    const { signal, onProgress } = this.#options;
    work.done++;
    if (performance.now() - this.#since > SLICE) {
      if (done >= 0) onProgress?.(done);
      await nextTask();
      this.#since = performance.now();
    }
    if (signal?.aborted) throw cancelled(signal);
  }

  /** Processes the rows of an image in bands, as the share `from`..`to` of the whole. */
  async rows(
    { width, height }: { width: number; height: number },
    work: (y0: number, y1: number) => void,
    [from, to]: readonly [number, number],
  ): Promise<void> {
    const band = Math.max(1, Math.floor(BAND_PIXELS / width));
    for (let y = 0; y < height; y += band) {
      const end = Math.min(height, y + band);
      work(y, end);
      await this.step(from + ((to - from) * end) / height);
    }
  }
}
