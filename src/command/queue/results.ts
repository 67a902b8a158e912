/**
 * Location for results of queued jobs: a folder that all machines share, or a store. All files of a result are complete
 * before the result is listed. Two machines that run the same job write the same bytes under the same names.
 */
import { openAsBlob } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { entryFromText, entryName, entryOf, writeEntry, type Entry } from '../entry.ts';
import { writeFault } from '../job.ts';
import { parametersHash, type Job, type JobResult } from '../job-key.ts';
import { Manifest, type Claim } from '../manifest.ts';
import { clearParts, isFile, Taken } from '../whole-files.ts';
import { getObject, hasObject, putObject, removeObject } from './store.ts';

export interface Results {
  /** The folder that `runJob` writes to. `scratch` makes a folder for this job only. */
  folder(job: Job, scratch: () => Promise<string>): Promise<string>;
  /** Finds existing results of a job, or the entry of another input that has its name. */
  claim(job: Job): Promise<Claim>;
  /** `done` is the job that was run, with paths of this machine. */
  keep(job: Job, done: Job, result: JobResult): Promise<void>;
  /**
   * Whether the files of an entry exist unchanged. If so, and the input was moved, they are listed for its new path.
   */
  holds(job: Job, entry: Entry): Promise<boolean>;
  /** Removes files that killed processes left in the folders of their jobs. */
  clear(): Promise<void>;
  /** Paths of all listed results, if these are files of this machine. */
  outputs(): Promise<ReadonlySet<string>>;
}

export const resultsAt = (out: string): Results =>
  out.startsWith('s3:') ? new StoredResults(out) : new FolderResults(out);

class FolderResults implements Results {
  readonly #out: string;
  #manifest: Promise<Manifest> | null = null;
  /** Folders in which jobs ran. */
  readonly #folders = new Set<string>();

  constructor(out: string) {
    this.#out = out;
  }

  async folder(job: Job): Promise<string> {
    await mkdir(this.#out, { recursive: true });
    const folders = [job.name, entryName(job)].map((file) => path.dirname(path.join(this.#out, file)));
    await clearParts(folders.filter((folder) => !this.#folders.has(folder)));
    for (const folder of folders) this.#folders.add(folder);
    return this.#out;
  }

  #list(): Promise<Manifest> {
    return (this.#manifest ??= Manifest.read(this.#out));
  }

  async claim(job: Job): Promise<Claim> {
    const list = await this.#list();
    await list.reload(job);
    return list.claim(job);
  }

  async keep(job: Job, _: Job, result: JobResult): Promise<void> {
    await writeEntry(job, result).catch((error: unknown) => {
      throw writeFault(job, error);
    });
  }

  async holds(job: Job, entry: Entry): Promise<boolean> {
    const { outputs, hashes, input } = entry;
    if (!outputs.every((file, i) => isFile(path.join(this.#out, file), hashes[i]!))) return false;
    if (input !== job.input) await this.keep(job, job, entry);
    return true;
  }

  clear(): Promise<void> {
    return clearParts(this.#folders);
  }

  async outputs(): Promise<ReadonlySet<string>> {
    return (await this.#list()).outputs;
  }
}

class StoredResults implements Results {
  readonly #out: string;

  constructor(out: string) {
    this.#out = out;
  }

  folder(_: Job, scratch: () => Promise<string>): Promise<string> {
    return scratch();
  }

  async claim(job: Job): Promise<Claim> {
    const entry = entryFromText((await (await getObject(this.#at(entryName(job))))?.text()) ?? '');
    if (!entry || entry.status !== 'done') return { job, entry: null };
    if (entry.input !== job.input && !job.force) return { taken: entry };
    const made = entry.outputs.map((file, i) => [file, { of: entry.sha256, hash: entry.hashes[i]! }] as const);
    const isCurrent = entry.input === job.input && entry.parameters === parametersHash(job);
    return { job: { ...job, own: Object.fromEntries(made) }, entry: isCurrent && !job.force ? entry : null };
  }

  async holds(_: Job, { outputs }: Entry): Promise<boolean> {
    return (await Promise.all(outputs.map((file) => hasObject(this.#at(file))))).every(Boolean);
  }

  async keep(job: Job, done: Job, result: JobResult): Promise<void> {
    if (job.own || job.force) await removeObject(this.#at(entryName(job))); // the listed files are replaced now
    for (const file of result.outputs) {
      const data = await openAsBlob(path.join(done.out, file));
      const replaces = job.force || (job.own !== undefined && Object.hasOwn(job.own, file));
      if (!replaces && (await hasObject(this.#at(file)))) await this.#checkSame(job, file, data);
      else if (!(await putObject(this.#at(file), data, !replaces))) await this.#checkSame(job, file, data);
    }
    await putObject(this.#at(entryName(job)), new Blob([JSON.stringify(entryOf(job, result))]));
  }

  /** Another machine may have run the same job. Any other content is not a result of this input. */
  async #checkSame(job: Job, file: string, data: Blob): Promise<void> {
    const there = Buffer.from((await (await getObject(this.#at(file)))?.arrayBuffer()) ?? new ArrayBuffer(0));
    if (!there.equals(Buffer.from(await data.arrayBuffer()))) throw writeFault(job, new Taken(this.#at(file)));
  }

  async clear(): Promise<void> {}

  async outputs(): Promise<ReadonlySet<string>> {
    return new Set();
  }

  #at(name: string): string {
    return `${this.#out}/${name}`;
  }
}
