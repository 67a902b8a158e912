/** Recordings saved on the device: how one is saved while it runs, and how the page reads it. */
import {
  type ExportFormat,
  exportParts,
  type PupilExportOptions,
  readJournal,
  type RecordingKey,
  type StoredRecording,
  FoveolaError,
  JournalWriter,
  Recording,
  type RecordingHeader,
} from '../../../src/index.ts';
import { download, fileName } from '../../base/page.ts';
import type { RecordingStorage, StoredFile, Appender } from '../../../src/recordings/opfs.ts';
import { holdName } from '../../../src/recordings/storages.ts';
import { asKept } from '../../../src/recordings/blocks.ts';

// A recording saved on the device, as the page receives it.

// Writes a long text to a file of the user's choice in pieces, so that only one piece is in memory at a time.

const typeOf = (format: ExportFormat) => (format.endsWith('csv') ? 'text/csv' : 'application/json');

type SavePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileSystemFileHandle>;

/** Joins the pieces into one Blob. Browsers keep large Blobs on disk. */
async function blobOf(parts: AsyncIterable<string>, format: ExportFormat): Promise<Blob> {
  const blobs: Blob[] = [];
  for await (const part of parts) blobs.push(new Blob([part]));
  return new Blob(blobs, { type: typeOf(format) });
}

/** Null: a save dialog is not available in this browser or frame. */
async function chosenFile(name: string, format: ExportFormat): Promise<FileSystemFileHandle | 'cancelled' | null> {
  const pick = (window as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;
  if (!pick) return null;
  try {
    return await pick({ suggestedName: name, types: [{ accept: { [typeOf(format)]: [`.${format}`] } }] });
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
function nameFor(element: string, now = new Date()): string {
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
    const name = fileName(`${this.name.split('.').slice(0, 2).join('-')}.`, format);
    const saved = await saveParts(lazy(stored), name, format);
    if (saved && format === 'csv' && options.format !== 'comments')
      download(await blobOf(exportParts(await stored, 'csv.json', options), 'json'), `${name}.json`);
    return saved;
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

// Saves one recording while it runs. New data since the last call is written to the device. Written rows may then
// leave memory. If the storage refuses, written rows stay on the device and the rest stays in memory. So nothing is
// lost while the page is open.

/** Minimum number of rows in memory: 4 minutes of one eye at 120 Hz, 5 MB. At twice this number some are released. */
const rowsInMemory = 1 << 15;

export class Keeping {
  readonly recording: Recording;
  readonly name: string;
  readonly storage: RecordingStorage;
  /** Header of this recording, as of the last request. */
  header: RecordingHeader;
  /** Number of rows stored on the device. */
  stored = 0;
  /** The storage has refused. Nothing more is written. */
  refused = false;
  /** The recording was deleted from the device. Only the rows in memory are left. */
  deleted = false;
  readonly #appender: Appender;
  readonly #writer: JournalWriter;
  readonly #key: RecordingKey | null;
  readonly #release: () => void;
  #exports = 0;

  /** @throws errors of the storages, and 'invalid-argument' for an invalid key */
  static async begin(
    element: string,
    recording: Recording,
    header: RecordingHeader,
    key: RecordingKey | null,
    storages: readonly RecordingStorage[],
  ): Promise<Keeping> {
    const { columns } = recording;
    const writer = await JournalWriter.create({ element, columns, header }, recording, key);
    const name = nameFor(element);
    const release = await holdName(name);
    let refusal: unknown = new FoveolaError(
      'storage-failed',
      'This browser has neither OPFS nor IndexedDB. Use another browser.',
    );
    for (const storage of storages)
      try {
        return new Keeping(recording, name, storage, header, await storage.create(name), writer, key, release);
      } catch (error) {
        refusal = error;
      }
    release();
    throw refusal;
  }

  private constructor(
    recording: Recording,
    name: string,
    storage: RecordingStorage,
    header: RecordingHeader,
    appender: Appender,
    writer: JournalWriter,
    key: RecordingKey | null,
    release: () => void,
  ) {
    this.recording = recording;
    this.name = name;
    this.storage = storage;
    this.header = header;
    this.#appender = appender;
    this.#writer = writer;
    this.#key = key;
    this.#release = release;
  }

  /** Writes the new rows to the device. Rejects with the storage's error and then writes nothing more. */
  async write(ended = false): Promise<void> {
    if (this.refused) return;
    try {
      const bytes = await this.#writer.take(this.header, ended);
      const { rows } = this.#writer;
      if (bytes.length) await this.#appender.append(bytes);
      this.stored = rows;
    } catch (error) {
      this.refused = true;
      throw error;
    }
    const { recording, stored } = this;
    if (!this.#exports && stored - recording.first >= 2 * rowsInMemory) recording.release(stored - rowsInMemory);
  }

  /** Closes the file. `ended`: the recording has ended and is complete. */
  async close(ended: boolean): Promise<void> {
    try {
      await this.#appender.close();
      if (ended && !this.refused) await this.storage.ended(this.name);
    } finally {
      this.#release();
    }
  }

  /** Yields the text of an export in parts. Rows that are no longer in memory are read from the device. */
  async *export(
    header: Promise<RecordingHeader>,
    format: ExportFormat,
    options: PupilExportOptions,
  ): AsyncGenerator<string> {
    const { recording } = this;
    const { length } = recording;
    this.#exports++; // until it is done, no rows leave memory
    try {
      const about = { markers: [...recording.markers], events: recording.events.all };
      const all = { columns: recording.columns, header: await header, ...about, pieces: () => this.#pieces(length) };
      yield* exportParts(all, format, options);
    } finally {
      this.#exports--;
    }
  }

  /** Rows up to `length`. The older ones are read from the device. */
  async *#pieces(length: number): AsyncGenerator<Recording> {
    let next = this.deleted ? this.recording.first : 0;
    if (next < this.recording.first) {
      const stored = await readJournal(this.storage.bytes(this.name), this.#key);
      for await (const piece of stored.pieces()) {
        const rows = Math.min(piece.length, length - next);
        if (rows > 0) yield rows === piece.length ? piece : part(piece, 0, rows);
        next += rows;
      }
    }
    if (next < length) yield part(this.recording, next, length);
  }
}

/** Rows in memory, with the same precision as rows from the device. */
function part(recording: Recording, from: number, to: number): Recording {
  const rows = new Recording(recording.columns, to - from);
  for (let row = from; row < to; row++)
    rows.push(recording.columns.map((about, column) => asKept(about, recording.at(row, column))));
  return rows;
}
