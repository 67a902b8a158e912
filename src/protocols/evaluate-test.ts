/**
 * Computes the measures of a pupil test from its samples and from the steps as the person saw them. The protocol's
 * `measure` selects the computation. The samples of each eye are cleaned with the defaults
 * (series/clean-parameters.ts). Each flash is measured separately.
 */
import { median } from '../image/numbers.ts';
import { cleanSeries } from '../series/clean.ts';
import { anisocoria, relativeAfferentDefect, type AfferentDefect, type Anisocoria } from '../series/both-eyes.ts';
import { epochs } from '../series/epochs.ts';
import { darkAdaptation, nearResponse, type DarkAdaptation, type NearResponse } from '../series/dark-and-near.ts';
import { hippus, type Hippus } from '../series/hippus.ts';
import { lightReflex, type LightReflex } from '../series/light-reflex.ts';
import { postIllumination, type PostIllumination } from '../series/post-illumination.ts';
import type { PupilSample, PupilSeries } from '../series/samples.ts';
import { unrest, type Unrest } from '../series/unrest.ts';
import { sideUnknown } from '../results/laterality.ts';
import type { Laterality } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Protocol } from './protocol.ts';
import { qualityLimits } from './recording-quality.ts';
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

export interface TestedEyes {
  readonly protocol: Protocol;
  /** One list per eye. `eye` of the samples names the eye. If it is missing, the first list is the left eye. */
  readonly eyes: readonly (readonly PupilSample[])[];
  readonly steps: readonly SeenInterval[];
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

export interface TestMeasures {
  /** One entry per eye, in the order of `eyes`. Null if nothing was measured. */
  series: (PupilSeries | null)[];
  reflexes?: FlashReflex[];
  /** Only for protocols that light each eye in turn. */
  afferentDefect?: AfferentDefect | null;
  anisocoria?: Anisocoria | null;
  /** One entry per eye. */
  hippus?: (Hippus | null)[];
  tasks?: TaskResponse[];
  postIllumination?: FlashPostIllumination[];
  /** Only with red and blue flashes. */
  netPostIllumination?: NetPostIllumination[];
  /** One entry per eye. */
  unrest?: (Unrest | null)[];
  /** One entry per eye. */
  darkAdaptation?: (DarkAdaptation | null)[];
  near?: TestNearResponse[];
  /** What could not be measured, with the reason. */
  warnings: string[];
}

/** Width of the moving mean whose maximum is the dilation, ms. Single samples are too noisy. */
const SMOOTH = 500;

/** Returns the result of `measure`, or null after adding a warning with the reason. */
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

/** An eye in the test: its samples and which eye it is. */
interface TestedEye {
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

const reflexesOf = (eyes: readonly TestedEye[], steps: readonly SeenInterval[], warnings: string[]): FlashReflex[] =>
  perFlash(eyes, steps, warnings, (series, { onset, duration }) => lightReflex(series, { onset, duration }));

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Blue minus red, of each eye that has both. The color of a flash is known by its stimulus, otherwise by its label. */
function netOf(eyes: readonly TestedEye[], steps: readonly SeenInterval[], all: readonly FlashPostIllumination[]) {
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

function tasksOf(eyes: readonly TestedEye[], steps: readonly SeenInterval[], warnings: string[]) {
  const found: TaskResponse[] = [];
  for (const { type, onset, offset, label } of steps)
    for (const { pupil, eye, name, series } of eyes) {
      if (type !== 'ask' || offset === null || !series) continue;
      const dilation = attempt(warnings, `${label ?? 'task'}, ${name}`, () => dilationOf(series, onset, offset));
      if (dilation !== null) found.push({ pupil, eye, onset, label, dilation });
    }
  return found;
}

function nearOf(eyes: readonly TestedEye[], steps: readonly SeenInterval[], warnings: string[]) {
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

/** Compares lights that only one eye received. The steps name the eye. If they do not, their labels do. */
function afferent(reflexes: readonly FlashReflex[], warnings: string[]): AfferentDefect | null {
  const eye = reflexes.some((one) => one.eye === 'unknown') ? ('unknown' as const) : undefined;
  const into = (side: string) => {
    const list = reflexes.filter(({ lit, label }) => (lit === 'left' || lit === 'right' ? lit : label) === side);
    // The mean response of both pupils to one light, so that a difference in pupil size cancels out.
    const onsets = [...new Set(list.map(({ onset }) => onset))];
    return onsets.map((onset) => {
      const both = list.filter((one) => one.onset === onset).map(({ amplitudePercent }) => amplitudePercent);
      return { amplitudePercent: both.reduce((sum, value) => sum + value, 0) / both.length, eye };
    });
  };
  return attempt(warnings, 'relative afferent pupillary defect', () =>
    relativeAfferentDefect(into('left'), into('right')),
  );
}

/** The eye that the samples belong to, if all of them agree. */
function saidBy(samples: readonly PupilSample[]): Laterality {
  const [eye = 'unknown', ...others] = new Set(samples.map((sample) => sample.eye));
  return others.length ? 'unknown' : eye;
}

/** If no list names its eye, the first of two is the left eye. */
function sideOf(eyes: TestedEyes['eyes'], pupil: number): Laterality {
  const silent = eyes.every((samples) => samples.every((sample) => sample.eye === undefined));
  if (silent && eyes.length === 2) return pupil ? 'right' : 'left';
  return saidBy(eyes[pupil]!);
}

function bothSizes(eyes: readonly TestedEye[]): Anisocoria {
  const of = (side: Laterality) => eyes.find(({ eye }) => eye === side)?.series;
  const [left, right] = [of('left'), of('right')];
  if (!left || !right) throw new FoveolaError('invalid-argument', sideUnknown);
  return anisocoria(left, right);
}

/** Median confidence of the detected pupils. NaN without any. */
const confidenceOf = (samples: readonly PupilSample[]) =>
  median(samples.filter(({ diameter, blink }) => diameter! > 0 && !blink).map(({ confidence = 1 }) => confidence));

/**
 * Returns the measures of a test. A value that cannot be measured is left out or NaN, and `warnings` contains the
 * reason. Diameters keep the unit of the samples. A test that was cut short does not throw.
 */
export function evaluateTest({ protocol, eyes, steps }: TestedEyes): TestMeasures {
  const warnings: string[] = [];
  const tested = eyes.map((samples, pupil): TestedEye => {
    const eye = sideOf(eyes, pupil);
    const own = saidBy(samples);
    const name = own === 'unknown' ? `eye ${pupil + 1}` : `${own} eye`;
    return { pupil, eye, name, series: attempt(warnings, name, () => cleanSeries(samples)) };
  });
  const series = tested.map((one) => one.series);
  for (const { name, series: one } of tested)
    for (const warning of one?.warnings ?? []) warnings.push(`${name}: ${warning}`);
  for (const { pupil, name } of tested) {
    const confidence = confidenceOf(eyes[pupil]!);
    if (confidence < qualityLimits.confidence)
      warnings.push(`${name}: low median confidence, ${confidence.toFixed(2)}`);
  }
  const result: TestMeasures = { series, warnings };
  if (tested.length === 2 && series.every((one) => one !== null))
    result.anisocoria = attempt(warnings, 'anisocoria', () => bothSizes(tested));
  const { measure } = protocol;
  if (measure === 'light-reflex' || measure === 'relative-afferent-defect' || measure === 'post-illumination') {
    result.reflexes = reflexesOf(tested, steps, warnings);
    if (measure === 'relative-afferent-defect') result.afferentDefect = afferent(result.reflexes, warnings);
  }
  if (measure === 'post-illumination') {
    const after = perFlash(tested, steps, warnings, postIllumination);
    result.postIllumination = after;
    result.netPostIllumination = netOf(tested, steps, after);
  }
  /** The step with a label, for measures of one period. */
  const labeled = (label: string) => steps.find((step) => step.label === label && step.offset !== null);
  const perEye = <T>(of: (series: PupilSeries) => T) =>
    tested.map(({ name, series: one }) => one && attempt(warnings, name, () => of(one)));
  const rest = labeled('rest');
  const within = rest ? { from: rest.onset, to: rest.offset! } : {};
  if (measure === 'rest') result.hippus = perEye((one) => hippus(one, within));
  if (measure === 'unrest') result.unrest = perEye((one) => unrest(one, within));
  if (measure === 'dark-adaptation') {
    const dark = labeled('dark');
    if (!dark) warnings.push("dark adaptation: no step with the label 'dark' was finished.");
    else result.darkAdaptation = perEye((one) => darkAdaptation(one, { onset: dark.onset, offset: dark.offset! }));
  }
  if (measure === 'near-response') result.near = nearOf(tested, steps, warnings);
  if (measure === 'task-evoked') result.tasks = tasksOf(tested, steps, warnings);
  return result;
}
