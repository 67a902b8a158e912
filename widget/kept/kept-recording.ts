/** A recording that is kept on the device, as a page gets it. */
import {
  type ExportFormat,
  exportParts,
  type PupilExportOptions,
  readJournal,
  type RecordingKey,
  type StoredRecording,
} from '../../src/index.ts';
import { download, fileName } from '../parts/download.ts';
import type { RecordingStorage, StoredFile } from '../../src/recordings/storage.ts';

// Writes a long text into a file of the user's choice, piece by piece, so that no more of it is in memory than a piece.

const types = { csv: 'text/csv', json: 'application/json' } as const;

type SavePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileSystemFileHandle>;

/** The pieces as one Blob: browsers keep the larger ones on the disk. */
async function blobOf(parts: AsyncIterable<string>, format: ExportFormat): Promise<Blob> {
  const blobs: Blob[] = [];
  for await (const part of parts) blobs.push(new Blob([part]));
  return new Blob(blobs, { type: types[format] });
}

/** Null: the browser has no dialog for it, or not in this frame. */
async function chosenFile(name: string, format: ExportFormat): Promise<FileSystemFileHandle | 'cancelled' | null> {
  const pick = (window as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;
  if (!pick) return null;
  try {
    return await pick({ suggestedName: name, types: [{ accept: { [types[format]]: [`.${format}`] } }] });
  } catch (error) {
    return (error as DOMException).name === 'AbortError' ? 'cancelled' : null;
  }
}

/**
 * Into a file that the user chooses (File System Access), where the browser has that; else a download. Called by a click.
 * False: the user has cancelled it.
 */
export async function saveParts(parts: AsyncIterable<string>, name: string, format: ExportFormat): Promise<boolean> {
  const file = await chosenFile(name, format);
  if (file === 'cancelled') return false;
  if (!file) {
    download(await blobOf(parts, format), name);
    return true;
  }
  const writable = await file.createWritable();
  try {
    for await (const part of parts) await writable.write(part);
  } catch (error) {
    await writable.abort().catch(() => {});
    throw error;
  }
  await writable.close();
  return true;
}

/** `element.started.chance`; the time in UTC to the second, which sorts. */
export function nameFor(element: string, now = new Date()): string {
  const chance = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, '0'));
  return `${element}.${now.toISOString().slice(0, 19).replaceAll(':', '-')}.${chance.join('')}`;
}

function startedAt(name: string): Date {
  const [, day, hours] = /\.(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)\./.exec(name) ?? [];
  return new Date(day ? `${day}T${hours!.replaceAll('-', ':')}Z` : NaN);
}

export class KeptRecording {
  /** Its name in the storage. */
  readonly name: string;
  /** When it was begun. */
  readonly started: Date;
  /** On the device. */
  readonly bytes: number;
  /** False: its page went before it was ended (a crash, a closed tab). */
  readonly ended: boolean;
  readonly storage: 'opfs' | 'indexeddb';
  readonly #place: RecordingStorage;
  readonly #key: () => RecordingKey | null;
  readonly #removed: () => Promise<void>;

  /** @internal */
  constructor(
    { name, bytes, ended }: StoredFile,
    place: RecordingStorage,
    key: () => RecordingKey | null,
    removed: () => Promise<void>,
  ) {
    this.name = name;
    this.started = startedAt(name);
    this.bytes = bytes;
    this.ended = ended;
    this.storage = place.kind;
    this.#place = place;
    this.#key = key;
    this.#removed = removed;
  }

  /**
   * What was recorded, with its header and markers; its rows come in pieces.
   * @param key where it is encrypted; default: the element's `recordingKey`
   * @throws {FoveolaError} (rejects) 'decode-failed': its beginning is damaged; 'invalid-argument': another key, or none
   */
  read(key = this.#key()): Promise<StoredRecording> {
    return readJournal(this.#place.bytes(this.name), key);
  }

  /** The whole as a file, made piece by piece. `options` as for `exportCsv` of `<foveola-pupil>`. */
  async export(format: ExportFormat, options: PupilExportOptions = {}): Promise<Blob> {
    return blobOf(exportParts(await this.read(), format, options), format);
  }

  /**
   * Writes it into a file that the user chooses, where the browser has a dialog for that, else as a download. To be called
   * by a click. False: the user has cancelled it.
   */
  async save(format: ExportFormat, options: PupilExportOptions = {}): Promise<boolean> {
    const lazy = async function* (stored: Promise<StoredRecording>) {
      yield* exportParts(await stored, format, options);
    };
    const stored = this.read();
    stored.catch(() => {}); // reported by saveParts
    return saveParts(lazy(stored), fileName(`${this.name.split('.').slice(0, 2).join('-')}.`, format), format);
  }

  /** Deletes it from the device. */
  async remove(): Promise<void> {
    await this.#place.remove(this.name);
    await this.#removed();
  }
}

/** What `foveola-kept` tells. */
export interface KeptDetail {
  /** Kept on this device by this kind of element, the newest first; without those that are being written. */
  recordings: readonly KeptRecording[];
}
