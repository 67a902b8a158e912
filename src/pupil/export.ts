/**
 * Exports of a pupil recording (columns of results/export-pupil.ts), one row per frame. The CSV starts with the columns
 * of PupilEXT (pupil-ext.ts), doubled for two eyes, followed by Foveola's columns. Unknown values are empty fields.
 */
import type { EyeEvent, Laterality } from '../results/types.ts';
import {
  checkFormat,
  type CsvFormat,
  csvLines,
  type CsvOptions,
  csvStart,
  type Field,
  rounded,
} from '../results/csv.ts';
import { csvHead, markerField, toJson } from '../results/export.ts';
import { arePupilColumns, isCorrected, pupilColumns } from '../results/export-pupil.ts';
import { eyeSides } from '../results/laterality.ts';
import type { CalibrationNote, Marker, Recording, RecordingHeader } from '../results/recording.ts';
import { FoveolaError } from '../runtime/error.ts';
import { pairColumns, pairFields, singleColumns, singleFields, type EyeCells } from './pupil-ext.ts';
import {
  pupilSeries,
  type PupilSeriesOptions,
  type PupilSeriesRow,
  type PupilSeriesRows,
  type SeriesInput,
} from './series.ts';

export interface PupilExportOptions extends CsvOptions {
  /** Origin of a scale, for exports of an element. It is used if the recording has this scale. */
  calibration?: CalibrationNote | null | undefined;
  /**
   * Adds the interpolated or smoothed diameter next to the measured values: in pixels, and also in millimeters if the
   * recording has a calibration. With `unit`, only in that unit.
   */
  series?: Omit<PupilSeriesOptions, 'eye'> | null;
}

/** The header with the origin of the last scale. `known` is used if it belongs to that scale. */
export function withCalibration(header: RecordingHeader, known: CalibrationNote | null | undefined): RecordingHeader {
  const { parameters, changes } = header;
  const scale = Number((changes?.at(-1)?.parameters ?? parameters).millimetresPerPixel);
  if (!scale) return header;
  const given: CalibrationNote = { millimetresPerPixel: scale, method: 'given' };
  return { ...header, calibration: known?.millimetresPerPixel === scale ? known : given };
}

const at = Object.fromEntries(pupilColumns.map(({ name }, index) => [name, index])) as Record<string, number>;

/** Rows of one frame: one per eye, `rows[eye]`. An eye may have no row. */
interface FrameRows {
  rows: number[];
}

/** Left or right eye of each pupil index, over these rows and the previous ones. 'unknown' if it changes. */
export function eyesOf(recording: Recording, eyes: Laterality[] = []): Laterality[] {
  for (let row = recording.first; row < recording.length; row++) {
    const pupil = recording.at(row, at.pupil!);
    const eye = eyeSides[recording.at(row, at.eye!)] ?? 'unknown';
    eyes[pupil] = (eyes[pupil] ?? eye) === eye ? eye : 'unknown';
  }
  return Array.from(eyes, (eye) => eye ?? 'unknown');
}

/** Groups the rows of a recording that are in memory into frames. */
function framesOf(recording: Recording): { frames: FrameRows[]; eyes: number } {
  if (!arePupilColumns(recording.columns))
    throw new FoveolaError('invalid-argument', 'The recording must have the columns pupilColumns.');
  const frames: FrameRows[] = [];
  let eyes = 1;
  let last = NaN;
  for (let row = recording.first; row < recording.length; row++) {
    const frame = recording.at(row, at.frame!);
    const pupil = recording.at(row, at.pupil!);
    if (frame !== last || pupil === 0) frames.push({ rows: [] });
    last = frame;
    frames.at(-1)!.rows[pupil] = row;
    eyes = Math.max(eyes, pupil + 1);
  }
  return { frames, eyes };
}

/** Converts a recording to the input of `pupilSeries`. Its events are attached to the last frame. */
export function* recordedPupils(recording: Recording): Generator<SeriesInput> {
  const { frames, eyes } = framesOf(recording);
  const all = recording.events.all;
  for (const [i, { rows }] of frames.entries()) {
    const pupils = Array.from({ length: eyes }, (_, eye) => {
      const row = rows[eye] ?? -1;
      const value = (name: string) => (row < 0 ? NaN : recording.at(row, at[name]!));
      const mm = value('diameterMm');
      return {
        eye: eyeSides[value('eye')],
        found: value('found') === 1,
        outlineConfidence: value('outlineConfidence'),
        diameter: value('diameter'),
        diameterMm: Number.isNaN(mm) ? null : mm,
      };
    });
    yield {
      timestamp: recording.at(
        rows.find((row) => row >= 0)!,
        at.timestamp!,
      ),
      pupils,
      ...((all.length || isCorrected(recording)) && { events: i === frames.length - 1 ? all : [] }),
    };
  }
}

/** Returns one series per eye, in the requested unit. Otherwise in pixels. */
function seriesOf(recording: Recording, options: PupilExportOptions['series']): PupilSeriesRows[] {
  const { eyes } = framesOf(recording);
  return Array.from({ length: eyes }, (_, eye) => pupilSeries(recordedPupils(recording), { ...options, eye }));
}

/** Returns the series in millimeters. Null without a calibration, and if only one unit is requested. */
function millimetresOf(recording: Recording, options: PupilExportOptions['series']): PupilSeriesRows[] | null {
  if (!calibrated(recording, options)) return null;
  const { eyes } = framesOf(recording);
  return Array.from({ length: eyes }, (_, eye) =>
    pupilSeries(withMillimetres(recording), { ...options, unit: 'mm', eye }),
  );
}

/** Whether a series in millimeters is added to the series in pixels. */
export function calibrated(recording: Recording, options: PupilExportOptions['series']): boolean {
  return (
    !!options &&
    options.unit === undefined &&
    Array.from({ length: recording.length }, (_, row) => recording.at(row, at.diameterMm!)).some(
      (mm) => !Number.isNaN(mm),
    )
  );
}

/** Frames before the calibration have no millimeters. They are treated as frames without a pupil. */
export function* withMillimetres(recording: Recording): Generator<SeriesInput> {
  for (const { pupils, ...frame } of recordedPupils(recording))
    yield {
      ...frame,
      pupils: pupils.map((pupil) => ({ ...pupil, found: pupil.found && pupil.diameterMm !== null })),
    };
}

const eventsOf = (series: readonly PupilSeriesRows[]): EyeEvent[] =>
  series.flatMap(({ events }) => events).sort((a, b) => a.onset - b.onset);

/** Returns the values for PupilEXT's columns, for the eye of a row. */
function cellsOf(recording: Recording, row: number | undefined): EyeCells | null {
  if (row === undefined) return null;
  const value = (name: string) => recording.at(row, at[name]!);
  const diameter = value('diameter');
  // A circle is an ellipse with equal axes.
  const circle = Number.isNaN(value('major'));
  return {
    diameter,
    diameterMm: value('diameterMm'),
    major: circle ? diameter : value('major'),
    minor: circle ? diameter : value('minor'),
    angle: circle ? diameter * 0 : value('angle_deg'),
    x: value('x'),
    y: value('y'),
    confidence: value('confidence'),
    outlineConfidence: value('outlineConfidence'),
  };
}

/** Formats an event, like `blink: 120 200 eye right pupil 0`. An event that had not ended is marked. */
const eventLine = ({ kind, onset, offset, pupil, eye, final }: EyeEvent): string =>
  `${kind}: ${onset} ${offset} eye ${eye} pupil ${pupil}${final ? '' : ', not ended'}`;

/** Names of the columns. For two eyes, each name has the eye added, or the index of the pupil if the eye is unknown. */
function perEye(names: readonly string[], eyes: readonly Laterality[]): string[] {
  if (eyes.length < 2) return [...names];
  const known = new Set(eyes).size === eyes.length && !eyes.includes('unknown');
  return eyes.flatMap((eye, pupil) => names.map((name) => `${name}_${known ? eye : `pupil${pupil}`}`));
}

/** The CSV of a pupil recording in parts: its head, and the lines of all or some rows. */
export class PupilTable {
  readonly #header: RecordingHeader;
  readonly #format: CsvFormat;
  readonly #eyes: readonly Laterality[];
  readonly #asked: PupilExportOptions['series'];
  readonly #millimetres: boolean;
  /** File name, and the name of the method. */
  readonly #name: string;
  readonly #algorithm: string;
  /** Whether glints were searched for at any time. */
  readonly #glints: boolean;
  /** Whether the eye network was asked at any time. */
  readonly #lids: boolean;
  /** Whether rows were corrected by hand. */
  readonly #corrected: boolean;

  /**
   * `eyes` has left or right by the index of the pupil. `asked` is the requested series in addition to the measured
   * values. `millimetres` means that there is a series in millimeters as well.
   */
  constructor(
    header: RecordingHeader,
    format: CsvFormat,
    eyes: readonly Laterality[],
    asked: PupilExportOptions['series'] = null,
    millimetres = false,
  ) {
    this.#header = header;
    this.#format = format;
    this.#eyes = eyes;
    this.#asked = asked;
    this.#millimetres = millimetres;
    this.#name = header.source.name;
    const settings = [header.parameters, ...(header.changes ?? []).map(({ parameters }) => parameters)];
    this.#corrected = header.corrections !== undefined;
    this.#glints = settings.some(({ glints }) => Number(glints) > 0);
    this.#lids = settings.some(({ secondOpinion = 'none' }) => secondOpinion !== 'none');
    this.#algorithm = String(header.parameters.method ?? '');
  }

  /** Names of the columns. */
  get columns(): string[] {
    const eyes = this.#eyes;
    const asked = this.#asked;
    const first = ['filename', 'timestamp_ms', 'algorithm'];
    if (this.#format === 'pupilext') return [...first, ...(eyes.length < 2 ? singleColumns : pairColumns)];
    const filled = [`series_${asked?.unit ?? 'px'}`, ...(this.#millimetres ? ['series_mm'] : [])];
    return [
      ...[...first, ...perEye(singleColumns, eyes)],
      ...['frame', 'clock', 'mediaTime_ms'],
      ...perEye(
        [
          'eye',
          'found',
          'blink',
          'event',
          ...(this.#corrected ? ['corrected'] : []),
          ...(this.#glints ? ['glint_x', 'glint_y'] : []),
          ...(this.#lids ? ['covered_by_lids', 'iris_px'] : []),
          ...(asked ? [...filled, 'series_source', 'series_smoothed'] : []),
        ],
        eyes,
      ),
      ...['dropped', 'throttled', 'backend', 'marker'],
    ];
  }

  /** Returns the text before the rows. `markers` and `events` are for the whole recording. */
  head(markers: readonly Marker[], events: readonly EyeEvent[]): string {
    return csvStart(this.columns, this.#format, () => [
      ...csvHead({ markers: [...markers] }, this.#header, 'px pixels, ms milliseconds, mm millimetres, deg degrees'),
      ...events.map(eventLine),
    ]);
  }

  /**
   * `series` and `millimetres` have the rows of each eye for exactly these frames. PupilEXT's table does not need them.
   */
  rows(
    recording: Recording,
    series: readonly (readonly PupilSeriesRow[])[],
    millimetres: readonly (readonly PupilSeriesRow[])[] | null = null,
  ): string {
    const { frames } = framesOf(recording);
    return csvLines(
      this.#format === 'pupilext'
        ? frames.map(({ rows }) => this.#plainLine(recording, rows))
        : this.#lines(recording, frames, series, millimetres),
      this.#format,
    );
  }

  /** Exactly the fields that PupilEXT writes: one pupil, or two in one image (A on the left, B on the right). */
  #plainLine(recording: Recording, rows: readonly number[]): Field[] {
    const row = rows.find((r) => r !== undefined)!;
    const cells = (eye: number) => cellsOf(recording, rows[eye]);
    const fields = this.#eyes.length < 2 ? singleFields(cells(0)) : pairFields(cells(0), cells(1));
    return [this.#name, rounded(recording.at(row, at.timestamp!), 3), this.#algorithm, ...fields];
  }

  #lines(
    recording: Recording,
    frames: readonly FrameRows[],
    series: readonly (readonly PupilSeriesRow[])[],
    millimetres: readonly (readonly PupilSeriesRow[])[] | null,
  ): Field[][] {
    const eyes = this.#eyes.length;
    const marked = markersByFrame(recording, frames);
    return frames.map(({ rows }, i) => {
      const row = rows.find((r) => r !== undefined)!;
      const cell = (column: string, r = row) => recording.cell(r, at[column]!);
      const fields: Field[] = [this.#name, rounded(recording.at(row, at.timestamp!), 3), this.#algorithm];
      for (let eye = 0; eye < eyes; eye++) fields.push(...singleFields(cellsOf(recording, rows[eye])));
      fields.push(cell('frame'), cell('clock'), cell('mediaTime'));
      for (let eye = 0; eye < eyes; eye++) {
        const s = series[eye]![i]!;
        const r = rows[eye];
        const own = (column: string) => (r === undefined ? null : cell(column, r));
        fields.push(own('eye'), own('found'), s.blink, s.event);
        if (this.#corrected) fields.push(r === undefined ? null : recording.cell(r, pupilColumns.length));
        if (this.#glints) fields.push(own('glintX'), own('glintY'));
        if (this.#lids) fields.push(own('coveredByLids'), own('irisDiameter'));
        if (!this.#asked) continue;
        const mm = millimetres ? [rounded(millimetres[eye]![i]!.diameter, 4)] : [];
        fields.push(rounded(s.diameter, 4), ...mm, s.source, s.smoothed);
      }
      fields.push(cell('dropped'), cell('throttled'), cell('backend'), markerField(marked.get(i)));
      return fields;
    });
  }
}

/**
 * Returns the recording as CSV, one row per frame. Columns: filename, timestamp_ms, algorithm. Then for each eye:
 * diameter_px, undistortedDiameter_px (empty: lenses are not corrected here), physicalDiameter_mm (with a calibration),
 * width_px and height_px (minor and major axis), axisRatio (minor to major), center_x, center_y, angle_deg (of the
 * minor axis, from +x towards +y), circumference_px, confidence, outlineConfidence.
 *
 * More columns follow: frame, clock, mediaTime_ms, eye, found, blink, event (the kind of the event that covers the
 * frame), corrected (after corrections by hand), glint_x and glint_y (if glints were searched for),
 * covered_by_lids and iris_px (with a second opinion), dropped, throttled, backend, marker. Format 'pupilext' is PupilEXT's own table (pupil-ext.ts). `toCsvJson` describes the table. Throws
 * 'invalid-argument' for another format, or a recording that is not a pupil recording.
 */
export function toPupilCsv(recording: Recording, header: RecordingHeader, options: PupilExportOptions = {}): string {
  const { format = 'plain', series: asked = null } = options;
  checkFormat(format);
  const eyes = eyesOf(recording);
  if (format === 'pupilext') {
    const table = new PupilTable(header, format, eyes);
    return table.head([], []) + table.rows(recording, []);
  }
  const series = seriesOf(recording, asked);
  const millimetres = millimetresOf(recording, asked);
  const table = new PupilTable(header, format, eyes, asked, millimetres !== null);
  const rows = (all: readonly PupilSeriesRows[] | null) => all?.map((one) => one.rows) ?? null;
  return table.head(recording.markers, eventsOf(series)) + table.rows(recording, rows(series)!, rows(millimetres));
}

/**
 * Like `toJson`, with `events: [{ kind, onset, offset, final, pupil, eye }]`. If requested, also with `series`: `eyes`
 * has one list of rows per eye, `whose` has left or right of each, and with a calibration `millimetres` has the rows in
 * millimeters.
 */
export function toPupilJson(recording: Recording, header: RecordingHeader, options: PupilExportOptions = {}): string {
  const series = seriesOf(recording, options.series);
  const millimetres = millimetresOf(recording, options.series)?.map(({ rows }) => rows);
  const eyes = series.map(({ rows }) => rows);
  const whose = series.map(({ eye }) => eye);
  return toJson(recording, header, {
    events: eventsOf(series),
    ...(options.series && { series: { options: options.series, whose, eyes, ...(millimetres && { millimetres }) } }),
  });
}

function markersByFrame(recording: Recording, frames: readonly FrameRows[]): Map<number, Marker[]> {
  const byRow = recording.markersByRow(at.timestamp!);
  const byFrame = new Map<number, Marker[]>();
  frames.forEach(({ rows }, i) => {
    const markers = rows.flatMap((row) => byRow.get(row) ?? []);
    if (markers.length) byFrame.set(i, markers);
  });
  return byFrame;
}
