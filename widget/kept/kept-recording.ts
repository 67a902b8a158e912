/** A recording that is kept on the device, as a page gets it. */
import {
  exportParts,
  type ExportFormat,
  type PupilExportOptions,
  readJournal,
  type RecordingKey,
  type StoredRecording,
} from '../../src/index.ts';
import type { RecordingStorage, StoredFile } from '../../src/recordings/storage.ts';
import { fileName } from '../parts/download.ts';
import { blobOf, saveParts } from './save-parts.ts';

/** `element.started.chance`; the time in UTC to the second, which sorts. */
export function nameFor(element: string, now = new Date()): string {
  const chance = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, '0'));
  return `${element}.${now.toISOString().slice(0, 19).replaceAll(':', '-')}.${chance.join('')}`;
}

export function startedAt(name: string): Date {
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
