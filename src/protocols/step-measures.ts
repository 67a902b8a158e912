/** Measures of single steps of a test: reflexes, responses after the light, tasks, near targets. */
import { epochs } from '../series/epochs.ts';
import { nearResponse, type NearResponse } from '../series/dark-and-near.ts';
import { lightReflex, type LightReflex } from '../series/light-reflex.ts';
import { postIllumination, type PostIllumination } from '../series/post-illumination.ts';
import type { PupilSeries } from '../series/samples.ts';
import type { Laterality } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import { primaryOf, stimulusText, type Stimulus } from './stimulus.ts';

/** A step as the person saw it. Times in ms, on the clock of the samples. */
export interface SeenInterval {
  readonly type: string;
  readonly label: string | null;
  /** Only for flashes: the eye that the flash lights. */
  readonly eye?: 'both' | 'left' | 'right' | null;
  /** Only for flashes: the light. */
  readonly stimulus?: Stimulus | null;
  readonly onset: number;
  /** Null if the step was cut short. */
  readonly offset: number | null;
}

/** Which eye was measured, and when. */
interface OfStep {
  /** Index into `eyes`. */
  readonly pupil: number;
  /** The eye that was measured. */
  readonly eye: Laterality;
  /** Onset of the step in ms. */
  readonly onset: number;
  readonly label: string | null;
}

interface OfFlash extends OfStep {
  /** The eye that the flash lit. Null if the protocol does not name one. */
  readonly lit: 'both' | 'left' | 'right' | null;
  /** The light in words. Only if it is known. */
  readonly stimulus?: string;
}

/** The reflex of one eye to one flash. */
export interface FlashReflex extends LightReflex, OfFlash {
  readonly eye: Laterality;
}

/** The response of one eye after one flash. */
export interface FlashPostIllumination extends PostIllumination, OfFlash {
  readonly eye: Laterality;
}

/** Response after blue light minus response after red light, from the means over the flashes (Adhikari et al. 2015). */
export interface NetPostIllumination {
  readonly pupil: number;
  readonly eye: Laterality;
  readonly sixSecond: number;
  readonly plateau: number;
  readonly earlyArea: number;
  readonly lateArea: number;
}

/** The response of one eye to one near target. */
export interface TestNearResponse extends NearResponse, OfStep {
  readonly eye: Laterality;
}

/** Pupil dilation during a task: the maximum mean over half a second minus the baseline, in the unit of the samples. */
export interface TaskResponse extends OfStep {
  readonly dilation: number;
}

/** Width of the moving mean whose maximum is the dilation, ms. Single samples are too noisy. */
const SMOOTH = 500;

/** Returns the result of `measure`, or null after adding a warning with the reason. */
export function attempt<T>(warnings: string[], what: string, measure: () => T): T | null {
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

/** An eye in the test: its samples and which eye it is. */
export interface TestedEye {
  readonly pupil: number;
  readonly eye: Laterality;
  /** Name of the eye in warnings. */
  readonly name: string;
  readonly series: PupilSeries | null;
}

/** 'blue, 465 nm, 1 s, light in the left eye', after the label if it says more. */
function lightText(stimulus: Stimulus, label: string | null, lit: OfFlash['lit']): string {
  const text = stimulusText(stimulus) + (lit === 'left' || lit === 'right' ? `, light in the ${lit} eye` : '');
  const known = label === null || /^(flash|left|right)$/.test(label) || text.startsWith(label);
  return known ? text : `${label}: ${text}`;
}

/** Measures each flash in each eye. */
function perFlash<T>(
  eyes: readonly TestedEye[],
  steps: readonly SeenInterval[],
  warnings: string[],
  measure: (series: PupilSeries, light: { onset: number; duration: number; until: number }) => T,
) {
  const found: (T & OfFlash)[] = [];
  const all = flashes(steps);
  for (const [i, { onset, offset, label, eye: lit = null, stimulus }] of all.entries())
    for (const { pupil, eye, name, series } of eyes) {
      const what = `${label ?? 'flash'} at ${Math.round(onset)} ms, ${name}`;
      const light = { onset, duration: offset! - onset, until: all[i + 1]?.onset ?? Infinity };
      const one = series && attempt(warnings, what, () => measure(series, light));
      const said = stimulus && { stimulus: lightText(stimulus, label, lit) };
      if (one) found.push({ ...one, pupil, eye, lit, onset, label, ...said });
    }
  return found;
}

export const reflexesOf = (
  eyes: readonly TestedEye[],
  steps: readonly SeenInterval[],
  warnings: string[],
): FlashReflex[] =>
  perFlash(eyes, steps, warnings, (series, { onset, duration }) => lightReflex(series, { onset, duration }));

export const postIlluminationOf = (
  eyes: readonly TestedEye[],
  steps: readonly SeenInterval[],
  warnings: string[],
): FlashPostIllumination[] => perFlash(eyes, steps, warnings, postIllumination);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Blue minus red, of each eye that has both. The color of a flash is known by its stimulus, otherwise by its label. */
export function netOf(
  eyes: readonly TestedEye[],
  steps: readonly SeenInterval[],
  all: readonly FlashPostIllumination[],
) {
  const colors = new Map(
    flashes(steps).map(({ onset, label, stimulus }) => [onset, stimulus ? primaryOf(stimulus.color) : label]),
  );
  return eyes.flatMap(({ pupil, eye }): NetPostIllumination[] => {
    const of = (color: string) => all.filter((one) => one.pupil === pupil && colors.get(one.onset) === color);
    const [blue, red] = [of('blue'), of('red')];
    if (!blue.length || !red.length) return [];
    const net = (name: 'sixSecond' | 'plateau' | 'earlyArea' | 'lateArea') =>
      mean(blue.map((one) => one[name])) - mean(red.map((one) => one[name]));
    const [earlyArea, lateArea] = [net('earlyArea'), net('lateArea')];
    return [{ pupil, eye, sixSecond: net('sixSecond'), plateau: net('plateau'), earlyArea, lateArea }];
  });
}

/** Maximum mean over SMOOTH ms within a task, minus the mean of the second before it. */
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

export function tasksOf(eyes: readonly TestedEye[], steps: readonly SeenInterval[], warnings: string[]) {
  const found: TaskResponse[] = [];
  for (const { type, onset, offset, label } of steps)
    for (const { pupil, eye, name, series } of eyes) {
      if (type !== 'ask' || offset === null || !series) continue;
      const dilation = attempt(warnings, `${label ?? 'task'}, ${name}`, () => dilationOf(series, onset, offset));
      if (dilation !== null) found.push({ pupil, eye, onset, label, dilation });
    }
  return found;
}

export function nearOf(eyes: readonly TestedEye[], steps: readonly SeenInterval[], warnings: string[]) {
  const found: TestNearResponse[] = [];
  for (const { onset, offset, label } of steps)
    for (const { pupil, eye, name, series } of eyes) {
      if (label !== 'near' || offset === null || !series) continue;
      const what = `near target at ${Math.round(onset)} ms, ${name}`;
      const response = attempt(warnings, what, () => nearResponse(series, { onset, offset }));
      if (response) found.push({ ...response, pupil, eye, onset, label });
    }
  return found;
}
