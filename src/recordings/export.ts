/**
 * CSV and JSON of a recording that is too long for memory. The text is the same as for a recording in memory, written
 * piece by piece from the storage to a file. Filling a gap needs the rows after it, so the rows are read slightly
 * ahead.
 */
import { checkFormat, type CsvOptions } from '../results/csv.ts';
import { type ColumnNote, describeColumns } from '../results/dictionary.ts';
import { eventColumns, toEventsCsv } from './events-table.ts';
import { jsonFoot, jsonHead, jsonRows, tableHead, tableRows, timeColumn, toCsv, toJson } from '../results/export.ts';
import { OneEuroFilter } from '../results/one-euro.ts';
import { type Column, type Marker, type Recording, type RecordingHeader } from '../results/recording.ts';
import { arePupilColumns } from '../results/export-pupil.ts';
import type { EyeEvent, Laterality } from '../results/types.ts';
import {
  calibrated,
  eyesOf,
  type PupilExportOptions,
  PupilTable,
  recordedPupils,
  toPupilCsv,
  toPupilJson,
  withCalibration,
  withMillimetres,
} from '../pupil/export.ts';
import { measuredIn, pupilSeries, type PupilSeriesRow, type SeriesInput, SeriesSteps } from '../pupil/series.ts';

/** A recording whose rows can be read repeatedly, in pieces. A StoredRecording is one. */
export interface PiecewiseRecording {
  readonly columns: readonly Column[];
  readonly header: RecordingHeader;
  readonly markers: readonly Marker[];
  /** Blinks, closures and losses of a pupil recording, by their onsets. */
  readonly events: readonly EyeEvent[];
  pieces(): AsyncIterable<Recording>;
}

/** 'csv.json' describes the CSV. 'events.csv' is the table of events. */
export const exportFormats = ['csv', 'json', 'csv.json', 'events.csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The text of an export of a recording in memory. `options`: `series` is only for a pupil recording. */
export function exportText(
  recording: Recording,
  header: RecordingHeader,
  format: ExportFormat,
  options: PupilExportOptions = {},
): string {
  const pupil = arePupilColumns(recording.columns);
  const about = pupil ? withCalibration(header, options.calibration) : header;
  if (format === 'csv') return pupil ? toPupilCsv(recording, about, options) : toCsv(recording, about, options);
  if (format === 'json') return pupil ? toPupilJson(recording, about, options) : toJson(recording, about);
  return format === 'csv.json' ? toCsvJson(recording, about, options) : eventsOf(recording, about, options);
}

/** PupilEXT has no table of events. */
const eventsOf = (
  { markers, events }: { markers: readonly Marker[]; events: Recording['events'] | readonly EyeEvent[] },
  header: RecordingHeader,
  { format }: CsvOptions,
) =>
  toEventsCsv(
    { markers, events: 'all' in events ? events.all : events },
    header,
    format === 'pupilext' ? {} : { format },
  );

/**
 * Describes the table that `toCsv` or `toPupilCsv` writes with these options, as JSON: `{ ...header, format, columns:
 * [{ name, unit, values, description }], eventColumns, markers, events }`.
 */
export function toCsvJson(recording: Recording, header: RecordingHeader, options: PupilExportOptions = {}): string {
  if (!arePupilColumns(recording.columns)) return description(recording, recording.events.all, header, options, null);
  const found = { eyes: eyesOf(recording), calibrated: calibrated(recording, options.series) };
  return description(recording, recording.events.all, header, options, found);
}

function description(
  { columns, markers }: Pick<Recording, 'columns' | 'markers'>,
  events: readonly EyeEvent[],
  header: RecordingHeader,
  { format = 'plain', series = null }: PupilExportOptions,
  found: Survey | null,
): string {
  const own = columns.map(({ name }) => name);
  const notes: ColumnNote[] = found
    ? describeColumns(new PupilTable(header, format, found.eyes, series, found.calibrated).columns)
    : describeColumns([...own, 'marker'], columns);
  const more = found && { eventColumns: describeColumns(eventColumns), events };
  return `${JSON.stringify({ ...header, format, columns: notes, ...(series && { series }), markers, ...more }, null, 2)}\n`;
}

/** The text of an export in parts. `options`: for a pupil recording. */
export function exportParts(
  recording: PiecewiseRecording,
  format: ExportFormat,
  options: PupilExportOptions = {},
): AsyncIterable<string> {
  const noted = calibrationNoted(recording, options);
  if (format === 'json') return json(noted, options);
  if (format === 'events.csv') return one(() => eventsOf(noted, noted.header, options));
  if (format === 'csv.json') return one(() => describe(noted, options));
  return arePupilColumns(noted.columns) ? pupilCsv(noted, options) : csv(noted, options);
}

/** Delegates, since a stored recording reads its parts from the storage. */
function calibrationNoted(given: PiecewiseRecording, { calibration }: PupilExportOptions): PiecewiseRecording {
  const { columns, markers, events } = given;
  if (!arePupilColumns(columns)) return given;
  const header = withCalibration(given.header, calibration);
  return { columns, markers, events, header, pieces: () => given.pieces() };
}

async function* one(text: () => string | Promise<string>): AsyncGenerator<string> {
  yield await text();
}

async function describe(recording: PiecewiseRecording, options: PupilExportOptions): Promise<string> {
  const { header, events } = recording;
  if (!arePupilColumns(recording.columns)) return description(headOf(recording), events, header, options, null);
  const found = await survey(recording);
  found.calibrated &&= !!options.series && options.series.unit === undefined;
  return description(headOf(recording), events, header, options, found);
}

/**
 * Each piece with the markers of its rows. A marker belongs to the first row at or after its time, or to the last row
 * of all.
 */
async function* marked(recording: PiecewiseRecording): AsyncGenerator<Recording> {
  const time = timeColumn(recording.columns);
  let left = [...recording.markers];
  let before: Recording | null = null;
  for await (const piece of recording.pieces()) {
    if (before) {
      const last = before.at(before.length - 1, time);
      before.markers.push(...left.filter(({ timestamp }) => timestamp <= last));
      left = left.filter(({ timestamp }) => !(timestamp <= last));
      yield before;
    }
    before = piece;
  }
  if (!before) return;
  before.markers.push(...left);
  yield before;
}

const headOf = ({ columns, markers }: PiecewiseRecording) => ({ columns, markers: [...markers] });

async function* csv(recording: PiecewiseRecording, options: CsvOptions): AsyncGenerator<string> {
  yield tableHead(headOf(recording), recording.header, options);
  for await (const piece of marked(recording)) yield tableRows(piece, options);
}

/**
 * Filled series are located before the rows and are just as long. If they are requested, everything is in memory at
 * once.
 */
async function* json(recording: PiecewiseRecording, options: PupilExportOptions): AsyncGenerator<string> {
  const pupil = arePupilColumns(recording.columns);
  if (pupil && options.series) {
    yield toPupilJson(await inMemory(recording), recording.header, options);
    return;
  }
  yield jsonHead(headOf(recording), recording.header, pupil ? { events: recording.events } : {});
  let rows = 0;
  for await (const piece of recording.pieces()) {
    yield jsonRows(piece, rows === 0);
    rows += piece.length - piece.first;
  }
  yield jsonFoot(rows);
}

async function inMemory(recording: PiecewiseRecording): Promise<Recording> {
  let whole: Recording | null = null;
  for await (const piece of recording.pieces()) {
    if (!whole) {
      whole = piece;
      continue;
    }
    for (let row = piece.first; row < piece.length; row++)
      whole.push(piece.columns.map((_, column) => piece.at(row, column)));
  }
  whole?.markers.push(...recording.markers);
  for (const event of recording.events) whole?.events.settle(event);
  return whole!;
}

/** Facts about all rows in the head of the CSV. */
interface Survey {
  /** The person's eye, by the index of the pupil. */
  eyes: Laterality[];
  /** Whether any diameter is in millimeters. */
  calibrated: boolean;
}

const closed: SeriesInput['pupils'][number] = { found: false, outlineConfidence: NaN, diameter: NaN, diameterMm: null };

async function survey(recording: PiecewiseRecording): Promise<Survey> {
  const found: Survey = { eyes: [], calibrated: false };
  for await (const piece of recording.pieces()) {
    found.eyes = eyesOf(piece, found.eyes);
    for (const { pupils } of recordedPupils(piece))
      found.calibrated ||= pupils.some(({ diameterMm }) => diameterMm !== null);
  }
  return found;
}

/** Series rows of every eye, in step with the frames. Reads ahead by the maximum length of a filled gap. */
class Ahead {
  readonly #frames: AsyncIterator<SeriesInput>;
  readonly #unit: 'px' | 'mm';
  readonly #eyes: { steps: SeriesSteps; rows: PupilSeriesRow[] }[];

  constructor(
    frames: AsyncIterable<SeriesInput>,
    events: readonly (readonly EyeEvent[])[],
    unit: 'px' | 'mm',
    asked: PupilExportOptions['series'],
  ) {
    this.#frames = frames[Symbol.asyncIterator]();
    this.#unit = unit;
    const longest = asked?.interpolate === 'linear' ? (asked.longestGap ?? 600) : null;
    this.#eyes = events.map((own) => ({
      steps: new SeriesSteps(own, longest, asked?.smooth ? new OneEuroFilter(asked.smooth) : null),
      rows: [],
    }));
  }

  async take(count: number): Promise<PupilSeriesRow[][]> {
    while (this.#eyes.some(({ rows }) => rows.length < count)) {
      const { value, done } = await this.#frames.next();
      this.#eyes.forEach(({ steps, rows }, eye) => {
        if (done) rows.push(...steps.end());
        else rows.push(...steps.push(value.timestamp, measuredIn(value.pupils[eye] ?? closed, this.#unit)));
      });
      if (done) break;
    }
    return this.#eyes.map(({ rows }) => rows.splice(0, count));
  }
}

async function* pupilCsv(recording: PiecewiseRecording, options: PupilExportOptions): AsyncGenerator<string> {
  const { format = 'plain', series: asked = null } = options;
  checkFormat(format);
  pupilSeries([], asked ?? {}); // refuses options outside their range
  const { eyes, calibrated } = await survey(recording);
  const { header, events } = recording;
  if (format === 'pupilext') {
    const table = new PupilTable(header, format, eyes);
    yield table.head([], []);
    for await (const piece of recording.pieces()) yield table.rows(piece, []);
    return;
  }
  const both = calibrated && asked !== null && asked.unit === undefined;
  const table = new PupilTable(header, format, eyes, asked, both);
  yield table.head(recording.markers, events);
  const byEye = eyes.map((_, eye) => events.filter(({ pupil }) => pupil === eye));
  const framesOf = async function* (pupils: (piece: Recording) => Iterable<SeriesInput>) {
    for await (const piece of recording.pieces()) yield* pupils(piece);
  };
  const pixels = new Ahead(framesOf(recordedPupils), byEye, asked?.unit ?? 'px', asked);
  const millimetres = both ? new Ahead(framesOf(withMillimetres), byEye, 'mm', asked) : null;
  for await (const piece of marked(recording)) {
    const count = [...recordedPupils(piece)].length;
    yield table.rows(piece, await pixels.take(count), (await millimetres?.take(count)) ?? null);
  }
}
