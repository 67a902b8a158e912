/** Jobs that are not valid JSON: BullMQ would return them to the queue without end. They become jobs that are refused. */
import { installed, openQueue } from './connection.ts';

export const isUnreadable = (error: unknown) => error instanceof SyntaxError || error instanceof TypeError;

/** Repairs active jobs that cannot be read. A job that a worker is doing can be read, and is not changed. */
export async function mendJobs(where: { redis: string; queue: string }): Promise<void> {
  const { Redis } = await installed('bullmq ioredis', () => import('ioredis'));
  const queue = await openQueue(where, { create: true });
  const redis = new Redis(where.redis, { retryStrategy: () => null });
  redis.on('error', () => {}); // it is tried again with the next one
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
