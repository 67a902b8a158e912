/** `foveola pupil|faces|... INPUT... --out DIR` */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { FoveolaError } from '../node/index.ts';
import { Unwritable } from './job.ts';
import type { Job, JobResult } from './job-key.ts';
import { JobChild, runJobs, type PoolOptions } from './job-child.ts';
import { Manifest, manifestName } from './manifest.ts';
import { bad, claimed, parsed, planned, whole, withoutNames } from './plan.ts';
import { clock, counted, Progress } from './progress.ts';
import { analysisOptions } from './usage.ts';
import { clearParts } from './whole-files.ts';

type Values = ReturnType<typeof parsed<typeof analysisOptions>>['values'];

/** Runs jobs and passes on their results as they arrive. */
export type Runner = (
  jobs: readonly Job[],
  options: Pick<PoolOptions, 'onFrames' | 'signal'>,
) => AsyncGenerator<JobResult[], void>;

/** Returns the exit code. @throws {FoveolaError} (rejects) if nothing could be done, or if continuing makes no sense */
export async function analyse(analysis: string, args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, analysisOptions);
  if (values.out === undefined) throw bad('--out DIR is missing. Name the folder of results.');
  const threads = whole(values.threads, 'threads');
  const most = values.jobs === undefined ? availableParallelism() : whole(values.jobs, 'jobs');
  // It starts while the inputs are listed.
  const first = new JobChild(threads);
  if (positionals.length) first.warm();
  const runner: Runner = (jobs, options) =>
    runJobs(jobs, { ...options, threads, first, processes: Math.min(jobs.length, most) });
  try {
    return await analyseWith(runner, analysis, values, positionals);
  } finally {
    await first.end();
  }
}

/** `stream` receives the lines. */
export async function analyseWith(
  runner: Runner,
  analysis: string,
  values: Values,
  positionals: readonly string[],
  stream: NodeJS.WriteStream = process.stderr,
): Promise<number> {
  const out = path.resolve(values.out!);
  const manifest = await Manifest.read(out);
  const results = manifest.outputs;
  const unnamed = values['no-file-names'];
  const listed = await planned(analysis, values, positionals, { out, unnamed, isResult: (file) => results.has(file) });
  const plan = unnamed ? await withoutNames(listed) : listed;
  const claims = await claimed(plan.jobs, (job) => manifest.claim(job));
  const jobs = claims.map(({ job }) => job);
  const progress = new Progress(jobs.length, stream);
  for (const fault of plan.faults) progress.say(fault);
  if (!jobs.length) return 1;
  await manifest.open().catch((cause: NodeJS.ErrnoException) => {
    throw bad(`${out} cannot be created or read (${cause.code ?? cause.message}). Choose another --out.`, cause);
  });
  await clearParts(jobs.map(({ name }) => path.dirname(path.join(out, name))));
  const say = (line: string) => values.quiet || progress.say(line);
  if (plan.texts) say(`${counted(plan.texts, 'text file')} skipped.`);
  const began = performance.now();
  const { known, done, failed, frames, stopped } = await run(runner, jobs, manifest, progress, values.quiet);
  progress.clear();
  if (stopped) {
    progress.say(`Stopped: ${known + done} of ${jobs.length} files are done. Run the same command again to continue.`);
    return 130;
  }
  if (known) say(`${known} of ${jobs.length} files are done already.`);
  const faults = failed + plan.faults.length;
  const seconds = (performance.now() - began) / 1000;
  say(
    `${counted(done, 'file')} done, ${faults} failed, ${counted(frames, 'frame')} in ${clock(seconds)}. Results: ${out} (list: ${manifestName})`,
  );
  if (!faults) return 0;
  return done || known || frames ? 2 : 1; // a recording that is truncated still has frames
}

interface Counts {
  /** Number of results that already existed. */
  known: number;
  done: number;
  failed: number;
  frames: number;
  stopped: boolean;
}

/** @throws {FoveolaError} (rejects) an error after which continuing makes no sense */
async function run(
  runner: Runner,
  jobs: readonly Job[],
  manifest: Manifest,
  progress: Progress,
  quiet: boolean,
): Promise<Counts> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const byName = new Map<string, Job>(jobs.map((job) => [job.name, job]));
  const counts: Counts = { known: 0, done: 0, failed: 0, frames: 0, stopped: false };
  const onFrames = (count: number) => !quiet && progress.frames(count);
  try {
    for await (const results of runner(jobs, { onFrames, signal: stop.signal })) {
      await manifest
        .add(results.map((result): [Job, JobResult] => [byName.get(result.name)!, result]))
        .catch((cause: NodeJS.ErrnoException) => {
          throw new Unwritable(manifest.folder, cause).known;
        });
      for (const { status, name, error, frames, warnings = [] } of results) {
        if (error) progress.say(`${name}: ${error.message} (${error.code})`);
        for (const warning of warnings) progress.say(`${name}: ${warning}`);
        counts[status]++;
        counts.frames += frames;
        if (!quiet) progress.file(!!error);
      }
    }
  } catch (error) {
    progress.clear();
    if (!(error instanceof FoveolaError && error.code === 'aborted')) throw error;
    counts.stopped = true;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
  return counts;
}
