/**
 * Recording storage: the private files of the page's origin (OPFS) if a worker may write them synchronously, otherwise
 * IndexedDB. Also checks whether another tab is writing a recording.
 */
import {
  type Appender,
  placeName,
  type RecordingStorage,
  type StoredFile,
  opfsStorage,
  type WriterParts,
} from './opfs.ts';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';

// Recordings in a database of the page's origin, for browsers that do not let workers write files. Each append is a
// record, so it is saved completely or not at all. Durability is strict: a transaction completes when it is on the
// device.

const readAtOnce = 16;

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });

/** With `create` false: null if there is no database, and none is created. */
function open(create: boolean): Promise<IDBDatabase | null> {
  const request = indexedDB.open(placeName, 1);
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => {
      if (!create) {
        request.transaction!.abort(); // removes the new database again
        return;
      }
      request.result.createObjectStore('files', { keyPath: 'name' });
      request.result.createObjectStore('blocks', { keyPath: ['name', 'number'] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = (event) => {
      event.preventDefault();
      if (request.error?.name === 'AbortError' && !create) resolve(null);
      else reject(request.error!);
    };
  });
}

interface BlockRecord {
  name: string;
  number: number;
  bytes: Uint8Array;
}

const blocksFrom = (name: string, number: number) => IDBKeyRange.bound([name, number], [name, Number.MAX_SAFE_INTEGER]);

/** Work on both stores in one transaction. Resolves with its result when the data is on the device. */
async function change<T>(
  database: IDBDatabase,
  work: (files: IDBObjectStore, blocks: IDBObjectStore) => T | Promise<T>,
): Promise<T> {
  const transaction = database.transaction(['files', 'blocks'], 'readwrite', { durability: 'strict' });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException('It was aborted.', 'AbortError'));
    transaction.onerror = (event) => event.preventDefault();
  });
  const given = await work(transaction.objectStore('files'), transaction.objectStore('blocks'));
  await done;
  return given;
}

class DatabaseAppender implements Appender {
  readonly #database: IDBDatabase;
  readonly #name: string;
  #number = 0;
  #bytes = 0;

  constructor(database: IDBDatabase, name: string) {
    this.#database = database;
    this.#name = name;
  }

  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const name = this.#name;
    await change(this.#database, (files, blocks) => {
      files.put({ name, bytes: this.#bytes + bytes.length, ended: false, modified: Date.now() } satisfies StoredFile);
      blocks.put({ name, number: this.#number, bytes } satisfies BlockRecord);
    });
    this.#number++;
    this.#bytes += bytes.length;
  }

  close(): Promise<void> {
    this.#database.close();
    return Promise.resolve();
  }
}

export function indexedDbStorage(): RecordingStorage {
  /** Null if there is no database. */
  async function using<T>(create: boolean, work: (database: IDBDatabase) => Promise<T>): Promise<T | null> {
    const database = await open(create);
    try {
      return database && (await work(database));
    } finally {
      database?.close();
    }
  }
  return {
    kind: 'indexeddb',
    exists: async () => (await using(false, () => Promise.resolve(true))) ?? false,
    prepare: async () => void (await using(true, () => Promise.resolve(true))),

    files: async () =>
      (await using(false, (database) =>
        result<StoredFile[]>(database.transaction('files').objectStore('files').getAll()),
      )) ?? [],

    create: async (name) => new DatabaseAppender((await open(true))!, name),

    ended: async (name) =>
      void (await using(true, (database) =>
        change(database, async (files) => {
          const file = await result<StoredFile | undefined>(files.get(name));
          if (file) files.put({ ...file, ended: true });
        }),
      )),

    bytes: (name) =>
      async function* () {
        const database = await open(false);
        try {
          for (let number = 0; database;) {
            const store = database.transaction('blocks').objectStore('blocks');
            const records = await result<BlockRecord[]>(store.getAll(blocksFrom(name, number), readAtOnce));
            for (const { bytes } of records) yield bytes;
            if (records.length < readAtOnce) return;
            number = records.at(-1)!.number + 1;
          }
        } finally {
          database?.close();
        }
      },

    remove: async (name) =>
      void (await using(false, (database) =>
        change(database, (files, blocks) => {
          files.delete(name);
          blocks.delete(blocksFrom(name, 0));
        }),
      )),

    async forget() {
      if (await this.exists()) await result(indexedDB.deleteDatabase(placeName));
    },
  };
}

/** Every storage that this browser supports, the best first. */
export function storages(parts: WriterParts = { trusted: (url) => url }): RecordingStorage[] {
  const all: RecordingStorage[] = [];
  if (typeof navigator.storage?.getDirectory === 'function' && typeof Worker === 'function')
    all.push(opfsStorage(parts));
  if (typeof indexedDB !== 'undefined') all.push(indexedDbStorage());
  return all;
}

/** Describes the error of a storage. */
export function storageError(error: unknown, doing: string): FoveolaError {
  if (error instanceof FoveolaError) return error;
  const name = (error as Partial<DOMException> | null)?.name ?? '';
  if (name === 'QuotaExceededError')
    return new FoveolaError(
      'storage-full',
      `${doing}: the device's storage is full. Recording continues in memory and can be exported.`,
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
 * Holds the name of a recording while it is being written, so that no other tab treats the recording as interrupted.
 * When the name is held, resolves with a function that releases it.
 */
export function holdName(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    const held = () => new Promise<void>((release) => resolve(release));
    if (!navigator.locks) resolve(() => {});
    else navigator.locks.request(lockName(name), held).catch(() => resolve(() => {}));
  });
}

/** Without locks (a page that is not secure), a recording that was written a moment ago counts as being written. */
const moment = 3000;

/** Whether a file is being written, here or in another tab. */
export async function liveNames(): Promise<(file: StoredFile) => boolean> {
  const held = (await navigator.locks?.query().catch(() => null))?.held?.map(({ name }) => name);
  if (held) return ({ name }) => held.includes(lockName(name));
  return ({ modified, ended }) => !ended && Date.now() - modified < moment;
}
