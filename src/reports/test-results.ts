/**
 * Results of a pupil test beyond reflexes and series, checked for a report, and the result of a whole test as the input
 * of a report.
 */
import type { Measure } from './measures.ts';
import type {
  AfferentDefectInput,
  AnisocoriaInput,
  AverageInput,
  DarkAdaptationInput,
  EyeInput,
  HippusInput,
  NearInput,
  NetPostIlluminationInput,
  PostIlluminationInput,
  PupilReportInput,
  TaskInput,
  TestMeasuresInput,
  TestResultInput,
  UnrestInput,
} from './pupil-input.ts';
import type { Laterality } from '../results/types.ts';
import { check } from './report-base.ts';
import type {
  AfferentDefectReport,
  AnisocoriaReport,
  AverageReport,
  DarkAdaptationReport,
  HippusReport,
  NearReport,
  NetPostIlluminationReport,
  PostIlluminationReport,
  TaskReport,
  UnrestReport,
} from './report.ts';
import {
  afferentMeasures,
  anisocoriaMeasures,
  averageMeasures,
  darkAdaptationMeasures,
  hippusMeasures,
  nearMeasures,
  netPostIlluminationMeasures,
  postIlluminationMeasures,
  taskMeasures,
  unrestMeasures,
} from './test-measures.ts';

/** The measures of a table, each checked. Null and NaN mean not known. */
function measured<K extends string>(
  path: string,
  given: object,
  measures: Readonly<Record<K, Measure>>,
  widest: number,
): Record<K, number | null> {
  check.object(path, given);
  const values = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries<Measure>(measures).map(([name, { quantity, signed }]) => {
      const most = quantity === 'length' ? widest : quantity === 'share' ? 1 : Infinity;
      return [name, check.number(`${path}.${name}`, values[name], signed ? -Infinity : 0, most)];
    }),
  ) as Record<K, number | null>;
}

const oneSide = ['left', 'right', 'none'] as const;

export function anisocoriaOf(given: AnisocoriaInput | null | undefined, widest: number): AnisocoriaReport | null {
  if (!given) return null;
  const values = measured('anisocoria', given, anisocoriaMeasures, widest);
  check.names('anisocoria', given, [...Object.keys(values), 'larger']);
  return { ...values, larger: check.oneOf('anisocoria.larger', given.larger, oneSide) };
}

export function afferentDefectOf(given: AfferentDefectInput | null | undefined): AfferentDefectReport | null {
  if (!given) return null;
  const values = measured('afferentDefect', given, afferentMeasures, Infinity);
  check.names('afferentDefect', given, [...Object.keys(values), 'eye', 'warnings']);
  return {
    ...values,
    eye: check.oneOf('afferentDefect.eye', given.eye, oneSide),
    warnings: check.texts('afferentDefect.warnings', given.warnings),
  };
}

export function hippusOf(path: string, given: HippusInput | null | undefined, widest: number): HippusReport | null {
  if (!given) return null;
  const values = measured(path, given, hippusMeasures, widest);
  check.names(path, given, [...Object.keys(values), 'warnings', 'eye']);
  return { ...values, warnings: check.texts(`${path}.warnings`, given.warnings) };
}

export const tasksOf = (path: string, given: readonly TaskInput[] | undefined, widest: number): TaskReport[] =>
  check.objects(path, given ?? [], 'tasks').map((task, i) => {
    const at = `${path}[${i}]`;
    const values = measured(at, task, taskMeasures, widest);
    check.names(at, task, [...Object.keys(values), 'onset', 'label', 'eye', 'pupil']);
    return {
      ...values,
      onset: check.number(`${at}.onset`, task.onset),
      label: check.text(`${at}.label`, task.label),
    };
  });

/** The light as given, otherwise 'red, light in the left eye' by its label and the eye that it lit. */
export function stimulusOf(
  path: string,
  { stimulus, label, lit }: Pick<PostIlluminationInput, 'stimulus' | 'label' | 'lit'>,
): string | null {
  const said = check.text(`${path}.stimulus`, stimulus);
  const name = check.text(`${path}.label`, label);
  const eye = lit === null || lit === undefined ? null : check.oneOf(`${path}.lit`, lit, ['left', 'right', 'both']);
  const light = eye && eye !== 'both' && `light in the ${eye} eye`;
  return said ?? ([name, light].filter(Boolean).join(', ') || null);
}

const ofEye = ['eye', 'pupil'];

export const postIlluminationOf = (
  path: string,
  given: readonly PostIlluminationInput[] | undefined,
  widest: number,
): PostIlluminationReport[] =>
  check.objects(path, given ?? [], 'responses').map((one, i) => {
    const at = `${path}[${i}]`;
    const values = measured(at, one, postIlluminationMeasures, widest);
    check.names(at, one, [...Object.keys(values), 'onset', 'stimulus', 'label', 'lit', 'warnings', ...ofEye]);
    return {
      ...values,
      onset: check.number(`${at}.onset`, one.onset),
      stimulus: stimulusOf(at, one),
      warnings: check.texts(`${at}.warnings`, one.warnings),
    };
  });

export function netPostIlluminationOf(
  path: string,
  given: NetPostIlluminationInput | null | undefined,
): NetPostIlluminationReport | null {
  if (!given) return null;
  const values = measured(path, given, netPostIlluminationMeasures, Infinity);
  check.names(path, given, [...Object.keys(values), ...ofEye]);
  return values;
}

export function unrestOf(path: string, given: UnrestInput | null | undefined, widest: number): UnrestReport | null {
  if (!given) return null;
  const values = measured(path, given, unrestMeasures, widest);
  check.names(path, given, [...Object.keys(values), 'windows', 'warnings', ...ofEye]);
  const windows = check
    .list(`${path}.windows`, given.windows ?? [], 'numbers')
    .map((value, i) => check.number(`${path}.windows[${i}]`, value, 0));
  return { ...values, windows, warnings: check.texts(`${path}.warnings`, given.warnings) };
}

export function darkAdaptationOf(
  path: string,
  given: DarkAdaptationInput | null | undefined,
  widest: number,
): DarkAdaptationReport | null {
  if (!given) return null;
  const values = measured(path, given, darkAdaptationMeasures, widest);
  check.names(path, given, [...Object.keys(values), 'warnings', ...ofEye]);
  return { ...values, warnings: check.texts(`${path}.warnings`, given.warnings) };
}

export const nearOf = (path: string, given: readonly NearInput[] | undefined, widest: number): NearReport[] =>
  check.objects(path, given ?? [], 'responses').map((one, i) => {
    const at = `${path}[${i}]`;
    const values = measured(at, one, nearMeasures, widest);
    check.names(at, one, [...Object.keys(values), 'onset', 'label', 'warnings', ...ofEye]);
    const warnings = check.texts(`${at}.warnings`, one.warnings);
    return { ...values, onset: check.number(`${at}.onset`, one.onset), warnings };
  });

export function averageOf(path: string, given: AverageInput | null | undefined, widest: number): AverageReport | null {
  if (!given) return null;
  check.object(path, given);
  check.names(path, given, Object.keys(averageMeasures));
  return Object.fromEntries(
    Object.entries(given).map(([name, average]) => {
      const parts = averageMeasures[name as keyof typeof averageMeasures];
      const values = measured(`${path}.${name}`, average, parts, widest);
      check.names(`${path}.${name}`, average, Object.keys(parts));
      return [name, values];
    }),
  );
}

/** Lists of a test with one entry per flash, task or target, which names its eye by its index. */
const perStep = ['reflexes', 'tasks', 'postIllumination', 'netPostIllumination', 'near'] as const;
/** Lists with one entry per eye. */
const perEye = ['hippus', 'unrest', 'darkAdaptation'] as const;

/** The eyes of a test, each with what was measured. Without named eyes, the first of two is the left eye. */
function eyesOf(path: string, measures: TestMeasuresInput): EyeInput[] {
  const { series } = measures;
  check.list(`${path}.series`, series, 'series');
  for (const name of perEye) check.list(`${path}.${name}`, measures[name] ?? [], 'results');
  for (const name of perStep)
    check.objects<{ pupil?: number | null }>(`${path}.${name}`, measures[name] ?? [], name).forEach(({ pupil }, i) => {
      const known = check.known(`${path}.${name}[${i}].pupil`, pupil, 0, series.length - 1);
      if (!Number.isInteger(known)) check.fail(`${path}.${name}[${i}].pupil`, 'must be an index into series.');
    });
  const eyes = series.map((one, pupil) => {
    const of = <T extends { pupil?: number | null }>(list: readonly T[] = []) =>
      list.filter((result) => result.pupil === pupil);
    const own = {
      series: one,
      reflexes: of(measures.reflexes),
      tasks: of(measures.tasks),
      postIllumination: of(measures.postIllumination),
      near: of(measures.near),
      hippus: measures.hippus?.[pupil] ?? null,
      netPostIllumination: of(measures.netPostIllumination)[0] ?? null,
      unrest: measures.unrest?.[pupil] ?? null,
      darkAdaptation: measures.darkAdaptation?.[pupil] ?? null,
    };
    const eye = resultsOf(own).find((result) => result.eye)?.eye;
    return { ...own, ...(eye && { eye }) };
  });
  const silent = eyes.length === 2 && eyes.every(({ eye }) => !eye);
  return eyes
    .map((eye, pupil) => (silent ? { ...eye, eye: (['left', 'right'] as const)[pupil]! } : eye))
    .filter((eye) => resultsOf(eye).length);
}

/** Every result of an eye that may name it. */
export function resultsOf(input: EyeInput): readonly { readonly eye?: Laterality | undefined }[] {
  const { series, hippus, netPostIllumination, unrest, darkAdaptation } = input;
  const { reflexes = [], tasks = [], postIllumination = [], near = [] } = input;
  const single = [series, hippus, netPostIllumination, unrest, darkAdaptation].filter((one) => one !== null);
  return [...single.filter((one) => one !== undefined), ...reflexes, ...tasks, ...postIllumination, ...near];
}

const measureNames = ['series', 'afferentDefect', 'anisocoria', ...perStep, ...perEye, 'warnings'];
/** Lists of samples and events are in the series, steps in the reflexes and tasks. */
const testNames = [
  ...['software', 'version', 'notice', 'protocol', 'started', 'complete', 'unit', 'eyes', 'events', 'steps'],
  ...['markers', 'quality', 'measures', 'backend', 'screen', 'about'],
];

/** Fills in the contents of a test's result. Values of the caller override them. */
export function withResult(input: PupilReportInput): PupilReportInput {
  const { result } = input;
  if (result === undefined || result === null) return input;
  check.object('result', result);
  if (input.eyes !== undefined) check.fail('eyes', 'must not be given with result, which contains the eyes.');
  const test: TestResultInput = 'measures' in result ? result : { measures: result };
  const path = 'measures' in result ? 'result.measures' : 'result';
  if ('measures' in result) check.names('result', result, testNames);
  check.object(path, test.measures);
  check.names(path, test.measures, measureNames);
  const { measures, started, complete, unit, quality, backend, protocol, screen, about } = test;
  const eyes = eyesOf(path, measures);
  if (!eyes.length) check.fail(path, 'contains no measured eye. See its warnings.');
  return {
    ...(started !== undefined && { started }),
    ...(unit && { unit }),
    ...(quality && { quality }),
    ...(backend && { backend }),
    ...(about && { about }),
    anisocoria: measures.anisocoria ?? null,
    afferentDefect: measures.afferentDefect ?? null,
    ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
    kind: 'pupil',
    eyes,
    parameters: { ...(protocol && { protocol }), ...(screen && { screen }), ...input.parameters },
    warnings: [
      ...(complete === false ? ['The test was stopped before its end.'] : []),
      ...check.texts(`${path}.warnings`, measures.warnings),
      ...check.texts('warnings', input.warnings),
    ],
  } as PupilReportInput;
}
