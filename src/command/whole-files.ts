/** Files that are there whole or not at all: written under another name, and renamed when all of them are complete. */
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

let made = 0;

/** Of this machine: process numbers of another say nothing here, and a folder may be shared. */
const mark = `part-${hostname().replace(/[^\w.]/g, '_')}`;

export class WholeFiles {
  readonly #folder: string;
  /** Of this process alone: two that do the same job do not write into one file. */
  readonly #mark = `${mark}-${process.pid}-${made++}`;
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
    mkdirSync(path.dirname(file), { recursive: true });
    return part;
  }

  /** Written at once: waiting for a disk costs a small file more than the disk does. */
  async write(name: string, data: Uint8Array | string | Iterable<string>): Promise<void> {
    const part = await this.place(name);
    if (typeof data === 'string' || data instanceof Uint8Array) return writeFileSync(part, data);
    const file = openSync(part, 'w');
    try {
      for (const piece of data) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  }

  /** Gives all of them their names. */
  async keep(): Promise<void> {
    for (const [name, part] of this.#files) renameSync(part, path.join(this.#folder, name));
  }

  /** Takes back what was written. */
  async drop(): Promise<void> {
    for (const part of this.#files.values()) await rm(part, { force: true });
    this.#files.clear();
  }
}

/** Clears away what killed processes of this machine have left of files they were writing. */
export async function clearParts(folder: string): Promise<void> {
  const own = new RegExp(`\\.${mark.replaceAll('.', '\\.')}-(\\d+)-\\d+$`);
  for (const file of await readdir(folder, { recursive: true }).catch(() => [])) {
    const pid = own.exec(file)?.[1];
    if (pid !== undefined && !alive(Number(pid))) await rm(path.join(folder, file), { force: true });
  }
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
