/**
 * One file through one analysis: the unit of work of the command, of its job processes and of a queue's workers. A job is
 * plain data; its key is made of the bytes of the input, the parameters and the version, so that the same work done twice
 * has one name. What it writes depends on nothing else: not on the process, the machine's clock or how often it was done.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  asFoveolaError,
  FoveolaError,
  frames,
  kindOf,
  methodParameters,
  notice,
  readImage,
  version,
  type Engine,
  type RecordingHeader,
} from '../node/index.ts';
import type { Analysis, Input, JobOptions, Outcome } from './analyses/analysis.ts';
import { analyses, type AnalysisName } from './analyses/index.ts';
import { fileAt } from './inputs.ts';
import { tableData } from './tables.ts';
import { WholeFiles } from './whole-files.ts';

/** Files up to this many bytes are held in memory. */
const WHOLE = 32 << 20;
/** By which a file's kind is known. */
const HEADER = 4096;

export interface Job {
  analysis: AnalysisName;
  /** Path of the input. */
  input: string;
  /** Its name below the folder of results. */
  name: string;
  parameters: Record<string, unknown>;
  options: JobOptions;
  /** Folder of results. */
  out: string;
  /** The key of results that are there already: nothing is done where it is the same. */
  known?: string;
  /** The key that it must have: it was queued for these bytes. */
  wanted?: string;
}

/** What became of a job, as the list of results has it. */
export interface JobResult {
  input: string;
  name: string;
  analysis: AnalysisName;
  status: 'done' | 'known' | 'failed';
  key: string;
  sha256: string;
  /** Files, relative to the folder of results. */
  outputs: string[];
  frames: number;
  /** Milliseconds in all, and of these in the engine and the decoder. */
  milliseconds: number;
  engineMilliseconds: number;
  summary: Record<string, number>;
  /** What to know about the result; absent where there is nothing. */
  warnings?: string[];
  error?: { code: string; message: string };
}

/** The same for equal parameters, in whatever order they were written. */
export function parametersHash({
  analysis,
  parameters,
  options,
}: Pick<Job, 'analysis' | 'parameters' | 'options'>): string {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        )
      : value;
  return hash(JSON.stringify(sorted({ analysis, parameters, options, version })));
}

const hash = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

/** Name of the results of these bytes with these parameters. */
export const keyOf = (sha256: string, job: Pick<Job, 'analysis' | 'parameters' | 'options'>): string =>
  hash(`${sha256} ${parametersHash(job)}`);

export async function sha256Of(file: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) sum.update(piece as Buffer);
  return sum.digest('hex');
}

/**
 * Never rejects but where results cannot be written (a full disk): then going on with other files makes no sense.
 * @throws {FoveolaError} (rejects) 'out-of-memory' (no room on the disk), 'invalid-argument' (no right to write)
 */
export async function runJob(
  job: Job,
  engine: Engine,
  onFrame: (count: number) => void = () => {},
  signal?: AbortSignal,
): Promise<JobResult> {
  const began = performance.now();
  const result: JobResult = {
    ...{ input: job.input, name: job.name, analysis: job.analysis, status: 'done', key: '', sha256: '', outputs: [] },
    ...{ frames: 0, milliseconds: 0, engineMilliseconds: 0, summary: {} },
  };
  const files = new WholeFiles(job.out);
  const writing = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (cause) {
      throw new Unwritable(job.out, cause as NodeJS.ErrnoException);
    }
  };
  try {
    const bytes = await wholeFile(job.input);
    result.sha256 = bytes ? hash(bytes) : await sha256Of(job.input);
    result.key = keyOf(result.sha256, job);
    if (result.key === job.known) return { ...result, status: 'known', milliseconds: performance.now() - began };
    if (job.wanted !== undefined && result.key !== job.wanted)
      throw new FoveolaError('invalid-argument', `${job.input} has changed since it was queued. Queue it again.`);
    const engineBegan = performance.now();
    const input = await open(job, bytes, signal);
    const { photographDefaults } = analyses[job.analysis] as Analysis;
    const parameters = { ...(input.kind === 'image' && photographDefaults), ...job.parameters };
    const header = headerOf({ ...job, parameters }, result.sha256, engine);
    const outcome = await analyses[job.analysis].run({
      ...{ engine, input, parameters, options: job.options, signal },
      header: (size) => header({ ...size, frames: 1, lastMediaTime: null }),
      place: (name) => writing(() => files.place(`${job.name}.${name}`)),
      writing,
      write: (name, data) => writing(() => files.write(`${job.name}.${name}`, data)),
      onFrame,
    });
    result.engineMilliseconds = performance.now() - engineBegan;
    for (const [name, table] of Object.entries(outcome.tables)) {
      const { format } = job.options;
      const data = await tableData(table, header(outcome), format);
      await writing(() => files.write(`${job.name}.${name}.${format}`, data));
    }
    await writing(() => files.keep());
    Object.assign(result, { outputs: files.names, frames: outcome.frames, summary: outcome.summary });
    if (outcome.warnings?.length) result.warnings = outcome.warnings;
  } catch (error) {
    await files.drop();
    if (error instanceof Unwritable) throw error.known;
    const { code, message } = asFoveolaError(error, job.analysis);
    Object.assign(result, { status: 'failed', error: { code, message } });
  }
  return { ...result, milliseconds: performance.now() - began };
}

/** Results cannot be written. */
export class Unwritable extends Error {
  readonly known: FoveolaError;
  constructor(out: string, cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    const full = cause.code === 'ENOSPC' || cause.code === 'EDQUOT';
    this.known = full
      ? new FoveolaError(
          'out-of-memory',
          `The disk of ${out} is full. Make room and run the same command again; what is done is kept.`,
          { cause },
        )
      : new FoveolaError(
          'invalid-argument',
          `Results cannot be written to ${out} (${cause.code ?? cause.message}). Check that you may write there.`,
          { cause },
        );
  }
}

/** A file that is not large is read once, for its hash and for its picture. */
async function wholeFile(file: string): Promise<Uint8Array | null> {
  try {
    return statSync(file).size <= WHOLE ? readFileSync(file) : null;
  } catch (error) {
    await fileAt(file); // which says what to do
    throw error;
  }
}

async function open({ input, analysis }: Job, bytes: Uint8Array | null, signal?: AbortSignal): Promise<Input> {
  const { takes } = analyses[analysis];
  const { kind, name } = await kindOf(
    bytes ? new Blob([bytes.subarray(0, HEADER) as Uint8Array<ArrayBuffer>]) : await fileAt(input),
  );
  if (kind === 'video' && takes.includes('recording')) return { kind: 'recording', frames: frames(input, { signal }) };
  if (kind === 'image' && takes.includes('image'))
    return { kind: 'image', file: await readImage(bytes ?? input, { signal }) };
  const wanted = takes.map((one) => (one === 'image' ? 'an image' : 'a recording')).join(' or ');
  throw new FoveolaError('source-unsupported', `${analysis} takes ${wanted}; this is ${name}.`);
}

/** What results say of themselves: nothing that differs from one time to another. */
const headerOf =
  (job: Job, sha256: string, { capabilities: { threads } }: Engine) =>
  ({
    width,
    height,
    frames: count,
    lastMediaTime,
  }: Pick<Outcome, 'width' | 'height' | 'frames' | 'lastMediaTime'>): RecordingHeader => ({
    ...{ software: 'foveola', version, notice, started: null },
    source: { name: path.posix.basename(job.name), kind: 'file', sha256, width, height },
    parameters: methodParameters(analyses[job.analysis].method(job.options), job.parameters),
    ...{ backend: 'wasm', renderer: null, threads },
    ...(lastMediaTime !== null && {
      analysis: { everyFrame: true, complete: true, reason: null, lastMediaTime, jumps: [], repeated: 0 },
    }),
    ...{ clock: 'media: milliseconds into the recording', frames: count, dropped: 0 },
  });

/** Size and time of change, by which an input is known without reading it. */
export async function stampOf(file: string): Promise<{ size: number; mtimeMs: number }> {
  const { size, mtimeMs } = await stat(file);
  return { size, mtimeMs };
}
