/** `foveola worker`: runs jobs of a queue, one per core, until it is asked to stop. */
import {
  installed,
  openQueue,
  bullmq,
  mayPass,
  redisAt,
  type Done,
  type JobQueue,
  type QueuedJob,
  signing,
} from './store.ts';
import type { Job as BullJob, Worker } from 'bullmq';
import { availableParallelism, hostname } from 'node:os';
import { asFoveolaError } from '../../node/index.ts';
import { bad, parsed, whole } from '../plan.ts';
import { printLine } from '../progress.ts';
import { workerOptions } from '../usage.ts';
import { allowing, nameOf } from './check-job.ts';
import { CannotGoOn, JobDesk } from './job-desk.ts';

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
      if (isUnreadable(fault)) await redis.hset(queue.toKey(id), { name: 'unreadable', data: 'null', opts: '{}' });
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
  const { Worker, UnrecoverableError, WaitingError } = await bullmq();
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
  const process_ = async (job: BullJob<QueuedJob, Done>, token?: string): Promise<Done> => {
    if (stopping) return giveBack(job, token);
    try {
      const { frames, milliseconds, engineMilliseconds } = await desk.do(job.data, reporter(job));
      return { frames, milliseconds, engineMilliseconds };
    } catch (error) {
      if (error instanceof CannotGoOn) stop(error);
      if (stopping) return giveBack(job, token);
      const { code, message } = asFoveolaError(error, nameOf(job));
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
  const watch = queue && setInterval(() => void drained(queue).then((all) => all && stop()), DRAINED);
  const failure = await stopped;
  if (watch) clearInterval(watch);
  setTimeout(() => process.exit(1), END).unref();
  await desk.end(); // the jobs of its processes return to the queue
  await bull.close();
  await queue?.close();
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  if (!values.quiet) say(`${count.done} jobs done, ${count.failed} failed.`);
  if (failure) throw failure.known;
  return count.failed ? 2 : 0;
}

/** Whether nothing is left to do, for this worker or another. */
async function drained(queue: JobQueue): Promise<boolean> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed').catch(() => ({ waiting: 1 }));
  return Object.values(counts).every((count) => count === 0);
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
