/** `foveola worker`: runs jobs of a queue, one per core, until it is asked to stop. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir, availableParallelism, hostname } from 'node:os';
import path from 'node:path';
import { asFoveolaError, FoveolaError } from '../../node/index.ts';
import { Unwritable, writeFault } from '../job.ts';
import type { Job, JobResult } from '../job-key.ts';
import { JobChild } from '../job-child.ts';
import { bad, takenBy, parsed, whole } from '../plan.ts';
import { isFields } from '../entry.ts';
import { alive } from '../whole-files.ts';
import { type Allowed, checkedJob, allowing, mendedData, nameOf, newerVersion } from './check-job.ts';
import {
  later,
  type Done,
  StoreRefused,
  installed,
  openQueue,
  bullmq,
  mayPass,
  redisAt,
  type JobQueue,
  type QueuedJob,
  signing,
} from './store.ts';
import { localInput, resultsAt, type Results } from './locations.ts';
import type { Job as BullJob, Worker } from 'bullmq';
import { printLine } from '../progress.ts';
import { workerOptions } from '../usage.ts';

/**
 * Processes one job of the queue in a worker: downloads the input, passes the job to a process, and stores its results.
 * If the results already exist because the previous worker was killed before it could report them, the job is done
 * immediately.
 */

/** This worker cannot process any job. */
class CannotGoOn extends Error {
  readonly known: FoveolaError;
  constructor(known: FoveolaError) {
    super(known.message, { cause: known });
    this.known = known;
  }
}

const SCRATCH = 'foveola-worker-';
/** Maximum number of folders of results whose lists are kept in memory. */
const MOST_PLACES = 32;

/** The error without the place of an input that has no name. */
function unnamed({ input, copy }: Job, error: Error): Error {
  if (copy === undefined || error instanceof CannotGoOn) return error;
  const hidden = [copy, path.basename(copy)];
  const message = hidden.reduce((text, one) => text.replaceAll(one, input), error.message);
  return message === error.message ? error : new FoveolaError(asFoveolaError(error, 'The job').code, message);
}

class JobDesk {
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
      const copy = await localInput(job.copy ?? job.input, this.#allowed, async () => path.join(await made(), 'input'));
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
      throw unnamed(given, this.#faultOf(given, error));
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

// Jobs that are not valid JSON. BullMQ would return them to the queue endlessly. They are replaced by jobs that are
// refused.

const isUnreadable = (error: unknown) => error instanceof SyntaxError || error instanceof TypeError;

/** Repairs active jobs that cannot be read. A job that a worker is running can be read, and is not changed. */
async function mendJobs(where: { redis: string; queue: string }): Promise<void> {
  const { Redis } = await installed('bullmq ioredis', () => import('ioredis'));
  const queue = await openQueue(where, { create: true });
  const redis = new Redis(where.redis, { retryStrategy: () => null });
  redis.on('error', () => {}); // it is repeated with the next error
  try {
    for (const id of await queue.getRanges(['active'])) {
      const fault: unknown = await queue.getJob(id).then(
        () => null,
        (error: unknown) => error,
      );
      if (!isUnreadable(fault)) continue;
      const data = JSON.stringify(mendedData((await redis.hget(queue.toKey(id), 'data')) ?? ''));
      await redis.hset(queue.toKey(id), { name: 'unreadable', data, opts: '{}' });
    }
  } finally {
    redis.disconnect();
    await queue.close();
  }
}

/**
 * The engine runs in other processes, so this one can always renew its locks. A short lock means that the jobs of a
 * killed worker are continued by another worker within LOCK + CHECK ms.
 */
const LOCK = 10_000;
const RENEW = 2_500;
const CHECK = 5_000;
/** A job that has crashed its worker this many times is given up. */
const TAKEN_OVER = 3;
/** Interval at which the queue receives progress, and at which the worker checks whether all is done, ms. */
const REPORT = 2_000;
const DRAINED = 500;
/** Time until a job of a newer version is offered again, ms. */
const OFFER = 15_000;
/** Time limit for shutdown if Redis does not answer, ms. */
const END = 5_000;

const say = (line: string) => printLine(line, process.stderr);

/** Returns the exit code. @throws {FoveolaError} (rejects) if it cannot continue */
export async function worker(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, workerOptions);
  if (positionals.length) throw bad('foveola worker does not accept inputs. Add them with foveola queue.');
  const concurrency = values.jobs === undefined ? availableParallelism() : whole(values.jobs, 'jobs');
  const allowed = allowing(values.allow);
  if (values.allow?.some((place) => /^s3:/i.test(place))) signing(); // without keys every job would fail
  const connection = await redisAt(values.redis);
  const queue = values.drain ? await openQueue(values) : null;
  const { Worker, DelayedError, UnrecoverableError, WaitingError } = await bullmq();
  const desk = new JobDesk(allowed);
  await desk.open();

  const count = { done: 0, failed: 0 };
  let stopping = false;
  let stop = (_failure?: CannotGoOn) => {};
  const stopped = new Promise<CannotGoOn | undefined>((resolve) => {
    stop = (failure) => {
      stopping = true;
      resolve(failure);
    };
  });
  const giveBack = async (job: BullJob, token: string | undefined): Promise<never> => {
    await job.moveToWait(token);
    throw new WaitingError();
  };
  /** Ids of jobs that only a worker of a newer version can process. */
  const left = new Set<string>();
  const leave = async (job: BullJob, newer: string, token: string | undefined): Promise<never> => {
    if (!left.size) say(`${nameOf(job)}: it is from foveola ${newer}. Such jobs are left for workers of that version.`);
    left.add(job.id!);
    await job.moveToDelayed(Date.now() + OFFER, token);
    throw new DelayedError();
  };
  const process_ = async (job: BullJob<QueuedJob, Done>, token?: string): Promise<Done> => {
    if (stopping) return giveBack(job, token);
    const newer = newerVersion(job.data);
    if (newer) return leave(job, newer, token);
    try {
      const { frames, milliseconds, engineMilliseconds } = await desk.do(job.data, reporter(job));
      await forgetPlace(job);
      return { frames, milliseconds, engineMilliseconds };
    } catch (error) {
      if (error instanceof CannotGoOn) stop(error);
      if (stopping) return giveBack(job, token);
      const { code, message } = asFoveolaError(error, nameOf(job));
      if (!mayPass({ code })) await forgetPlace(job);
      throw mayPass({ code }) ? new Error(message) : new UnrecoverableError(message);
    }
  };
  const bull: Worker<QueuedJob, Done> = new Worker<QueuedJob, Done>(values.queue, process_, {
    ...{ connection, concurrency, name: `${hostname()}-${process.pid}` },
    ...{ lockDuration: LOCK, lockRenewTime: RENEW, stalledInterval: CHECK, maxStalledCount: TAKEN_OVER },
  });
  let last = '';
  bull.on('error', (error) => {
    if (error.message !== last) say(error.message); // once, regardless of the number of reconnects
    last = error.message;
    if (isUnreadable(error)) void mendJobs(values).catch(() => {}); // the next error tries again
  });
  bull.on('completed', () => count.done++);
  bull.on('failed', (job, { message }) => {
    const again = job !== undefined && job.finishedOn === undefined;
    if (!again) count.failed++;
    say(`${nameOf(job)}: ${message}${again ? ' It will be retried.' : ''}`);
  });
  if (!values.quiet) say(`Processing jobs of '${values.queue}', ${concurrency} at a time.`);

  const onSignal = () => stop();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const watch = queue && setInterval(() => void drained(queue, left).then((all) => all && stop()), DRAINED);
  const failure = await stopped;
  if (watch) clearInterval(watch);
  setTimeout(() => process.exit(1), END).unref();
  await desk.end(); // the jobs of its processes return to the queue
  await bull.close();
  await queue?.close();
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  const others = left.size ? `, ${left.size} left for a newer version` : '';
  if (!values.quiet) say(`${count.done} jobs done, ${count.failed} failed${others}.`);
  if (failure) throw failure.known;
  return count.failed ? 2 : 0;
}

/** Whether nothing is left to do, for this worker or another of its version. */
async function drained(queue: JobQueue, left: ReadonlySet<string>): Promise<boolean> {
  const counts = await queue.getJobCounts('waiting', 'active').catch(() => ({ waiting: 1 }));
  if (Object.values(counts).some((count) => count > 0)) return false;
  const delayed = await queue.getRanges(['delayed']).catch(() => ['']);
  return delayed.every((id) => left.has(id));
}

/** Removes the place of an input without a name from Redis, once the job needs it no longer. */
async function forgetPlace(job: BullJob<QueuedJob>): Promise<void> {
  if (!isFields(job.data) || !('copy' in job.data)) return;
  const { copy: _, ...rest } = job.data;
  await job.updateData(rest).catch(() => {}); // its result counts
}

/** Reports frames to the queue at intervals. */
function reporter(job: BullJob): (frames: number) => void {
  let last = performance.now();
  let frames = 0;
  return (more) => {
    frames += more;
    if (performance.now() - last < REPORT) return;
    last = performance.now();
    job.updateProgress({ frames }).catch(() => {}); // the next one may succeed
  };
}
