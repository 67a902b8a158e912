/** The interface of a recording storage. Looking for saved recordings creates neither a file nor a database. */
import type { JournalBytes } from './journal-reader.ts';

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
