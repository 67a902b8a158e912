/**
 * Writes files that are complete or do not exist: they are written under another name, and renamed when all of them are
 * complete. An existing file is replaced only if it was made from the same input.
 */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  openAsBlob,
  statSync,
  type BigIntStats,
  type Stats,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { FoveolaError } from '../node/index.ts';
import { hostname } from 'node:os';
import path from 'node:path';

// Reads only regular files. Opening a pipe may never return, and a device may be endless.

/** Limit for text files that the command reads as a whole: parameters, annotations, tables. */
const LONGEST_TEXT = 256 << 20;

type About = Pick<Stats | BigIntStats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isFile'>;

/** Describes anything that is not a regular file. */
export const otherKind = (about: About): string =>
  about.isDirectory() ? 'a folder' : about.isFIFO() ? 'a pipe' : about.isSocket() ? 'a socket' : 'a device';

export const unreadable = (file: string, cause: unknown): FoveolaError =>
  new FoveolaError(
    'invalid-argument',
    `${file} cannot be read (${(cause as NodeJS.ErrnoException).code ?? String(cause)}). Check the path and its permissions.`,
    { cause },
  );

/**
 * Size of a file, and a stamp that changes when another file has its path or something writes to it.
 * @throws {FoveolaError} 'invalid-argument': it cannot be read, or is not a file
 */
export function stampOf(file: string): { size: number; stamp: string } {
  let about: BigIntStats;
  try {
    about = statSync(file, { bigint: true });
  } catch (cause) {
    throw unreadable(file, cause);
  }
  if (!about.isFile()) throw new FoveolaError('invalid-argument', `${file} is ${otherKind(about)}, not a file.`);
  const { size, mtimeNs, ctimeNs, dev, ino } = about;
  return { size: Number(size), stamp: [size, mtimeNs, ctimeNs, dev, ino].join() };
}

/** Its bytes are read on request. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function fileAt(file: string): Promise<Blob> {
  stampOf(file);
  try {
    return await openAsBlob(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** @throws {FoveolaError} (rejects) 'invalid-argument': it cannot be read, is not a file or is too long */
export async function textAt(file: string): Promise<string> {
  const { size } = stampOf(file);
  if (size > LONGEST_TEXT)
    throw new FoveolaError(
      'invalid-argument',
      `${file} has ${Math.ceil(size / 2 ** 20)} MiB. The limit is ${LONGEST_TEXT >> 20} MiB.`,
    );
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** @throws {FoveolaError} (rejects) 'invalid-argument': the file cannot be read */
export async function sha256Of(file: string): Promise<string> {
  stampOf(file);
  const sum = createHash('sha256');
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) sum.update(piece as Buffer);
  } catch (cause) {
    throw unreadable(file, cause);
  }
  return sum.digest('hex');
}

let made = 0;

/**
 * Mark of this machine. Process numbers of another machine mean nothing here, and a folder may be shared. It is short,
 * because names have a length limit.
 */
const mark = `.foveola-part-${hostname()
  .replace(/[^\w.]/g, '_')
  .slice(0, 64)}`;

/** Folder for old results of an input that has changed, by the hash of the input's bytes. */
const REPLACED = '.foveola-replaced';

/** A file exists that was not made from this input. */
export class Taken extends Error {
  readonly file: string;
  constructor(file: string) {
    super(`${file} exists already.`);
    this.file = file;
  }
}

export interface Keeping {
  /** Existing results of the same input, by file. */
  own?: Readonly<Record<string, { of: string; hash: string }>>;
  /** Hash of the input's bytes, for the new results. */
  of?: string;
  /** Replaces any existing file. */
  force?: boolean;
  /** Lists the new results after the old ones have been removed. */
  announce?: () => Promise<void>;
}

interface Part {
  file: string;
  /** Hash of its contents, when known. */
  hash: string | null;
}

export class WholeFiles {
  readonly #folder: string;
  /** For this process only, so that two processes with the same job do not write to the same file. */
  readonly #mark = `${mark}-${process.pid}-${made++}`;
  readonly #parts = new Map<string, Part>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Names of the files so far, relative to the folder. */
  get names(): string[] {
    return [...this.#parts.keys()];
  }

  /** Their hashes, when all of them are complete. */
  get hashes(): string[] {
    return [...this.#parts.values()].map((part) => (part.hash ??= hashOf(part.file)));
  }

  #at(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Path to which a file is written until it is complete. */
  async place(name: string): Promise<string> {
    const folder = path.dirname(this.#at(name));
    const file = path.join(folder, `${this.#mark}-${this.#parts.size}`);
    this.#parts.set(name, { file, hash: null });
    mkdirSync(folder, { recursive: true });
    return file;
  }

  /** Writes synchronously, because for a small file asynchronous waiting costs more time than the disk. */
  async write(name: string, data: Uint8Array | string | Iterable<string>): Promise<void> {
    const file = openSync(await this.place(name), 'w');
    const sum = createHash('sha256');
    try {
      for (const piece of typeof data === 'string' || data instanceof Uint8Array ? [data] : data) {
        writeFileSync(file, piece);
        sum.update(piece);
      }
    } finally {
      closeSync(file);
    }
    this.#parts.get(name)!.hash = sum.digest('hex');
  }

  /**
   * Renames all of them, or none. Earlier results of the input are removed first. So at any moment, a listed file was
   * made from the bytes and settings in the list. If the bytes of the input have changed, the earlier results are moved
   * to another folder. A file that was changed since it was listed is not replaced.
   * @throws {Taken} (rejects) another file has one of the names
   */
  async keep({ own = {}, of = '', force = false, announce }: Keeping = {}): Promise<void> {
    const old = Object.entries(own).filter(([name, { hash }]) => isFile(this.#at(name), hash));
    const isOwn = new Set(old.map(([name]) => name));
    const hashes = this.hashes;
    this.names.forEach((name, i) => {
      const free = force || isOwn.has(name) || !existsSync(this.#at(name));
      if (!free && !isFile(this.#at(name), hashes[i]!)) throw new Taken(this.#at(name));
    });
    for (const [name, one] of old) if (one.of !== of) this.#setAside(name, one.of);
    for (const name of this.names) if (force || isOwn.has(name)) rmSync(this.#at(name), { force: true });
    if (force || Object.keys(own).length) await announce?.();
    const placed: string[] = [];
    try {
      for (const [name, part] of this.#parts) if (place(part.file, this.#at(name), part.hash!)) placed.push(name);
    } catch (error) {
      for (const name of placed) rmSync(this.#at(name), { force: true });
      throw error;
    }
  }

  #setAside(name: string, of: string): void {
    const to = path.join(this.#folder, REPLACED, of.slice(0, 16), name);
    mkdirSync(path.dirname(to), { recursive: true });
    renameSync(this.#at(name), to);
  }

  /** Renames all of them, and replaces existing files. */
  async replace(): Promise<void> {
    for (const [name, { file }] of this.#parts) renameSync(file, this.#at(name));
  }

  /** Deletes the written files. */
  async drop(): Promise<void> {
    // its folder may not exist
    for (const { file } of this.#parts.values()) await rm(file, { force: true }).catch(() => {});
    this.#parts.clear();
  }
}

/** Errors of drives and shares that do not support links. */
const noLinks = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/**
 * Renames a file to its final name unless another file has that name. Returns false if the other file has the same
 * bytes. @throws {Taken}
 */
function place(part: string, file: string, hash: string): boolean {
  try {
    linkSync(part, file); // a rename would replace a file that was written in between
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (noLinks.has(code) && existsSync(file))) {
      if (!isFile(file, hash)) throw new Taken(file);
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

/** One buffer for all reads, because they do not overlap. */
const piece = Buffer.allocUnsafe(1 << 18);

function hashOf(file: string): string {
  const sum = createHash('sha256');
  const open = openSync(file, 'r');
  try {
    for (let count; (count = readSync(open, piece)) > 0;) sum.update(piece.subarray(0, count));
  } finally {
    closeSync(open);
  }
  return sum.digest('hex');
}

/** Whether the file exists and has these contents. */
export function isFile(file: string, hash: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && hashOf(file) === hash;
}

/** Removes partial files in these folders that killed processes of this machine have left. */
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
