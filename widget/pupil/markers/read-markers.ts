/** Reads times of markers from a table: CSV, TSV, BIDS events, the table of events of an element, or a list of numbers. */
import { FoveolaError } from '../../../src/index.ts';

export interface ReadMarker {
  readonly label: string;
  /** In the unit of the file. */
  readonly time: number;
}

export interface ReadMarkers {
  readonly markers: readonly ReadMarker[];
  /** The unit in the name of the column. Null: the file does not name it. */
  readonly unit: 's' | 'ms' | null;
}

const most = 10_000;
const longestLabel = 100;
/** Names of a column of times, and the unit in them. */
const timeName = /^(?:onset|time|timestamp|t|start|begin)s?(?:[ _.]*[([]?(ms|milliseconds?|s|secs?|seconds?)[)\]]?)?$/;
/** Names of a column of labels, the best first. */
const labelNames = ['label', 'marker', 'trial_type', 'stimulus', 'condition', 'event', 'name', 'type', 'code', 'value'];

const bad = (text: string) => new FoveolaError('invalid-argument', `Markers: ${text}`);

/** Cells of a line. Quoted cells may contain the separator. */
export function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, quoted] = ['', false];
  for (let i = 0; i < line.length; i++) {
    const letter = line[i]!;
    if (letter === '"' && quoted && line[i + 1] === '"') cell += line[i++]!;
    else if (letter === '"') quoted = !quoted;
    else if (letter === separator && !quoted) (cells.push(cell.trim()), (cell = ''));
    else cell += letter;
  }
  return [...cells, cell.trim()];
}

/** A decimal comma is possible if the comma does not separate cells. */
const numberIn = (cell: string, separator: string): number => {
  const text = separator === ',' ? cell : cell.replace(',', '.');
  return text === '' ? NaN : Number(text);
};

function unitOf(name: string): ReadMarkers['unit'] {
  const unit = timeName.exec(name)?.[1];
  if (unit) return unit.startsWith('m') ? 'ms' : 's';
  return name === 'onset' ? 's' : null; // as BIDS defines it
}

/**
 * The first column of numbers is the time if no column is named like one. Lines that start with `#` are comments.
 * @throws {FoveolaError} 'invalid-argument' if the file has no times
 */
export function readMarkers(text: string): ReadMarkers {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() && !line.startsWith('#'));
  const [first = ''] = lines;
  const separator = ['\t', ';', ','].find((one) => first.includes(one)) ?? '\n';
  const rows = lines.map((line) => cellsOf(line, separator));
  const named = rows.length > 0 && rows[0]!.every((cell) => Number.isNaN(numberIn(cell, separator)));
  const names = named ? rows.shift()!.map((name) => name.toLowerCase()) : [];
  const numeric = (column: number) => rows.some((row) => Number.isFinite(numberIn(row[column] ?? '', separator)));
  const columns = Array.from({ length: Math.max(0, ...rows.map(({ length }) => length)) }, (_, column) => column);
  const named_ = names.findIndex((name, column) => timeName.test(name) && numeric(column));
  const timeColumn = named_ >= 0 ? named_ : (columns.find(numeric) ?? -1);
  if (timeColumn < 0) throw bad('the file has no column of times. Name one of its columns onset or time_ms.');
  const labelColumn =
    labelNames.map((name) => names.indexOf(name)).find((column) => column >= 0 && column !== timeColumn) ??
    columns.find((column) => column !== timeColumn && rows.some((row) => row[column]) && !numeric(column)) ??
    -1;
  // The table of events of an element also has blinks.
  const kind = names.indexOf('kind');
  const markers = rows
    .filter((row) => kind < 0 || row[kind] === 'marker')
    .map((row) => ({
      time: numberIn(row[timeColumn] ?? '', separator),
      label: (row[labelColumn] ?? '').replace(/^'(?=[=+\-@])/, '').slice(0, longestLabel) || 'marker',
    }))
    .filter(({ time }) => Number.isFinite(time));
  if (!markers.length) throw bad('the file has no times.');
  if (markers.length > most) throw bad(`the file has ${markers.length} times. The most are ${most}.`);
  return { markers, unit: unitOf(names[timeColumn] ?? '') };
}

/** Times in milliseconds. Without a unit, they are seconds if all of them fit into the recording as seconds. */
export function inMilliseconds({ markers, unit }: ReadMarkers, seconds: number): ReadMarker[] {
  const known = unit ?? (markers.every(({ time }) => time <= seconds) ? 's' : 'ms');
  return markers.map(({ label, time }) => ({ label, time: known === 's' ? 1000 * time : time }));
}
