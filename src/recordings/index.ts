/** Recordings that survive their page: the file that they are kept in, and their exports. Where they are kept (storages.ts) is for the element. */
export { exportParts, type ExportFormat, type PiecewiseRecording } from './export.ts';
export { bytesOfBlob, readJournal, StoredRecording, type JournalBytes } from './journal-reader.ts';
export { JournalWriter, type JournalAbout, type JournalNote } from './journal-writer.ts';
export { type RecordingKey } from './journal-writer.ts';
