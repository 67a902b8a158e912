/** A recording saved on the device, as the page receives it. */
import {
  type ExportFormat,
  exportParts,
  type PupilExportOptions,
  readJournal,
  type RecordingKey,
  type StoredRecording,
} from '../../src/index.ts';
import { download, fileName } from '../parts/download.ts';
import type { RecordingStorage, StoredFile } from '../../src/recordings/opfs.ts';

// Writes a long text to a file of the user's choice in pieces, so that only one piece is in memory at a time.

const types = { csv: 'text/csv', json: 'application/json' } as const;

type SavePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileSystemFileHandle>;

/** Joins the pieces into one Blob. Browsers keep large Blobs on disk. */
async function blobOf(parts: AsyncIterable<string>, format: ExportFormat): Promise<Blob> {
  const blobs: Blob[] = [];
  for await (const part of parts) blobs.push(new Blob([part]));
  return new Blob(blobs, { type: types[format] });
}

/** Null: a save dialog is not available in this browser or frame. */
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
 * Saves to a file that the user chooses (File System Access), or as a download if the browser lacks that API. Call it
 * from a click. Returns false if the user cancels.
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

/** Returns `element.started.chance`. The start time is in UTC to the second, so names sort by time. */
export function nameFor(element: string, now = new Date()): string {
  const chance = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, '0'));
  return `${element}.${now.toISOString().slice(0, 19).replaceAll(':', '-')}.${chance.join('')}`;
}

function startedAt(name: string): Date {
  const [, day, hours] = /\.(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)\./.exec(name) ?? [];
  return new Date(day ? `${day}T${hours!.replaceAll('-', ':')}Z` : NaN);
}

export class KeptRecording {
  /** Name in the storage. */
  readonly name: string;
  /** Start time of the recording. */
  readonly started: Date;
  /** Size on the device in bytes. */
  readonly bytes: number;
  /** False: the page closed before the recording ended (a crash, a closed tab). */
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
   * Reads the recorded data, with header and markers. Its rows arrive in pieces.
   * @param key key of an encrypted recording, default: the element's `recordingKey`
   * @throws {FoveolaError} (rejects) 'decode-failed': its beginning is damaged, 'invalid-argument': wrong or missing
   *   key
   */
  read(key = this.#key()): Promise<StoredRecording> {
    return readJournal(this.#place.bytes(this.name), key);
  }

  /** Exports the whole recording as a file, built in pieces. `options`: see `exportCsv` of `<foveola-pupil>`. */
  async export(format: ExportFormat, options: PupilExportOptions = {}): Promise<Blob> {
    return blobOf(exportParts(await this.read(), format, options), format);
  }

  /**
   * Saves to a file that the user chooses, or as a download if a dialog is not available. Call it from a click. Returns
   * false if the user cancels.
   */
  async save(format: ExportFormat, options: PupilExportOptions = {}): Promise<boolean> {
    const lazy = async function* (stored: Promise<StoredRecording>) {
      yield* exportParts(await stored, format, options);
    };
    const stored = this.read();
    stored.catch(() => {}); // saveParts reports the error
    return saveParts(lazy(stored), fileName(`${this.name.split('.').slice(0, 2).join('-')}.`, format), format);
  }

  /** Deletes the recording from the device. */
  async remove(): Promise<void> {
    await this.#place.remove(this.name);
    await this.#removed();
  }
}

/** Detail of the event `foveola-kept`. */
export interface KeptDetail {
  /** Recordings of this kind of element on this device, newest first. Recordings in progress are not included. */
  recordings: readonly KeptRecording[];
}
