/**
 * Where recordings are kept: the private files of the page's origin (OPFS) where a worker may write them at once, else
 * IndexedDB; and whether another tab is writing one.
 */
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { indexedDbStorage } from './indexed-db.ts';
import { opfsStorage } from './opfs.ts';
import type { WriterParts } from './start-writer.ts';
import { placeName, type RecordingStorage, type StoredFile } from './storage.ts';

/** Every storage that this browser has, the better one first. */
export function storages(parts: WriterParts = { trusted: (url) => url }): RecordingStorage[] {
  const all: RecordingStorage[] = [];
  if (typeof navigator.storage?.getDirectory === 'function' && typeof Worker === 'function')
    all.push(opfsStorage(parts));
  if (typeof indexedDB !== 'undefined') all.push(indexedDbStorage());
  return all;
}

/** What a storage has thrown, in words. */
export function storageError(error: unknown, doing: string): FoveolaError {
  if (error instanceof FoveolaError) return error;
  const name = (error as Partial<DOMException> | null)?.name ?? '';
  if (name === 'QuotaExceededError')
    return new FoveolaError(
      'storage-full',
      `${doing}: the device's storage is full. What was written is kept; the recording goes on in memory and can be exported.`,
      { cause: error },
    );
  if (error instanceof DOMException)
    return new FoveolaError('storage-failed', `${doing}: the browser's storage refused (${name}: ${error.message}).`, {
      cause: error,
    });
  return asFoveolaError(error, doing);
}

const lockName = (name: string) => `${placeName}: ${name}`;

/**
 * Holds the name of a recording for as long as it is written, so that no other tab takes it for one that broke off.
 * Resolves, when it is held, with what lets it go.
 */
export function holdName(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    const held = () => new Promise<void>((release) => resolve(release));
    if (!navigator.locks) resolve(() => {});
    else navigator.locks.request(lockName(name), held).catch(() => resolve(() => {}));
  });
}

/** Without locks (a page that is not secure) what was written a moment ago is taken for live. */
const moment = 3000;

/** Whether a file is being written, here or in another tab. */
export async function liveNames(): Promise<(file: StoredFile) => boolean> {
  const held = (await navigator.locks?.query().catch(() => null))?.held?.map(({ name }) => name);
  if (held) return ({ name }) => held.includes(lockName(name));
  return ({ modified, ended }) => !ended && Date.now() - modified < moment;
}
