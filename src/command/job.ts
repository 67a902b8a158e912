/**
 * One file through one analysis: the unit of work of the command, its job processes and a queue's workers. A job is
 * plain data. Its key is computed from the bytes of the input, the parameters and the version, so that repeated work
 * has the same name. Its output depends on nothing else: not on the process, the machine's clock or the number of
 * repetitions.
 */
import {
  exportText,
  pupilColumns,
  Recording,
  type RecordingHeader,
  asFoveolaError,
  FoveolaError,
  methodParameters,
  notice,
  version,
  type Engine,
} from '../node/index.ts';
import {
  type Format,
  type Table,
  type Analysis,
  type Input,
  type Outcome,
  openInput,
  readOf,
} from './analyses/analysis.ts';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { analyses } from './analyses/index.ts';
import { writeEntry } from './entry.ts';
import { hash, HASHED, keyOf, type Job, type JobResult } from './job-key.ts';
import { sha256Of, stampOf, unreadable, isFile, Taken, WholeFiles } from './whole-files.ts';

// Tables of results in each format. All contain the header: in a JSON file next to it (CSV), around the rows (JSON), as
// the first line (JSON lines), or as metadata (Parquet).

const ROWS_AT_ONCE = 10_000;

export async function tableData(
  { recording, texts }: Table,
  header: RecordingHeader,
  format: Format | 'csv.json' | 'events.csv',
): Promise<Uint8Array | string | Iterable<string>> {
  const text = texts?.[format];
  if (text) return text(header);
  if (format !== 'jsonl' && format !== 'parquet') return exportText(recording, header, format);
  return format === 'jsonl' ? lines(recording, header) : parquet(recording, header);
}

/** A CSV has a description next to it. Recordings of pupils also have a table of events. */
const filesOf = ({ recording }: Table, format: Format) =>
  format === 'csv'
    ? (['csv', 'csv.json', ...(recording.columns === pupilColumns ? (['events.csv'] as const) : [])] as const)
    : [format];

/** JSON lines: `{"header": ...}`, then one row per line. */
function* lines(recording: Recording, header: RecordingHeader): Generator<string> {
  yield `${JSON.stringify({ header })}\n`;
  let text = '';
  for (let row = 0; row < recording.length; row++) {
    const cells = recording.columns.map(({ name }, column) => [name, recording.cell(row, column)]);
    text += `${JSON.stringify(Object.fromEntries(cells))}\n`;
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** Apache Parquet, with the header under the key 'foveola'. */
async function parquet(recording: Recording, header: RecordingHeader): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const types = { number: 'DOUBLE', boolean: 'BOOLEAN', choice: 'STRING' } as const;
  const columnData = recording.columns.map(({ name, type }, column) => ({
    name,
    type: types[type],
    nullable: true,
    data: Array.from({ length: recording.length }, (_, row) => recording.cell(row, column)),
  }));
  const kvMetadata = [{ key: 'foveola', value: JSON.stringify(header) }];
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata }));
}

/** Files up to this many bytes are kept in memory. */
const WHOLE = 32 << 20;

const emptyResult = ({ input, name, analysis }: Job): JobResult => ({
  ...{ input, name, analysis, status: 'done', key: '', sha256: '', outputs: [], hashes: [] },
  ...{ frames: 0, milliseconds: 0, engineMilliseconds: 0, summary: {} },
});

/**
 * Never rejects unless results cannot be written at all (a full disk). Continuing with other files then makes no sense.
 * @throws {FoveolaError} (rejects) 'out-of-memory' (no space on the disk), 'invalid-argument' (no write permission)
 */
export async function runJob(
  job: Job,
  engine: Engine,
  onFrame: (count: number) => void = () => {},
  signal?: AbortSignal,
): Promise<JobResult> {
  const began = performance.now();
  const result = emptyResult(job);
  const files = new WholeFiles(job.out);
  const writing = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (cause) {
      throw writeFault(job, cause);
    }
  };
  try {
    const read = await readWhole(job.copy ?? job.input);
    result.sha256 = read.sha256;
    result.key = keyOf(read.sha256, job);
    if (result.key === job.known?.key && areListed(job, job.known.outputs))
      return { ...result, status: 'known', milliseconds: performance.now() - began };
    if (job.wanted !== undefined && result.key !== job.wanted)
      throw new FoveolaError('invalid-argument', `${job.input} has changed since it was queued. Queue it again.`);
    const engineBegan = performance.now();
    const { bytes } = read;
    const input = await openInput(job.analysis, analyses[job.analysis], job.copy ?? job.input, { bytes, signal });
    const { photographDefaults } = analyses[job.analysis] as Analysis;
    const parameters = { ...(input.kind === 'image' && photographDefaults), ...job.parameters };
    const header = headerOf({ ...job, parameters }, result.sha256, engine, input);
    const outcome = await analyses[job.analysis].run({
      ...{ engine, input, parameters, options: job.options, signal },
      header: (size) => header({ ...size, frames: 1, lastMediaTime: null }),
      place: (name) => writing(() => files.place(`${job.name}.${name}`)),
      writing,
      write: (name, data) => writing(() => files.write(`${job.name}.${name}`, data)),
      onFrame,
    });
    result.engineMilliseconds = performance.now() - engineBegan;
    if (input.kind === 'recording' || !read.bytes) await checkUnchanged(job.copy ?? job.input, read);
    for (const [name, table] of Object.entries(outcome.tables)) {
      const { format } = job.options;
      for (const one of filesOf(table, format)) {
        const data = await tableData(table, header(outcome), one);
        await writing(() => files.write(`${job.name}.${name}.${one}`, data));
      }
    }
    const { pages, read: pagesRead } = input.about;
    const summary = { ...outcome.summary, ...(pages > 1 && { pages, pagesRead }) };
    Object.assign(result, { outputs: files.names, hashes: files.hashes });
    Object.assign(result, { frames: outcome.frames, summary });
    if (outcome.warnings?.length) result.warnings = outcome.warnings;
    if (input.about.broken) fail(job, result, input.about.broken, ' The frames before it are in its tables.');
    const announce = () => writeEntry(job, result);
    await writing(() => files.keep({ ...job, of: result.sha256, announce }));
  } catch (error) {
    await files.drop();
    if (error instanceof Unwritable) throw error.known;
    Object.assign(result, { outputs: [], hashes: [], frames: 0, summary: {} });
    fail(job, result, asFoveolaError(error, job.analysis));
  }
  return { ...result, milliseconds: performance.now() - began };
}

/** If the input has no name, its path is not in the message. */
function fail({ input, copy, name }: Job, result: JobResult, { code, message }: FoveolaError, more = ''): void {
  const hidden = copy !== undefined && input.startsWith(HASHED) ? [copy, path.basename(copy)] : [];
  const text = hidden.reduce((said, part) => said.replaceAll(part, name), message);
  Object.assign(result, { status: 'failed', error: { code, message: text + more } });
}

/** Whether all files of a result exist unchanged. */
const areListed = ({ out, own = {} }: Job, outputs: readonly string[]): boolean =>
  outputs.every((file) => own[file] !== undefined && isFile(path.join(out, file), own[file].hash));

const isFull = (code: unknown) => code === 'ENOSPC' || code === 'EDQUOT';

/** Results cannot be written. */
export class Unwritable extends Error {
  readonly known: FoveolaError;
  constructor(out: string, cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.known = isFull(cause.code)
      ? new FoveolaError(
          'out-of-memory',
          `The disk of ${out} is full. Free some space and run the same command again. Finished results are kept.`,
          { cause },
        )
      : new FoveolaError(
          'invalid-argument',
          `Results cannot be written to ${out} (${cause.code ?? cause.message}). Check that you may write there.`,
          { cause },
        );
  }
}

/** The failure of only this job, or Unwritable if nothing can be written to its folder of results. */
export function writeFault({ out, name }: Job, cause: unknown): FoveolaError | Unwritable {
  if (cause instanceof FoveolaError || cause instanceof Unwritable) return cause;
  if (cause instanceof Taken)
    return new FoveolaError(
      'invalid-argument',
      `${cause.file} exists and is not a result of this input. Move it, choose another --out, or replace it with --force.`,
      { cause },
    );
  const error = cause as NodeJS.ErrnoException;
  if (error.code === 'ENAMETOOLONG')
    return new FoveolaError('invalid-argument', 'The name is too long. Rename the input.', { cause });
  if (isFull(error.code) || !isWritable(out)) return new Unwritable(out, error);
  return new FoveolaError(
    'storage-failed',
    `Its results cannot be written (${error.code ?? error.message}). Check ${path.dirname(path.join(out, name))}.`,
    { cause },
  );
}

function isWritable(folder: string): boolean {
  const probe = path.join(folder, `.foveola-probe-${process.pid}`);
  try {
    closeSync(openSync(probe, 'w'));
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}

interface ReadFile {
  /** Identity of the file and its modification time. */
  stamp: string;
  sha256: string;
  /** The bytes, unless the file is large. They are read once, for the hash and for the image. */
  bytes: Uint8Array | null;
}

async function readWhole(file: string): Promise<ReadFile> {
  const { size, stamp } = stampOf(file);
  if (size > WHOLE) return { stamp, sha256: await sha256Of(file), bytes: null };
  try {
    const bytes = size ? readFileSync(file) : new Uint8Array(0); // system files report 0 and may be endless
    return { stamp, sha256: hash(bytes), bytes };
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Checks that a file that was read twice had the same bytes both times. */
async function checkUnchanged(file: string, { stamp, sha256 }: ReadFile): Promise<void> {
  if (stampOf(file).stamp === stamp || (await sha256Of(file)) === sha256) return;
  throw new FoveolaError('source-not-ready', `${file} changed while it was read. Try again when nothing writes to it.`);
}

/** Metadata in results. It contains nothing that changes from one run to the next. */
const headerOf =
  (job: Job, sha256: string, { capabilities: { threads } }: Engine, input: Input) =>
  (outcome: Pick<Outcome, 'width' | 'height' | 'frames' | 'lastMediaTime'>): RecordingHeader => {
    const { width, height, frames: count } = outcome;
    const { notes, analysis } = readOf(input, outcome);
    return {
      ...{ software: 'foveola', version, notice, started: null },
      source: { name: path.posix.basename(job.name), kind: 'file', sha256, width, height, ...(notes && { notes }) },
      parameters: methodParameters(analyses[job.analysis].method(job.options), job.parameters),
      ...{ backend: 'wasm', renderer: null, threads },
      ...(analysis && { analysis }),
      ...{ clock: 'media: milliseconds into the recording', frames: count, dropped: 0 },
    };
  };
