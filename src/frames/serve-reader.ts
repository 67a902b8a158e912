/**
 * The worker's end of a reader. The file that a page loads (every-frame.js, image-files.js) is also the script of its
 * worker. If it runs in a worker with its name, it serves requests. On a page it only exports.
 */
import { asFoveolaError, type FoveolaErrorCode } from '../runtime/error.ts';
import { work } from './work-done.ts';

/** Milliseconds between two heartbeats. */
const BEAT = 500;

export type ReaderAnswer =
  | { ready: true; decodes: boolean }
  | { beat: number; waiting: boolean }
  | { report: number }
  | { value: unknown }
  | { done: true }
  | { error: { name: 'FoveolaError'; code: FoveolaErrorCode; message: string; partial?: unknown } };

/** One piece of the data, and the objects in it to transfer. */
export interface Piece {
  value: unknown;
  transfer: Transferable[];
}

/**
 * `{ job }` begins, and each `{ next }` requests one more piece. The answer to both is a piece, the end or an error.
 */
export function serveReader<Job>(
  name: string,
  begin: (job: Job, report: (done: number) => void) => AsyncGenerator<Piece, void>,
): void {
  if (typeof document !== 'undefined' || (globalThis as { name?: string }).name !== name) return;
  const post = (answer: ReaderAnswer, transfer: Transferable[] = []) =>
    (globalThis as unknown as Worker).postMessage(answer, transfer);
  let pieces: AsyncGenerator<Piece, void>;
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
