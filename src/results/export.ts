/**
 * CSV and JSON of a recording, with the same columns and column names. An unknown value is an empty field in CSV and
 * null in JSON, never 0 and never the text NaN.
 */
import { clocks, type FrameTiming } from './export-pupil.ts';
import { checkFormat, csvLines, type CsvOptions, csvStart, type Field, inert, inertJson, tableFormats } from './csv.ts';
import type { Column, Marker, Recording, RecordingHeader } from './recording.ts';

// Each processed frame has a row in a recording. A frame without a row would appear to have been skipped.

/** The row of a frame without a detection: its timing, flags as no, `known` by column, the rest empty. */
function emptyRow(columns: readonly Column[], timing: FrameTiming, known: Readonly<Record<string, number>>): number[] {
  const given: Readonly<Record<string, number>> = { ...timing, clock: clocks.indexOf(timing.clock), ...known };
  return columns.map(({ name, type }) => given[name] ?? (type === 'boolean' ? 0 : NaN));
}

/** The rows of a frame, or the row for a frame without a detection. */
export const withFrame = (
  rows: number[][],
  columns: readonly Column[],
  timing: FrameTiming,
  known: Readonly<Record<string, number>> = {},
): number[][] => (rows.length ? rows : [emptyRow(columns, timing, known)]);

export const timeColumn = (columns: readonly Column[]) =>
  Math.max(
    0,
    columns.findIndex((column) => column.name === 'timestamp'),
  );

const units = (columns: readonly Column[]) =>
  columns
    .filter((column) => column.unit)
    .map((column) => `${column.name} ${column.unit}`)
    .join('; ');

/** The metadata lines of format 'comments': origin, parameters and markers. */
export function csvHead({ markers }: Pick<Recording, 'markers'>, header: RecordingHeader, unitsText: string): string[] {
  const { source, capabilities: able, about } = header;
  return [
    `${header.software} ${header.version}`,
    header.notice,
    ...(about ? [`about: ${inertJson(about)}`] : []),
    `source: ${inert(source.name)} (${source.kind}, ${source.width} x ${source.height})`,
    `sha256: ${source.sha256 ?? ''}`,
    ...(source.notes ?? []).map((note) => `note: ${inert(note)}`),
    `started: ${header.started ?? ''}`,
    `backend: ${header.backend}${header.renderer ? `, ${header.renderer}` : ''}, threads ${header.threads}`,
    ...(able ? [`capabilities: ${inertJson(able)}`] : []),
    `clock: ${header.clock}`,
    `parameters: ${inertJson(header.parameters)}`,
    ...(header.changes ?? []).map((change) => `changed at ${change.timestamp}: ${inertJson(change.parameters)}`),
    `frames: ${header.frames}, dropped: ${header.dropped}`,
    ...(header.analysis ? [`analysis: ${inertJson(header.analysis)}`] : []),
    ...(header.calibration ? [`calibration: ${inertJson(header.calibration)}`] : []),
    ...(header.corrections ? [`corrections: ${inertJson(header.corrections)}`] : []),
    ...(header.recovery ? [`recovery: ${inertJson(header.recovery)}`] : []),
    ...(unitsText ? [`units: ${unitsText}`] : []),
    ...markers.map((marker) => `marker: ${marker.timestamp} ${inert(marker.label)}`),
  ];
}

/** Labels of the markers of one row as a field. */
export const markerField = (markers: readonly Marker[] = []): string =>
  markers.map((marker) => inert(marker.label)).join('; ');

/**
 * Comma-separated values (RFC 4180), one row per frame and object. R reads the table with `read.csv(file)`, pandas with
 * `read_csv(file)`. Rows end with \n. The last column, `marker`, contains the labels of the markers of that row.
 * `toCsvJson` describes the table. Throws 'invalid-argument' for format 'pupilext'.
 */
export const toCsv = (recording: Recording, header: RecordingHeader, options: CsvOptions = {}): string =>
  tableHead(recording, header, options) + tableRows(recording, options);

/** The text of `toCsv` before the rows. */
export function tableHead(
  recording: Pick<Recording, 'columns' | 'markers'>,
  header: RecordingHeader,
  { format = 'plain' }: CsvOptions = {},
): string {
  checkFormat(format, tableFormats);
  const { columns } = recording;
  const names = [...columns.map((column) => column.name), 'marker'];
  return csvStart(names, format, () => csvHead(recording, header, units(columns)));
}

/** The lines of the rows. */
export function tableRows(recording: Recording, { format }: CsvOptions = {}): string {
  const { columns } = recording;
  const lines: Field[][] = [];
  const byRow = recording.markersByRow(timeColumn(columns));
  for (let row = recording.first; row < recording.length; row++)
    lines.push([...columns.map((_, column) => recording.cell(row, column)), markerField(byRow.get(row))]);
  return csvLines(lines, format);
}

/**
 * The recording as JSON: `{ ...header, units, markers: [{ label, timestamp }], rows: [{ frame, timestamp, ... }] }`.
 * `more` is inserted between markers and rows.
 */
export const toJson = (recording: Recording, header: RecordingHeader, more: object = {}): string =>
  jsonHead(recording, header, more) + jsonRows(recording, true) + jsonFoot(recording.length);

/** The JSON text up to the first row. */
export function jsonHead(
  { columns, markers }: Pick<Recording, 'columns' | 'markers'>,
  header: RecordingHeader,
  more: object = {},
): string {
  const byUnit = Object.fromEntries(columns.filter((c) => c.unit).map((c) => [c.name, c.unit]));
  const head = JSON.stringify({ ...header, units: byUnit, markers, ...more }, null, 2);
  return `${head.slice(0, -2)},\n  "rows": [`;
}

/** One row per line: readable, and smaller than indented JSON. `begins`: no rows were written before. */
export function jsonRows(recording: Recording, begins: boolean): string {
  const rows: string[] = [];
  for (let row = recording.first; row < recording.length; row++) {
    const object: Record<string, unknown> = {};
    recording.columns.forEach((column, index) => (object[column.name] = recording.cell(row, index)));
    rows.push(`${begins && !rows.length ? '' : ','}\n    ${JSON.stringify(object)}`);
  }
  return rows.join('');
}

export const jsonFoot = (rows: number): string => `${rows ? '\n  ' : ''}]\n}\n`;
