/**
 * The list of results of a folder, `foveola.jsonl`: one line a job, the last one of a name counts. A line is added when the
 * files of a result have their names, so what stands in it is there.
 */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { version } from '../node/index.ts';
import { parametersHash, stampOf, type Job, type JobResult } from './job.ts';

export const manifestName = 'foveola.jsonl';

export interface Entry extends JobResult {
  version: string;
  /** Hash of parameters, options and version. */
  parameters: string;
  size: number;
  mtimeMs: number;
}

export class Manifest {
  readonly folder: string;
  readonly #entries = new Map<string, Entry>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the folder, reads the list, and clears away what killed processes have left of files they were writing. */
  static async open(folder: string): Promise<Manifest> {
    await mkdir(folder, { recursive: true });
    const manifest = await Manifest.read(folder);
    for (const file of await readdir(folder, { recursive: true }))
      if (/\.part-\d+-\d+$/.test(file) && !alive(Number(/part-(\d+)-/.exec(file)![1])))
        await rm(path.join(folder, file), { force: true });
    return manifest;
  }

  static async read(folder: string): Promise<Manifest> {
    const manifest = new Manifest(folder);
    const text = await readFile(path.join(folder, manifestName), 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      if (!line.endsWith('}')) continue; // the last line of a run that was killed
      const entry = JSON.parse(line) as Entry;
      manifest.#entries.set(`${entry.analysis} ${entry.name}`, entry);
    }
    return manifest;
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

  async add(job: Job, result: JobResult): Promise<void> {
    const stamp = await stampOf(job.input).catch(() => ({ size: -1, mtimeMs: -1 }));
    const known = this.#entries.get(`${job.analysis} ${job.name}`);
    const outcome: JobResult = result.status === 'known' && known ? { ...known, status: 'done' } : result;
    const entry: Entry = { ...outcome, version, parameters: parametersHash(job), ...stamp };
    this.#entries.set(`${job.analysis} ${job.name}`, entry);
    await appendFile(path.join(this.folder, manifestName), `${JSON.stringify(entry)}\n`);
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
