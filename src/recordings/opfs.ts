/**
 * Recordings as files that are visible only to pages of this origin (origin private file system). A worker writes them
 * through a FileSystemSyncAccessHandle, whose bytes are on the device after each flush. Data written with
 * createWritable would be saved only on close, and lost with the tab.
 */
import { FoveolaError } from '../runtime/error.ts';
import { bytesOfBlob } from './journal-reader.ts';
import { startWriter, type WriterParts } from './start-writer.ts';
import { type Appender, placeName, type RecordingStorage, type StoredFile } from './storage.ts';

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
