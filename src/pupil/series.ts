/**
 * The diameter of a pupil over time, with its blinks. Nothing is filled in or smoothed unless it is asked for, and every
 * row says what was done to it; the value that was measured stays beside.
 */
import type { Blink, Pupil, PupilResult } from '../results/types.ts';
import { OneEuroFilter, type OneEuroOptions } from '../results/one-euro.ts';
import { FoveolaError } from '../runtime/error.ts';
import { BlinkDetector } from '../series/blink.ts';

export interface PupilSeriesOptions {
  /** Index into `pupils`: 0, or 1 for the right half of a picture of two eyes. */
  eye?: number;
  /** 'mm' takes diameterMm, which is there only with a calibration. */
  unit?: 'px' | 'mm';
  /** 'linear' fills blinks and short gaps by a straight line between the pupils before and after. */
  interpolate?: 'none' | 'linear';
  /** Longest gap that is filled, ms. A longer one stays missing. */
  longestGap?: number;
  /** Options of the 1 euro filter; null: no smoothing. */
  smooth?: Partial<OneEuroOptions> | null;
}

export interface PupilSeriesRow {
  timestamp: number;
  /** In the unit asked for; NaN where it is missing. */
  diameter: number;
  /** Before interpolation and smoothing; NaN where no pupil was found. */
  measured: number;
  source: 'measured' | 'interpolated' | 'missing';
  smoothed: boolean;
  /** Between onset and offset of a blink. */
  blink: boolean;
}

export interface PupilSeriesRows {
  rows: PupilSeriesRow[];
  blinks: Blink[];
}

/** What a series needs of a result; a PupilResult has it. */
export type SeriesInput = Pick<PupilResult, 'timestamp'> & {
  readonly pupils: readonly Pick<Pupil, 'found' | 'outlineConfidence' | 'diameter' | 'diameterMm'>[];
};

const bad = (text: string) => new FoveolaError('invalid-argument', `pupilSeries: ${text}`);

function check({ eye, unit, interpolate, longestGap }: Required<Omit<PupilSeriesOptions, 'smooth'>>): void {
  if (!Number.isInteger(eye) || eye < 0) throw bad(`eye must be 0 or 1, not ${String(eye)}.`);
  if (unit !== 'px' && unit !== 'mm') throw bad(`unit must be 'px' or 'mm', not ${String(unit)}.`);
  if (interpolate !== 'none' && interpolate !== 'linear')
    throw bad(`interpolate must be 'none' or 'linear', not ${String(interpolate)}.`);
  if (!(longestGap >= 0)) throw bad(`longestGap must be at least 0 ms, not ${String(longestGap)}.`);
}

/**
 * Throws 'invalid-argument': an option out of its range, times that go back, or millimetres without a calibration.
 * @param results in order of time, for instance all results of one tracker
 */
export function pupilSeries(results: Iterable<SeriesInput>, options: PupilSeriesOptions = {}): PupilSeriesRows {
  const { eye = 0, unit = 'px', interpolate = 'none', longestGap = 600, smooth = null } = options;
  check({ eye, unit, interpolate, longestGap });
  const filter = smooth && new OneEuroFilter(smooth); // throws before any work
  const detector = new BlinkDetector();
  const rows: PupilSeriesRow[] = [];
  const blinks: Blink[] = [];
  for (const { timestamp, pupils } of results) {
    const pupil = pupils[eye];
    if (!pupil) throw bad(`there is no pupil ${eye} in the results; track with eyes: 2.`);
    if (rows.length && !(timestamp >= rows.at(-1)!.timestamp)) throw bad('the results must be in order of time.');
    const value = unit === 'mm' ? (pupil.diameterMm ?? NaN) : pupil.diameter;
    const measured = pupil.found ? value : NaN;
    if (pupil.found && unit === 'mm' && pupil.diameterMm === null)
      throw bad("unit 'mm' needs results of a tracker with millimetresPerPixel.");
    const { ended } = detector.update(pupil, timestamp);
    if (ended) blinks.push({ ...ended, eye });
    const source = Number.isNaN(measured) ? 'missing' : 'measured';
    rows.push({ timestamp, diameter: measured, measured, source, smoothed: false, blink: false });
  }
  markBlinks(rows, blinks);
  if (interpolate === 'linear') fill(rows, longestGap);
  if (filter)
    for (const row of rows) {
      if (row.source === 'missing') filter.reset();
      else {
        row.diameter = filter.filter(row.diameter, row.timestamp);
        row.smoothed = true;
      }
    }
  return { rows, blinks };
}

function markBlinks(rows: PupilSeriesRow[], blinks: readonly Blink[]): void {
  let i = 0;
  for (const { onset, offset } of blinks) {
    while (i < rows.length && rows[i]!.timestamp < onset) i++;
    for (; i < rows.length && rows[i]!.timestamp < offset; i++) rows[i]!.blink = true;
  }
}

/** Also what was measured within a blink is replaced: the lid lay over it. */
function fill(rows: PupilSeriesRow[], longest: number): void {
  let before = -1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.source === 'missing' || row.blink) continue;
    const from = rows[before];
    if (from && i - before > 1 && row.timestamp - rows[before + 1]!.timestamp <= longest)
      for (let j = before + 1; j < i; j++) {
        const share = (rows[j]!.timestamp - from.timestamp) / (row.timestamp - from.timestamp);
        rows[j]!.diameter = from.measured + share * (row.measured - from.measured);
        rows[j]!.source = 'interpolated';
      }
    before = i;
  }
}
