/**
 * Cleans a series of diameters with the steps from the literature: gaps, blinks and their margins, artifacts by speed,
 * interpolation of short gaps, a low-pass filter without phase shift, equal steps, baseline, z-score. Each step can be
 * turned off (clean-parameters.ts), and the raw measurements remain available. Cost: a few passes over the samples and
 * one sort.
 */
import { median } from '../image/numbers.ts';
import { resolveParameters, type Given, type Values } from '../runtime/parameters.ts';
import { rejectFast, rejectIslands, rejectMargins, rejectOffTrend } from './artifacts.ts';
import { cleaningParameters } from './clean-parameters.ts';
import { eventAt } from '../results/event-list.ts';
import type { EventSpan } from '../results/types.ts';
import { EyeEventDetector } from './eye-events.ts';
import { interpolate, highestCutoff, lowPass } from './interpolation.ts';
import {
  bad,
  medianStep,
  readSamples,
  type ReadSamples,
  type PupilSample,
  type PupilSeries,
  type RejectedSamples,
} from './samples.ts';
import { mean, standardDeviation } from './statistics.ts';

export type CleaningOptions = Given<typeof cleaningParameters>;
type Cleaning = Values<typeof cleaningParameters>;

/** Steps longer than this multiple of the usual step are gaps. */
const USUAL = 1.5;

/**
 * Cleans a series. Diameters keep their unit, except with baseline 'percent' and zScore. `raw` and `samples` always
 * keep it. Throws 'invalid-argument': fewer than two samples, times that decrease or are constant, an option out of its
 * range, or a lowPass that the rate does not allow. A series without any pupil is NaN everywhere and has a warning.
 * @param samples in order of time
 */
export function cleanSeries(samples: readonly PupilSample[], options: CleaningOptions = {}): PupilSeries {
  const where = 'cleanSeries';
  const values = resolveParameters(cleaningParameters, options, where);
  const read = readSamples(where, samples);
  const { timestamp, diameter: raw, warnings } = read;
  const step = medianStep(timestamp);
  if (!(step > 0)) throw bad(where, 'all samples have the same timestamp. Set the time of each in milliseconds.');
  const { valid, events, rejected } = judge(read, values, step);
  const ended = events.filter(({ kind, final }) => kind === 'blink' && final);
  if (!valid.includes(1)) warnings.push('No sample has a usable pupil, so every diameter is NaN.');

  const times = values.rate ? equalTimes(timestamp, 1000 / values.rate) : timestamp;
  const cutoff = cutoffOf(values, 1000 / step, options.lowPass !== undefined, warnings);
  const { diameter, rests } = fill({ timestamp, raw, valid, step }, times, values, cutoff);
  if (values.rate && values.rate < 500 / step && !(cutoff && cutoff <= values.rate / 2))
    warnings.push(
      `Fewer samples without a lowPass of at most ${values.rate / 2} Hz: faster changes appear as slow ones.`,
    );
  normalize(times, diameter, values, warnings);
  return {
    timestamp: times,
    diameter,
    raw: values.rate ? nearest(timestamp, raw, times, Math.max(step, 1000 / values.rate) / 2) : raw,
    valid: rests,
    rate: values.rate || 1000 / step,
    ...(read.eye && { eye: read.eye }),
    blinks: ended.map(({ onset, offset }) => ({ onset, offset })),
    events,
    samples: { timestamp, diameter: raw, valid },
    rejected,
    warnings,
  };
}

/** The accepted samples, the events, and the numbers of rejected samples. */
function judge(read: ReadSamples, values: Cleaning, step: number) {
  const { timestamp, diameter, confidence, blink } = read;
  const valid = Uint8Array.from(diameter, (value) => (Number.isNaN(value) ? 0 : 1));
  const rejected: RejectedSamples = { missing: 0, confidence: 0, blink: 0, margin: 0, speed: 0, trend: 0, island: 0 };
  const reject = (why: keyof RejectedSamples, when: (i: number) => boolean) =>
    valid.forEach((kept, i) => {
      if (!kept || !when(i)) return;
      valid[i] = 0;
      rejected[why]++;
    });
  rejected.missing = valid.length - valid.reduce((sum, kept) => sum + kept, 0);
  reject('missing', (i) => i > 0 && timestamp[i] === timestamp[i - 1]); // the second of two samples with one time
  reject('confidence', (i) => confidence[i]! < values.minConfidence);
  if (values.blinks) reject('blink', (i) => blink[i] === 1);
  const events = read.event ? listedEvents(timestamp, read.event) : foundEvents(read, valid, values.maxBlink);
  const lids = events.filter(({ kind }) => kind !== 'loss');
  if (values.blinks) reject('blink', (i) => eventAt(lids, timestamp[i]!) !== null);
  const { marginBefore: before, marginAfter: after, paddedGap: longerThan } = values;
  rejected.margin = rejectMargins(timestamp, valid, { before, after, longerThan });
  if (values.speed)
    rejected.speed = rejectFast(timestamp, diameter, valid, { factor: values.speedFactor, least: values.allowedSpeed });
  if (values.trend)
    rejected.trend = rejectOffTrend(timestamp, diameter, valid, {
      ...{ factor: values.trendFactor, least: values.allowedDistance, rate: 1000 / step },
    });
  if (values.islands)
    rejected.island = rejectIslands(timestamp, valid, {
      gap: Math.max(values.islandGap, 2.5 * step),
      shortest: values.shortestIsland,
    });
  return { valid, events, rejected };
}

/** Events of the tracker, as named by its samples. Between two events there is a sample without an event. */
function listedEvents(timestamp: Float64Array, event: NonNullable<ReadSamples['event']>): EventSpan[] {
  const events: EventSpan[] = [];
  event.forEach((kind, i) => {
    const last = events.at(-1);
    if (last && !last.final) Object.assign(last, { offset: timestamp[i]!, final: kind === null });
    if (kind !== null && (!last || last.final))
      events.push({ kind, onset: timestamp[i]!, offset: timestamp[i]!, final: false });
  });
  return events;
}

/** Events in samples of other sources. Their confidence replaces the support of the outline. */
function foundEvents({ timestamp, diameter, confidence }: ReadSamples, valid: Uint8Array, limit: number): EventSpan[] {
  const detector = new EyeEventDetector(limit);
  const events: EventSpan[] = [];
  timestamp.forEach((time, i) => {
    const pupil = { found: valid[i] === 1, outlineConfidence: confidence[i]!, diameter: diameter[i]! };
    for (const event of detector.update(pupil, time).events) {
      if (events.at(-1)?.final === false) events.pop();
      events.push(event);
    }
  });
  return events;
}

function cutoffOf({ lowPass: cutoff }: Cleaning, rate: number, asked: boolean, warnings: string[]): number {
  const highest = highestCutoff(rate);
  if (!cutoff || cutoff <= highest) return cutoff;
  const text = `lowPass of ${cutoff} Hz needs more than ${rate.toFixed(1)} samples per second`;
  if (asked) throw bad('cleanSeries', `${text}. Set at most ${highest.toFixed(2)}, or 0 for no filter.`);
  warnings.push(`${text}. Nothing was filtered.`);
  return 0;
}

function equalTimes(timestamp: Float64Array, step: number): Float64Array {
  const first = timestamp[0]!;
  const count = Math.floor((timestamp.at(-1)! - first) / step + 1e-6) + 1;
  return Float64Array.from({ length: count }, (_, i) => first + i * step);
}

interface Kept {
  timestamp: Float64Array;
  raw: Float64Array;
  valid: Uint8Array;
  step: number;
}

/**
 * Handles the parts between remaining gaps one by one: the diameters at `times`, and which of them are based on
 * samples.
 */
function fill({ timestamp, raw, valid, step }: Kept, times: Float64Array, values: Cleaning, cutoff: number) {
  const diameter = new Float64Array(times.length).fill(NaN);
  const rests = new Uint8Array(times.length);
  const kept = Array.from(valid.keys()).filter((i) => valid[i]);
  const kind = values.interpolate === 'none' ? 'linear' : values.interpolate;
  const longest = values.interpolate === 'none' ? 0 : values.longestGap;
  let first = 0;
  for (let k = 1; k <= kept.length; k++) {
    const [from, to] = [kept[k - 1]!, kept[k]!];
    const gap = k < kept.length ? timestamp[to]! - timestamp[from]! : Infinity;
    // Neighbors do not form a gap, even if the jitter of a camera separates their times.
    if (gap <= Math.max(longest, to - from === 1 ? USUAL * step : 0)) continue;
    piece(kept.slice(first, k));
    first = k;
  }
  return { diameter, rests };

  function piece(indices: number[]): void {
    const t = indices.map((i) => timestamp[i]!);
    const v = indices.map((i) => raw[i]!);
    const start = times.findIndex((time) => time >= t[0]!);
    let end = start;
    while (start >= 0 && end < times.length && times[end]! <= t.at(-1)!) end++;
    if (end <= start) return;
    const wanted = times.subarray(start, end);
    diameter.set(cutoff ? filtered(t, v, wanted, kind, cutoff, step) : interpolate(t, v, wanted, kind), start);
    let i = 0;
    wanted.forEach((time, k) => {
      while (i < t.length - 1 && t[i + 1]! <= time) i++;
      const near = time === t[i] || (i + 1 < t.length && t[i + 1]! - t[i]! <= USUAL * step);
      rests[start + k] = near ? 1 : 0;
    });
  }
}

/** The filter needs equal steps. It runs on a finer grid, and the requested times are read from that grid. */
function filtered(
  t: number[],
  v: number[],
  wanted: Float64Array,
  kind: 'linear' | 'cubic',
  cutoff: number,
  step: number,
): Float64Array {
  const span = t.at(-1)! - t[0]!;
  if (span === 0) return interpolate(t, v, wanted, kind);
  const fine = Math.min(step / 2, 1000 / (20 * cutoff));
  const count = Math.ceil(span / fine) + 1;
  const grid = Float64Array.from({ length: count }, (_, i) => Math.min(t[0]! + (i * span) / (count - 1), t.at(-1)!));
  grid[count - 1] = t.at(-1)!;
  const smooth = lowPass(interpolate(t, v, grid, kind), cutoff, (1000 * (count - 1)) / span);
  return interpolate(grid, smooth, wanted, 'linear');
}

/** The sample nearest to each time. NaN if it is farther away than `reach`. */
function nearest(timestamp: Float64Array, raw: Float64Array, times: Float64Array, reach: number): Float64Array {
  let i = 0;
  return times.map((time) => {
    while (i < timestamp.length - 1 && Math.abs(timestamp[i + 1]! - time) <= Math.abs(timestamp[i]! - time)) i++;
    return Math.abs(timestamp[i]! - time) <= reach + 1e-9 ? raw[i]! : NaN;
  });
}

/** Baseline and z-score, in place. */
function normalize(times: Float64Array, diameter: Float64Array, values: Cleaning, warnings: string[]): void {
  if (values.baseline !== 'none') {
    const beginning = diameter.filter((_, i) => times[i]! - times[0]! <= values.baselineLength);
    const level = median(beginning.filter(Number.isFinite));
    if (Number.isNaN(level)) warnings.push('The beginning has no pupil and no baseline, so every diameter is NaN.');
    else if (beginning.some(Number.isNaN)) warnings.push('A part of the baseline is missing.');
    diameter.forEach((value, i) => {
      diameter[i] = values.baseline === 'subtract' ? value - level : (100 * (value - level)) / level;
    });
  }
  if (!values.zScore) return;
  const [middle, deviation] = [mean(diameter), standardDeviation(diameter)];
  if (!(deviation > 0)) warnings.push('The series is constant and has no z-score, so every diameter is NaN.');
  diameter.forEach((value, i) => (diameter[i] = deviation > 0 ? (value - middle) / deviation : NaN));
}
