/** The diameter around markers: epochs of each pupil with their mean, and their table. */
import {
  cleanSeries,
  type CsvFormat,
  type Epochs,
  epochs,
  type Laterality,
  type Marker,
  pupilSamples,
  type PupilSeries,
  type Recording,
  type RecordingHeader,
  recordedPupils,
} from '../../../src/index.ts';
import { csvHead, csvLines, csvStart, type Field, rounded, tableFormats } from '../../../src/internal.ts';

export const baselines = ['subtract', 'percent', 'none'] as const;

/** The interval around a marker, in milliseconds, and the baseline before it. */
export interface Interval {
  readonly before: number;
  readonly after: number;
  /** Length of the baseline before the marker. */
  readonly length: number;
  readonly baseline: (typeof baselines)[number];
}

export interface PupilEpochs {
  readonly pupil: number;
  readonly eye: Laterality;
  readonly cut: Epochs;
}

/** The cleaned series of each pupil. */
export function seriesOf(recording: Recording, unit: 'px' | 'mm'): PupilSeries[] {
  const results = [...recordedPupils(recording)].map((result) => ({
    ...result,
    pupils: result.pupils.map((pupil) => ({
      ...pupil,
      // Frames before a calibration have no millimeters.
      found: pupil.found && (unit === 'px' || pupil.diameterMm !== null),
      confidence: 1,
      blink: false,
    })),
  }));
  const count = Math.max(0, ...results.map(({ pupils }) => pupils.length));
  if (results.length < 2) return [];
  return Array.from({ length: count }, (_, eye) => cleanSeries(pupilSamples(results, { eye, unit })));
}

export function epochsOf(all: readonly PupilSeries[], markers: readonly Marker[], of: Interval): PupilEpochs[] {
  const { before, after, length, baseline } = of;
  const onsets = markers.map(({ timestamp }) => timestamp);
  if (!onsets.length) return [];
  return all.map((series, pupil) => ({
    ...{ pupil, eye: series.eye ?? 'unknown' },
    cut: epochs(series, onsets, { before, after, baseline, baselineFrom: -length, baselineTo: 0 }),
  }));
}

/** Unit of the diameters in epochs. */
export const unitOf = ({ baseline }: Interval, unit: 'px' | 'mm'): 'px' | 'mm' | '%' =>
  baseline === 'percent' ? '%' : unit;

const names = ['marker', 'label', 'onset_ms', 'pupil', 'eye', 'time_ms', 'diameter', 'baseline', 'measured', 'used'];

interface EpochTable {
  readonly epochs: readonly PupilEpochs[];
  readonly markers: readonly Marker[];
  readonly header: RecordingHeader;
  readonly interval: Interval;
  readonly unit: 'px' | 'mm';
}

/** One row per marker, pupil and time. Formats that a table cannot have are written plainly. */
export function epochsCsv({ epochs: all, markers, header, interval, unit }: EpochTable, given?: CsvFormat): string {
  const format = given && tableFormats.includes(given) ? given : 'plain';
  const rows: Field[][] = [];
  markers.forEach(({ label, timestamp }, marker) => {
    for (const { pupil, eye, cut } of all) {
      const { diameter, baseline, validShare, kept } = cut.epochs[marker]!;
      cut.time.forEach((time, i) =>
        rows.push([
          ...[marker, label, rounded(timestamp, 3), pupil, eye, rounded(time, 3), rounded(diameter[i]!, 4)],
          ...[rounded(baseline, 4), rounded(validShare, 3), kept],
        ]),
      );
    }
  });
  const { before, after, length, baseline } = interval;
  const about = `interval: ${before} ms before to ${after} ms after a marker; baseline: ${baseline}, ${length} ms`;
  const comments = () => [...csvHead({ markers: [] }, header, `diameter ${unitOf(interval, unit)}`), about];
  return csvStart(names, format, comments) + csvLines(rows, format);
}

/** Describes the table: origin, interval and columns. */
export function epochsJson({ header, interval, unit }: EpochTable): string {
  const shown = unitOf(interval, unit);
  const columns = [
    ['marker', 'Number of the marker, starting at 0'],
    ['label', 'Label of the marker'],
    ['onset_ms', 'Time of the marker on the clock of the recording', 'ms'],
    ['pupil', '0: the eye in the left half of the frame, 1: the eye in its right half'],
    ['eye', "The person's eye"],
    ['time_ms', 'Time since the marker', 'ms'],
    ['diameter', 'Cleaned diameter, after the correction of the baseline', shown],
    ['baseline', 'Median diameter before the marker', unit],
    ['measured', 'Share of the epoch that is based on measured samples, from 0 to 1'],
    ['used', '1: the epoch is in the mean'],
  ].map(([name, description, of]) => ({ name, description, ...(of && { unit: of }) }));
  return `${JSON.stringify({ ...header, epochs: { ...interval, unit: shown }, columns }, null, 2)}\n`;
}
