/** Checks external samples and converts them to arrays of numbers. */
import type { EventSpan, EyeEventKind, Laterality, Pupil, PupilResult } from '../results/types.ts';
import { median } from '../image/numbers.ts';
import { EventList, eventKinds } from '../results/event-list.ts';
import { sideUnknown } from '../results/laterality.ts';
import { FoveolaError } from '../runtime/error.ts';

// Input and output types of the series functions. Times are in milliseconds, on one clock.

/** One sample of a pupil. If no pupil was found, the diameter is NaN (null in JSON). */
export interface PupilSample {
  timestamp: number;
  /** In any unit. Results have this unit as well. NaN, null or 0: no pupil. */
  diameter: number | null;
  /** 0 to 1. Default 1. */
  confidence?: number;
  /** The lid covers the pupil, according to another tracker. */
  blink?: boolean;
  /**
   * The event of the tracker's list that covers the sample, or null (set by `pupilSamples`). If no sample has this
   * member, `cleanSeries` detects the events.
   */
  event?: EyeEventKind | null;
  /** The eye (set by `pupilSamples`). */
  eye?: Laterality;
}

/** Samples before cleaning. */
export interface MeasuredSamples {
  timestamp: Float64Array;
  /** NaN if there was no pupil. */
  diameter: Float64Array;
  /** 1 if no cleaning step rejected the sample. */
  valid: Uint8Array;
}

/** Number of samples that each cleaning step rejected. */
export interface RejectedSamples {
  missing: number;
  confidence: number;
  blink: number;
  margin: number;
  speed: number;
  trend: number;
  island: number;
}

/** A pupil over time. All arrays have one value per time. */
export interface PupilSeries {
  timestamp: Float64Array;
  /** Cleaned. NaN if there is no measurement and the gap is too long for interpolation. */
  diameter: Float64Array;
  /** Measured. After resampling, the nearest sample, or NaN if there is none within half a step. */
  raw: Float64Array;
  /** 1 if the diameter is based on an accepted sample, 0 if it was interpolated or is missing. */
  valid: Uint8Array;
  /** Samples per second: the requested rate, otherwise one over the median step. */
  rate: number;
  /** The eye, if the samples name it. */
  eye?: Laterality;
  /** The blinks in `events` that have ended. */
  blinks: { onset: number; offset: number }[];
  /** Blinks, closures and losses. Set by cleanSeries. */
  events?: EventSpan[];
  /** All samples at their original times. Set by cleanSeries. */
  samples?: MeasuredSamples;
  rejected?: RejectedSamples;
  warnings?: string[];
}

export const bad = (where: string, text: string) => new FoveolaError('invalid-argument', `${where}: ${text}`);

export interface ReadSamples {
  timestamp: Float64Array;
  /** NaN: no pupil. */
  diameter: Float64Array;
  confidence: Float64Array;
  /** Flagged by the tracker. */
  blink: Uint8Array;
  /** Events of the tracker's list. Null if the samples have none. */
  event: (EyeEventKind | null)[] | null;
  /** Absent if no sample names it. 'unknown' if the samples differ. */
  eye?: Laterality;
  warnings: string[];
}

/** Throws 'invalid-argument': no list, fewer than two samples, times that are not numbers or that decrease. */
export function readSamples(where: string, samples: readonly PupilSample[]): ReadSamples {
  if (!Array.isArray(samples)) throw bad(where, 'samples must be an array of { timestamp, diameter }.');
  const count = samples.length;
  if (count < 2) throw bad(where, `samples must be 2 or more, not ${count}. Pass the whole recording.`);
  const timestamp = checkTimes(
    where,
    samples.map((sample) => sample?.timestamp),
  );
  const diameter = new Float64Array(count).fill(NaN);
  const confidence = new Float64Array(count).fill(1);
  const blink = new Uint8Array(count);
  const listed = samples.some((sample) => sample.event !== undefined);
  const event = listed ? samples.map((sample) => sample.event ?? null) : null;
  const eyes = new Set(samples.map((sample) => sample.eye));
  const [eye] = eyes;
  let impossible = 0;
  samples.forEach((sample, i) => {
    const { diameter: value, confidence: sure = 1, blink: lid, event: of = null } = sample;
    if (of !== null && !eventKinds.includes(of))
      throw bad(where, `samples[${i}].event must be 'blink', 'closure', 'loss' or null, not ${String(of)}.`);
    if (value !== null && typeof value !== 'number')
      throw bad(where, `samples[${i}].diameter must be a number, NaN or null where no pupil was found.`);
    if (value !== null && (value < 0 || Math.abs(value) === Infinity)) impossible++;
    else if (value) diameter[i] = value;
    if (typeof sure !== 'number') throw bad(where, `samples[${i}].confidence must be a number from 0 to 1.`);
    confidence[i] = Number.isNaN(sure) ? 0 : sure;
    blink[i] = lid ? 1 : 0;
  });
  const warnings = impossible
    ? [`${impossible} samples have a negative or infinite diameter and count as missing.`]
    : [];
  return { timestamp, diameter, confidence, blink, event, warnings, eye: eyes.size > 1 ? 'unknown' : eye };
}

/**
 * Returns an array of numbers. Throws 'invalid-argument' if a time is not a finite number or is less than the one
 * before.
 */
export function checkTimes(where: string, times: ArrayLike<unknown>): Float64Array {
  const out = new Float64Array(times.length);
  for (let i = 0; i < out.length; i++) {
    const time = times[i];
    if (typeof time !== 'number' || !Number.isFinite(time))
      throw bad(where, `the timestamp of sample ${i} must be a finite number of milliseconds, not ${String(time)}.`);
    if (i && time < out[i - 1]!)
      throw bad(where, `timestamps must not decrease: sample ${i} has ${time} after ${out[i - 1]!}. Sort the samples.`);
    out[i] = time;
  }
  return out;
}

/** Median of the steps above 0, ms. NaN if time is constant. */
export function medianStep(timestamp: ArrayLike<number>): number {
  const steps: number[] = [];
  for (let i = 1; i < timestamp.length; i++) {
    const step = timestamp[i]! - timestamp[i - 1]!;
    if (step > 0) steps.push(step);
  }
  return median(steps);
}

/** The part of a result that samples need. A PupilResult has it. */
export type SampledResult = Pick<PupilResult, 'timestamp'> &
  Partial<Pick<PupilResult, 'events'>> & {
    readonly pupils: readonly (Pick<Pupil, 'found' | 'confidence' | 'diameter' | 'diameterMm' | 'blink'> &
      Partial<Pick<Pupil, 'eye'>>)[];
  };

export interface PupilSamplesOptions {
  /** Index into `pupils`: 0, or 1 for the right half of an image of two eyes. Or the eye: 'left' or 'right'. */
  eye?: number | 'left' | 'right';
  /** 'mm' uses diameterMm, which exists only with a calibration. */
  unit?: 'px' | 'mm';
}

/** Index of an eye in `pupils`. Throws 'invalid-argument' if the eye is missing or if the eyes are not known. */
export function pupilIndex(
  where: string,
  pupils: readonly { readonly eye?: Laterality }[],
  eye: number | 'left' | 'right',
): number {
  const named = typeof eye !== 'number';
  const index = named ? pupils.findIndex((pupil) => pupil.eye === eye) : eye;
  if (pupils[index]) return index;
  if (named && pupils.every((pupil) => (pupil.eye ?? 'unknown') === 'unknown')) throw bad(where, sideUnknown);
  throw bad(where, `the results have no ${named ? `${String(eye)} eye` : `pupil ${eye}`}. Track with eyes: 2.`);
}

/**
 * Converts results of a pupil tracker to samples. Throws 'invalid-argument': an eye that the results do not have, or
 * millimeters without a calibration.
 */
export function pupilSamples(
  results: Iterable<SampledResult>,
  { eye = 0, unit = 'px' }: PupilSamplesOptions = {},
): PupilSample[] {
  const all = [...results];
  const list = new EventList();
  for (const { events = [] } of all) for (const event of events) list.settle(event);
  const listed = all.some(({ events }) => events !== undefined);
  return all.map(({ timestamp, pupils }) => {
    const index = pupilIndex('pupilSamples', pupils, eye);
    const pupil = pupils[index]!;
    if (pupil.found && unit === 'mm' && pupil.diameterMm === null)
      throw bad('pupilSamples', "unit 'mm' needs results of a tracker with millimetresPerPixel.");
    const diameter = unit === 'mm' ? pupil.diameterMm : pupil.diameter;
    return {
      timestamp,
      diameter: pupil.found ? diameter : NaN,
      confidence: pupil.found ? pupil.confidence : 0,
      ...(listed ? { event: list.at(timestamp, index)?.kind ?? null } : { blink: pupil.blink }),
      ...(pupil.eye && { eye: pupil.eye }),
    };
  });
}
