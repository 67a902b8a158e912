/** Files that are there whole or not at all: written under another name, and renamed when all of them are complete. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

let made = 0;

export class WholeFiles {
  readonly #folder: string;
  /** Of this process alone: two that do the same job do not write into one file. */
  readonly #mark = `part-${process.pid}-${made++}`;
  readonly #files = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Names of the files so far, relative to the folder. */
  get names(): string[] {
    return [...this.#files.keys()];
  }

  /** Where a file is written until it is whole. */
  async place(name: string): Promise<string> {
    const file = path.join(this.#folder, name);
    const part = `${file}.${this.#mark}`;
    this.#files.set(name, part);
    await mkdir(path.dirname(file), { recursive: true });
    return part;
  }

  async write(name: string, data: Uint8Array | string | Iterable<string>): Promise<void> {
    const handle = await open(await this.place(name), 'w');
    try {
      if (typeof data === 'string' || data instanceof Uint8Array) await handle.writeFile(data);
      else for (const piece of data) await handle.write(piece);
    } finally {
      await handle.close();
    }
  }

  /** Gives all of them their names. */
  async keep(): Promise<void> {
    for (const [name, part] of this.#files) await rename(part, path.join(this.#folder, name));
  }

  /** Takes back what was written. */
  async drop(): Promise<void> {
    for (const part of this.#files.values()) await rm(part, { force: true });
    this.#files.clear();
  }
}
