/** A process that runs jobs, seen from its parent. It runs one job at a time, with its own engine on its own core. */
import { asFoveolaError, createEngine, type Engine, FoveolaError, type FoveolaErrorCode } from '../node/index.ts';
import { runJob } from './job.ts';
import type { Job, JobResult } from './job-key.ts';
import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { printLine } from './progress.ts';

/** A process that runs jobs one after the other, with one engine, and reports to its parent. */

type ToProcess = { job: Job };
type FromProcess =
  | { frames: number }
  | { result: JobResult }
  /** Results cannot be written, so nothing else would succeed. */
  | { stop: { code: string; message: string } };

/** Interval of progress reports to the parent, ms. */
const REPORT = 200;

/** @param threads number of threads of its engine, which starts before the first job arrives */
export function serveJobs(threads: number): void {
  const engine: Promise<Engine> = createEngine({ threads });
  engine.catch(() => {}); // each job reports it
  let before: Promise<unknown> = Promise.resolve();
  const tell = (message: FromProcess) => process.send?.(message);
  process.on('SIGINT', () => {}); // the parent decides
  process.on('disconnect', () => process.exit(1)); // the parent has exited
  process.on('message', ({ job }: ToProcess) => {
    let last = 0;
    const onFrame = (frames: number) => {
      if (performance.now() - last < REPORT) return;
      last = performance.now();
      tell({ frames });
    };
    before = Promise.all([engine, before])
      .then(([ready]) => {
        last = performance.now();
        return runJob(job, ready, onFrame);
      })
      .then(
        (result) => tell({ result }),
        (error: unknown) => {
          const { code, message } = asFoveolaError(error, 'The job');
          tell({ stop: { code, message } });
        },
      );
  });
}

/** Set in the processes that run jobs: the number of threads of their engine. */
export const jobProcess = 'FOVEOLA_JOB_PROCESS';

/** A job that was sent, in the order of sending. The first one is running. */
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
  /** Frames of the first job that were reported to the parent. */
  #frames = 0;
  #ended = false;

  /** @param threads number of threads of its engine */
  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Starts the process before there is a job, so that its engine is ready for the first one. */
  warm(): void {
    this.#child ??= this.#start();
  }

  /**
   * Jobs run in the order of the calls. A job that is sent while another one runs begins without waiting for the
   * parent. If a process crashes (for example because of a decoder bug with a damaged file), only its running job
   * fails, and a new process runs the next one. `onFrames` receives the number of frames since its last call.
   * @throws {FoveolaError} (rejects) an error after which continuing makes no sense (no space for results)
   */
  run(job: Job, onFrames: (frames: number) => void): Promise<JobResult> {
    // If the process crashed while idle and its exit has not been reported yet, this job is not the cause.
    if (!this.#sent.length && !this.#child?.connected) this.#child = null;
    return new Promise<JobResult>((resolve, reject) => {
      this.#sent.push({ job, onFrames, resolve, reject });
      this.#send(job);
    });
  }

  #send(job: Job): void {
    const child = (this.#child ??= this.#start());
    child.send({ job } satisfies ToProcess, () => {}); // a crashed process reports its exit
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(import.meta.url), {
      env: { ...process.env, [jobProcess]: String(this.#threads) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // Decoders write file names there.
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

  /**
   * The running job has failed. The jobs after it have not begun and run in another process, unless all processes are
   * being ended.
   */
  #exit(how: string): void {
    this.#child = null;
    const failed = this.#sent.splice(0, this.#ended ? Infinity : 1);
    this.#frames = 0;
    for (const { job } of this.#sent) this.#send(job);
    for (const { job, resolve } of failed) resolve(died(job, how));
  }

  /** Kills the process and waits for its exit. After that it writes nothing more. */
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

// Runs jobs on several processes.

/**
 * If a job is shorter than this many milliseconds, the next jobs are queued in its process. Long jobs wait for any free
 * process.
 */
const SHORT = 100;
/**
 * Work queued in a process, ms, and maximum number of such jobs. The process does not wait while the parent does other
 * work.
 */
const AHEAD = 40;
const MOST = 8;

export interface PoolOptions {
  processes: number;
  /** A process that was started earlier. It is ended together with the others. */
  first?: JobChild;
  /** Threads of each engine. */
  threads: number;
  /** Receives the number of frames since its last call. */
  onFrames(frames: number): void;
  signal?: AbortSignal;
}

/**
 * The results as they arrive: each time, all that are available.
 * @throws {FoveolaError} an error after which continuing makes no sense (no space for results), 'aborted'
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
          result.catch(() => {}); // handled below, unless an earlier job failed
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
