/** The words of `foveola --help`, and the options of each command. */
import type { ParseArgsConfig } from 'node:util';
import { analyses } from './analyses/index.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What says what is to be done with inputs, here or on other machines. */
export const jobOptions = {
  out: { type: 'string', short: 'o' },
  params: { type: 'string', short: 'p' },
  format: { type: 'string', short: 'f', default: 'csv' },
  overlay: { type: 'boolean', default: false },
  box: { type: 'string' },
  operation: { type: 'string' },
  fields: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
} as const satisfies Options;

export const analysisOptions = {
  ...jobOptions,
  jobs: { type: 'string', short: 'j' },
  threads: { type: 'string', default: '1' },
} as const satisfies Options;

/** Which queue. */
export const queueOptions = {
  redis: { type: 'string', default: process.env['FOVEOLA_REDIS'] ?? 'redis://127.0.0.1:6379' },
  queue: { type: 'string', default: 'foveola' },
} as const satisfies Options;

export const queueingOptions = {
  ...jobOptions,
  ...queueOptions,
  store: { type: 'string' },
} as const satisfies Options;

export const workerOptions = {
  ...queueOptions,
  jobs: analysisOptions.jobs,
  drain: { type: 'boolean', default: false },
  allow: { type: 'string', multiple: true },
  quiet: jobOptions.quiet,
} as const satisfies Options;

export const statusOptions = {
  ...queueOptions,
  watch: { type: 'boolean', short: 'w', default: false },
  board: { type: 'string' },
} as const satisfies Options;
export const scoreOptions = { 'first-frame': { type: 'string', default: '0' } } as const satisfies Options;

const list = Object.entries(analyses)
  .map(([name, { help }]) => `  foveola ${name.padEnd(8)} ${help}`)
  .join('\n');

export const usage = `foveola: computer vision for eyes, faces, vessels and moving objects. For research use, not a medical device.

${list}

    foveola pupil recordings/ 'more/**/*.mp4' --out results
    INPUT...            files, folders, patterns in quotes
    -o, --out DIR       folder of results; what is there already is not done again
    -p, --params FILE   parameters as JSON: as an element exports them, or { "name": value }
    -f, --format NAME   csv (default), json, jsonl or parquet
    -j, --jobs N        processes; default one a core
    --threads N         threads of each; default 1
    --overlay           also pictures or videos with what was found drawn on them
    --box X,Y,W,H       of track: the object in the first frame
    --operation NAME    of edges: canny (default), lines or circles
    --fields            of flow: also each field as .flo
    --force             does everything again, and replaces results of other inputs
    -q, --quiet         only errors

  foveola score RESULTS ANNOTATIONS   accuracy of results against your own annotations
    --first-frame N     number of the first frame in the annotations; default 0
  foveola report DIR                  one HTML page with plots of a folder of results

  foveola queue ANALYSIS INPUT...     the same jobs for many machines; needs Redis and npm install bullmq ioredis
  foveola worker                      does jobs of a queue; as many of them, on as many machines, as you like
  foveola status                      how far a queue is
    --redis URL         default redis://127.0.0.1:6379, or FOVEOLA_REDIS
    --queue NAME        default foveola
    --store URL         of queue: s3://bucket/folder instead of --out
    --allow WHAT        of worker: what jobs may read and write, again for more: a folder, https://HOST, s3://BUCKET, or
                        all of file: (default), https:, http: or s3:
    --drain             of worker: ends when nothing is left to do; -j, --jobs N as above
    -w, --watch         of status: again and again until all is done
    --board PORT        of status: bull-board at http://127.0.0.1:PORT

Exit codes: 0 all well, 2 some inputs failed (the others are done), 1 nothing could be done.
Words and files: docs/node.md
`;
