/**
 * Computes the measures of a pupil test from its samples and from the steps as the person saw them. The protocol's
 * `measure` selects the computation. The samples of each eye are cleaned with the defaults
 * (series/clean-parameters.ts). Each flash is measured separately.
 */
import { median } from '../image/numbers.ts';
import { cleanSeries } from '../series/clean.ts';
import { anisocoria, relativeAfferentDefect, type AfferentDefect, type Anisocoria } from '../series/both-eyes.ts';
import { darkAdaptation, type DarkAdaptation } from '../series/dark-and-near.ts';
import { hippus, type Hippus } from '../series/hippus.ts';
import type { PupilSample, PupilSeries } from '../series/samples.ts';
import { unrest, type Unrest } from '../series/unrest.ts';
import { sideUnknown } from '../results/laterality.ts';
import type { Laterality } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Protocol } from './protocol.ts';
import { qualityLimits } from './recording-quality.ts';
import {
  attempt,
  nearOf,
  netOf,
  postIlluminationOf,
  reflexesOf,
  tasksOf,
  type FlashPostIllumination,
  type FlashReflex,
  type NetPostIllumination,
  type SeenInterval,
  type TaskResponse,
  type TestedEye,
  type TestNearResponse,
} from './step-measures.ts';

export type {
  FlashPostIllumination,
  FlashReflex,
  NetPostIllumination,
  SeenInterval,
  TaskResponse,
  TestNearResponse,
} from './step-measures.ts';

export interface TestedEyes {
  readonly protocol: Protocol;
  /** One list per eye. `eye` of the samples names the eye. If it is missing, the first list is the left eye. */
  readonly eyes: readonly (readonly PupilSample[])[];
  readonly steps: readonly SeenInterval[];
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
    const after = postIlluminationOf(tested, steps, warnings);
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
