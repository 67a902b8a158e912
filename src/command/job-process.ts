/** A process that does jobs one after the other, with one engine, and tells its parent. */
import { asFoveolaError, createEngine, type Engine } from '../node/index.ts';
import { runJob } from './job.ts';
import type { Job, JobResult } from './job-key.ts';

export type ToProcess = { job: Job };
export type FromProcess =
  | { frames: number }
  | { result: JobResult }
  /** Results cannot be written: nothing else would succeed. */
  | { stop: { code: string; message: string } };

/** How often a parent hears of frames, ms. */
const REPORT = 200;

/** @param threads of its engine, which is started before the first job comes */
export function serveJobs(threads: number): void {
  const engine: Promise<Engine> = createEngine({ threads });
  engine.catch(() => {}); // each job tells of it
  let before: Promise<unknown> = Promise.resolve();
  const tell = (message: FromProcess) => process.send?.(message);
  process.on('SIGINT', () => {}); // the parent decides
  process.on('disconnect', () => process.exit(1)); // it is gone
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
