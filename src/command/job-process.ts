/** A process that runs jobs one after the other, with one engine, and reports to its parent. */
import { asFoveolaError, createEngine, type Engine } from '../node/index.ts';
import { runJob } from './job.ts';
import type { Job, JobResult } from './job-key.ts';

export type ToProcess = { job: Job };
export type FromProcess =
  | { frames: number }
  | { result: JobResult }
  /** Results cannot be written, so nothing else would succeed. */
  | { stop: { code: string; message: string } };

/** Interval of progress reports to the parent, ms. */
const REPORT = 200;

/** @param threads number of threads of its engine, which starts before the first job arrives */
export function serveJobs(threads: number): void {
  const engine: Promise<Engine> = createEngine({ threads });
  engine.catch(() => {}); // each job reports it
  let before: Promise<unknown> = Promise.resolve();
  const tell = (message: FromProcess) => process.send?.(message);
  process.on('SIGINT', () => {}); // the parent decides
  process.on('disconnect', () => process.exit(1)); // the parent has exited
  process.on('message', ({ job }: ToProcess) => {
    let last = 0;
    const onFrame = (frames: number) => {
      if (performance.now() - last < REPORT) return;
      last = performance.now();
      tell({ frames });
    };
    before = Promise.all([engine, before])
      .then(([ready]) => {
        last = performance.now();
        return runJob(job, ready, onFrame);
      })
      .then(
        (result) => tell({ result }),
        (error: unknown) => {
          const { code, message } = asFoveolaError(error, 'The job');
          tell({ stop: { code, message } });
        },
      );
  });
}
