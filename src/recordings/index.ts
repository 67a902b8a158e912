/**
 * Recordings that survive the closing of their page: their file format and their exports. The elements use the storage
 * itself (storages.ts).
 */
export {
  exportFormats,
  exportParts,
  exportText,
  toCsvJson,
  type ExportFormat,
  type PiecewiseRecording,
} from './export.ts';
export { toEventsCsv, type TimedEvents } from './events-table.ts';
export type { ColumnNote } from '../results/dictionary.ts';
export { bytesOfBlob, readJournal, StoredRecording, type JournalBytes } from './journal-reader.ts';
export { JournalWriter, type JournalAbout, type JournalNote } from './journal-writer.ts';
export { type RecordingKey } from './journal-writer.ts';
