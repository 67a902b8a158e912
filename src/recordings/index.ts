/** Recordings that survive their page: the file that they are kept in, and their exports. */
export { exportParts, type ExportFormat, type PiecewiseRecording } from './export.ts';
export { bytesOfBlob, readJournal, StoredRecording, type JournalBytes } from './journal-reader.ts';
export { JournalWriter, type JournalAbout, type JournalNote } from './journal-writer.ts';
export { type RecordingKey } from './seal.ts';
export type { Appender, RecordingStorage, StoredFile } from './storage.ts';
export { holdName, liveNames, storageError, storages } from './storages.ts';
