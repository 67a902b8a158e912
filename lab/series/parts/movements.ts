/** Saccades of rendered gaze against those that were rendered. */
import { gazeTrace, type SpeedProfile } from '../gaze-trace.ts';
import { saccades, type SaccadeOptions } from '../../../src/gaze.ts';
import { quantile } from '../../../bench/parts/numbers.ts';

/** A found saccade is the true one when they overlap, give or take this, ms, or a sample. */
const TOLERANCE = 20;
/** So near to a blink nothing is counted, for or against: there the lid moves the pupil's center, ms. */
const NEAR_BLINK = 150;

export interface MovementErrors {
  rate: number;
  saccades: number;
  precision: number;
  recall: number;
  f1: number;
  /** Of saccades of at least a degree. */
  recallLarge: number;
  /** Of the matched: per cent, radians, ms; medians and 90th percentiles of absolute errors. */
  amplitude: [number, number];
  direction: [number, number];
  start: [number, number];
  /** Per cent of the duration. */
  duration: [number, number];
  /** Median of the signed errors of the start, ms. */
  startBias: number;
  /** Of those that have a peak velocity, per cent. */
  peak: [number, number];
  /** Shares of the matched that have a peak velocity, and whose interval contains the true one. */
  answered: number;
  covered: number;
}

export function movementErrors(
  first: number,
  count: number,
  rate: number,
  options: SaccadeOptions = {},
  profile: SpeedProfile = 'jerk',
): MovementErrors {
  let [hits, missed, wrong, large, largeHits] = [0, 0, 0, 0, 0];
  const [amplitudes, directions, starts, durations, peaks]: number[][] = [[], [], [], [], []];
  let covered = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { samples, saccades: real, blinks } = gazeTrace(seed, rate, profile);
    const beside = (start: number, end: number) =>
      blinks.some(({ onset, offset }) => end > onset - NEAR_BLINK && start < offset + NEAR_BLINK);
    const found = saccades(samples, options).map((one) => ({ ...one, used: false }));
    const slack = Math.max(TOLERANCE, 1000 / rate);
    for (const one of real) {
      const match = found.find(
        (other) => !other.used && other.start <= one.end + slack && other.end >= one.start - slack,
      );
      if (match) match.used = true;
      if (beside(one.start, one.end)) continue;
      if (one.amplitude >= 1) large++;
      if (!match) {
        missed++;
        continue;
      }
      hits++;
      if (one.amplitude >= 1) largeHits++;
      amplitudes!.push(Math.abs(match.amplitude / one.amplitude - 1) * 100);
      const turn = Math.abs(match.direction - one.direction);
      directions!.push(Math.min(turn, 2 * Math.PI - turn));
      starts!.push(match.start - one.start);
      durations!.push(Math.abs((match.end - match.start) / (one.end - one.start) - 1) * 100);
      if (Number.isFinite(match.peakVelocity)) peaks!.push(Math.abs(match.peakVelocity / one.peak - 1) * 100);
      // A limit that is not known contains everything beyond the other one.
      if (!(match.peakVelocityLow > one.peak || match.peakVelocityHigh < one.peak)) covered++;
    }
    wrong += found.filter((one) => !one.used && !beside(one.start, one.end)).length;
  }
  const [precision, recall] = [hits / (hits + wrong), hits / (hits + missed)];
  const both = (values: number[] = []): [number, number] => [quantile(values, 0.5), quantile(values, 0.9)];
  return {
    rate,
    saccades: hits + missed,
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    recallLarge: largeHits / large,
    amplitude: both(amplitudes),
    direction: both(directions),
    start: both(starts!.map(Math.abs)),
    startBias: quantile(starts!, 0.5),
    duration: both(durations),
    peak: both(peaks),
    answered: peaks!.length / hits,
    covered: covered / hits,
  };
}
