/**
 * `foveola queue`: adds jobs to a queue. A job is identified by the path and the bytes of its input, its parameters and
 * the location of its results. Adding it twice has no effect.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { asFoveolaError, FoveolaError, version } from '../../node/index.ts';
import { keyOf } from '../job-key.ts';
import type { Claim } from '../manifest.ts';
import { bad, claimed, parsed, planned, withoutNames } from '../plan.ts';
import { counted, Progress } from '../progress.ts';
import { queueingOptions } from '../usage.ts';
import { openQueue, type JobQueue, type QueuedJob, listObjects, StoreRefused, storeAddress } from './store.ts';
import { hashOf, resultsAt, type Results } from './locations.ts';

/**
 * After a temporary failure (the network, a process that crashed), the job is repeated after 5 and after 10 seconds.
 */
const attempts = { attempts: 3, backoff: { type: 'exponential', delay: 5000 } } as const;

const outcomes = {
  added: 'added',
  again: 'added again because they failed or their results are missing',
  queued: 'there already',
  done: 'done already',
} as const;
type Outcome = keyof typeof outcomes;

/** Returns the exit code. @throws {FoveolaError} (rejects) */
export async function queue(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, queueingOptions);
  const [analysis, ...inputs] = positionals;
  if (analysis === undefined)
    throw bad('foveola queue needs an analysis and inputs, for example foveola queue pupil recordings/');
  if ((values.out === undefined) === (values.store === undefined))
    throw bad('Set --out DIR (a path that all machines share) or --store s3://bucket/folder.');
  const out = values.store === undefined ? path.resolve(values.out!) : storeAddress(values.store);
  const results = resultsAt(out);
  const existing = await results.outputs();
  const isResult = (file: string) => existing.has(file);
  const unnamed = values['no-file-names'];
  const listed = await planned(analysis, values, inputs, { out, unnamed, isResult, listStore: listObjects });
  const { jobs, faults, texts } = unnamed ? await withoutNames(listed, hashOf) : listed;
  const claims = await claimed(jobs, (job) => results.claim(job));
  const bull = await openQueue(values, { create: true });
  const progress = new Progress(jobs.length);
  const counts: Record<Outcome, number> = { added: 0, again: 0, queued: 0, done: 0 };
  for (const fault of faults) progress.say(fault);
  if (texts && !values.quiet) progress.say(`${counted(texts, 'text file')} skipped.`);
  let failed = faults.length;
  try {
    for (const claim of claims) {
      try {
        counts[await put(bull, results, claim)]++;
        if (!values.quiet) progress.file(false);
      } catch (error) {
        const { code, message } = asFoveolaError(error, claim.job.name);
        if (!(error instanceof FoveolaError) || error instanceof StoreRefused) throw error;
        failed++;
        progress.say(`${claim.job.name}: ${message} (${code})`);
      }
    }
  } finally {
    progress.clear();
    await bull.close();
  }
  const said = Object.entries(counts).flatMap(([outcome, count]) =>
    count ? [`${count} ${outcomes[outcome as Outcome]}`] : [],
  );
  if (failed) said.push(`${failed} cannot be read`);
  if (!values.quiet) progress.say(`${said.join(', ')}. Queue '${values.queue}', results: ${out}`);
  return failed ? (Object.values(counts).some(Boolean) ? 2 : 1) : 0;
}

async function put(
  bull: JobQueue,
  results: Results,
  { job, entry }: Exclude<Claim, { taken: unknown }>,
): Promise<Outcome> {
  const wanted = keyOf(await hashOf(job.copy ?? job.input), job);
  const jobId = createHash('sha256')
    .update(JSON.stringify([wanted, job.input, job.out]))
    .digest('hex');
  const old = await bull.getJob(jobId);
  const state = await old?.getState();
  if (old !== undefined && state !== 'completed' && state !== 'failed') return 'queued';
  if (entry?.key === wanted && (await results.holds(job, entry))) return 'done';
  await old?.remove();
  const { own: _, known: __, ...plain } = job;
  const data: QueuedJob = { ...plain, wanted, version };
  await bull.add(job.analysis, data, { jobId, ...attempts });
  return old ? 'again' : 'added';
}
