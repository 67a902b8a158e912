/** `foveola pupil|faces|... INPUT... --out DIR` */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { FoveolaError } from '../node/index.ts';
import { Unwritable, type Job, type JobResult } from './job.ts';
import { JobChild } from './job-child.ts';
import { runJobs } from './job-pool.ts';
import { Manifest, manifestName } from './manifest.ts';
import { bad, parsed, planned, whole } from './plan.ts';
import { clock, Progress } from './progress.ts';
import { analysisOptions } from './usage.ts';

/** The exit code. @throws {FoveolaError} (rejects) where nothing could be done, or where going on makes no sense */
export async function analyse(analysis: string, args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, analysisOptions);
  if (values.out === undefined) throw bad('--out DIR is missing: the folder of results.');
  // It starts while the inputs are looked through.
  const first = new JobChild(whole(values.threads, 'threads'));
  if (positionals.length) first.warm();
  try {
    return await analyseIn(first, analysis, values, positionals);
  } finally {
    await first.end();
  }
}

async function analyseIn(
  first: JobChild,
  analysis: string,
  values: ReturnType<typeof parsed<typeof analysisOptions>>['values'],
  positionals: readonly string[],
): Promise<number> {
  const out = path.resolve(values.out!);
  const jobs = await planned(analysis, values, positionals, out);
  const manifest = await Manifest.open(out).catch((cause: NodeJS.ErrnoException) => {
    throw bad(`${out} cannot be made or read (${cause.code ?? cause.message}). Take another --out.`, cause);
  });
  const wanted = [];
  for (const job of jobs) {
    const { same, key } = values.again ? { same: false } : await manifest.known(job);
    if (!same) wanted.push({ ...job, known: key });
  }
  const progress = new Progress(wanted.length);
  const say = (line: string) => values.quiet || progress.say(line);
  if (jobs.length > wanted.length) say(`${jobs.length - wanted.length} of ${jobs.length} files are done already.`);
  const processes = Math.min(
    wanted.length,
    values.jobs === undefined ? availableParallelism() : whole(values.jobs, 'jobs'),
  );
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const byName = new Map<string, Job>(wanted.map((job) => [job.name, job]));
  const began = performance.now();
  let [done, failed, frames] = [0, 0, 0];
  try {
    const options = {
      ...{ processes, first, threads: whole(values.threads, 'threads'), signal: stop.signal },
      onFrames: (count: number) => !values.quiet && progress.frames(count),
    };
    for await (const results of runJobs(wanted, options)) {
      await manifest
        .add(results.map((result): [Job, JobResult] => [byName.get(result.name)!, result]))
        .catch((cause: NodeJS.ErrnoException) => {
          throw new Unwritable(out, cause).known;
        });
      for (const result of results) {
        if (result.error) {
          failed++;
          progress.say(`${result.name}: ${result.error.message} (${result.error.code})`);
        } else done++;
        for (const warning of result.warnings ?? []) say(`${result.name}: ${warning}`);
        frames += result.frames;
        if (!values.quiet) progress.file(!!result.error);
      }
    }
  } catch (error) {
    progress.clear();
    if (!(error instanceof FoveolaError && error.code === 'aborted')) throw error;
    progress.say(`Stopped: ${done} of ${wanted.length} files are done. Run the same command again to go on.`);
    return 130;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
  progress.clear();
  const seconds = (performance.now() - began) / 1000;
  say(
    `${counted(done, 'file')} done, ${failed} failed, ${counted(frames, 'frame')} in ${clock(seconds)}. Results: ${out} (list: ${manifestName})`,
  );
  if (!failed) return 0;
  return done || jobs.length > wanted.length ? 2 : 1;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
