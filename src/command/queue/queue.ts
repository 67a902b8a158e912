/**
 * `foveola queue`: puts jobs on a queue. One is known by its input's bytes, its parameters and where its results go: put
 * twice, it is one.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { asFoveolaError, FoveolaError, version } from '../../node/index.ts';
import { keyOf, type Job } from '../job.ts';
import { bad, parsed, planned } from '../plan.ts';
import { Progress } from '../progress.ts';
import { queueingOptions } from '../usage.ts';
import { openQueue, type JobQueue, type QueuedJob } from './connection.ts';
import { hashOf } from './inputs.ts';
import { resultsAt, type Results } from './results.ts';
import { listObjects, StoreRefused, storeAddress } from './store.ts';

/** What may pass (the network, a process that crashed) is tried again after 5 and after 10 seconds. */
const attempts = { attempts: 3, backoff: { type: 'exponential', delay: 5000 } } as const;

const outcomes = {
  added: 'added',
  again: 'added again, as they failed or their results are gone',
  queued: 'there already',
  done: 'done already',
} as const;
type Outcome = keyof typeof outcomes;

/** The exit code. @throws {FoveolaError} (rejects) */
export async function queue(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args, queueingOptions);
  const [analysis, ...inputs] = positionals;
  if (analysis === undefined)
    throw bad('foveola queue needs an analysis and inputs: foveola queue pupil recordings/ ...');
  if ((values.out === undefined) === (values.store === undefined))
    throw bad('One of --out DIR (which all machines see at this path) and --store s3://bucket/folder is needed.');
  const out = values.store === undefined ? path.resolve(values.out!) : storeAddress(values.store);
  const jobs = await planned(analysis, values, inputs, out, listObjects);
  const results = resultsAt(out);
  const bull = await openQueue(values, { create: true });
  const progress = new Progress(jobs.length);
  const counts: Record<Outcome, number> = { added: 0, again: 0, queued: 0, done: 0 };
  let failed = 0;
  try {
    for (const job of jobs) {
      try {
        const outcome = await put(bull, results, job, values.again);
        counts[outcome]++;
        if (!values.quiet) progress.file(false);
      } catch (error) {
        const { code, message } = asFoveolaError(error, job.name);
        if (!(error instanceof FoveolaError) || error instanceof StoreRefused) throw error;
        failed++;
        progress.say(`${job.name}: ${message} (${code})`);
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
  return failed ? (failed < jobs.length ? 2 : 1) : 0;
}

async function put(bull: JobQueue, results: Results, job: Job, again: boolean): Promise<Outcome> {
  const key = keyOf(await hashOf(job.input), job);
  const jobId = createHash('sha256').update(`${key} ${job.out}`).digest('hex');
  const old = await bull.getJob(jobId);
  const state = await old?.getState();
  const waits = old !== undefined && state !== 'completed' && state !== 'failed';
  if (waits) return 'queued';
  if (again) await results.forget(job);
  else {
    // Files of the same bytes have one result, under the name of the first of them.
    const listed = (await results.listed(job)) ?? (old ? await results.listed(old.data) : null);
    if (listed?.status === 'done' && listed.key === key) return 'done';
  }
  await old?.remove();
  const data: QueuedJob = { ...job, wanted: key, version };
  await bull.add(job.analysis, data, { jobId, ...attempts });
  return old ? 'again' : 'added';
}
