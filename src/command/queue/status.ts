/** `foveola status`: progress of a queue, its failures and their causes, its speed and the remaining time. */
import { createServer, type RequestListener } from 'node:http';
import { bad, parsed } from '../plan.ts';
import { installed, type JobQueue, openQueue } from './store.ts';
import type { Job as BullJob } from 'bullmq';
import { hostname } from 'node:os';
import { isFields } from '../entry.ts';
import { clock, printLine } from '../progress.ts';
import { statusOptions } from '../usage.ts';
import { nameOf } from './check-job.ts';

// bull-board, a page with the jobs of a queue, only on this machine, because it has no authentication.

/** The functions used from the packages. Users who want the page install them. */
interface BoardApi {
  createBullBoard(options: { queues: unknown[]; serverAdapter: unknown }): unknown;
}
interface BoardQueues {
  BullMQAdapter: new (queue: JobQueue) => unknown;
}
interface BoardServer {
  ExpressAdapter: new () => { setBasePath(path: string): unknown; getRouter(): RequestListener };
}

const packages = ['@bull-board/api', '@bull-board/express'] as const;

/** Runs until it is aborted. @throws {FoveolaError} (rejects) 'invalid-argument' (not installed, the port is in use) */
async function serveBoard(queue: JobQueue, given: string, signal: AbortSignal): Promise<void> {
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw bad(`--board must be a port, not ${given}.`);
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await installed(packages.join(' '), () =>
    Promise.all([
      import(packages[0]) as Promise<BoardApi>,
      import(`${packages[0]}/bullMQAdapter`) as Promise<BoardQueues>,
      import(packages[1]) as Promise<BoardServer>,
    ]),
  );
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath('');
  createBullBoard({ queues: [new BullMQAdapter(queue)], serverAdapter });
  const server = createServer(serverAdapter.getRouter());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(bad(`Port ${port} cannot be used (${cause.code ?? cause.message}). Choose another --board.`, cause)),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as { port: number };
  process.stdout.write(`bull-board: http://127.0.0.1:${taken}/ (Ctrl-C ends it)\n`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.close();
  server.closeAllConnections();
}

/** The rate uses only the last jobs: maximum number, and maximum age. */
const LAST = 200;
const WINDOW = 15 * 60_000;
/** Maximum number of listed jobs. */
const LISTED = 20;
const WATCH = 2_000;

type ListedJob = Pick<
  Partial<BullJob<unknown>>,
  'id' | 'data' | 'progress' | 'finishedOn' | 'processedOn' | 'processedBy' | 'failedReason'
>;

/** Returns the exit code. @throws {FoveolaError} (rejects) */
export async function status(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, statusOptions);
  if (positionals.length) throw bad('foveola status does not accept inputs. Use --queue to name a queue.');
  const queue = await openQueue(values);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    if (values.board !== undefined) {
      await serveBoard(queue, values.board, stop.signal);
      return 0;
    }
    for (let shown = 0; ;) {
      const { lines, left, failed } = await report(queue, values.queue);
      if (shown && process.stdout.isTTY) process.stdout.write(`\x1b[${shown}A\x1b[J`);
      for (const line of lines) printLine(line);
      shown = lines.length;
      if (!values.watch || !left || stop.signal.aborted) return failed ? 2 : 0;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, WATCH);
        stop.signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await queue.close();
  }
}

async function report(queue: JobQueue, name: string): Promise<{ lines: string[]; left: number; failed: number }> {
  const counts = await queue.getJobCounts('waiting', 'delayed', 'active', 'completed', 'failed');
  const { waiting = 0, delayed = 0, active = 0, completed = 0, failed = 0 } = counts;
  const [workers, last, running, failures] = await Promise.all([
    queue.getWorkersCount(),
    jobsOf(queue, 'completed', LAST),
    jobsOf(queue, 'active', LISTED),
    jobsOf(queue, 'failed', LISTED),
  ]);
  const left = waiting + delayed + active;
  const lines = [
    `${name}: ${waiting} waiting, ${delayed} to retry, ${active} active, ${completed} done, ${failed} failed, ${workers} workers`,
  ];
  const hourly = hourlyRate(last.map((job) => job.finishedOn ?? 0));
  if (left && hourly) lines.push(`${hourly.toFixed(0)} per hour, ${clock((left / hourly) * 3600)} left`);
  if (left && !workers) lines.push(`No worker is running. Start one with foveola worker --queue ${name}.`);
  for (const job of running) {
    const frames = isFields(job.progress) && Number(job.progress['frames']);
    const seconds = (Date.now() - (job.processedOn ?? Date.now())) / 1000;
    lines.push(
      `  ${nameOf(job)}: ${clock(seconds)}${frames ? `, ${frames} frames` : ''}, ${job.processedBy ?? hostname()}`,
    );
  }
  for (const job of failures) lines.push(`  failed ${nameOf(job)}: ${job.failedReason}`);
  if (failed > LISTED) lines.push(`  and ${failed - LISTED} more failed`);
  return { lines, left, failed };
}

/** The last jobs of a state. Redis may contain any data, so an unreadable job has only its id. */
async function jobsOf(queue: JobQueue, state: 'completed' | 'active' | 'failed', most: number): Promise<ListedJob[]> {
  const ids = await queue.getRanges([state], 0, most - 1, false);
  return Promise.all(
    ids.map(async (id) => {
      const job = await queue.getJob(id).catch(() => undefined);
      return job ?? { id, failedReason: 'The job cannot be read. Remove it.' };
    }),
  );
}

/** Jobs per hour, from the times at which the last ones ended, newest first. */
function hourlyRate(ends: readonly number[]): number {
  const now = Date.now();
  const recent = ends.filter((end) => now - end < WINDOW);
  const first = recent.at(-1);
  return first === undefined ? 0 : (recent.length / Math.max(1, now - first)) * 3600_000;
}
