/**
 * Jobs on several processes: one job at a time each, its own engine, its own core. A process that dies (a decoder that
 * crashes on a damaged file) fails its job alone; another takes its place.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FoveolaError, type FoveolaErrorCode } from '../node/index.ts';
import type { Job, JobResult } from './job.ts';
import type { FromProcess, ToProcess } from './job-process.ts';

/** Set in the processes that do jobs. */
export const jobProcess = 'FOVEOLA_JOB_PROCESS';

export interface PoolOptions {
  processes: number;
  /** Of each engine. */
  threads: number;
  /** Frames that were done since it was last told. */
  onFrames(frames: number): void;
  signal?: AbortSignal;
}

/**
 * The results, as they come.
 * @throws {FoveolaError} what makes it useless to go on (no room for results), 'aborted'
 */
export async function* runJobs(jobs: Iterable<Job>, options: PoolOptions): AsyncGenerator<JobResult, void> {
  const waiting = jobs[Symbol.iterator]();
  const results: JobResult[] = [];
  const children = new Set<ChildProcess>();
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

  const work = async () => {
    running++;
    let child: ChildProcess | undefined;
    try {
      for (let next = waiting.next(); !next.done && !failure; next = waiting.next()) {
        child = child?.connected ? child : start();
        results.push(await done(child, next.value));
        wake();
      }
    } catch (error) {
      stop(error);
    } finally {
      running--;
      if (child?.connected) child.disconnect();
      wake();
    }
  };
  const start = () => {
    const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, [jobProcess]: '1' } });
    children.add(child);
    return child;
  };
  const done = (child: ChildProcess, job: Job) =>
    new Promise<JobResult>((resolve, reject) => {
      let frames = 0;
      const onMessage = (message: FromProcess) => {
        if ('frames' in message) {
          options.onFrames(message.frames - frames);
          frames = message.frames;
          return;
        }
        end();
        if ('stop' in message) reject(new FoveolaError(message.stop.code as FoveolaErrorCode, message.stop.message));
        else {
          options.onFrames(message.result.frames - frames);
          resolve(message.result);
        }
      };
      const onExit = (code: number | null, signal: string | null) => {
        end();
        children.delete(child);
        resolve(died(job, signal ?? `exit code ${code}`));
      };
      const end = () => {
        child.off('message', onMessage);
        child.off('exit', onExit);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({ job, threads: options.threads } satisfies ToProcess);
    });

  for (let i = 0; i < options.processes; i++) void work();
  try {
    for (;;) {
      while (results.length) yield results.shift()!;
      if (failure) throw failure as Error;
      if (!running) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    options.signal?.removeEventListener('abort', cancel);
    failure ??= new FoveolaError('aborted', 'Stopped.');
    await Promise.all([...children].map(ended));
  }
}

/** Kills a process that is not at its end, and waits until it is gone: then it writes nothing more. */
const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

const died = (job: Job, how: string): JobResult => ({
  ...{ input: job.input, name: job.name, analysis: job.analysis, status: 'failed', key: '', sha256: '', outputs: [] },
  ...{ frames: 0, milliseconds: 0, engineMilliseconds: 0, summary: {} },
  error: {
    code: 'internal',
    message: `The process that worked on it ended (${how}). Please report this with the file.`,
  },
});
