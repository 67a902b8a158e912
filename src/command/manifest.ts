/**
 * The list of results of a folder, `foveola.jsonl`: one line a job, the last one of a name counts. A line is added when the
 * files of a result have their names, so what stands in it is there; lines of several jobs are added in one piece, and one
 * that was torn off counts as none. The workers of a queue, which may not append to one
 * file from many machines, have a file a job instead, below `.foveola`; it counts before the line, and goes when a line is
 * added.
 */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { version } from '../node/index.ts';
import { parametersHash, stampOf, type Job, type JobResult } from './job.ts';
import { clearParts } from './whole-files.ts';

export const manifestName = 'foveola.jsonl';

const entriesFolder = '.foveola';

/** The file of one entry, relative to the folder of results. */
export const entryName = ({ analysis, name }: Pick<Job, 'analysis' | 'name'>): string =>
  `${entriesFolder}/${name}.${analysis}.json`;

export interface Entry extends JobResult {
  version: string;
  /** Hash of parameters, options and version. */
  parameters: string;
  size: number;
  mtimeMs: number;
}

/** With those above it. Node's own way never ends where a folder that is there takes none (below /proc, a lost drive). */
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

export class Manifest {
  readonly folder: string;
  readonly #entries = new Map<string, Entry>();
  /** The last line was torn off: the next one begins behind it. */
  #torn = false;
  /** The workers of a queue have left files of entries. */
  #single = false;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the folder, reads the list, and clears away what killed processes have left. */
  static async open(folder: string): Promise<Manifest> {
    await makeFolder(folder);
    const manifest = await Manifest.read(folder);
    await clearParts(folder);
    return manifest;
  }

  static async read(folder: string): Promise<Manifest> {
    const manifest = new Manifest(folder);
    const text = await readFile(path.join(folder, manifestName), 'utf8').catch(() => '');
    manifest.#torn = text !== '' && !text.endsWith('\n');
    for (const line of text.split('\n')) manifest.#read(line);
    const entries = path.join(folder, entriesFolder);
    for (const file of await readdir(entries, { recursive: true }).catch(() => []))
      if (file.endsWith('.json')) {
        manifest.#single = true;
        manifest.#read(await readFile(path.join(entries, file), 'utf8'));
      }
    return manifest;
  }

  /** What a killed run or a full disk has torn off is done again. */
  #read(line: string): void {
    try {
      if (line) this.#set(JSON.parse(line) as Entry);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  #set(entry: Entry): void {
    this.#entries.set(`${entry.analysis} ${entry.name}`, entry);
  }

  get entries(): Entry[] {
    return [...this.#entries.values()];
  }

  /** What is known of a job: `same` where neither file nor parameters have changed and the results are there. */
  async known(job: Job): Promise<{ same: boolean; key?: string }> {
    const entry = this.#entries.get(`${job.analysis} ${job.name}`);
    if (entry?.status !== 'done' || entry.parameters !== parametersHash(job)) return { same: false };
    if (!entry.outputs.every((file) => existsSync(path.join(this.folder, file)))) return { same: false };
    const { size, mtimeMs } = await stampOf(job.input).catch(() => ({ size: -1, mtimeMs: -1 }));
    return { same: size === entry.size && mtimeMs === entry.mtimeMs, key: entry.key };
  }

  /** Of jobs that are done: one piece of text for all of them. */
  async add(done: readonly (readonly [Job, JobResult])[]): Promise<void> {
    let text = this.#torn ? '\n' : '';
    for (const [job, result] of done) {
      const known = this.#entries.get(`${job.analysis} ${job.name}`);
      const outcome: JobResult = result.status === 'known' && known ? { ...known, status: 'done' } : result;
      const entry = await entryOf(job, outcome);
      this.#set(entry);
      text += `${JSON.stringify(entry)}\n`;
    }
    this.#torn = true; // unless all of it is there
    await appendFile(path.join(this.folder, manifestName), text);
    this.#torn = false;
    if (this.#single) for (const [job] of done) await rm(path.join(this.folder, entryName(job)), { force: true });
  }
}

export async function entryOf(job: Job, result: JobResult): Promise<Entry> {
  const stamp = await stampOf(job.input).catch(() => ({ size: -1, mtimeMs: -1 }));
  return { ...result, version, parameters: parametersHash(job), ...stamp };
}
