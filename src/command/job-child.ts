/** A process that does jobs, seen from its parent: one job at a time, its own engine, its own core. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FoveolaError, type FoveolaErrorCode } from '../node/index.ts';
import type { Job, JobResult } from './job.ts';
import type { FromProcess, ToProcess } from './job-process.ts';

/** Set in the processes that do jobs. */
export const jobProcess = 'FOVEOLA_JOB_PROCESS';

export class JobChild {
  readonly #threads: number;
  #child: ChildProcess | null = null;

  /** @param threads of its engine */
  constructor(threads: number) {
    this.#threads = threads;
  }

  /**
   * A process that dies (a decoder that crashes on a damaged file) fails its job alone; the next job gets a new one.
   * `onFrames` is told of frames that were done since it was last told.
   * @throws {FoveolaError} (rejects) what makes it useless to go on (no room for results)
   */
  run(job: Job, onFrames: (frames: number) => void): Promise<JobResult> {
    const child = this.#child?.connected ? this.#child : this.#start();
    return new Promise<JobResult>((resolve, reject) => {
      let frames = 0;
      const onMessage = (message: FromProcess) => {
        if ('frames' in message) {
          onFrames(message.frames - frames);
          frames = message.frames;
          return;
        }
        end();
        if ('stop' in message) reject(new FoveolaError(message.stop.code as FoveolaErrorCode, message.stop.message));
        else {
          onFrames(message.result.frames - frames);
          resolve(message.result);
        }
      };
      const onExit = (code: number | null, signal: string | null) => {
        end();
        resolve(died(job, signal ?? `exit code ${code}`));
      };
      const end = () => {
        child.off('message', onMessage);
        child.off('exit', onExit);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({ job, threads: this.#threads } satisfies ToProcess, () => {}); // one that is gone has its exit told
    });
  }

  #start(): ChildProcess {
    return (this.#child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, [jobProcess]: '1' } }));
  }

  /** Kills it, and waits until it is gone: then it writes nothing more. */
  end(): Promise<void> {
    const child = this.#child;
    return new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }
}

const died = (job: Job, how: string): JobResult => ({
  ...{ input: job.input, name: job.name, analysis: job.analysis, status: 'failed', key: '', sha256: '', outputs: [] },
  ...{ frames: 0, milliseconds: 0, engineMilliseconds: 0, summary: {} },
  error: {
    code: 'internal',
    message: `The process that worked on it ended (${how}). Please report this with the file.`,
  },
});
