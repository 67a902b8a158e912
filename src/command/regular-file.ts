/** Reads regular files only. Opening a pipe may never return, and a device may be endless. */
import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob, statSync, type BigIntStats, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { FoveolaError } from '../node/index.ts';

/** Texts that the command reads whole: parameters, annotations, tables. */
const LONGEST_TEXT = 256 << 20;

type About = Pick<Stats | BigIntStats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isFile'>;

/** Describes anything but a file. */
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

/** Its bytes are read when they are asked for. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function fileAt(file: string): Promise<Blob> {
  stampOf(file);
  try {
    return await openAsBlob(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** @throws {FoveolaError} (rejects) 'invalid-argument': it cannot be read, is not a file or too long */
export async function textAt(file: string): Promise<string> {
  const { size } = stampOf(file);
  if (size > LONGEST_TEXT)
    throw new FoveolaError(
      'invalid-argument',
      `${file} has ${Math.ceil(size / 2 ** 20)} MiB; the limit is ${LONGEST_TEXT >> 20} MiB.`,
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
