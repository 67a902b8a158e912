/**
 * Results of a pupil test beyond reflexes and series, checked for a report, and the result of a whole test as the input
 * of a report.
 */
import type { Measure } from './measures.ts';
import type {
  AfferentDefectInput,
  AnisocoriaInput,
  AverageInput,
  EyeInput,
  HippusInput,
  PupilReportInput,
  TaskInput,
  TestMeasuresInput,
  TestResultInput,
} from './pupil-input.ts';
import { check } from './report-base.ts';
import type { AfferentDefectReport, AnisocoriaReport, AverageReport, HippusReport, TaskReport } from './report.ts';
import {
  afferentMeasures,
  anisocoriaMeasures,
  averageMeasures,
  hippusMeasures,
  taskMeasures,
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

/** The eyes of a test, each with what was measured. Without named eyes, the first of two is the left eye. */
function eyesOf(path: string, { series, reflexes = [], hippus = [], tasks = [] }: TestMeasuresInput): EyeInput[] {
  check.list(`${path}.series`, series, 'series');
  check.list(`${path}.hippus`, hippus, 'results of hippus');
  const list = <T extends { pupil?: number | null }>(name: string, all: readonly T[]) =>
    check.objects(`${path}.${name}`, all, name).forEach(({ pupil }, i) => {
      const known = check.known(`${path}.${name}[${i}].pupil`, pupil, 0, series.length - 1);
      if (!Number.isInteger(known)) check.fail(`${path}.${name}[${i}].pupil`, 'must be an index into series.');
    });
  list('reflexes', reflexes);
  list('tasks', tasks);
  const eyes = series.map((one, pupil) => {
    const own = {
      series: one,
      reflexes: reflexes.filter((reflex) => reflex.pupil === pupil),
      tasks: tasks.filter((task) => task.pupil === pupil),
      hippus: hippus[pupil] ?? null,
    };
    const eye = [one?.eye, ...own.reflexes.map((r) => r.eye), ...own.tasks.map((t) => t.eye)].find(Boolean);
    return { ...own, ...(eye && { eye }) };
  });
  const silent = eyes.length === 2 && eyes.every(({ eye }) => !eye);
  return eyes
    .map((eye, pupil) => (silent ? { ...eye, eye: (['left', 'right'] as const)[pupil]! } : eye))
    .filter((eye) => eye.series ?? eye.hippus ?? (eye.reflexes.length || eye.tasks.length || null));
}

const measureNames = ['series', 'reflexes', 'afferentDefect', 'anisocoria', 'hippus', 'tasks', 'warnings'] as const;
/** Lists of samples and events are in the series, steps in the reflexes and tasks. */
const testNames = [
  ...['software', 'version', 'notice', 'protocol', 'started', 'complete', 'unit', 'eyes', 'events', 'steps'],
  ...['markers', 'quality', 'measures', 'backend'],
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
  const { measures, started, complete, unit, quality, backend, protocol } = test;
  const eyes = eyesOf(path, measures);
  if (!eyes.length) check.fail(path, 'contains no measured eye. See its warnings.');
  return {
    ...(started !== undefined && { started }),
    ...(unit && { unit }),
    ...(quality && { quality }),
    ...(backend && { backend }),
    anisocoria: measures.anisocoria ?? null,
    afferentDefect: measures.afferentDefect ?? null,
    ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
    kind: 'pupil',
    eyes,
    parameters: { ...(protocol && { protocol }), ...input.parameters },
    warnings: [
      ...(complete === false ? ['The test was stopped before its end.'] : []),
      ...check.texts(`${path}.warnings`, measures.warnings),
      ...check.texts('warnings', input.warnings),
    ],
  } as PupilReportInput;
}
