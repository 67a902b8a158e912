/**
 * What a worker does with one job of the queue: the input fetched, the job given to a process, its results kept. A job whose
 * results are there already, because its worker was killed before it could say so, is done at once.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asFoveolaError, FoveolaError, version } from '../../node/index.ts';
import { Unwritable, type Job, type JobResult } from '../job.ts';
import { JobChild } from '../job-child.ts';
import { alive } from '../whole-files.ts';
import type { Done, QueuedJob } from './connection.ts';
import { localInput } from './inputs.ts';
import { resultsAt, type Results } from './results.ts';
import { StoreRefused } from './store.ts';

/** This worker can do nothing for any job. */
export class CannotGoOn extends Error {
  readonly known: FoveolaError;
  constructor(known: FoveolaError) {
    super(known.message, { cause: known });
    this.known = known;
  }
}

const SCRATCH = 'foveola-worker-';

export class JobDesk {
  readonly #children: JobChild[] = [];
  readonly #free: JobChild[] = [];
  readonly #places = new Map<string, Results>();
  readonly #scratch = path.join(tmpdir(), `${SCRATCH}${process.pid}`);
  #made = 0;

  /** Clears away what killed workers of this machine have left. */
  async open(): Promise<void> {
    for (const name of await readdir(tmpdir()))
      if (name.startsWith(SCRATCH) && !alive(Number(name.slice(SCRATCH.length))))
        await rm(path.join(tmpdir(), name), { recursive: true, force: true });
  }

  /**
   * @param key what the queue calls the job
   * @throws {CannotGoOn} (rejects)
   * @throws {FoveolaError} (rejects) why the job has no result
   */
  async do(job: QueuedJob, key: string, onFrames: (frames: number) => void): Promise<Done> {
    if (job.version !== version)
      throw new CannotGoOn(
        new FoveolaError(
          'invalid-argument',
          `The jobs of this queue are of foveola ${job.version}, this is ${version}. Install the same version on all machines.`,
        ),
      );
    const scratch = path.join(this.#scratch, String(this.#made++));
    try {
      const results = await this.#resultsAt(job.out);
      const listed = await results.listed(job);
      if (listed?.status === 'done' && listed.key === key) return listed;
      const made = async () => {
        await mkdir(scratch, { recursive: true });
        return scratch;
      };
      const input = await localInput(job.input, async () => path.join(await made(), 'input'));
      const here: Job = { ...job, input, out: await results.folder(async () => path.join(await made(), 'results')) };
      const result = await this.#run(here, onFrames);
      if (result.error) {
        const { code, message } = result.error;
        throw new FoveolaError(code as FoveolaError['code'], message.replaceAll(input, job.input));
      }
      await results.keep(job, here, result);
      return result;
    } catch (error) {
      if (error instanceof StoreRefused) throw new CannotGoOn(error);
      if (error instanceof FoveolaError || error instanceof CannotGoOn) throw error;
      if ((error as NodeJS.ErrnoException).syscall)
        throw new CannotGoOn(new Unwritable(job.out, error as NodeJS.ErrnoException).known);
      throw asFoveolaError(error, job.analysis);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  async #run(job: Job, onFrames: (frames: number) => void): Promise<JobResult> {
    let child = this.#free.pop();
    if (!child) this.#children.push((child = new JobChild(1)));
    try {
      return await child.run(job, onFrames);
    } catch (error) {
      throw new CannotGoOn(asFoveolaError(error, job.analysis));
    } finally {
      this.#free.push(child);
    }
  }

  async #resultsAt(out: string): Promise<Results> {
    const known = this.#places.get(out);
    if (known) return known;
    const results = resultsAt(out);
    await results.clear();
    this.#places.set(out, results);
    return results;
  }

  /** Ends the processes; what they were doing is not done. */
  async end(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.end()));
    await Promise.all([...this.#places.values()].map((results) => results.clear()));
    await rm(this.#scratch, { recursive: true, force: true });
  }
}
