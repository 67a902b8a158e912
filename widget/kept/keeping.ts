/**
 * One recording while it is kept: what has come since the last call goes to the device, and what is there may leave the
 * memory. When the storage refuses, what was written stays and the rest remains in memory, so nothing is lost while the
 * page lives.
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
import type { Appender, RecordingStorage } from '../../src/recordings/storage.ts';
import { holdName } from '../../src/recordings/storages.ts';
import { asKept } from '../../src/recordings/blocks.ts';
import { nameFor } from './kept-recording.ts';

/** Rows that stay in memory at least: 4 minutes of one eye at 120 Hz, 5 MB. Twice as many are let in before some go. */
const rowsInMemory = 1 << 15;

export class Keeping {
  readonly recording: Recording;
  readonly name: string;
  readonly storage: RecordingStorage;
  /** Of this recording, as it was when it was last asked for. */
  header: RecordingHeader;
  /** Rows that are on the device. */
  stored = 0;
  /** The storage has refused: nothing is written any more. */
  refused = false;
  /** It was deleted from the device: what is still in memory is all. */
  deleted = false;
  readonly #appender: Appender;
  readonly #writer: JournalWriter;
  readonly #key: RecordingKey | null;
  readonly #release: () => void;
  #exports = 0;

  /** @throws what the storages have thrown; 'invalid-argument' for a key that is none */
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

  /** Puts on the device what has come since. Rejects with what the storage says; nothing more is written then. */
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

  /** Closes the file; `ended` where the recording was ended and all of it is there. */
  async close(ended: boolean): Promise<void> {
    try {
      await this.#appender.close();
      if (ended && !this.refused) await this.storage.ended(this.name);
    } finally {
      this.#release();
    }
  }

  /** The text of an export in parts: what is no longer in memory comes from the device. */
  async *export(
    header: Promise<RecordingHeader>,
    format: ExportFormat,
    options: PupilExportOptions,
  ): AsyncGenerator<string> {
    const { recording } = this;
    const { length } = recording;
    this.#exports++; // so long nothing leaves the memory
    try {
      const about = { markers: [...recording.markers], events: recording.events.all };
      const all = { columns: recording.columns, header: await header, ...about, pieces: () => this.#pieces(length) };
      yield* exportParts(all, format, options);
    } finally {
      this.#exports--;
    }
  }

  /** Rows up to `length`, the older ones from the device. */
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

/** Rows that are in memory, with the precision of those that come from the device. */
function part(recording: Recording, from: number, to: number): Recording {
  const rows = new Recording(recording.columns, to - from);
  for (let row = from; row < to; row++)
    rows.push(recording.columns.map((about, column) => asKept(about, recording.at(row, column))));
  return rows;
}
