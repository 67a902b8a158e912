/**
 * What a test of the pupil says: from its samples and the steps as they were seen, by the protocol's `measure`. Each eye's
 * samples are cleaned with the defaults (series/clean-parameters.ts); reflexes are measured flash by flash.
 */
import { median } from '../image/numbers.ts';
import { cleanSeries } from '../series/clean.ts';
import { anisocoria, relativeAfferentDefect, type AfferentDefect, type Anisocoria } from '../series/both-eyes.ts';
import { epochs } from '../series/epochs.ts';
import { hippus, type Hippus } from '../series/hippus.ts';
import { lightReflex, type LightReflex } from '../series/light-reflex.ts';
import type { PupilSample, PupilSeries } from '../series/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Protocol } from './protocol.ts';
import { qualityLimits } from './recording-quality.ts';

/** A step as it was seen, on the clock of the samples, ms. */
export interface SeenInterval {
  readonly type: string;
  readonly label: string | null;
  readonly onset: number;
  /** Null where it was cut short. */
  readonly offset: number | null;
}

export interface TestedEyes {
  readonly protocol: Protocol;
  /** One list an eye, left first. */
  readonly eyes: readonly (readonly PupilSample[])[];
  readonly steps: readonly SeenInterval[];
}

/** The reflex of one eye to one flash. */
export interface FlashReflex extends LightReflex {
  readonly eye: number;
  /** Onset of the flash, ms, and its label. */
  readonly onset: number;
  readonly label: string | null;
}

/** The pupil's dilation during a task: greatest mean over half a second less the baseline, in the unit. */
export interface TaskResponse {
  readonly eye: number;
  readonly onset: number;
  readonly label: string | null;
  readonly dilation: number;
}

export interface TestMeasures {
  /** One an eye; null where nothing was measured. */
  series: (PupilSeries | null)[];
  reflexes?: FlashReflex[];
  /** Of protocols that light each eye in turn. */
  afferentDefect?: AfferentDefect | null;
  anisocoria?: Anisocoria | null;
  /** One an eye. */
  hippus?: (Hippus | null)[];
  tasks?: TaskResponse[];
  /** What could not be measured, and why. */
  warnings: string[];
}

/** Width of the mean that a dilation is the greatest of, ms: single samples are noise. */
const SMOOTH = 500;

/** The result of `measure`, or null and a warning that says why not. */
function attempt<T>(warnings: string[], what: string, measure: () => T): T | null {
  try {
    return measure();
  } catch (error) {
    if (!(error instanceof FoveolaError)) throw error;
    warnings.push(`${what}: ${error.message}`);
    return null;
  }
}

const flashes = (steps: readonly SeenInterval[]) =>
  steps.filter(({ type, offset }) => type === 'flash' && offset !== null);

function reflexesOf(series: readonly (PupilSeries | null)[], steps: readonly SeenInterval[], warnings: string[]) {
  const found: FlashReflex[] = [];
  for (const { onset, offset, label } of flashes(steps))
    for (const [eye, one] of series.entries()) {
      const name = `${label ?? 'flash'} at ${Math.round(onset)} ms, eye ${eye + 1}`;
      const options = { onset, duration: offset! - onset };
      const reflex = one && attempt(warnings, name, () => lightReflex(one, options));
      if (reflex) found.push({ ...reflex, eye, onset, label });
    }
  return found;
}

/** Greatest mean over SMOOTH ms within a task, less the mean of the second before it. */
function dilationOf(series: PupilSeries, onset: number, offset: number): number {
  const { time, epochs: cut } = epochs(series, [onset], {
    ...{ before: 1000, after: offset - onset, baseline: 'subtract', baselineFrom: -1000, baselineTo: 0 },
  });
  const { diameter } = cut[0]!;
  const wide = Math.max(1, Math.round(SMOOTH / Math.max(1e-9, time[1]! - time[0]!)));
  let greatest = NaN;
  for (let i = 0; i + wide <= time.length; i++) {
    if (time[i]! < 0) continue;
    const some = diameter.slice(i, i + wide).filter((value) => !Number.isNaN(value));
    if (some.length < wide / 2) continue;
    const mean = some.reduce((sum, value) => sum + value, 0) / some.length;
    if (!(greatest >= mean)) greatest = mean;
  }
  return greatest;
}

function tasksOf(series: readonly (PupilSeries | null)[], steps: readonly SeenInterval[], warnings: string[]) {
  const found: TaskResponse[] = [];
  for (const { type, onset, offset, label } of steps)
    for (const [eye, one] of series.entries()) {
      if (type !== 'ask' || offset === null || !one) continue;
      const dilation = attempt(warnings, `${label ?? 'task'}, eye ${eye + 1}`, () => dilationOf(one, onset, offset));
      if (dilation !== null) found.push({ eye, onset, label, dilation });
    }
  return found;
}

/** Lights that fell into one eye alone, by the labels of the steps. */
function afferent(reflexes: readonly FlashReflex[], warnings: string[]): AfferentDefect | null {
  const into = (side: string) => {
    const list = reflexes.filter(({ label }) => label === side);
    // The mean of both pupils' responses to one light, so that a difference of size falls out.
    const onsets = [...new Set(list.map(({ onset }) => onset))];
    return onsets.map((onset) => {
      const both = list.filter((one) => one.onset === onset).map(({ amplitudePercent }) => amplitudePercent);
      return { amplitudePercent: both.reduce((sum, value) => sum + value, 0) / both.length };
    });
  };
  return attempt(warnings, 'relative afferent defect', () => relativeAfferentDefect(into('left'), into('right')));
}

/** Median confidence of the pupils found; NaN without one. */
const confidenceOf = (samples: readonly PupilSample[]) =>
  median(samples.filter(({ diameter, blink }) => diameter! > 0 && !blink).map(({ confidence = 1 }) => confidence));

/**
 * Measures of a test. What cannot be measured is left out or NaN, and `warnings` says why; diameters keep the unit of the
 * samples. Throws nothing for a test that was cut short.
 */
export function evaluateTest({ protocol, eyes, steps }: TestedEyes): TestMeasures {
  const warnings: string[] = [];
  const series = eyes.map((samples, eye) => attempt(warnings, `eye ${eye + 1}`, () => cleanSeries(samples)));
  for (const [eye, one] of series.entries())
    for (const warning of one?.warnings ?? []) warnings.push(`eye ${eye + 1}: ${warning}`);
  for (const [eye, confidence] of eyes.map(confidenceOf).entries())
    if (confidence < qualityLimits.confidence)
      warnings.push(`eye ${eye + 1}: low confidence, ${confidence.toFixed(2)} in the median`);
  const result: TestMeasures = { series, warnings };
  const [left, right] = series;
  if (left && right) result.anisocoria = attempt(warnings, 'anisocoria', () => anisocoria(left, right));
  const { measure } = protocol;
  if (measure === 'light-reflex' || measure === 'relative-afferent-defect') {
    result.reflexes = reflexesOf(series, steps, warnings);
    if (measure === 'relative-afferent-defect') result.afferentDefect = afferent(result.reflexes, warnings);
  }
  if (measure === 'rest') {
    const rest = steps.find(({ label, offset }) => label === 'rest' && offset !== null);
    const within = rest ? { from: rest.onset, to: rest.offset! } : {};
    result.hippus = series.map((one, eye) => one && attempt(warnings, `eye ${eye + 1}`, () => hippus(one, within)));
  }
  if (measure === 'task-evoked') result.tasks = tasksOf(series, steps, warnings);
  return result;
}
