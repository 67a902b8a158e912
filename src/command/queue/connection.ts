/** Redis and BullMQ, which are installed by those who need them. */
import type { Queue, RedisOptions } from 'bullmq';
import { FoveolaError } from '../../node/index.ts';
import type { Job } from '../job-key.ts';
import { bad } from '../plan.ts';

/** What goes through Redis: where the input is, what is wanted of it, where the result goes; never pixels. */
export interface QueuedJob extends Job {
  /** Of foveola, that queued it: another makes other results. */
  version: string;
}

/** What Redis keeps of a job that is done. */
export interface Done {
  frames: number;
  milliseconds: number;
  engineMilliseconds: number;
}

export type JobQueue = Queue<QueuedJob, Done>;

/** What is to be said of a package that is not there. */
const NOT_FOUND = 'ERR_MODULE_NOT_FOUND';

/** @throws {FoveolaError} (rejects) 'invalid-argument' (not installed) */
export async function installed<T>(packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== NOT_FOUND) throw cause;
    throw bad(`This needs packages that are not installed: npm install ${packages}`, cause);
  }
}

export const bullmq = () => installed('bullmq ioredis', () => import('bullmq'));

/** Without its password. */
const shown = (url: string) => url.replace(/\/\/[^@/]*@/, '//');

/**
 * Options for a connection, when Redis has answered once.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (no Redis there, a wrong password)
 */
export async function redisAt(url: string): Promise<RedisOptions> {
  if (!/^rediss?:\/\/./.test(url)) throw bad(`--redis must be redis://HOST:PORT or rediss://..., not ${shown(url)}.`);
  const { Redis } = await installed('bullmq ioredis', () => import('ioredis'));
  const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5000 });
  let failure: unknown;
  probe.on('error', (error) => (failure = error));
  try {
    await probe.connect();
    await probe.ping();
  } catch (cause) {
    const why = (failure ?? cause) as NodeJS.ErrnoException;
    throw bad(
      `No Redis answers at ${shown(url)} (${why.code ?? why.message}). Start one with redis-server, or name it with --redis.`,
      why,
    );
  } finally {
    probe.disconnect();
  }
  return { url, maxRetriesPerRequest: null };
}

/** `create`: also where there is none of that name. */
export async function openQueue(
  { redis, queue: name }: { redis: string; queue: string },
  { create = false } = {},
): Promise<JobQueue> {
  if (name === '' || name.includes(':')) throw bad(`--queue must be a name without colons, not '${name}'.`);
  const { Queue } = await bullmq();
  const queue: JobQueue = new Queue(name, { connection: await redisAt(redis), skipMetasUpdate: !create });
  queue.on('error', () => {}); // it connects again; what cannot be done says so itself
  if (!create && (await queue.getMeta()).version === undefined) {
    await queue.close();
    throw bad(`There is no queue '${name}' at ${shown(redis)}. foveola queue makes one; --queue names another.`);
  }
  return queue;
}

/** Errors after which the same job may succeed: here later, or on another machine. */
const passing: ReadonlySet<string> = new Set([
  'internal',
  'out-of-memory',
  'storage-failed',
  'model-load',
  'asset-missing',
]);

export const mayPass = (error: { code: string }): boolean => passing.has(error.code);

/** What another time may succeed. */
export const later = (text: string, cause?: unknown) => new FoveolaError('storage-failed', text, { cause });
