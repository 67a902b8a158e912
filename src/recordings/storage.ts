/** What a place where recordings are kept can do. Looking for what was kept creates neither file nor database. */
import type { JournalBytes } from './journal-reader.ts';

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** The recording was ended; else its page went before. */
  readonly ended: boolean;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Writes one recording. Bytes are on the device when `append` has resolved; after a failure nothing of them is. */
export interface Appender {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/** `exists` is false before the first `create`, and after `forget`. */
export interface RecordingStorage {
  readonly kind: 'opfs' | 'indexeddb';
  exists(): Promise<boolean>;
  /** Makes the place, so that it exists from now on. */
  prepare(): Promise<void>;
  files(): Promise<StoredFile[]>;
  create(name: string): Promise<Appender>;
  ended(name: string): Promise<void>;
  bytes(name: string): JournalBytes;
  remove(name: string): Promise<void>;
  /** Removes everything, the place itself as well. */
  forget(): Promise<void>;
}

/** The name of the folder and of the database. */
export const placeName = 'foveola-recordings';
