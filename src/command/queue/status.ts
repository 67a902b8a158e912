/** `foveola status`: how far a queue is, what failed and why, how fast it goes and how long it will take. */
import { hostname } from 'node:os';
import { bad, parsed } from '../plan.ts';
import { clock } from '../progress.ts';
import { statusOptions } from '../usage.ts';
import { serveBoard } from './board.ts';
import { openQueue, type JobQueue } from './connection.ts';

/** The rate is of the last jobs, at most so many and so long ago. */
const LAST = 200;
const WINDOW = 15 * 60_000;
/** How many are listed. */
const LISTED = 20;
const WATCH = 2_000;

/** The exit code. @throws {FoveolaError} (rejects) */
export async function status(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, statusOptions);
  if (positionals.length) throw bad('foveola status takes no inputs; --queue names a queue.');
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
      process.stdout.write(`${lines.join('\n')}\n`);
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
    queue.getCompleted(0, LAST - 1),
    queue.getActive(0, LISTED - 1),
    queue.getFailed(0, LISTED - 1),
  ]);
  const left = waiting + delayed + active;
  const lines = [
    `${name}: ${waiting} waiting, ${delayed} to be tried again, ${active} active, ${completed} done, ${failed} failed; ${workers} workers`,
  ];
  const hourly = hourlyRate(last.map((job) => job.finishedOn ?? 0));
  if (left && hourly) lines.push(`${hourly.toFixed(0)} an hour, ${clock((left / hourly) * 3600)} left`);
  if (left && !workers) lines.push(`No worker is there: foveola worker --queue ${name} starts one.`);
  for (const { data, progress, processedBy, processedOn } of running) {
    const { frames = 0 } = progress as { frames?: number };
    const seconds = (Date.now() - (processedOn ?? Date.now())) / 1000;
    lines.push(`  ${data.name}: ${clock(seconds)}${frames ? `, ${frames} frames` : ''}, ${processedBy ?? hostname()}`);
  }
  for (const { data, failedReason } of failures) lines.push(`  failed ${data.name}: ${failedReason}`);
  if (failed > LISTED) lines.push(`  and ${failed - LISTED} more that failed`);
  return { lines, left, failed };
}

/** Jobs an hour, by the times at which the last ones ended, newest first. */
function hourlyRate(ends: readonly number[]): number {
  const now = Date.now();
  const recent = ends.filter((end) => now - end < WINDOW);
  const first = recent.at(-1);
  return first === undefined ? 0 : (recent.length / Math.max(1, now - first)) * 3600_000;
}
