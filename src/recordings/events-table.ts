/** The events of a recording as a table: blinks, closures, losses, markers and saccades, one row per event. */
import type { Saccade } from '../series/saccades.ts';
import {
  checkFormat,
  csvLines,
  type CsvOptions,
  csvStart,
  type Field,
  inert,
  rounded,
  tableFormats,
} from '../results/csv.ts';
import { csvHead } from '../results/export.ts';
import type { Marker, RecordingHeader } from '../results/recording.ts';
import type { EyeEvent } from '../results/types.ts';

export const eventColumns = [
  ...['kind', 'onset_ms', 'offset_ms', 'duration_ms', 'eye', 'pupil', 'final', 'label', 'amplitude'],
] as const;

/** Events of a recording. A Recording has `markers` and `events.all`. */
export interface TimedEvents {
  markers?: readonly Marker[];
  events?: readonly EyeEvent[];
  /** Saccades of its gaze. */
  saccades?: readonly Saccade[];
}

const time = (value: number) => rounded(value, 3);

/** One row per event, by onset. Times are milliseconds on the clock of the rows. Throws 'invalid-argument' for 'pupilext'. */
export function toEventsCsv(
  { markers = [], events = [], saccades = [] }: TimedEvents,
  header: RecordingHeader,
  { format = 'plain' }: CsvOptions = {},
): string {
  checkFormat(format, tableFormats);
  const span = (onset: number, offset: number) => [time(onset), time(offset), time(offset - onset)];
  const rows: Field[][] = [
    ...events.map(({ kind, onset, offset, eye, pupil, final }) => [
      ...[kind, ...span(onset, offset), eye, pupil, final, null, null],
    ]),
    ...markers.map(({ label, timestamp }) => [
      ...['marker', ...span(timestamp, timestamp), null, null, true, inert(label), null],
    ]),
    ...saccades.map(({ start, end, amplitude }) => [
      ...['saccade', ...span(start, end), null, null, true, null, rounded(amplitude, 4)],
    ]),
  ];
  rows.sort((a, b) => Number(a[1]) - Number(b[1]));
  const head = () => csvHead({ markers: [] }, header, 'ms milliseconds');
  return csvStart(eventColumns, format, head) + csvLines(rows, format);
}
