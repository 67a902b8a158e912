/**
 * Recordings as files that are visible only to pages of this origin (origin private file system). A worker writes them
 * through a FileSystemSyncAccessHandle, whose bytes are on the device after each flush. Data written with
 * createWritable would be saved only on close, and lost with the tab.
 */
import { type JournalBytes, bytesOfBlob } from './journal-reader.ts';
import { fileWorker } from '../runtime/engine/policy.ts';
import { FoveolaError } from '../runtime/error.ts';

/** The interface of a recording storage. Looking for saved recordings creates neither a file nor a database. */

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** The recording was ended. Otherwise its page was closed first. */
  readonly ended: boolean;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Writes one recording. Bytes are on the device when `append` has resolved. After a failure, none of its bytes are. */
export interface Appender {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/** `exists` is false before the first `create`, and after `forget`. */
export interface RecordingStorage {
  readonly kind: 'opfs' | 'indexeddb';
  exists(): Promise<boolean>;
  /** Creates the storage. */
  prepare(): Promise<void>;
  files(): Promise<StoredFile[]>;
  create(name: string): Promise<Appender>;
  ended(name: string): Promise<void>;
  bytes(name: string): JournalBytes;
  remove(name: string): Promise<void>;
  /** Deletes everything, including the storage itself. */
  forget(): Promise<void>;
}

/** The name of the folder and of the database. */
export const placeName = 'foveola-recordings';

/**
 * Starts the worker that writes (opfs-writer.ts). The built package uses dist/recording-writer.js instead. One static
 * `new URL('./file', import.meta.url)` names it, because bundlers include files only in that form.
 */

/** The hash of dist/recording-writer.js, inserted by the build. */
const hash = '';
const START_TIMEOUT = 15_000;

/** The page's settings for the worker. */
export interface WriterParts {
  /** Converts a URL to the type that the Worker constructor accepts. */
  trusted(url: string): string;
  /**
   * The file must be unchanged since the build. Set for the CDN scripts. With bundlers it is not set, because they may
   * change the file.
   */
  pinned?: boolean;
}

export const startWriter = ({ trusted, pinned }: WriterParts): Promise<Worker> =>
  fileWorker(new URL('./opfs-writer.ts', import.meta.url).href, {
    name: 'foveola-recording',
    trusted,
    integrity: pinned ? hash : undefined,
    timeout: START_TIMEOUT,
  });

const extension = '.foveola';
/** Suffix of an empty file that marks a recording as ended. */
const endedMark = '.ended';

/** Request to the worker, which answers each with `Answer`. */
export type Order = { open: string[] } | { append: Uint8Array<ArrayBuffer> } | { close: true };
export type Answer = { error?: { name: string; message: string } };

/** Returns null if the file does not exist. Rethrows all other errors. */
function unlessMissing(error: unknown): null {
  if ((error as DOMException).name === 'NotFoundError') return null;
  throw error;
}

async function folder(create: boolean): Promise<FileSystemDirectoryHandle | null> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(placeName, { create }).catch(unlessMissing);
}

/** One worker per recording. Requests are sent in order, and each is answered. */
class WriterWorker implements Appender {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async open(path: string[], parts: WriterParts): Promise<WriterWorker> {
    const writer = new WriterWorker(await startWriter(parts));
    try {
      await writer.#order({ open: path });
    } catch (error) {
      writer.#worker.terminate();
      throw error;
    }
    return writer;
  }

  #order(order: Order): Promise<void> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data: { error } }: MessageEvent<Answer>) =>
        error ? reject(new DOMException(error.message, error.name)) : resolve();
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new FoveolaError('storage-failed', 'The worker that writes recordings did not start.'));
      };
      worker.postMessage(order);
    });
  }

  append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#order({ append: bytes });
  }

  async close(): Promise<void> {
    try {
      await this.#order({ close: true });
    } finally {
      this.#worker.terminate();
    }
  }
}

async function* entries(): AsyncGenerator<FileSystemFileHandle> {
  // Missing in TypeScript's types of the page: the iterator.
  const place = (await folder(false)) as
    (FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> }) | null;
  if (place) for await (const entry of place.values()) if (entry.kind === 'file') yield entry as FileSystemFileHandle;
}

export function opfsStorage(parts: WriterParts): RecordingStorage {
  const removeEntry = async (name: string) => {
    const place = await folder(false);
    await place?.removeEntry(name).catch(unlessMissing);
  };
  return {
    kind: 'opfs',
    exists: async () => (await folder(false)) !== null,
    prepare: async () => void (await folder(true)),

    async files() {
      const found: StoredFile[] = [];
      const ended = new Set<string>();
      for await (const entry of entries()) {
        if (entry.name.endsWith(endedMark)) ended.add(entry.name.slice(0, -endedMark.length));
        if (!entry.name.endsWith(extension)) continue;
        const { size, lastModified } = await entry.getFile();
        found.push({
          ...{ name: entry.name.slice(0, -extension.length), bytes: size, ended: false, modified: lastModified },
        });
      }
      return found.map((file) => ({ ...file, ended: ended.has(file.name) }));
    },

    async create(name) {
      await folder(true);
      return WriterWorker.open([placeName, `${name}${extension}`], parts);
    },

    ended: async (name) => void (await (await folder(true))!.getFileHandle(`${name}${endedMark}`, { create: true })),

    bytes: (name) =>
      async function* () {
        const place = await folder(false);
        const handle = await place?.getFileHandle(`${name}${extension}`).catch(unlessMissing);
        if (handle) yield* bytesOfBlob(await handle.getFile(), () => handle.getFile())();
      },

    async remove(name) {
      await removeEntry(`${name}${extension}`);
      await removeEntry(`${name}${endedMark}`);
    },

    async forget() {
      const root = await navigator.storage.getDirectory();
      await root.removeEntry(placeName, { recursive: true }).catch(unlessMissing);
    },
  };
}
