/**
 * CSV and JSON of a recording. Both contain the same header, columns, column names and markers. An unknown value is an
 * empty field in CSV and null in JSON, never 0 and never the text NaN.
 */
import { clocks, type FrameTiming } from './export-pupil.ts';
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

export const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
/** Quotes external text (file names, labels). Spreadsheets would treat text that starts like a formula as one. */
export const textField = (text: string) => quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
export const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ');
/** `textField` for part of a header line. Spreadsheets split header lines at commas, as if they were rows. */
export const inert = (text: string) => oneLine(text).replace(/(^|[,;\t]\s*)(?=[=+\-@])/g, "$1'");
export const inertJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? inert(part) : part));

const units = (columns: readonly Column[]) =>
  columns
    .filter((column) => column.unit)
    .map((column) => `${column.name} ${column.unit}`)
    .join('; ');

/** The lines before the table, each after `# `: origin, parameters and markers. */
export function csvHead({ markers }: Pick<Recording, 'markers'>, header: RecordingHeader, unitsText: string): string[] {
  const { source, capabilities: able } = header;
  const lines = [
    `${header.software} ${header.version}`,
    header.notice,
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
    ...(header.corrections ? [`corrections: ${inertJson(header.corrections)}`] : []),
    ...(header.recovery ? [`recovery: ${inertJson(header.recovery)}`] : []),
    ...(unitsText ? [`units: ${unitsText}`] : []),
    ...markers.map((marker) => `marker: ${marker.timestamp} ${inert(marker.label)}`),
  ];
  return lines.map((line) => `# ${oneLine(line)}`);
}

/** Labels of the markers of one row as a field. For most CSV parsers '#' would start a comment anywhere in the line. */
export const markerField = (markers: readonly Marker[] | undefined): string =>
  textField((markers ?? []).map((marker) => inert(marker.label).replace(/#/g, 'no. ')).join('; '));

/**
 * Comma-separated values (RFC 4180) after header lines that start with `# `. R reads it with `read.csv(file,
 * comment.char = '#')`, pandas with `read_csv(file, comment='#')`. Rows end with \n, and the decimal separator is a
 * point. The last column, `marker`, contains the labels of the markers of that row. Their exact times are in the
 * header.
 */
export const toCsv = (recording: Recording, header: RecordingHeader): string =>
  tableHead(recording, header) + tableRows(recording);

/** The header of `toCsv` and the column names. */
export function tableHead(recording: Pick<Recording, 'columns' | 'markers'>, header: RecordingHeader): string {
  const { columns } = recording;
  const names = [...columns.map((column) => column.name), 'marker'].join(',');
  return `${[...csvHead(recording, header, units(columns)), names].join('\n')}\n`;
}

/** The lines of the rows. */
export function tableRows(recording: Recording): string {
  const { columns } = recording;
  const lines: string[] = [];
  const byRow = recording.markersByRow(timeColumn(columns));
  for (let row = recording.first; row < recording.length; row++) {
    const fields = columns.map((_, column) => {
      const cell = recording.cell(row, column);
      return cell === null ? '' : quoted(typeof cell === 'boolean' ? String(Number(cell)) : String(cell));
    });
    fields.push(markerField(byRow.get(row)));
    lines.push(`${fields.join(',')}\n`);
  }
  return lines.join('');
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
