/** Samples of gaze as arrays of numbers, and their velocities. */
import { number, type ParameterTable } from '../runtime/parameters.ts';
import { bad, checkTimes, medianStep } from './samples.ts';

// Parameters that distinguish saccades and fixations. The source is Engbert and Kliegl, Vision Res 43, 2003, unless
// stated otherwise. Values without a source were chosen with `npm run lab -- traces series`, on its development
// seeds.

export const saccadeParameters = {
  factor: number({
    default: 6,
    min: 1,
    max: 100,
    effect: 'A saccade is faster than this multiple of the median-based velocity deviation in x and y.',
  }),
  velocityWindow: number({
    default: 50,
    min: 1,
    max: 1000,
    unit: 'ms',
    effect:
      'Window of the velocities that detect saccades. It has two or more samples. Engbert and Kliegl use five samples (16 ms at 250 Hz), which misses small saccades in camera noise.',
  }),
  shortest: number({ default: 12, min: 0, max: 1000, unit: 'ms', effect: 'Shorter saccades are noise.' }),
  longest: number({
    default: 200,
    min: 1,
    max: 10000,
    unit: 'ms',
    effect: 'Longer movements are not saccades. A saccade of 80 degrees lasts 200 ms.',
  }),
  pause: number({
    default: 20,
    min: 0,
    max: 1000,
    unit: 'ms',
    effect: 'Saccades closer in time are one saccade with its overshoot.',
  }),
  gapMargin: number({
    default: 50,
    min: 0,
    max: 1000,
    unit: 'ms',
    effect: 'Samples this close to missing samples are ignored, because the lid shifts the pupil center.',
  }),
  smallest: number({
    default: 0,
    min: 0,
    max: 1e6,
    effect: 'Smaller saccades are ignored, in the unit of the gaze. 1 degree excludes microsaccades.',
  }),
} satisfies ParameterTable;

export const fixationParameters = {
  ...saccadeParameters,
  shortestFixation: number({
    default: 60,
    min: 0,
    max: 60000,
    unit: 'ms',
    effect: 'Shorter pauses are not fixations.',
  }),
} satisfies ParameterTable;

/** Gaze position, in pixels or degrees, x right and y down. NaN or null if it is not known. */
export interface GazeSample {
  timestamp: number;
  x: number | null;
  y: number | null;
}

export interface Gaze {
  t: Float64Array;
  x: Float64Array;
  y: Float64Array;
  /** 1 if x and y are known. */
  known: Uint8Array;
  /** Median step, ms. */
  step: number;
}

/** Throws 'invalid-argument': no list, fewer than `least` samples, decreasing times, or no two different times. */
export function readGaze(where: string, samples: readonly GazeSample[], least: number): Gaze {
  if (!Array.isArray(samples)) throw bad(where, 'gaze must be an array of { timestamp, x, y }.');
  if (samples.length < least) throw bad(where, `gaze must have at least ${least} samples, not ${samples.length}.`);
  const t = checkTimes(
    where,
    samples.map((sample) => sample?.timestamp),
  );
  const coordinate = (name: 'x' | 'y') =>
    Float64Array.from(samples, (sample, i) => {
      const value = sample[name];
      if (value !== null && typeof value !== 'number')
        throw bad(where, `${name} of sample ${i} must be a number, NaN or null where gaze is not known.`);
      return value ?? NaN;
    });
  const [x, y] = [coordinate('x'), coordinate('y')];
  const step = medianStep(t);
  if (!(step > 0)) throw bad(where, 'all samples have the same timestamp. Set the time of each in milliseconds.');
  return { t, x, y, known: Uint8Array.from(x, (_, i) => Number(Number.isFinite(x[i]! + y[i]!))), step };
}

/** Steps longer than this multiple of the usual step are gaps. */
const GAP_STEPS = 2.5;

/**
 * Samples that may be used: known, and at least `margin` away from missing ones. Two neighbors separated by a dropped
 * frame of the camera remain usable.
 */
export function usable({ t, known }: Gaze, margin: number): Uint8Array {
  const out = Uint8Array.from(known);
  let last = -Infinity;
  for (let i = 0; i < t.length; i++) {
    if (!known[i]) last = t[i]!;
    if (t[i]! - last < margin) out[i] = 0;
  }
  last = Infinity;
  for (let i = t.length - 1; i >= 0; i--) {
    if (!known[i]) last = t[i]!;
    if (last - t[i]! < margin) out[i] = 0;
  }
  return out;
}

/** Number of samples before and after that a velocity is based on. */
export const sidesOf = (step: number, window: number): number => Math.max(1, Math.round(window / 2 / step));

/**
 * Moving averages of differences (Engbert and Kliegl 2003, equation 1, for any number of samples and steps), in units
 * per second. NaN if a sample of the window cannot be used or frames are missing.
 */
export function velocities(
  { t, x, y, step }: Gaze,
  ok: Uint8Array,
  sides: number,
): { vx: Float64Array; vy: Float64Array } {
  const n = t.length;
  const [vx, vy] = [new Float64Array(n).fill(NaN), new Float64Array(n).fill(NaN)];
  for (let i = sides; i < n - sides; i++) {
    let [dx, dy, dt, good] = [0, 0, 0, ok[i] === 1];
    for (let j = 1; j <= sides && good; j++) {
      const [a, b] = [i - j, i + j];
      good = ok[a] === 1 && ok[b] === 1 && t[b]! - t[a]! < (2 * j - 1 + GAP_STEPS) * step;
      dx += x[b]! - x[a]!;
      dy += y[b]! - y[a]!;
      dt += t[b]! - t[a]!;
    }
    if (!good || !(dt > 0)) continue;
    vx[i] = (1000 * dx) / dt;
    vy[i] = (1000 * dy) / dt;
  }
  return { vx, vy };
}
