/** A process that does jobs, seen from its parent: one after the other, its own engine, its own core. */
import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FoveolaError, type FoveolaErrorCode } from '../node/index.ts';
import type { Job, JobResult } from './job-key.ts';
import type { FromProcess, ToProcess } from './job-process.ts';
import { printLine } from './progress.ts';

/** Set in the processes that do jobs: the threads of their engine. */
export const jobProcess = 'FOVEOLA_JOB_PROCESS';

/** A job that was sent, in the order of sending: the first one is being done. */
interface Sent {
  readonly job: Job;
  readonly onFrames: (frames: number) => void;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

export class JobChild {
  readonly #threads: number;
  #child: ChildProcess | null = null;
  readonly #sent: Sent[] = [];
  /** Frames of the first one that its parent has heard of. */
  #frames = 0;
  #ended = false;

  /** @param threads of its engine */
  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Starts the process before there is a job: it has its engine when the first one comes. */
  warm(): void {
    this.#child ??= this.#start();
  }

  /**
   * Jobs are done in the order of the calls; one that is sent while another is done begins without waiting for its parent.
   * A process that dies (a decoder that crashes on a damaged file) fails the job that it was doing alone; a new one does
   * the next. `onFrames` gets the number of frames that were done since its last call.
   * @throws {FoveolaError} (rejects) what makes it useless to go on (no room for results)
   */
  run(job: Job, onFrames: (frames: number) => void): Promise<JobResult> {
    // One that died while it had nothing to do, and whose end is not reported yet, has not died of this job.
    if (!this.#sent.length && !this.#child?.connected) this.#child = null;
    return new Promise<JobResult>((resolve, reject) => {
      this.#sent.push({ job, onFrames, resolve, reject });
      this.#send(job);
    });
  }

  #send(job: Job): void {
    const child = (this.#child ??= this.#start());
    child.send({ job } satisfies ToProcess, () => {}); // one that is gone reports its exit
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(import.meta.url), {
      env: { ...process.env, [jobProcess]: String(this.#threads) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // Decoders write names of files there.
    createInterface({ input: child.stderr! }).on('line', (line) => printLine(line, process.stderr));
    child.on('message', (message: FromProcess) => this.#hear(message));
    child.on('exit', (code, signal) => child === this.#child && this.#exit(signal ?? `exit code ${code}`));
    return child;
  }

  #hear(message: FromProcess): void {
    if ('frames' in message) return this.#tell(message.frames);
    if ('result' in message) this.#tell(message.result.frames);
    const { resolve, reject } = this.#next();
    if ('result' in message) resolve(message.result);
    else reject(new FoveolaError(message.stop.code as FoveolaErrorCode, message.stop.message));
  }

  #tell(frames: number): void {
    this.#sent[0]!.onFrames(frames - this.#frames);
    this.#frames = frames;
  }

  #next(): Sent {
    this.#frames = 0;
    return this.#sent.shift()!;
  }

  /** The job that it was doing failed; those behind it have not begun, and are done by another process but at the end. */
  #exit(how: string): void {
    this.#child = null;
    const failed = this.#sent.splice(0, this.#ended ? Infinity : 1);
    this.#frames = 0;
    for (const { job } of this.#sent) this.#send(job);
    for (const { job, resolve } of failed) resolve(died(job, how));
  }

  /** Kills it, and waits until it is gone: then it writes nothing more. */
  end(): Promise<void> {
    const child = this.#child;
    this.#ended = true;
    return new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }
}

const died = (job: Job, how: string): JobResult => ({
  ...{
    input: job.input,
    name: job.name,
    analysis: job.analysis,
    status: 'failed',
    key: '',
    sha256: '',
    outputs: [],
    hashes: [],
  },
  ...{ frames: 0, milliseconds: 0, engineMilliseconds: 0, summary: {} },
  error: {
    code: 'internal',
    message: `The process that worked on it ended (${how}). Please report this with the file.`,
  },
});

// Jobs on several processes.

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
