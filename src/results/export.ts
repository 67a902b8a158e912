/**
 * CSV and JSON of a recording. Both carry the same header, the same columns under the same names and the same markers.
 * What is not known is an empty field in CSV and null in JSON, never 0 and never the text NaN.
 */
import type { Column, Marker, Recording, RecordingHeader } from './recording.ts';

export const timeColumn = (columns: readonly Column[]) =>
  Math.max(
    0,
    columns.findIndex((column) => column.name === 'timestamp'),
  );

export const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
export const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ');

const units = (columns: readonly Column[]) =>
  columns
    .filter((column) => column.unit)
    .map((column) => `${column.name} ${column.unit}`)
    .join('; ');

/** The lines before the table, each after `# `: where it comes from, with what it was computed, its markers. */
export function csvHead({ markers }: Recording, header: RecordingHeader, unitsText: string): string[] {
  const { source, capabilities: able } = header;
  const lines = [
    `${header.software} ${header.version}`,
    header.notice,
    `source: ${source.name} (${source.kind}, ${source.width} x ${source.height})`,
    `sha256: ${source.sha256 ?? ''}`,
    `started: ${header.started ?? ''}`,
    `backend: ${header.backend}${header.renderer ? `, ${header.renderer}` : ''}, threads ${header.threads}`,
    ...(able ? [`capabilities: ${JSON.stringify(able)}`] : []),
    `clock: ${header.clock}`,
    `parameters: ${JSON.stringify(header.parameters)}`,
    ...(header.changes ?? []).map((change) => `changed at ${change.timestamp}: ${JSON.stringify(change.parameters)}`),
    `frames: ${header.frames}, dropped: ${header.dropped}`,
    ...(header.analysis ? [`analysis: ${JSON.stringify(header.analysis)}`] : []),
    ...(unitsText ? [`units: ${unitsText}`] : []),
    ...markers.map((marker) => `marker: ${marker.timestamp} ${marker.label}`),
  ];
  return lines.map((line) => `# ${oneLine(line)}`);
}

/** Labels of the markers of one row as a field. '#' would start a comment for the usual readers, wherever it stands. */
export const markerField = (markers: readonly Marker[] | undefined): string =>
  quoted((markers ?? []).map((marker) => oneLine(marker.label).replace(/#/g, 'no. ')).join('; '));

/**
 * Comma-separated values (RFC 4180) after a header of lines that start with `# `; R reads it with
 * `read.csv(file, comment.char = '#')`, pandas with `read_csv(file, comment='#')`. Rows end with \n, the decimal sign is a
 * point. The last column, `marker`, holds the labels of the markers of that row; their exact times are in the header.
 */
export function toCsv(recording: Recording, header: RecordingHeader): string {
  const { columns } = recording;
  const lines = [
    ...csvHead(recording, header, units(columns)),
    [...columns.map((column) => column.name), 'marker'].join(','),
  ];
  const byRow = recording.markersByRow(timeColumn(columns));
  for (let row = 0; row < recording.length; row++) {
    const fields = columns.map((_, column) => {
      const cell = recording.cell(row, column);
      return cell === null ? '' : quoted(typeof cell === 'boolean' ? String(Number(cell)) : String(cell));
    });
    fields.push(markerField(byRow.get(row)));
    lines.push(fields.join(','));
  }
  return lines.join('\n') + '\n';
}

/**
 * The same as JSON: `{ ...header, units, markers: [{ label, timestamp }], rows: [{ frame, timestamp, ... }] }`; `more`
 * stands between markers and rows.
 */
export function toJson(recording: Recording, header: RecordingHeader, more: object = {}): string {
  const { columns, markers } = recording;
  const byUnit = Object.fromEntries(columns.filter((c) => c.unit).map((c) => [c.name, c.unit]));
  const head = JSON.stringify({ ...header, units: byUnit, markers, ...more }, null, 2);
  const rows: string[] = [];
  for (let row = 0; row < recording.length; row++) {
    const object: Record<string, unknown> = {};
    columns.forEach((column, index) => (object[column.name] = recording.cell(row, index)));
    rows.push(JSON.stringify(object));
  }
  // One row a line: readable, and small beside an indented one.
  const body = rows.length ? `[\n    ${rows.join(',\n    ')}\n  ]` : '[]';
  return `${head.slice(0, -2)},\n  "rows": ${body}\n}\n`;
}
