/**
 * Where results of queued jobs go: a folder that all machines share, or a store. A result is first there with all of its
 * files, each of them whole, and then listed; two machines that do one job write the same bytes under the same names.
 */
import { openAsBlob } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Job, JobResult } from '../job.ts';
import { entryName, entryOf, type Entry } from '../manifest.ts';
import { clearParts, WholeFiles } from '../whole-files.ts';
import { getObject, hasObject, putObject, removeObject } from './store.ts';

export interface Results {
  /** Where `runJob` writes; `scratch` makes a folder of its own for the job. */
  folder(scratch: () => Promise<string>): Promise<string>;
  /** What is listed under the job's name, where its files are there. */
  listed(job: Job): Promise<Entry | null>;
  /** `done` is the job as it was run, with paths of this machine. */
  keep(job: Job, done: Job, result: JobResult): Promise<void>;
  /** So that the job is done again. */
  forget(job: Job): Promise<void>;
  /** Clears away what killed processes have left. */
  clear(): Promise<void>;
}

export const resultsAt = (out: string): Results =>
  out.startsWith('s3:') ? new StoredResults(out) : new FolderResults(out);

class FolderResults implements Results {
  readonly #out: string;

  constructor(out: string) {
    this.#out = out;
  }

  async folder(): Promise<string> {
    await mkdir(this.#out, { recursive: true });
    return this.#out;
  }

  async listed(job: Job): Promise<Entry | null> {
    const text = await readFile(path.join(this.#out, entryName(job)), 'utf8').catch(() => null);
    if (text === null) return null;
    const entry = JSON.parse(text) as Entry;
    const there = await Promise.all(entry.outputs.map((file) => stat(path.join(this.#out, file)).catch(() => null)));
    return there.every((about) => about !== null) ? entry : null;
  }

  async keep(job: Job, done: Job, result: JobResult): Promise<void> {
    const files = new WholeFiles(this.#out);
    const entry: Entry = { ...(await entryOf(done, result)), input: job.input };
    try {
      await files.write(entryName(job), `${JSON.stringify(entry)}\n`);
      await files.keep();
    } catch (error) {
      await files.drop();
      throw error;
    }
  }

  forget(job: Job): Promise<void> {
    return rm(path.join(this.#out, entryName(job)), { force: true });
  }

  clear(): Promise<void> {
    return clearParts(this.#out);
  }
}

class StoredResults implements Results {
  readonly #out: string;

  constructor(out: string) {
    this.#out = out;
  }

  folder(scratch: () => Promise<string>): Promise<string> {
    return scratch();
  }

  async listed(job: Job): Promise<Entry | null> {
    const answer = await getObject(this.#at(entryName(job)));
    if (!answer) return null;
    const entry = (await answer.json()) as Entry;
    const there = await Promise.all(entry.outputs.map((file) => hasObject(this.#at(file))));
    return there.every(Boolean) ? entry : null;
  }

  async keep(job: Job, done: Job, result: JobResult): Promise<void> {
    for (const file of result.outputs) await putObject(this.#at(file), await openAsBlob(path.join(done.out, file)));
    const entry: Entry = { ...(await entryOf(done, result)), input: job.input };
    await putObject(this.#at(entryName(job)), new Blob([JSON.stringify(entry)]));
  }

  async forget(job: Job): Promise<void> {
    await removeObject(this.#at(entryName(job)));
  }

  async clear(): Promise<void> {}

  #at(name: string): string {
    return `${this.#out}/${name}`;
  }
}
