/**
 * Exports of a pupil recording (columns of results/export-pupil.ts), one row a frame. The CSV begins with the columns of
 * PupilEXT (pupil-ext.ts), two eyes double them, and ours follow. What is not known is an empty field.
 */
import type { Blink } from '../results/types.ts';
import { csvHead, markerField, quoted, toJson } from '../results/export.ts';
import { pupilColumns } from '../results/export-pupil.ts';
import type { Marker, Recording, RecordingHeader } from '../results/recording.ts';
import { FoveolaError } from '../runtime/error.ts';
import { pairColumns, pairFields, singleColumns, singleFields, type EyeCells } from './pupil-ext.ts';
import { pupilSeries, type PupilSeriesOptions, type PupilSeriesRows, type SeriesInput } from './series.ts';

/**
 * 'foveola': PupilEXT's columns, then ours, after a header that says how everything was computed. 'pupilext': exactly what
 * PupilEXT writes, for programs that read its files: no header, no further column.
 */
export const pupilFormats = ['foveola', 'pupilext'] as const;
export type PupilFormat = (typeof pupilFormats)[number];

export interface PupilExportOptions {
  /** Of the CSV; 'foveola' by default. */
  format?: PupilFormat;
  /** The same as format 'pupilext'. */
  plain?: boolean;
  /**
   * Adds the diameter filled in or smoothed, beside what was measured: in pixels, and in millimetres where the recording
   * has a calibration; with `unit` in that unit alone.
   */
  series?: Omit<PupilSeriesOptions, 'eye'> | null;
}

/** Throws 'invalid-argument'. */
export function checkFormat(format: unknown): asserts format is PupilFormat {
  if (!pupilFormats.includes(format as PupilFormat))
    throw new FoveolaError(
      'invalid-argument',
      `exportCsv: format must be ${pupilFormats.map((name) => `'${name}'`).join(' or ')}, not ${String(format)}.`,
    );
}

const at = Object.fromEntries(pupilColumns.map(({ name }, index) => [name, index])) as Record<string, number>;

/** Rows of one frame: one an eye, `rows[eye]`; -1 where an eye has none. */
interface FrameRows {
  rows: number[];
}

function framesOf(recording: Recording): { frames: FrameRows[]; eyes: number } {
  if (pupilColumns.some(({ name }, i) => recording.columns[i]?.name !== name))
    throw new FoveolaError('invalid-argument', 'The recording must have the columns pupilColumns.');
  const frames: FrameRows[] = [];
  let eyes = 1;
  let last = NaN;
  for (let row = 0; row < recording.length; row++) {
    const frame = recording.at(row, at.frame!);
    const eye = recording.at(row, at.eye!);
    if (frame !== last || eye === 0) frames.push({ rows: [] });
    last = frame;
    frames.at(-1)!.rows[eye] = row;
    eyes = Math.max(eyes, eye + 1);
  }
  return { frames, eyes };
}

/** What `pupilSeries` takes, from a recording. */
export function* recordedPupils(recording: Recording): Generator<SeriesInput> {
  const { frames, eyes } = framesOf(recording);
  for (const { rows } of frames) {
    const pupils = Array.from({ length: eyes }, (_, eye) => {
      const row = rows[eye] ?? -1;
      const value = (name: string) => (row < 0 ? NaN : recording.at(row, at[name]!));
      const mm = value('diameterMm');
      return {
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
    };
  }
}

/** One series an eye, in the unit that is asked for, else in pixels. */
function seriesOf(recording: Recording, options: PupilExportOptions['series']): PupilSeriesRows[] {
  const { eyes } = framesOf(recording);
  return Array.from({ length: eyes }, (_, eye) => pupilSeries(recordedPupils(recording), { ...options, eye }));
}

/** The same in millimetres; null without a calibration, and where one unit alone is asked for. */
function millimetresOf(recording: Recording, options: PupilExportOptions['series']): PupilSeriesRows[] | null {
  if (!options || options.unit !== undefined) return null;
  const calibrated = Array.from({ length: recording.length }, (_, row) => recording.at(row, at.diameterMm!));
  if (calibrated.every(Number.isNaN)) return null;
  const { eyes } = framesOf(recording);
  return Array.from({ length: eyes }, (_, eye) =>
    pupilSeries(withMillimetres(recording), { ...options, unit: 'mm', eye }),
  );
}

/** Frames before the calibration was there have no millimetres: as if nothing had been found. */
function* withMillimetres(recording: Recording): Generator<SeriesInput> {
  for (const { timestamp, pupils } of recordedPupils(recording))
    yield {
      timestamp,
      pupils: pupils.map((pupil) => ({ ...pupil, found: pupil.found && pupil.diameterMm !== null })),
    };
}

const blinksOf = (series: readonly PupilSeriesRows[]): Blink[] =>
  series.flatMap(({ blinks }) => blinks).sort((a, b) => a.onset - b.onset);

const number = (value: number, digits: number) => (Number.isFinite(value) ? String(Number(value.toFixed(digits))) : '');

/** What PupilEXT's columns are made of, for the eye of a row. */
function cellsOf(recording: Recording, row: number | undefined): EyeCells | null {
  if (row === undefined) return null;
  const value = (name: string) => recording.at(row, at[name]!);
  const diameter = value('diameter');
  // A circle is an ellipse of equal axes.
  const circle = Number.isNaN(value('major'));
  return {
    diameter,
    diameterMm: value('diameterMm'),
    major: circle ? diameter : value('major'),
    minor: circle ? diameter : value('minor'),
    angle: circle ? diameter * 0 : (value('angle') * 180) / Math.PI,
    x: value('x'),
    y: value('y'),
    confidence: value('confidence'),
    outlineConfidence: value('outlineConfidence'),
  };
}

/** Names for one eye as they are, for two with the side of the picture. */
const perEye = (names: readonly string[], eyes: number): string[] =>
  eyes === 1 ? [...names] : ['left', 'right'].flatMap((side) => names.map((name) => `${name}_${side}`));

/** Exactly the table that PupilEXT writes: one pupil, or two in one image (A at the left, B at the right). */
function pupilExtCsv(recording: Recording, header: RecordingHeader): string {
  const { frames, eyes } = framesOf(recording);
  const first = ['filename', 'timestamp_ms', 'algorithm'];
  const lines = [[...first, ...(eyes === 1 ? singleColumns : pairColumns)].join(',')];
  const name = quoted(header.source.name);
  const algorithm = quoted(String(header.parameters.method ?? ''));
  for (const { rows } of frames) {
    const row = rows.find((r) => r !== undefined)!;
    const cells = (eye: number) => cellsOf(recording, rows[eye]);
    const fields = eyes === 1 ? singleFields(cells(0), 'width first') : pairFields(cells(0), cells(1));
    lines.push([name, number(recording.at(row, at.timestamp!), 3), algorithm, ...fields].join(','));
  }
  return lines.join('\n') + '\n';
}

/**
 * The recording as CSV, one row a frame: filename, timestamp_ms, algorithm, then for each eye diameter_px,
 * undistortedDiameter_px (empty: lenses are not corrected here), physicalDiameter_mm (with a calibration), width_px and
 * height_px (major and minor axis), axisRatio (minor to major), center_x, center_y, angle_deg (of the major axis, from +x
 * towards +y), circumference_px, confidence, outlineConfidence. Further columns follow: frame, clock, mediaTime_ms, found,
 * blink, dropped, throttled, marker. Format 'pupilext' is PupilEXT's own table (pupil-ext.ts).
 * Throws 'invalid-argument': another format, or a recording of something else.
 */
export function toPupilCsv(recording: Recording, header: RecordingHeader, options: PupilExportOptions = {}): string {
  const { plain = false, format = plain ? 'pupilext' : 'foveola', series: asked = null } = options;
  checkFormat(format);
  if (format === 'pupilext') return pupilExtCsv(recording, header);
  const { frames, eyes } = framesOf(recording);
  const series = seriesOf(recording, asked);
  const millimetres = millimetresOf(recording, asked);
  const filled = [`series_${asked?.unit ?? 'px'}`, ...(millimetres ? ['series_mm'] : [])];
  const more = [
    'frame',
    'clock',
    'mediaTime_ms',
    ...perEye(['found', 'blink', ...(asked ? [...filled, 'series_source', 'series_smoothed'] : [])], eyes),
    'dropped',
    'throttled',
    'marker',
  ];
  const columns = ['filename', 'timestamp_ms', 'algorithm', ...perEye(singleColumns, eyes), ...more];
  const lines = [
    ...csvHead(recording, header, 'px pixels, ms milliseconds, mm millimetres, deg degrees'),
    ...blinksOf(series).map(({ onset, offset, eye }) => `# blink: ${onset} ${offset} eye ${eye}`),
    columns.join(','),
  ];
  const name = quoted(header.source.name);
  const algorithm = quoted(String(header.parameters.method ?? ''));
  const marked = markersByFrame(recording, frames);
  frames.forEach(({ rows }, i) => {
    const row = rows.find((r) => r !== undefined)!;
    const cell = (column: string, r = row) => String(Number(recording.cell(r, at[column]!) ?? NaN) || 0);
    const fields = [name, number(recording.at(row, at.timestamp!), 3), algorithm];
    for (let eye = 0; eye < eyes; eye++) fields.push(...singleFields(cellsOf(recording, rows[eye]), 'major first'));
    fields.push(cell('frame'), String(recording.cell(row, at.clock!)), number(recording.at(row, at.mediaTime!), 3));
    for (let eye = 0; eye < eyes; eye++) {
      const s = series[eye]!.rows[i]!;
      const r = rows[eye];
      fields.push(r === undefined ? '' : cell('found', r), String(Number(s.blink)));
      if (!asked) continue;
      const mm = millimetres ? [number(millimetres[eye]!.rows[i]!.diameter, 4)] : [];
      fields.push(number(s.diameter, 4), ...mm, s.source, String(Number(s.smoothed)));
    }
    fields.push(cell('dropped'), cell('throttled'), markerField(marked.get(i)));
    lines.push(fields.join(','));
  });
  return lines.join('\n') + '\n';
}

/**
 * As `toJson`, with `blinks: [{ onset, offset, eye }]` and, where asked for, `series`: `eyes`, and with a calibration the
 * same in `millimetres`, one list of rows an eye.
 */
export function toPupilJson(recording: Recording, header: RecordingHeader, options: PupilExportOptions = {}): string {
  const series = seriesOf(recording, options.series);
  const millimetres = millimetresOf(recording, options.series)?.map(({ rows }) => rows);
  const eyes = series.map(({ rows }) => rows);
  return toJson(recording, header, {
    blinks: blinksOf(series),
    ...(options.series && { series: { options: options.series, eyes, ...(millimetres && { millimetres }) } }),
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
