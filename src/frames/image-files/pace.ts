/** Gives the page its thread back during long decoding, with progress and cancel. */
import { FoveolaError } from '../../runtime/error.ts';
import { nextTask } from '../../runtime/engine-scheduler.ts';

export interface ReadOptions {
  signal?: AbortSignal;
  /** Called with the share of the file that is decoded, 0..1. */
  onProgress?: (done: number) => void;
}

const SLICE = 8;

export class Pace {
  readonly #options: ReadOptions;
  #since = performance.now();

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** To be awaited between pieces of work: costs nothing until 8 ms are used up. Throws 'aborted' after a cancel. */
  async step(done: number): Promise<void> {
    const { signal, onProgress } = this.#options;
    if (performance.now() - this.#since > SLICE) {
      onProgress?.(done);
      await nextTask();
      this.#since = performance.now();
    }
    if (signal?.aborted) throw new FoveolaError('aborted', 'Reading the file was cancelled.', { cause: signal.reason });
  }
}
