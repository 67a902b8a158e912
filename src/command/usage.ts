/** The text of `foveola --help`, and the options of each command. */
import type { ParseArgsConfig } from 'node:util';
import { analyses } from './analyses/index.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options that define the work on the inputs, on this machine or on other machines. */
export const jobOptions = {
  out: { type: 'string', short: 'o' },
  params: { type: 'string', short: 'p' },
  format: { type: 'string', short: 'f', default: 'csv' },
  overlay: { type: 'boolean', default: false },
  box: { type: 'string' },
  operation: { type: 'string' },
  fields: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  'no-file-names': { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
} as const satisfies Options;

export const analysisOptions = {
  ...jobOptions,
  jobs: { type: 'string', short: 'j' },
  threads: { type: 'string', default: '1' },
} as const satisfies Options;

/** Options that select the queue. */
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

export const lslOptions = {
  port: { type: 'string', default: '8765' },
  host: { type: 'string', default: '127.0.0.1' },
  origin: { type: 'string', multiple: true },
  xdf: { type: 'string' },
  liblsl: { type: 'string' },
} as const satisfies Options;

export const scoreOptions = { 'first-frame': { type: 'string', default: '0' } } as const satisfies Options;

const list = Object.entries(analyses)
  .map(([name, { help }]) => `  foveola ${name.padEnd(8)} ${help}`)
  .join('\n');

export const usage = `foveola: computer vision for eyes, faces, vessels and moving objects. For research use, not a medical device.

${list}

    foveola pupil recordings/ 'more/**/*.mp4' --out results
    INPUT...            files, folders, patterns in quotes
    -o, --out DIR       folder of results (existing results are kept)
    -p, --params FILE   parameters as JSON, exported by an element or { "name": value }
    -f, --format NAME   csv (default), json, jsonl or parquet
    -j, --jobs N        processes (default: one per core)
    --threads N         threads per process (default: 1)
    --overlay           also write images or videos with the results drawn on them
    --box X,Y,W,H       for track: object in the first frame
    --operation NAME    for edges: canny (default), lines or circles
    --fields            for flow: also write each field as .flo
    --no-file-names     name results by the hashes of the inputs, and print no file names
    --force             repeat everything and replace results of other inputs
    -q, --quiet         print only errors

  foveola score RESULTS ANNOTATIONS   accuracy of results against your own annotations
    --first-frame N     number of the first frame in the annotations (default: 0)
  foveola report DIR                  one HTML page with plots of a folder of results

  foveola queue ANALYSIS INPUT...     queue jobs for many machines (needs Redis and npm install bullmq ioredis)
  foveola worker                      process jobs of a queue, on any number of machines
  foveola status                      progress of a queue
    --redis URL         Redis server (default: FOVEOLA_REDIS or redis://127.0.0.1:6379)
    --queue NAME        queue name (default: foveola)
    --store URL         for queue: s3://bucket/folder instead of --out
    --allow WHAT        for worker: what jobs may access (repeatable): a folder, https://HOST, s3://BUCKET, or
                        all of file: (default), https:, http: or s3:
    --drain             for worker: exit when the queue is empty (-j, --jobs N as above)
    -w, --watch         for status: repeat until all jobs are done
    --board PORT        for status: bull-board at http://127.0.0.1:PORT

  foveola lsl                         live measurements from a page to LSL or a file (needs npm install ws)
    --port N            port on this machine (default: 8765, 0: a free one)
    --host ADDRESS      127.0.0.1 (default) or ::1
    --origin URL        web site whose pages may connect (repeatable), in addition to this machine
    --xdf FILE          also write an XDF file
    --liblsl FILE       library of LSL, if it is not found (LSL needs npm install koffi)

Exit codes: 0 success, 2 some inputs failed (the others are done), 1 nothing was done.
More: docs/node.md
`;
