/**
 * CSV and JSON of a recording that is longer than what should be in memory: the same text as of one that is in memory,
 * piece by piece, from the store into a file. Blinks and what fills them depend on what follows; so the recording is read
 * once to find them and once, a little ahead, to fill them.
 */
import { jsonFoot, jsonHead, jsonRows, tableHead, tableRows, timeColumn } from '../results/export.ts';
import { OneEuroFilter } from '../results/one-euro.ts';
import { type Column, type Marker, type Recording, type RecordingHeader } from '../results/recording.ts';
import { arePupilColumns } from '../results/export-pupil.ts';
import { BlinkDetector } from '../series/blink.ts';
import type { Blink } from '../results/types.ts';
import {
  blinksOf,
  checkFormat,
  type PupilExportOptions,
  PupilTable,
  recordedPupils,
  toPupilJson,
  withMillimetres,
} from '../pupil/export.ts';
import { measuredIn, pupilSeries, type PupilSeriesRow, type SeriesInput, SeriesSteps } from '../pupil/series.ts';

/** A recording whose rows can be read again and again, in pieces; a StoredRecording is one. */
export interface PiecewiseRecording {
  readonly columns: readonly Column[];
  readonly header: RecordingHeader;
  readonly markers: readonly Marker[];
  pieces(): AsyncIterable<Recording>;
}

export type ExportFormat = 'csv' | 'json';

/** The text of an export in parts. `options`: of a recording of pupils. */
export function exportParts(
  recording: PiecewiseRecording,
  format: ExportFormat,
  options: PupilExportOptions = {},
): AsyncIterable<string> {
  if (format === 'json') return json(recording, options);
  return arePupilColumns(recording.columns) ? pupilCsv(recording, options) : csv(recording);
}

/** Each piece with the markers of its rows: one goes to the first row at or after its time, else to the last of all. */
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

async function* csv(recording: PiecewiseRecording): AsyncGenerator<string> {
  yield tableHead(headOf(recording), recording.header);
  for await (const piece of marked(recording)) yield tableRows(piece);
}

/** Filled series stand before the rows, and are as long as these: where they are asked for, all is in memory at once. */
async function* json(recording: PiecewiseRecording, options: PupilExportOptions): AsyncGenerator<string> {
  const pupil = arePupilColumns(recording.columns);
  if (pupil && options.series) {
    yield toPupilJson(await inMemory(recording), recording.header, options);
    return;
  }
  const blinks = pupil ? { blinks: blinksOf(Object.values((await survey(recording, null)).px)) } : {};
  yield jsonHead(headOf(recording), recording.header, blinks);
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
  return whole!;
}

interface EyeBlinks {
  blinks: Blink[];
}

/** What the head of the CSV says, and what the rows need of those before and after them. */
interface Survey {
  eyes: number;
  /** Some diameter is in millimetres. */
  calibrated: boolean;
  px: EyeBlinks[];
  /** Blinks of the pupils that have millimetres. */
  mm: EyeBlinks[];
}

const closed: SeriesInput['pupils'][number] = { found: false, outlineConfidence: 0, diameter: NaN, diameterMm: null };

async function survey(recording: PiecewiseRecording, asked: PupilExportOptions['series']): Promise<Survey> {
  const found: Survey = { eyes: 1, calibrated: false, px: [], mm: [] };
  const detectors = [0, 1].map(() => ({ px: new BlinkDetector(), mm: new BlinkDetector() }));
  for (const list of [found.px, found.mm]) list.push({ blinks: [] }, { blinks: [] });
  const take = (unit: 'px' | 'mm', { pupils, timestamp }: SeriesInput) =>
    detectors.forEach((detector, eye) => {
      const pupil = pupils[eye] ?? closed;
      if (unit === 'mm') found.calibrated ||= pupil.diameterMm !== null;
      const { ended } = detector[unit].update(pupil, timestamp);
      if (ended) found[unit][eye]!.blinks.push({ ...ended, eye });
    });
  for await (const piece of recording.pieces()) {
    for (const input of recordedPupils(piece)) {
      found.eyes = Math.max(found.eyes, input.pupils.length);
      take('px', input);
    }
    if (asked && asked.unit === undefined) for (const input of withMillimetres(piece)) take('mm', input);
  }
  found.px.length = found.mm.length = found.eyes;
  return found;
}

/** Series rows of every eye, in step with the frames: reads ahead as far as a gap may be filled. */
class Ahead {
  readonly #frames: AsyncIterator<SeriesInput>;
  readonly #unit: 'px' | 'mm';
  readonly #eyes: { steps: SeriesSteps; rows: PupilSeriesRow[] }[];

  constructor(
    frames: AsyncIterable<SeriesInput>,
    eyes: readonly EyeBlinks[],
    unit: 'px' | 'mm',
    asked: PupilExportOptions['series'],
  ) {
    this.#frames = frames[Symbol.asyncIterator]();
    this.#unit = unit;
    const longest = asked?.interpolate === 'linear' ? (asked.longestGap ?? 600) : null;
    this.#eyes = eyes.map(({ blinks }) => ({
      steps: new SeriesSteps(blinks, longest, asked?.smooth ? new OneEuroFilter(asked.smooth) : null),
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
  const { plain = false, format = plain ? 'pupilext' : 'foveola', series: asked = null } = options;
  checkFormat(format);
  pupilSeries([], asked ?? {}); // refuses options that are out of their range
  const { eyes, calibrated, px, mm } = await survey(recording, asked);
  const { header } = recording;
  if (format === 'pupilext') {
    const table = new PupilTable(header, format, eyes);
    yield table.head([], []);
    for await (const piece of recording.pieces()) yield table.rows(piece, []);
    return;
  }
  const table = new PupilTable(header, format, eyes, asked, calibrated);
  yield table.head(recording.markers, blinksOf(px));
  const framesOf = async function* (pupils: (piece: Recording) => Iterable<SeriesInput>) {
    for await (const piece of recording.pieces()) yield* pupils(piece);
  };
  const pixels = new Ahead(framesOf(recordedPupils), px, asked?.unit ?? 'px', asked);
  const millimetres = calibrated ? new Ahead(framesOf(withMillimetres), mm, 'mm', asked) : null;
  for await (const piece of marked(recording)) {
    const count = [...recordedPupils(piece)].length;
    yield table.rows(piece, await pixels.take(count), (await millimetres?.take(count)) ?? null);
  }
}
