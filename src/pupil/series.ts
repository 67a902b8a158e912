/**
 * The diameter of a pupil over time, with its blinks, closures and losses. Nothing is interpolated or smoothed unless
 * requested. Every row states how its value was made, and also has the measured value.
 */
import { EventList, eventAt } from '../results/event-list.ts';
import type { EyeEvent, EyeEventKind, Laterality, Pupil, PupilResult } from '../results/types.ts';
import { OneEuroFilter, type OneEuroOptions } from '../results/one-euro.ts';
import { FoveolaError } from '../runtime/error.ts';
import { EyeEventDetector, maxBlink } from '../series/eye-events.ts';
import { pupilIndex } from '../series/samples.ts';

export interface PupilSeriesOptions {
  /** Index into `pupils`: 0, or 1 for the right half of an image of two eyes. Or 'left' or 'right'. */
  eye?: number | 'left' | 'right';
  /** 'mm' uses diameterMm, which requires a calibration. */
  unit?: 'px' | 'mm';
  /** 'linear' fills blinks and short gaps with a straight line between the pupils before and after. */
  interpolate?: 'none' | 'linear';
  /** Maximum length in ms of a gap to fill. Longer gaps stay missing. */
  longestGap?: number;
  /** Options of the 1 euro filter. Null disables smoothing. */
  smooth?: Partial<OneEuroOptions> | null;
}

export interface PupilSeriesRow {
  timestamp: number;
  /** Diameter in the requested unit. NaN if it is missing. */
  diameter: number;
  /** Diameter before interpolation and smoothing. NaN if no pupil was found. */
  measured: number;
  source: 'measured' | 'interpolated' | 'missing';
  smoothed: boolean;
  /** True between onset and offset of a blink. */
  blink: boolean;
  /** Event that covers this row. */
  event: EyeEventKind | null;
}

export interface PupilSeriesRows {
  /** Left or right eye. */
  eye: Laterality;
  rows: PupilSeriesRow[];
  /** Events of this eye, sorted by onset. The last one may not be final. */
  events: EyeEvent[];
}

/**
 * Fields of a result that a series needs. A PupilResult has them. If no result has `events`, they are detected here.
 */
export type SeriesInput = Pick<PupilResult, 'timestamp'> &
  Partial<Pick<PupilResult, 'events'>> & {
    readonly pupils: readonly (Pick<Pupil, 'found' | 'outlineConfidence' | 'diameter' | 'diameterMm'> &
      Partial<Pick<Pupil, 'eye'>>)[];
  };

const bad = (text: string) => new FoveolaError('invalid-argument', `pupilSeries: ${text}`);

function check({ eye, unit, interpolate, longestGap }: Required<Omit<PupilSeriesOptions, 'smooth'>>): void {
  if (eye !== 'left' && eye !== 'right' && !(Number.isInteger(eye) && eye >= 0))
    throw bad(`eye must be 0, 1, 'left' or 'right', not ${String(eye)}.`);
  if (unit !== 'px' && unit !== 'mm') throw bad(`unit must be 'px' or 'mm', not ${String(unit)}.`);
  if (interpolate !== 'none' && interpolate !== 'linear')
    throw bad(`interpolate must be 'none' or 'linear', not ${String(interpolate)}.`);
  if (!(longestGap >= 0)) throw bad(`longestGap must be 0 ms or more, not ${String(longestGap)}.`);
}

/**
 * Throws 'invalid-argument' for an option out of range, times that decrease, or millimeters without a calibration.
 * @param results in order of time, for example all results of one tracker
 */
export function pupilSeries(results: Iterable<SeriesInput>, options: PupilSeriesOptions = {}): PupilSeriesRows {
  const { eye = 0, unit = 'px', interpolate = 'none', longestGap = 600, smooth = null } = options;
  check({ eye, unit, interpolate, longestGap });
  const filter = smooth && new OneEuroFilter(smooth); // throws before any work
  const all = [...results];
  const index = indexOf(all, eye);
  const measured = all.map(({ timestamp, pupils }, i): [timestamp: number, measured: number] => {
    if (i && !(timestamp >= all[i - 1]!.timestamp)) throw bad('the results must be in order of time.');
    return [timestamp, measuredIn(pupils[index]!, unit)];
  });
  const sides = new Set(all.flatMap(({ pupils }) => pupils[index]!.eye ?? []));
  const [side = 'unknown'] = sides.size > 1 ? [] : sides;
  const events = eventsOf(all, index, side);
  const steps = new SeriesSteps(events, interpolate === 'linear' ? longestGap : null, filter);
  const rows: PupilSeriesRow[] = [];
  for (const [timestamp, value] of measured) rows.push(...steps.push(timestamp, value));
  rows.push(...steps.end());
  return { eye: side, rows, events };
}

/** Index of the eye in `pupils`. Throws 'invalid-argument' if a result does not have the eye, or its index changes. */
function indexOf(results: readonly SeriesInput[], eye: number | 'left' | 'right'): number {
  const places = new Set(results.map(({ pupils }) => pupilIndex('pupilSeries', pupils, eye)));
  if (places.size > 1) throw bad('`view` changed between the results. Name the pupils 0 and 1.');
  const [index = 0] = places;
  return index;
}

/** Events from the results. If the results have no list, detects the events. */
function eventsOf(results: readonly SeriesInput[], pupil: number, eye: Laterality): EyeEvent[] {
  const list = new EventList();
  const listed = results.some(({ events }) => events !== undefined);
  const detector = new EyeEventDetector(maxBlink.default);
  for (const { timestamp, pupils, events = [] } of results) {
    const found = listed ? [] : detector.update(pupils[pupil]!, timestamp).events;
    for (const event of found) list.settle({ ...event, pupil, eye });
    for (const event of events) list.settle(event);
  }
  return [...list.of(pupil)];
}

/**
 * Diameter of a found pupil. NaN if none was found. Throws 'invalid-argument' for millimeters without a calibration.
 */
export function measuredIn({ found, diameter, diameterMm }: SeriesInput['pupils'][number], unit: 'px' | 'mm'): number {
  if (found && unit === 'mm' && diameterMm === null)
    throw bad("unit 'mm' needs results of a tracker with millimetresPerPixel.");
  if (!found) return NaN;
  return unit === 'mm' ? diameterMm! : diameter;
}

/**
 * Computes a series row by row, for series that are too long for memory. A row is returned when later rows can no
 * longer change it, at the latest when a gap is too long to fill.
 */
export class SeriesSteps {
  readonly #events: readonly EyeEvent[];
  readonly #longest: number | null;
  readonly #filter: OneEuroFilter | null;
  /** The last pupil outside of events, and the rows since then while they can still be filled. */
  #before: PupilSeriesRow | null = null;
  #gap: PupilSeriesRow[] = [];

  /**
   * @param events of the whole series of this eye, in order of time
   * @param longest maximum gap to fill in ms, null to fill none
   */
  constructor(events: readonly EyeEvent[], longest: number | null, filter: OneEuroFilter | null) {
    this.#events = events;
    this.#longest = longest;
    this.#filter = filter;
  }

  push(timestamp: number, measured: number): PupilSeriesRow[] {
    const within = eventAt(this.#events, timestamp);
    const event = within?.kind ?? null;
    const lid = within?.final && event !== 'loss';
    const source = Number.isNaN(measured) ? 'missing' : 'measured';
    const blink = event === 'blink';
    const row: PupilSeriesRow = { timestamp, diameter: measured, measured, source, smoothed: false, blink, event };
    if (this.#longest === null) return this.#smooth([row]);
    const gap = this.#gap;
    // Values that were measured during a blink or closure are replaced too.
    if (source === 'missing' || lid) {
      if (!this.#before) return this.#smooth([row]);
      gap.push(row);
      if (timestamp - gap[0]!.timestamp <= this.#longest) return [];
      this.#before = null;
    } else {
      if (this.#before && gap.length && timestamp - gap[0]!.timestamp <= this.#longest) fill(this.#before, gap, row);
      this.#before = row;
      gap.push(row);
    }
    this.#gap = [];
    return this.#smooth(gap);
  }

  /** Returns the rows that were still waiting for a pupil. */
  end(): PupilSeriesRow[] {
    return this.#smooth(this.#gap.splice(0));
  }

  #smooth(rows: PupilSeriesRow[]): PupilSeriesRow[] {
    const filter = this.#filter;
    if (filter)
      for (const row of rows) {
        if (row.source === 'missing') filter.reset();
        else {
          row.diameter = filter.filter(row.diameter, row.timestamp);
          row.smoothed = true;
        }
      }
    return rows;
  }
}

/** Fills a gap with a straight line. */
function fill(from: PupilSeriesRow, gap: readonly PupilSeriesRow[], to: PupilSeriesRow): void {
  for (const row of gap) {
    const share = (row.timestamp - from.timestamp) / (to.timestamp - from.timestamp);
    row.diameter = from.measured + share * (to.measured - from.measured);
    row.source = 'interpolated';
  }
}
