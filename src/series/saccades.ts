/**
 * Detects saccades, including microsaccades: runs of samples faster than an ellipse in the plane of velocities. The
 * axes of the ellipse are a multiple of the median-based deviation of velocities (Engbert and Kliegl, Vision Res 43,
 * 2003). Start, end and peak velocity are then fitted (saccade-profile.ts). Cost: a few passes, two sorts, and the fits.
 */
import { median } from '../image/numbers.ts';
import { resolveParameters, type Given, type Values } from '../runtime/parameters.ts';
import {
  readGaze,
  sidesOf,
  usable,
  velocities,
  type Gaze,
  type GazeSample,
  saccadeParameters,
  fixationParameters,
} from './gaze.ts';
import { fitSaccade, type FittedSaccade } from './saccade-profile.ts';
import { mean } from './statistics.ts';

export interface Saccade {
  /** ms. */
  start: number;
  end: number;
  /** Distance from the place before to the place after, in the unit of the gaze. */
  amplitude: number;
  /**
   * Units per second. NaN if the samples do not determine it: the upper limit of its interval is more than twice the lower
   * one. At 60 Hz this is usual for saccades below 5 degrees.
   */
  peakVelocity: number;
  /** 95 % interval of the peak velocity. A limit that is not known is NaN. */
  peakVelocityLow: number;
  peakVelocityHigh: number;
  /** Radians from +x towards +y (down), in (-pi, pi]. */
  direction: number;
}

export type SaccadeOptions = Given<typeof saccadeParameters>;

/** Number of samples before and after whose mean is the place. */
const PLACE = 3;
/** Window for the peak velocity, ms (Engbert and Kliegl's five samples at 250 Hz). */
const PEAK_WINDOW = 16;
/** Rest before and after a saccade that its fit uses, ms, and the minimum in samples. */
const REST = { before: 40, after: 25, samples: 3 };
/** The velocity is not reported if its interval is wider than this factor. */
const WIDEST = 2;
/** Minimum size of a saccade in standard deviations of a place. Chosen with the method of its parameters. */
const LEADS_SOMEWHERE = 3;

/**
 * Throws 'invalid-argument': fewer than five samples, decreasing times, an option out of its range. No saccades are
 * detected while gaze is not known.
 */
export function saccades(gaze: readonly GazeSample[], options: SaccadeOptions = {}): Saccade[] {
  const values = resolveParameters(saccadeParameters, options, 'saccades');
  return saccadesOf(readGaze('saccades', gaze, 5), values);
}

/** Median-based deviation: robust against the saccades themselves. */
function deviation(velocity: Float64Array): number {
  const known = velocity.filter((value) => !Number.isNaN(value));
  const middle = median(known);
  return Math.sqrt(Math.max(0, median(known.map((value) => value * value)) - middle * middle));
}

export function saccadesOf(gaze: Gaze, values: Values<typeof saccadeParameters>): Saccade[] {
  const { t, step } = gaze;
  const ok = usable(gaze, values.gapMargin);
  const sides = sidesOf(step, values.velocityWindow);
  const { vx, vy } = velocities(gaze, ok, sides);
  const peakSides = sidesOf(step, PEAK_WINDOW);
  const narrow = velocities(gaze, ok, peakSides);
  const [limitX, limitY] = [values.factor * deviation(vx), values.factor * deviation(vy)];
  // Noise of places, derived from the spread of velocities. A wrong place in one frame is fast but does not lead
  // anywhere.
  const noise = (Math.hypot(limitX, limitY) / values.factor / 1000) * step * (sides + 1) * Math.sqrt(sides / 2);
  // A still, noiseless gaze has no spread. In that case any movement is fast.
  const fast = (i: number) => (vx[i]! / (limitX || 1e-12)) ** 2 + (vy[i]! / (limitY || 1e-12)) ** 2 > 1;
  const runs: { first: number; last: number }[] = [];
  for (let i = 0; i < t.length; i++) {
    if (!fast(i)) continue;
    const before = runs.at(-1);
    // Both flanks of a wrong place, with the slow sample between them, are also one run that does not lead anywhere.
    if (before && (i - before.last <= 2 || t[i]! - t[before.last]! <= values.pause)) before.last = i;
    else runs.push({ first: i, last: i });
  }
  return runs.flatMap(({ first, last }, k) => {
    const duration = t[last]! - t[first]! + step;
    if (duration < values.shortest) return [];
    // A window of several samples detects a saccade before it begins and after it has ended.
    const inner = Math.min(sides - 1, (last - first) >> 1);
    const [from, to] = [first + inner, last - inner];
    const start = from === to ? t[from]! - step / 2 : t[from]!;
    const end = from === to ? t[to]! + step / 2 : t[to]!;
    if (end - start > values.longest) return [];
    const before = placeOf(gaze, ok, first, -1, runs[k - 1]?.last ?? -1);
    const after = placeOf(gaze, ok, last, 1, runs[k + 1]?.first ?? t.length);
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    const amplitude = Math.hypot(dx, dy);
    let peakVelocity = 0;
    for (let i = first; i <= last; i++)
      peakVelocity = Math.max(peakVelocity, Math.hypot(narrow.vx[i]!, narrow.vy[i]!) || 0);
    // A saccade is at least as long as its fastest part. Half of that leaves room for the noise.
    const stretch = (peakVelocity / 1000) * (peakSides + 1) * step;
    if (!(amplitude >= Math.max(values.smallest, LEADS_SOMEWHERE * noise, stretch / 2))) return [];
    const limits = [runs[k - 1]?.last ?? -1, runs[k + 1]?.first ?? t.length] as const;
    const found = { start, end, amplitude, direction: Math.atan2(dy, dx) };
    return [fittedOf(gaze, ok, found, limits) ?? { ...found, ...unknownVelocity }];
  });
}

const unknownVelocity = { peakVelocity: NaN, peakVelocityLow: NaN, peakVelocityHigh: NaN };
const velocityOf = ({ peakVelocity, peakVelocityLow, peakVelocityHigh }: FittedSaccade) => ({
  peakVelocity: peakVelocityHigh <= WIDEST * peakVelocityLow ? peakVelocity : NaN,
  peakVelocityLow,
  peakVelocityHigh: Number.isFinite(peakVelocityHigh) ? peakVelocityHigh : NaN,
});

/** `limits`: samples of the neighboring saccades. Null if the samples do not determine the saccade. */
function fittedOf(
  { t, x, y, step }: Gaze,
  ok: Uint8Array,
  { start, end, amplitude }: Pick<Saccade, 'start' | 'end' | 'amplitude'>,
  [before, after]: readonly [number, number],
): Saccade | null {
  const from = start - Math.max(REST.before, REST.samples * step);
  const to = end + Math.max(REST.after, REST.samples * step);
  const used: number[] = [];
  for (let i = before + 1; i < after && t[i]! <= to; i++) if (ok[i] && t[i]! >= from) used.push(i);
  const at = (list: Float64Array) => Float64Array.from(used, (i) => list[i]!);
  const found = fitSaccade({ t: at(t), x: at(x), y: at(y) }, start, end, step);
  if (!found || found.start < from || found.end > to) return null;
  const length = Math.hypot(found.dx, found.dy);
  if (Math.abs(length - amplitude) > amplitude / 3) return null;
  const direction = Math.atan2(found.dy, found.dx);
  return { start: found.start, end: found.end, amplitude: length, direction, ...velocityOf(found) };
}

/** Mean place of the usable samples from `edge` outwards, up to the neighboring saccade. */
function placeOf({ x, y }: Gaze, ok: Uint8Array, edge: number, way: 1 | -1, stop: number): { x: number; y: number } {
  const near: number[] = [];
  for (let i = edge; near.length < PLACE && i !== stop && ok[i]; i += way) near.push(i);
  // The sample at the edge already moves. It is left out if there are others.
  const still = near.length > 1 ? near.slice(1) : near;
  return { x: mean(still.map((i) => x[i]!)), y: mean(still.map((i) => y[i]!)) };
}

// Fixations: the periods between saccades and gaps (velocity threshold, Salvucci and Goldberg, ETRA 2000).

export interface Fixation {
  /** Times of the first and last sample, ms. */
  start: number;
  end: number;
  /** Mean place, in the unit of the gaze. */
  x: number;
  y: number;
}

export type FixationOptions = Given<typeof fixationParameters>;

/**
 * Throws as saccades() does. `smallest` keeps microsaccades inside a fixation, for instance 1 if gaze is in degrees.
 */
export function fixations(samples: readonly GazeSample[], options: FixationOptions = {}): Fixation[] {
  const { shortestFixation, ...values } = resolveParameters(fixationParameters, options, 'fixations');
  const gaze = readGaze('fixations', samples, 5);
  const ok = usable(gaze, values.gapMargin);
  const moving = saccadesOf(gaze, values);
  const { t, x, y } = gaze;
  const found: Fixation[] = [];
  let rest: number[] = [];
  const close = () => {
    const [first, last] = [rest[0], rest.at(-1)];
    if (first !== undefined && last !== undefined && t[last]! - t[first]! >= shortestFixation)
      found.push({
        start: t[first]!,
        end: t[last]!,
        x: mean(rest.map((i) => x[i]!)),
        y: mean(rest.map((i) => y[i]!)),
      });
    rest = [];
  };
  let next = 0;
  for (let i = 0; i < t.length; i++) {
    while (next < moving.length && moving[next]!.end < t[i]!) {
      // A saccade between two samples also separates them.
      if (rest.length && moving[next]!.end > t[rest.at(-1)!]!) close();
      next++;
    }
    const within = next < moving.length && moving[next]!.start <= t[i]!;
    if (within || !ok[i]) close();
    else rest.push(i);
  }
  close();
  return found;
}
