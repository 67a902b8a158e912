/**
 * The page's end of a reader in a worker. Untrusted files are parsed where a hang costs a worker and not the page. A
 * watchdog ends a worker that makes no progress. The call then rejects, and the next one gets a new worker.
 */
import { asFoveolaError, type FoveolaErrorCode, asOurs, FoveolaError } from '../runtime/error.ts';
import { work } from './image-files/pace.ts';
import type { PartPlace } from '../runtime/engine/assets.ts';
import { fileWorker } from '../runtime/engine/policy.ts';
import { cancelled, damaged } from './image-files/faults.ts';

/**
 * The worker's end of a reader. The file that a page loads (every-frame.js, image-files.js) is also the script of its
 * worker. If it runs in a worker with its name, it serves requests. On a page it only exports.
 */

/** Milliseconds between two heartbeats. */
const BEAT = 500;

type ReaderAnswer =
  | { ready: true; decodes: boolean }
  | { beat: number; waiting: boolean }
  | { report: number }
  | { value: unknown }
  | { done: true }
  | { error: { name: 'FoveolaError'; code: FoveolaErrorCode; message: string; partial?: unknown } };

/** One piece of the data, and the objects in it to transfer. */
export interface ServedPiece {
  value: unknown;
  transfer: Transferable[];
}

/**
 * `{ job }` begins, and each `{ next }` requests one more piece. The answer to both is a piece, the end or an error.
 */
export function serveReader<Job>(
  name: string,
  begin: (job: Job, report: (done: number) => void) => AsyncGenerator<ServedPiece, void>,
): void {
  if (typeof document !== 'undefined' || (globalThis as { name?: string }).name !== name) return;
  const post = (answer: ReaderAnswer, transfer: Transferable[] = []) =>
    (globalThis as unknown as Worker).postMessage(answer, transfer);
  let pieces: AsyncGenerator<ServedPiece, void>;
  globalThis.addEventListener('message', ({ data }: MessageEvent<{ job: Job } | { next: true }>) => {
    if ('job' in data) pieces = begin(data.job, (report) => post({ report }));
    pieces.next().then(
      ({ value, done }) => (done ? post({ done }) : post({ value: value!.value }, value!.transfer)),
      (given: unknown) => {
        const { code, message, partial } = asFoveolaError(given, 'Reading the file');
        post({ error: { name: 'FoveolaError', code, message, partial } });
      },
    );
  });
  setInterval(() => post({ beat: work.done, waiting: work.waiting > 0 }), BEAT);
  post({ ready: true, decodes: typeof VideoDecoder !== 'undefined' });
}

/** Milliseconds between two checks of the watchdog, and maximum number of checks without progress: 5 s. */
const LOOK = 500;
const MOST_LOOKS = 10;
/** A script that has not started after this time will not start. */
const START_TIMEOUT = 15_000;

export type Piece = { value: unknown } | { done: true };

interface Asking {
  signal?: AbortSignal;
  /** Called with the share that is done, 0..1. */
  report?: (done: number) => void;
}

const stuck = () =>
  damaged(`Reading the file made no progress for ${(LOOK * MOST_LOOKS) / 1000} s and was stopped. It may be damaged.`);

export class ReaderWorker {
  /** Whether the worker has WebCodecs. */
  readonly decodes: boolean;
  readonly #worker: Worker;

  private constructor(worker: Worker, decodes: boolean) {
    this.#worker = worker;
    this.decodes = decodes;
  }

  /** Rejects with the cause if the worker does not start. */
  static async start(opening: Worker | Promise<Worker>): Promise<ReaderWorker> {
    const worker = await opening;
    return new Promise((resolve, reject) => {
      const fail = (text: string, cause?: unknown) => {
        clearTimeout(timer);
        worker.terminate();
        reject(new FoveolaError('worker-blocked', `The worker that reads files did not start: ${text}.`, { cause }));
      };
      const late = () =>
        fail(
          `no answer within ${START_TIMEOUT / 1000} s`,
          new DOMException('The worker did not answer.', 'TimeoutError'),
        );
      const timer = setTimeout(late, START_TIMEOUT);
      worker.onerror = (event) => {
        event.preventDefault();
        fail(event.message || 'its script was blocked or could not be loaded');
      };
      worker.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => {
        if (!('ready' in data)) return;
        clearTimeout(timer);
        worker.onmessage = worker.onerror = null;
        resolve(new ReaderWorker(worker, data.decodes));
      };
    });
  }

  /**
   * Requests one piece. The watchdog counts its own checks, so a page that was busy or suspended does not mistake the
   * worker for a crashed one. End the worker after a rejection.
   */
  ask(
    message: { job: unknown } | { next: true },
    { signal, report }: Asking = {},
    transfer: Transferable[] = [],
  ): Promise<Piece> {
    const worker = this.#worker;
    return new Promise<Piece>((resolve, reject) => {
      let looks = 0;
      let done = -1;
      const watchdog = setInterval(() => ++looks >= MOST_LOOKS && settle(() => reject(stuck())), LOOK);
      const settle = (answer: () => void) => {
        clearInterval(watchdog);
        signal?.removeEventListener('abort', cancel);
        worker.onmessage = worker.onerror = null;
        answer();
      };
      const cancel = () => settle(() => reject(cancelled(signal!)));
      worker.onerror = (event) => {
        event.preventDefault();
        settle(() => reject(damaged(`The worker that read the file ended (${event.message || 'no message'}).`)));
      };
      worker.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => {
        if ('beat' in data) {
          if (data.waiting || data.beat !== done) looks = 0;
          done = data.beat;
        } else if ('report' in data) report?.(data.report);
        else if ('error' in data) settle(() => reject(asOurs(data.error) as FoveolaError));
        else if (!('ready' in data)) settle(() => resolve(data));
      };
      if (signal?.aborted) return cancel();
      signal?.addEventListener('abort', cancel);
      worker.postMessage(message, transfer);
    });
  }

  end(): void {
    this.#worker.terminate();
  }
}

/** Names of workers that a policy or an error prevents from starting. They are not tried again. */
const refused = new Set<string>();

/** Timeout on a busy machine or network, which may be faster the next time. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause));

/** A new worker, or null if it cannot start. The page's thread then reads, in slices. */
export async function startReader(url: string, name: string, place?: PartPlace): Promise<ReaderWorker | null> {
  if (!place || typeof Worker === 'undefined' || typeof document === 'undefined') return null;
  if (refused.has(name) || place.carried?.() === false) return null;
  try {
    return await ReaderWorker.start(fileWorker(url, { name, timeout: START_TIMEOUT, ...place }));
  } catch (error) {
    if (!isTimeout(error)) refused.add(name);
    return null;
  }
}
