/**
 * Exports of a pupil recording (columns of results/export-pupil.ts). The CSV begins with the columns that users of PupilEXT
 * know (Zandi et al., Sci Rep 2021), one row a frame; two eyes double them. What is not known is an empty field.
 */
import type { Blink } from '../results/types.ts';
import { csvHead, markerField, quoted, toJson } from '../results/export.ts';
import { pupilColumns } from '../results/export-pupil.ts';
import type { Marker, Recording, RecordingHeader } from '../results/recording.ts';
import { FoveolaError } from '../runtime/error.ts';
import { pupilSeries, type PupilSeries, type PupilSeriesOptions, type SeriesInput } from './series.ts';

export interface PupilExportOptions {
  /** Only the table with PupilEXT's columns: no header lines, no further columns. */
  plain?: boolean;
  /** Adds the diameter filled in or smoothed, beside what was measured. */
  series?: Omit<PupilSeriesOptions, 'eye'> | null;
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

function seriesOf(recording: Recording, options: PupilExportOptions['series']): PupilSeries[] {
  const { eyes } = framesOf(recording);
  return Array.from({ length: eyes }, (_, eye) => pupilSeries(recordedPupils(recording), { ...options, eye }));
}

const blinksOf = (series: readonly PupilSeries[]): Blink[] =>
  series.flatMap(({ blinks }) => blinks).sort((a, b) => a.onset - b.onset);

/** Ramanujan's second approximation, good to 1e-5 at any flatness. */
function circumference(major: number, minor: number): number {
  const h = ((major - minor) / (major + minor)) ** 2;
  return ((Math.PI * (major + minor)) / 2) * (1 + (3 * h) / (10 + Math.sqrt(4 - 3 * h)));
}

const number = (value: number, digits: number) => (Number.isFinite(value) ? String(Number(value.toFixed(digits))) : '');

/** PupilEXT's columns of one eye. */
const eyeColumns = [
  'diameter_px',
  'physicalDiameter_mm',
  'width_px',
  'height_px',
  'axisRatio',
  'center_x',
  'center_y',
  'angle_deg',
  'circumference_px',
  'confidence',
  'outlineConfidence',
] as const;

function eyeFields(recording: Recording, row: number | undefined): string[] {
  if (row === undefined) return eyeColumns.map(() => '');
  const value = (name: string) => recording.at(row, at[name]!);
  const diameter = value('diameter');
  // A circle is an ellipse of equal axes.
  const circle = Number.isNaN(value('major'));
  const major = circle ? diameter : value('major');
  const minor = circle ? diameter : value('minor');
  const angle = circle ? diameter * 0 : (value('angle') * 180) / Math.PI;
  return [
    number(diameter, 3),
    number(value('diameterMm'), 4),
    number(major, 3),
    number(minor, 3),
    number(minor / major, 4),
    number(value('x'), 3),
    number(value('y'), 3),
    number(angle, 3),
    number(circumference(major, minor), 3),
    number(value('confidence'), 4),
    number(value('outlineConfidence'), 4),
  ];
}

/** Names for one eye as they are, for two with the side of the picture. */
const perEye = (names: readonly string[], eyes: number): string[] =>
  eyes === 1 ? [...names] : ['left', 'right'].flatMap((side) => names.map((name) => `${name}_${side}`));

/**
 * The recording as CSV, one row a frame: filename, timestamp_ms, algorithm, then for each eye diameter_px,
 * physicalDiameter_mm (with a calibration), width_px and height_px (major and minor axis), axisRatio (minor to major),
 * center_x, center_y, angle_deg (of the major axis, from +x towards +y), circumference_px, confidence, outlineConfidence.
 * Further columns follow: frame, clock, mediaTime_ms, found, blink, dropped, throttled, marker.
 */
export function toPupilCsv(recording: Recording, header: RecordingHeader, options: PupilExportOptions = {}): string {
  const { plain = false, series: asked = null } = options;
  const { frames, eyes } = framesOf(recording);
  const series = plain ? [] : seriesOf(recording, asked);
  const filled = asked && !plain;
  const more = [
    'frame',
    'clock',
    'mediaTime_ms',
    ...perEye(
      ['found', 'blink', ...(filled ? [`series_${asked.unit ?? 'px'}`, 'series_source', 'series_smoothed'] : [])],
      eyes,
    ),
    'dropped',
    'throttled',
    'marker',
  ];
  const columns = ['filename', 'timestamp_ms', 'algorithm', ...perEye(eyeColumns, eyes), ...(plain ? [] : more)];
  const lines = plain
    ? []
    : [
        ...csvHead(recording, header, 'px pixels, ms milliseconds, mm millimetres, deg degrees'),
        ...blinksOf(series).map(({ onset, offset, eye }) => `# blink: ${onset} ${offset} eye ${eye}`),
      ];
  lines.push(columns.join(','));
  const name = quoted(header.source.name);
  const algorithm = quoted(String(header.parameters.method ?? ''));
  const marked = markersByFrame(recording, frames);
  frames.forEach(({ rows }, i) => {
    const row = rows.find((r) => r !== undefined)!;
    const cell = (column: string, r = row) => String(Number(recording.cell(r, at[column]!) ?? NaN) || 0);
    const fields = [name, number(recording.at(row, at.timestamp!), 3), algorithm];
    for (let eye = 0; eye < eyes; eye++) fields.push(...eyeFields(recording, rows[eye]));
    if (!plain) {
      fields.push(cell('frame'), String(recording.cell(row, at.clock!)), number(recording.at(row, at.mediaTime!), 3));
      for (let eye = 0; eye < eyes; eye++) {
        const s = series[eye]!.rows[i]!;
        const r = rows[eye];
        fields.push(r === undefined ? '' : cell('found', r), String(Number(s.blink)));
        if (filled) fields.push(number(s.diameter, 4), s.source, String(Number(s.smoothed)));
      }
      fields.push(cell('dropped'), cell('throttled'), markerField(marked.get(i)));
    }
    lines.push(fields.join(','));
  });
  return lines.join('\n') + '\n';
}

/** As `toJson`, with `blinks: [{ onset, offset, eye }]` and, where asked for, `series` for each eye. */
export function toPupilJson(recording: Recording, header: RecordingHeader, options: PupilExportOptions = {}): string {
  const series = seriesOf(recording, options.series);
  return toJson(recording, header, {
    blinks: blinksOf(series),
    ...(options.series && { series: { options: options.series, eyes: series.map(({ rows }) => rows) } }),
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
