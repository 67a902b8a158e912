/** Jobs on several processes. */
import { FoveolaError } from '../node/index.ts';
import type { Job, JobResult } from './job-key.ts';
import { JobChild } from './job-child.ts';

/** Milliseconds: behind a job that is shorter the next ones wait in its process already. Long ones wait for whoever is free. */
const SHORT = 100;
/** Work that waits in a process, ms, and at most so many jobs: what the parent does meanwhile, it does not wait for. */
const AHEAD = 40;
const MOST = 8;

export interface PoolOptions {
  processes: number;
  /** A process that was started before. It is ended with the others. */
  first?: JobChild;
  /** Of each engine. */
  threads: number;
  /** Frames that were done since its last call. */
  onFrames(frames: number): void;
  signal?: AbortSignal;
}

/**
 * The results, as they come: all that are there when they are asked for.
 * @throws {FoveolaError} what makes it useless to go on (no room for results), 'aborted'
 */
export async function* runJobs(jobs: Iterable<Job>, options: PoolOptions): AsyncGenerator<JobResult[], void> {
  const waiting = jobs[Symbol.iterator]();
  const results: JobResult[] = [];
  const children = Array.from({ length: options.processes }, (_, i) =>
    !i && options.first ? options.first : new JobChild(options.threads),
  );
  let failure: unknown = null;
  let running = 0;
  let wake = () => {};
  const stop = (cause: unknown) => {
    failure ??= cause;
    wake();
  };
  const cancel = () => stop(new FoveolaError('aborted', 'Stopped.'));
  options.signal?.addEventListener('abort', cancel);
  if (options.signal?.aborted) cancel();

  const work = async (child: JobChild) => {
    running++;
    const sent: Promise<JobResult>[] = [];
    let most = 1;
    try {
      for (;;) {
        for (let next; sent.length < most && !failure && !(next = waiting.next()).done;) {
          const result = child.run(next.value, options.onFrames);
          result.catch(() => {}); // heard below, where nothing failed before it
          sent.push(result);
        }
        if (!sent.length || failure) return;
        const result = await sent.shift()!;
        const { milliseconds } = result;
        most = milliseconds < SHORT ? Math.min(MOST, 1 + Math.ceil(AHEAD / milliseconds)) : 1;
        results.push(result);
        wake();
      }
    } catch (error) {
      stop(error);
    } finally {
      running--;
      wake();
    }
  };
  for (const child of children) void work(child);
  try {
    for (;;) {
      while (results.length) yield results.splice(0);
      if (failure) throw failure as Error;
      if (!running) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    options.signal?.removeEventListener('abort', cancel);
    failure ??= new FoveolaError('aborted', 'Stopped.');
    await Promise.all(children.map((child) => child.end()));
  }
}
