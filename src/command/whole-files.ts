/**
 * Files that are there whole or not at all: written under another name, and given theirs when all of them are complete. A file
 * that was there before is replaced only if it was made of the same input.
 */
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

let made = 0;

/** Of this machine: process numbers of another say nothing here, and a folder may be shared. Short, as names have a limit. */
const mark = `.foveola-part-${hostname()
  .replace(/[^\w.]/g, '_')
  .slice(0, 64)}`;

/** Where results are moved whose input has changed: by the hash of the bytes that they were made of. */
const REPLACED = '.foveola-replaced';

/** A file is there already that was not made of this input. */
export class Taken extends Error {
  readonly file: string;
  constructor(file: string) {
    super(`${file} is there already.`);
    this.file = file;
  }
}

export interface Keeping {
  /** Results of the same input that are there: by file, the hash of the bytes that they were made of. */
  own?: Readonly<Record<string, string>>;
  /** Of the bytes that the new ones were made of. */
  sha256?: string;
  /** Replaces what is there, whatever it is. */
  force?: boolean;
  /** Lists the new ones, when the old ones are gone. */
  announce?: () => Promise<void>;
}

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
    const folder = path.dirname(path.join(this.#folder, name));
    const part = path.join(folder, `${this.#mark}-${this.#files.size}`);
    this.#files.set(name, part);
    mkdirSync(folder, { recursive: true });
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

  /**
   * Gives all of them their names, or none. Earlier results of the input are replaced: they go first, so that nothing is
   * listed for bytes or settings that it was not made of, whenever this ends. If the bytes of the input have changed, they are
   * moved to a folder for themselves.
   * @throws {Taken} (rejects) another file has one of the names
   */
  async keep({ own = {}, sha256 = '', force = false, announce }: Keeping = {}): Promise<void> {
    const at = (name: string) => path.join(this.#folder, name);
    const isOwn = (name: string) => force || Object.hasOwn(own, name);
    for (const [name, part] of this.#files)
      if (!isOwn(name) && existsSync(at(name)) && !sameBytes(part, at(name))) throw new Taken(at(name));
    for (const [name, old] of Object.entries(own)) if (old !== sha256) this.#setAside(name, old);
    const left = this.names.filter((name) => isOwn(name) && existsSync(at(name)));
    for (const name of left) rmSync(at(name));
    if (force || Object.keys(own).length) await announce?.();
    const placed: string[] = [];
    try {
      for (const [name, part] of this.#files) if (place(part, at(name))) placed.push(at(name));
    } catch (error) {
      for (const file of placed) rmSync(file, { force: true });
      throw error;
    }
  }

  #setAside(name: string, sha256: string): void {
    const from = path.join(this.#folder, name);
    if (!existsSync(from)) return;
    const to = path.join(this.#folder, REPLACED, sha256.slice(0, 16), name);
    mkdirSync(path.dirname(to), { recursive: true });
    renameSync(from, to);
  }

  /** Gives all of them their names, whatever has them. */
  async replace(): Promise<void> {
    for (const [name, part] of this.#files) renameSync(part, path.join(this.#folder, name));
  }

  /** Takes back what was written. */
  async drop(): Promise<void> {
    for (const part of this.#files.values()) await rm(part, { force: true });
    this.#files.clear();
  }
}

/** Drives and shares that have no links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** Gives a file its name unless another has it; false where that holds the same bytes. @throws {Taken} */
function place(part: string, file: string): boolean {
  try {
    linkSync(part, file); // a rename would replace what came there in between
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (noLinks.has(code) && existsSync(file))) {
      if (!sameBytes(part, file)) throw new Taken(file);
      rmSync(part);
      return false;
    }
    if (!noLinks.has(code)) throw error;
    renameSync(part, file);
    return true;
  }
  rmSync(part);
  return true;
}

const PIECE = 1 << 20;

function sameBytes(one: string, other: string): boolean {
  const [a, b] = [statSync(one), statSync(other)];
  if (!b.isFile() || a.size !== b.size) return false;
  const files = [openSync(one, 'r'), openSync(other, 'r')] as const;
  const [first, second] = [Buffer.alloc(PIECE), Buffer.alloc(PIECE)];
  try {
    for (let at = 0; at < a.size;) {
      const count = readSync(files[0], first, 0, PIECE, at);
      if (!count || readSync(files[1], second, 0, count, at) !== count) return false;
      if (first.compare(second, 0, count, 0, count)) return false;
      at += count;
    }
    return true;
  } finally {
    files.forEach(closeSync);
  }
}

/** Clears away what killed processes of this machine have left in these folders of files they were writing. */
export async function clearParts(folders: Iterable<string>): Promise<void> {
  for (const folder of new Set(folders))
    for (const file of await readdir(folder).catch(() => [])) {
      if (!file.startsWith(`${mark}-`)) continue;
      const pid = Number(file.slice(mark.length + 1).split('-')[0]);
      if (pid && !alive(pid)) await rm(path.join(folder, file), { force: true });
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
