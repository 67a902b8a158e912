/**
 * Saves one recording while it runs. New data since the last call is written to the device. Written rows may then leave
 * memory. If the storage refuses, written rows stay on the device and the rest stays in memory. So nothing is lost
 * while the page is open.
 */
import {
  exportParts,
  type ExportFormat,
  FoveolaError,
  JournalWriter,
  type PupilExportOptions,
  readJournal,
  Recording,
  type RecordingHeader,
  type RecordingKey,
} from '../../src/index.ts';
import type { Appender, RecordingStorage } from '../../src/recordings/opfs.ts';
import { holdName } from '../../src/recordings/storages.ts';
import { asKept } from '../../src/recordings/blocks.ts';
import { nameFor } from './kept-recording.ts';

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
