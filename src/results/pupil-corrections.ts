/**
 * Manual corrections of an analyzed pupil recording. They are plain data, applied in order to a copy of its rows and
 * events, so that the measured recording never changes. Afterwards each frame without a pupil still belongs to one
 * event.
 */
import { eventAt, eventKinds } from './event-list.ts';
import {
  arePupilColumns,
  correctedColumn,
  correctionActions,
  isCorrected,
  pupilColumns,
  widthAngle,
} from './export-pupil.ts';
import { eyeSides } from './laterality.ts';
import { Recording } from './recording.ts';
import type { Ellipse, EyeEvent, Pupil, PupilCorrection, PupilResult } from './types.ts';
import { Check } from '../runtime/check.ts';
import { FoveolaError } from '../runtime/error.ts';

const at = Object.fromEntries([...pupilColumns, correctedColumn].map(({ name }, i) => [name, i])) as Record<
  string,
  number
>;
/** Values of a row that a frame without a pupil does not have. */
const measured = pupilColumns
  .map(({ name }) => name)
  .filter((name) => /^(outlineConfidence|x|y|diameter.*|ellipse.|major|minor|angle_deg)$/.test(name));

/** Timestamps of one frame may differ by this many milliseconds, since exports round them. */
const near = 0.001;

/**
 * Returns the list itself. The error names the path and the rule.
 * @throws {FoveolaError} 'invalid-argument'
 */
export function checkPupilCorrections(given: unknown): readonly PupilCorrection[] {
  const check = new Check('corrections');
  const list = check.list('corrections', given, 'corrections');
  list.forEach((one, i) => {
    const path = `corrections[${i}]`;
    const correction = check.object(path, one) as Partial<Record<string, unknown>>;
    const action = check.oneOf(`${path}.action`, correction.action, correctionActions);
    const number = (name: string, from: object, least?: number, most?: number) =>
      check.known(`${path}.${name}`, (from as Record<string, unknown>)[name.split('.').at(-1)!], least, most);
    if (!Number.isInteger(number('pupil', correction, 0, 1))) check.fail(`${path}.pupil`, 'must be 0 or 1.');
    if (action !== 'outline') return void number('to', correction, number('from', correction));
    number('timestamp', correction);
    const ellipse = check.object(`${path}.ellipse`, correction.ellipse);
    for (const name of ['x', 'y', 'angle']) number(`ellipse.${name}`, ellipse);
    number('ellipse.minor', ellipse, 0.1, number('ellipse.major', ellipse, 0.1));
  });
  return list as readonly PupilCorrection[];
}

export interface CorrectionOptions {
  /** Calibration for `diameterMm` of outlines drawn by hand. */
  millimetresPerPixel?: number | null;
}

/**
 * Returns a corrected copy of a pupil recording, with one more column, `corrected`. Without corrections, returns the
 * recording itself. A correction of frames that the recording does not have changes nothing.
 *
 * An event that overlaps a corrected span ends with it: its other frames without a pupil are a loss, because its
 * duration is no longer known. An outline in a loss ends the loss. In a blink or closure it does not, because the lid
 * may cover a part of the pupil.
 * @throws {FoveolaError} 'invalid-argument', 'source-not-ready' if the first rows are no longer in memory
 */
export function correctPupils(
  recording: Recording,
  corrections: readonly PupilCorrection[],
  { millimetresPerPixel = null }: CorrectionOptions = {},
): Recording {
  checkPupilCorrections(corrections);
  if (!corrections.length) return recording;
  const copy = copyOf(recording);
  const events = [0, 1].map((pupil) => [...recording.events.of(pupil)]);
  for (const correction of corrections) correct(copy, events, correction, millimetresPerPixel);
  for (const event of events.flat()) copy.events.settle(event);
  return copy;
}

function copyOf(recording: Recording): Recording {
  const { columns, length } = recording;
  if (!arePupilColumns(columns) || isCorrected(recording))
    throw new FoveolaError('invalid-argument', 'correctPupils: the recording must have the columns pupilColumns.');
  const copy = new Recording([...columns, correctedColumn], length + 1);
  copy.markers.push(...recording.markers);
  const row = new Float64Array(columns.length + 1).fill(NaN);
  for (let i = 0; i < length; i++) {
    for (let column = 0; column < columns.length; column++) row[column] = recording.at(i, column);
    copy.push(row);
  }
  return copy;
}

/** Index of the first row at or after this time. */
function rowAt(recording: Recording, timestamp: number): number {
  let [low, high] = [0, recording.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (recording.at(middle, at.timestamp!) < timestamp - near) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows of a pupil in this span, in order of time. */
function rowsIn(recording: Recording, pupil: number, from: number, to: number): number[] {
  const rows: number[] = [];
  for (let row = rowAt(recording, from); row < recording.length; row++) {
    if (recording.at(row, at.timestamp!) > to + near) break;
    if (recording.at(row, at.pupil!) === pupil) rows.push(row);
  }
  return rows;
}

function correct(copy: Recording, events: EyeEvent[][], correction: PupilCorrection, scale: number | null): void {
  const { action, pupil } = correction;
  const [from, to] =
    action === 'outline' ? [correction.timestamp, correction.timestamp] : [correction.from, correction.to];
  const rows = rowsIn(copy, pupil, from, to);
  if (!rows.length) return;
  if (action === 'outline') for (const row of rows) draw(copy, row, correction.ellipse, scale);
  if (action === 'exclude') for (const row of rows) clear(copy, row);
  for (const row of rows) copy.set(row, at.corrected!, correctionActions.indexOf(action));

  const span = spanOf(copy, rows, pupil);
  const overlaps = ({ kind, onset, offset, final }: EyeEvent) =>
    (action !== 'outline' || kind === 'loss') &&
    onset <= to + near &&
    (final ? offset > span.onset : offset >= span.onset);
  const dropped = events[pupil]!.filter(overlaps);
  const kept = events[pupil]!.filter((event) => !overlaps(event));
  if (action === 'blink') kept.push({ kind: 'blink', ...span });
  const first = Math.min(span.onset, ...dropped.map(({ onset }) => onset));
  const last = Math.max(span.offset, ...dropped.map(({ offset }) => offset));
  const affected = rowsIn(copy, pupil, first, last);
  const inOrder = (list: EyeEvent[]) => list.sort((a, b) => a.onset - b.onset);
  inOrder(kept);
  events[pupil] = inOrder([...kept, ...lossesIn(copy, affected, kept, pupil)]);
  for (const row of affected) flag(copy, row, events[pupil], correctionActions.indexOf(action));
}

/** The event of these rows, up to the next row of the pupil. It is not final at the end of the recording. */
function spanOf(copy: Recording, rows: readonly number[], pupil: number): Omit<EyeEvent, 'kind'> {
  const onset = copy.at(rows[0]!, at.timestamp!);
  const eye = eyeSides[copy.at(rows[0]!, at.eye!)] ?? 'unknown';
  for (let row = rows.at(-1)! + 1; row < copy.length; row++)
    if (copy.at(row, at.pupil!) === pupil)
      return { onset, offset: copy.at(row, at.timestamp!), final: true, pupil, eye };
  return { onset, offset: copy.at(rows.at(-1)!, at.timestamp!), final: false, pupil, eye };
}

/** One loss for each run of rows without a pupil and without an event. */
function lossesIn(copy: Recording, rows: readonly number[], events: readonly EyeEvent[], pupil: number): EyeEvent[] {
  const losses: EyeEvent[] = [];
  let run: number[] = [];
  const end = () => {
    if (run.length) losses.push({ kind: 'loss', ...spanOf(copy, run, pupil) });
    run = [];
  };
  for (const row of rows)
    if (copy.at(row, at.found!) || eventAt(events, copy.at(row, at.timestamp!))) end();
    else run.push(row);
  end();
  return losses;
}

function flag(copy: Recording, row: number, events: readonly EyeEvent[], action: number): void {
  const kind = eventAt(events, copy.at(row, at.timestamp!))?.kind;
  const event = kind ? eventKinds.indexOf(kind) : NaN;
  if (Object.is(event, copy.at(row, at.event!))) return;
  copy.set(row, at.event!, event);
  copy.set(row, at.blink!, kind === 'blink' ? 1 : 0);
  if (Number.isNaN(copy.at(row, at.corrected!))) copy.set(row, at.corrected!, action);
}

function clear(copy: Recording, row: number): void {
  for (const name of measured) copy.set(row, at[name]!, NaN);
  copy.set(row, at.found!, 0);
  copy.set(row, at.confidence!, 0);
}

/** The user is certain, and no border point supports the outline. */
function draw(copy: Recording, row: number, ellipse: Ellipse, scale: number | null): void {
  const { x, y, major, minor } = ellipse;
  const values = { found: 1, confidence: 1, outlineConfidence: NaN, x, y, diameter: major, ellipseX: x, ellipseY: y };
  const more = { major, minor, angle_deg: widthAngle(ellipse), diameterMm: scale ? major * scale : NaN };
  for (const [name, value] of Object.entries({ ...values, ...more })) copy.set(row, at[name]!, value);
}

/** Row of a pupil at this time, or -1. */
export const rowOf = (recording: Recording, pupil: number, timestamp: number): number =>
  rowsIn(recording, pupil, timestamp, timestamp)[0] ?? -1;

/** Ellipse of a row. Null without a pupil. A circle has equal axes. */
export function ellipseIn(recording: Recording, row: number): Ellipse | null {
  const value = (name: string) => recording.at(row, at[name]!);
  if (!value('found')) return null;
  const [x, y, major] = [value('ellipseX'), value('ellipseY'), value('major')];
  if (Number.isNaN(major))
    return { x: value('x'), y: value('y'), major: value('diameter'), minor: value('diameter'), angle: 0 };
  return { x, y, major, minor: value('minor'), angle: (((value('angle_deg') + 90) % 180) * Math.PI) / 180 };
}

/** A result of the recording as it is after its corrections. */
export function correctedResult(result: PupilResult, corrected: Recording): PupilResult {
  const pupils = result.pupils.map((pupil, index): Pupil => {
    const row = rowOf(corrected, index, result.timestamp);
    if (row < 0 || Number.isNaN(corrected.at(row, at.corrected!))) return pupil;
    const value = (name: string) => corrected.at(row, at[name]!);
    const blink = value('blink') === 1;
    const same = ['x', 'y', 'diameter'] as const;
    if (Boolean(value('found')) === pupil.found && (!pupil.found || same.every((name) => value(name) === pupil[name])))
      return { ...pupil, blink };
    const { outline: _, ...rest } = pupil;
    const [x, y, diameter] = same.map(value) as [number, number, number];
    const mm = value('diameterMm');
    return {
      ...{ ...rest, blink, x, y, diameter, found: value('found') === 1, confidence: value('confidence') },
      ...{ outlineConfidence: NaN, votes: NaN, points: NaN, diameterMm: Number.isNaN(mm) ? null : mm },
      ...{ ellipse: ellipseIn(corrected, row), circle: { x, y, r: diameter / 2 } },
    };
  });
  const covering = result.pupils.flatMap((_, index) => corrected.events.at(result.timestamp, index) ?? []);
  return { ...result, pupils, events: covering };
}

/** A row that a person should check: not yet corrected, and uncertain or the first one of a loss. */
export function isOpenQuestion(recording: Recording, row: number, minConfidence: number): boolean {
  const value = (name: string) => recording.at(row, at[name]!);
  if (recording.columns[at.corrected!] && !Number.isNaN(value('corrected'))) return false;
  if (value('found')) return value('confidence') < minConfidence;
  const event = recording.events.at(value('timestamp'), value('pupil'));
  return event?.kind === 'loss' && event.onset === value('timestamp');
}
