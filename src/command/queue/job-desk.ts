/**
 * Processes one job of the queue in a worker: downloads the input, passes the job to a process, and stores its results.
 * If the results already exist because the previous worker was killed before it could report them, the job is done
 * immediately.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asFoveolaError, FoveolaError } from '../../node/index.ts';
import { Unwritable, writeFault } from '../job.ts';
import type { Job, JobResult } from '../job-key.ts';
import { JobChild } from '../job-child.ts';
import { bad, takenBy } from '../plan.ts';
import { alive } from '../whole-files.ts';
import { type Allowed, checkedJob } from './check-job.ts';
import { later, type Done, StoreRefused } from './store.ts';
import { localInput } from './inputs.ts';
import { resultsAt, type Results } from './results.ts';

/** This worker cannot process any job. */
export class CannotGoOn extends Error {
  readonly known: FoveolaError;
  constructor(known: FoveolaError) {
    super(known.message, { cause: known });
    this.known = known;
  }
}

const SCRATCH = 'foveola-worker-';
/** Maximum number of folders of results whose lists are kept in memory. */
const MOST_PLACES = 32;

export class JobDesk {
  readonly #children: JobChild[] = [];
  readonly #free: JobChild[] = [];
  readonly #places = new Map<string, Results>();
  readonly #scratch = path.join(tmpdir(), `${SCRATCH}${process.pid}`);
  readonly #allowed: Allowed;
  #made = 0;

  constructor(allowed: Allowed) {
    this.#allowed = allowed;
  }

  /** Removes files that killed workers of this machine have left. */
  async open(): Promise<void> {
    for (const name of await readdir(tmpdir()))
      if (name.startsWith(SCRATCH) && !alive(Number(name.slice(SCRATCH.length))))
        await rm(path.join(tmpdir(), name), { recursive: true, force: true });
  }

  /**
   * @param data as stored in the queue
   * @throws {CannotGoOn} (rejects)
   * @throws {FoveolaError} (rejects) why the job has no result
   */
  async do(data: unknown, onFrames: (frames: number) => void): Promise<Done> {
    const given = checkedJob(data, this.#allowed);
    const scratch = path.join(this.#scratch, String(this.#made++));
    try {
      const results = this.#resultsAt(given.out);
      const claim = await results.claim(given);
      if ('taken' in claim) throw bad(`${takenBy(given, claim.taken.input)}.`);
      const { job, entry } = claim;
      if (entry && entry.key === given.wanted && (await results.holds(job, entry))) return entry;
      const made = async () => {
        await mkdir(scratch, { recursive: true });
        return scratch;
      };
      const copy = await localInput(job.input, this.#allowed, async () => path.join(await made(), 'input'));
      const out = await results.folder(job, async () => path.join(await made(), 'results'));
      const here: Job = { ...job, copy, out };
      const result = await this.#run(here, onFrames);
      if (result.error) {
        const { code, message } = result.error;
        throw new FoveolaError(code as FoveolaError['code'], message.replaceAll(copy, job.input));
      }
      await results.keep(job, here, result);
      return result;
    } catch (error) {
      throw this.#faultOf(given, error);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** A full disk, or a store that refuses this worker, stops the worker, because any other job would fail as well. */
  #faultOf(job: Job, error: unknown): Error {
    if (error instanceof StoreRefused) return new CannotGoOn(error);
    if (error instanceof FoveolaError || error instanceof CannotGoOn) return error;
    const fault = (error as NodeJS.ErrnoException).syscall ? writeFault(job, error) : error;
    if (!(fault instanceof Unwritable)) return asFoveolaError(fault, job.analysis);
    return fault.known.code === 'out-of-memory' ? new CannotGoOn(fault.known) : later(fault.known.message, error);
  }

  async #run(job: Job, onFrames: (frames: number) => void): Promise<JobResult> {
    let child = this.#free.pop();
    if (!child) this.#children.push((child = new JobChild(1)));
    try {
      return await child.run(job, onFrames);
    } catch (error) {
      const known = asFoveolaError(error, job.analysis);
      throw known.code === 'out-of-memory' ? new CannotGoOn(known) : later(known.message, error);
    } finally {
      this.#free.push(child);
    }
  }

  #resultsAt(out: string): Results {
    const results = this.#places.get(out) ?? resultsAt(out);
    this.#places.delete(out);
    this.#places.set(out, results);
    for (const old of this.#places.keys()) if (this.#places.size > MOST_PLACES) this.#places.delete(old);
    return results;
  }

  /** Ends the processes. Their running jobs are not completed. */
  async end(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.end()));
    await Promise.all([...this.#places.values()].map((results) => results.clear()));
    await rm(this.#scratch, { recursive: true, force: true });
  }
}
