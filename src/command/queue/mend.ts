/** Jobs that are not even JSON: BullMQ would hand them out again without end. They become jobs that are refused. */
import { installed, openQueue } from './connection.ts';

export const isUnreadable = (error: unknown) => error instanceof SyntaxError || error instanceof TypeError;

/** Of the jobs that are given out now. One that is being done is left alone: it can be read. */
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
