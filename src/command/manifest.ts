/**
 * The list of results of a folder, `foveola.jsonl`. It has one line per job, and the last line with a name counts. A
 * line is added after the files of a result have their final names, so listed files exist. Lines of several jobs are
 * added in one piece. A truncated line, or a line that is not an entry, is ignored. Workers of a queue may not append
 * to one file from many machines, so they write one file per job below `.foveola` instead. It has priority over the
 * line and is removed when a line is added. The list also records the owner of each result: one input, identified by
 * its path and the hash of its bytes.
 */
import { constants, createReadStream, existsSync, statSync } from 'node:fs';
import { access, appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { FoveolaError } from '../node/index.ts';
import { entriesFolder, entryFromText, entryName, entryOf, type Entry } from './entry.ts';
import { isUrl } from './inputs.ts';
import { parametersHash, type Job, type JobResult, type Made } from './job-key.ts';
import { sha256Of, textAt } from './whole-files.ts';

export const manifestName = 'foveola.jsonl';

type Named = Pick<Job, 'analysis' | 'name'>;

const keyOf = ({ analysis, name }: Named) => `${analysis} ${name}`;

/**
 * Makes the folder and its parents. Node's own function never returns if an existing folder accepts no entries (below
 * /proc, a lost drive).
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = path.dirname(folder);
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    await makeFolder(above);
    await mkdir(folder);
  }
}

/** A longer line would list more files than a result can have. */
const LONGEST_LINE = 64 << 20;

/** Each line, and whether it is complete. */
async function* linesOf(file: string): AsyncGenerator<[text: string, ended: boolean], void> {
  let pieces: Buffer[] = [];
  let length = 0;
  const line = () => {
    const text = length > LONGEST_LINE ? '' : Buffer.concat(pieces).toString('utf8');
    [pieces, length] = [[], 0];
    return text;
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(10, from);
      const piece = chunk.subarray(from, end < 0 ? undefined : end);
      if ((length += piece.length) <= LONGEST_LINE) pieces.push(piece);
      else pieces = [];
      if (end < 0) break;
      yield [line(), true];
      from = end + 1;
    }
  }
  if (length) yield [line(), false];
}

/** The owner of a file of the folder. */
interface Owner extends Made {
  input: string;
}

/** A job with the name that its input has in the folder, or the entry of another input with this name. */
export type Claim = { job: Job; entry: Entry | null } | { taken: Entry };

export class Manifest {
  readonly folder: string;
  /** By analysis and name: the last line, the last line of a result, and the owners of its files. */
  readonly #entries = new Map<string, Entry>();
  readonly #results = new Map<string, Entry>();
  readonly #files = new Map<string, Map<string, Owner>>();
  /** The name of an input's results, by analysis and path. */
  readonly #names = new Map<string, string>();
  /** The last line is truncated, so the next one needs a new line. */
  #torn = false;
  /** Entries that have a file and no line. */
  readonly #single = new Set<string>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws {FoveolaError} (rejects) 'invalid-argument': the list exists and cannot be read */
  static async read(folder: string): Promise<Manifest> {
    const manifest = new Manifest(folder);
    await manifest.#readList();
    const entries = path.join(folder, entriesFolder);
    for (const file of await readdir(entries, { recursive: true }).catch(() => []))
      if (file.endsWith('.json')) await manifest.#readEntry(path.join(entries, file));
    return manifest;
  }

  async #readList(): Promise<void> {
    const list = path.join(this.folder, manifestName);
    try {
      if (!statSync(list).isFile()) throw new FoveolaError('invalid-argument', `${list} is not a file. Move it away.`);
      for await (const [line, ended] of linesOf(list)) {
        this.#set(entryFromText(line));
        this.#torn = !ended;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return;
      if (error instanceof FoveolaError) throw error;
      throw new FoveolaError('invalid-argument', `${list} cannot be read (${code}). Check its permissions.`, {
        cause: error,
      });
    }
  }

  async #readEntry(file: string): Promise<void> {
    const text = await textAt(file).catch(() => null);
    const entry = text === null ? null : entryFromText(text);
    if (!entry) return;
    this.#single.add(keyOf(entry));
    this.#set(entry);
  }

  /** Reads the file of one entry again, because another machine may have written it meanwhile. */
  reload(job: Named): Promise<void> {
    return this.#readEntry(path.join(this.folder, entryName(job)));
  }

  #set(entry: Entry | null): void {
    if (!entry) return;
    const key = keyOf(entry);
    this.#entries.set(key, entry);
    // A truncated recording has results for the part that was read.
    if (entry.status !== 'done' && !entry.outputs.length) return;
    const { input, sha256: of, analysis, name } = entry;
    this.#results.set(key, entry);
    this.#names.set(`${analysis} ${input}`, name);
    let files = this.#files.get(key);
    if (!files) this.#files.set(key, (files = new Map()));
    entry.outputs.forEach((file, i) => files.set(file, { input, of, hash: entry.hashes[i]! }));
  }

  get entries(): Entry[] {
    return [...this.#entries.values()];
  }

  /** Paths of all listed files, and of the list. */
  get outputs(): Set<string> {
    const files = [...this.#files.values()].flatMap((owners) => [...owners.keys()]);
    return new Set([manifestName, ...files].map((file) => path.join(this.folder, file)));
  }

  /**
   * Finds existing results. The entry is valid for the job if the bytes of its input are the same and the files are
   * unchanged.
   */
  async claim(job: Job): Promise<Claim> {
    const kept = this.#names.get(`${job.analysis} ${job.input}`);
    const isOwn = kept !== undefined && this.#results.get(keyOf({ ...job, name: kept }))?.input === job.input;
    const name = isOwn ? kept : job.name;
    const result = this.#results.get(keyOf({ ...job, name }));
    const same = result ? await isSame(result, job.input) : true;
    if (result && same === false && !job.force) return { taken: result };
    const owners = [...(this.#files.get(keyOf({ ...job, name })) ?? [])].filter(
      ([, { input }]) => input === job.input || (same && input === result?.input),
    );
    const own = Object.fromEntries(owners.map(([file, { of, hash }]) => [file, { of, hash }]));
    const last = this.#entries.get(keyOf({ ...job, name }));
    const isCurrent = same && last?.status === 'done' && last.parameters === parametersHash(job);
    const entry = isCurrent && !job.force ? last : null;
    return { job: { ...job, name, own, ...(entry && { known: { key: entry.key, outputs: entry.outputs } }) }, entry };
  }

  /** Makes the folder. @throws {NodeJS.ErrnoException} (rejects) it cannot be made, or is not writable */
  async open(): Promise<void> {
    await makeFolder(this.folder);
    await access(this.folder, constants.W_OK);
    const list = path.join(this.folder, manifestName);
    if (existsSync(list)) await access(list, constants.W_OK);
  }

  /** Adds the results of finished jobs, in one piece of text. Results that were already listed have a line. */
  async add(done: readonly (readonly [Job, JobResult])[]): Promise<void> {
    const entries = done.flatMap(([job, result]) => {
      const known = this.#entries.get(keyOf(job));
      if (result.status !== 'known' || !known) return [entryOf(job, result)];
      return known.input === job.input && !this.#single.has(keyOf(job)) ? [] : [{ ...known, input: job.input }];
    });
    if (!entries.length) return;
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const torn = this.#torn;
    this.#torn = true; // unless it is written completely
    await appendFile(path.join(this.folder, manifestName), torn ? `\n${text}` : text);
    this.#torn = false;
    for (const entry of entries) {
      const mayHaveFile = this.#results.has(keyOf(entry)) || this.#single.delete(keyOf(entry));
      this.#set(entry);
      if (mayHaveFile) await rm(path.join(this.folder, entryName(entry)), { force: true });
    }
  }
}

/**
 * Whether an entry belongs to this input: it has the same path, or its file was moved to this path. Null if the input
 * cannot be read. Its job then reports the reason.
 */
async function isSame({ input, sha256 }: Entry, now: string): Promise<boolean | null> {
  if (input === now) return true;
  if (isUrl(input) || isUrl(now)) return false;
  const about = (file: string) => stat(file, { bigint: true }).catch((error: NodeJS.ErrnoException) => error);
  const [before, after] = await Promise.all([about(input), about(now)]);
  if (after instanceof Error || !after.isFile()) return null;
  if (!(before instanceof Error)) return before.ino !== 0n && before.dev === after.dev && before.ino === after.ino;
  if (before.code !== 'ENOENT' && before.code !== 'ENOTDIR') return false;
  return (await sha256Of(now).catch(() => '')) === sha256;
}
