/** Files by their path. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FoveolaError } from '../runtime/error.ts';

/** Throws 'invalid-argument'. */
export function pathOf(source: unknown, caller: string): string {
  if (typeof source === 'string' && source !== '' && !/^[a-z]{2,}:\/\//i.test(source)) return source;
  const url = typeof source === 'string' || source instanceof URL ? String(source) : '';
  try {
    if (url.startsWith('file:')) return fileURLToPath(url);
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `${caller}: ${url} is not the URL of a file.`, { cause });
  }
  throw new FoveolaError(
    'invalid-argument',
    `${caller}: needs the path or file: URL of a file, not ${String(source)}.`,
  );
}

/** The file as a Blob. Its bytes are read on request. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function blobOf(path: string): Promise<Blob> {
  try {
    const about = await stat(path);
    if (about.isFile()) return await openAsBlob(path);
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new FoveolaError(
      'invalid-argument',
      `${path} cannot be read (${code}). Check the path and its permissions.`,
      { cause },
    );
  }
  throw new FoveolaError('invalid-argument', `${path} is not a file.`);
}
