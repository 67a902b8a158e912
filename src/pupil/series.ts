/**
 * The diameter of a pupil over time, with its blinks, closures and losses. Nothing is filled in or smoothed unless it is asked for, and every
 * row says what was done to it; the value that was measured stays beside.
 */
import { EventList, eventAt } from '../results/event-list.ts';
import type { EyeEvent, EyeEventKind, Laterality, Pupil, PupilResult } from '../results/types.ts';
import { OneEuroFilter, type OneEuroOptions } from '../results/one-euro.ts';
import { FoveolaError } from '../runtime/error.ts';
import { EyeEventDetector, maxBlink } from '../series/eye-events.ts';
import { pupilIndex } from '../series/samples.ts';

export interface PupilSeriesOptions {
  /** Index into `pupils`: 0, or 1 for the right half of a picture of two eyes. Or whose eye: 'left' or 'right'. */
  eye?: number | 'left' | 'right';
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
  /** The event that covers it. */
  event: EyeEventKind | null;
}

export interface PupilSeriesRows {
  /** Whose eye. */
  eye: Laterality;
  rows: PupilSeriesRow[];
  /** Of this eye, by their onsets. The last one may not be final. */
  events: EyeEvent[];
}

/** What a series needs of a result; a PupilResult has it. Where no result has `events`, they are found here. */
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
 * Throws 'invalid-argument': an option out of its range, times that go back, or millimetres without a calibration.
 * @param results in order of time, for instance all results of one tracker
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

/** Of the eye in `pupils`. Throws 'invalid-argument': some result does not have it, or it changes its place. */
function indexOf(results: readonly SeriesInput[], eye: number | 'left' | 'right'): number {
  const places = new Set(results.map(({ pupils }) => pupilIndex('pupilSeries', pupils, eye)));
  if (places.size > 1) throw bad('`view` changed between the results. Name the pupils 0 and 1.');
  const [index = 0] = places;
  return index;
}

/** The events that the results list; of results that have no list, those that are found in them. */
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

/** The diameter of a found pupil; NaN where none was found. Throws 'invalid-argument': millimetres without a calibration. */
export function measuredIn({ found, diameter, diameterMm }: SeriesInput['pupils'][number], unit: 'px' | 'mm'): number {
  if (found && unit === 'mm' && diameterMm === null)
    throw bad("unit 'mm' needs results of a tracker with millimetresPerPixel.");
  if (!found) return NaN;
  return unit === 'mm' ? diameterMm! : diameter;
}

/**
 * The same value by value, for series that are longer than what should be in memory: a row comes when nothing that follows
 * changes it any more, at the latest when a gap has become too long to be filled.
 */
export class SeriesSteps {
  readonly #events: readonly EyeEvent[];
  readonly #longest: number | null;
  readonly #filter: OneEuroFilter | null;
  /** The last pupil outside of events, and the rows since, as long as they may be filled. */
  #before: PupilSeriesRow | null = null;
  #gap: PupilSeriesRow[] = [];

  /**
   * @param events of the whole series of this eye, in order of time
   * @param longest gap that is filled, ms; null: none is
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
    // Also what was measured under a lid is replaced.
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

  /** What still waited for a pupil. */
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

/** By a straight line. */
function fill(from: PupilSeriesRow, gap: readonly PupilSeriesRow[], to: PupilSeriesRow): void {
  for (const row of gap) {
    const share = (row.timestamp - from.timestamp) / (to.timestamp - from.timestamp);
    row.diameter = from.measured + share * (to.measured - from.measured);
    row.source = 'interpolated';
  }
}
