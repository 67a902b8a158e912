/**
 * The only way to create a report. The returned report is complete and checked, so FHIR, DICOM and HTML do not check it
 * again.
 */
import { shown } from '../runtime/check.ts';
import { eventKinds } from '../results/event-list.ts';
import { eyeSides, sideUnknown } from '../results/laterality.ts';
import type { EventSpan, Laterality } from '../results/types.ts';
import type { EyeInput, PupilReportInput, ReflexInput } from './pupil-input.ts';
import { ownMeasureCodes } from './groups.ts';
import { furtherReflexMeasures, reflexMeasures, type Measure } from './measures.ts';
import { normsOf } from './norms.ts';
import { baseNames, baseOf, check, qualityOf, qualityWarnings, sides, sourceOf } from './report-base.ts';
import {
  type BlinkSpan,
  type EyeReport,
  type PupilReport,
  type ReflexReport,
  type Report,
  type RetinaReport,
  type SeriesSamples,
  type SeriesSummary,
  blinkSummary,
  seriesSummary,
} from './report.ts';
import { retinaReport, type RetinaReportInput } from './retina-report.ts';
import {
  afferentDefectOf,
  anisocoriaOf,
  averageOf,
  darkAdaptationOf,
  hippusOf,
  nearOf,
  netPostIlluminationOf,
  postIlluminationOf,
  resultsOf,
  stimulusOf,
  tasksOf,
  unrestOf,
  withResult,
} from './test-results.ts';

export type ReportInput = PupilReportInput | RetinaReportInput;

/**
 * Maximum pupil diameter, mm. A larger one was not calibrated (dilated pupils have 8 to 9 mm; Watson and Yellott, J Vis
 * 12(10), 2012).
 */
const WIDEST_PUPIL = 15;
/**
 * Share of the baseline: more than the rounding error of baseline, minimum and amplitude, and less than the effect of a
 * wrong unit.
 */
const AMPLITUDE_TOLERANCE = 0.02;

/**
 * Creates a report. Throws 'invalid-argument' with the path of the value and the rule, also for a result that a report
 * cannot contain. Millimeters need a calibration and micrometers a scale. Without one, the report is in pixels and has a
 * warning.
 */
export function createReport(input: PupilReportInput): PupilReport;
export function createReport(input: RetinaReportInput): RetinaReport;
export function createReport(input: ReportInput): Report;
export function createReport(input: ReportInput): Report {
  check.object('the report', input);
  check.oneOf('kind', input.kind, ['pupil', 'retina']);
  return input.kind === 'pupil' ? pupilReport(withResult(input)) : retinaReport(input);
}

const pupilNames = [...baseNames, 'calibration', 'eyes', 'anisocoria', 'afferentDefect', 'norms'];

function pupilReport(input: PupilReportInput): PupilReport {
  check.names('', input, pupilNames);
  const unit = check.oneOf('unit', input.unit, ['px', 'mm']);
  const calibration = input.calibration ?? null;
  if (unit === 'mm' && !calibration)
    check.fail('calibration', "is missing. Set calibration.millimetresPerPixel for unit 'mm', or use unit 'px'.");
  if (!Array.isArray(input.eyes) || input.eyes.length < 1 || input.eyes.length > 2)
    check.fail('eyes', 'must be a list of one or two eyes.');
  const eyes = input.eyes.map((eye, i) => eyeReport(`eyes[${i}]`, eye, unit));
  if (eyes.length === 2 && (eyes[0]!.eye === eyes[1]!.eye || eyes.some(({ eye }) => eye === 'unknown')))
    check.fail(
      'eyes[1].laterality',
      "and eyes[0].laterality must be 'left' and 'right' for two eyes. Set `view` of the tracker to 'facing' or 'mirrored'.",
    );
  const norms = normsOf(input.norms, ownMeasureCodes);
  const sideless =
    'It is not known whether this is the left or the right eye. Set `eye` of the tracker or the element.';
  const uncalibrated = 'No calibration: lengths are in pixels and cannot be compared with other recordings.';
  return {
    kind: 'pupil',
    ...baseOf({ ...input, started: input.started! }),
    source: sourceOf(input.source),
    unit,
    calibration: calibration && {
      millimetresPerPixel: check.known('calibration.millimetresPerPixel', calibration.millimetresPerPixel, 1e-6, 10),
      method: check.text('calibration.method', calibration.method),
      uncertaintyPercent: check.number('calibration.uncertaintyPercent', calibration.uncertaintyPercent, 0, 100),
    },
    eyes,
    anisocoria: anisocoriaOf(input.anisocoria, widest(unit)),
    afferentDefect: afferentDefectOf(input.afferentDefect),
    quality: qualityOf(input.quality),
    ...(norms && { norms }),
    warnings: [
      ...qualityWarnings(input.quality),
      ...check.texts('warnings', input.warnings),
      ...(eyes.some(({ eye }) => eye === 'unknown') ? [sideless] : []),
      ...(unit === 'px' ? [uncalibrated] : []),
    ],
  };
}

const eyeNames = [
  ...['eye', 'laterality', 'reflexes', 'series', 'average', 'hippus', 'tasks', 'events', 'blinks', 'summary'],
  ...['postIllumination', 'netPostIllumination', 'unrest', 'darkAdaptation', 'near'],
];

function eyeReport(path: string, eye: EyeInput, unit: 'px' | 'mm'): EyeReport {
  check.object(path, eye);
  check.names(path, eye, eyeNames);
  const series = eye.series ? samplesOf(`${path}.series`, eye.series, unit) : null;
  const listed = eye.events ?? (eye.blinks ? null : eye.series?.events) ?? null;
  const blinks = listed ? null : (eye.blinks ?? eye.series?.blinks ?? null);
  const events = listed ? eventsOf(`${path}.events`, listed) : blinksOf(`${path}.blinks`, blinks ?? []);
  if (eye.reflexes !== undefined && !Array.isArray(eye.reflexes)) check.fail(`${path}.reflexes`, 'must be a list.');
  const reflexes = (eye.reflexes ?? []).map((reflex: ReflexInput, i: number) =>
    reflexReport(`${path}.reflexes[${i}]`, reflex, unit),
  );
  const summary = eye.summary ? summaryOf(`${path}.summary`, eye.summary, unit) : series && seriesSummary(series);
  const most = widest(unit);
  const measured = {
    average: averageOf(`${path}.average`, eye.average, most),
    hippus: hippusOf(`${path}.hippus`, eye.hippus, most),
    tasks: tasksOf(`${path}.tasks`, eye.tasks, most),
    postIllumination: postIlluminationOf(`${path}.postIllumination`, eye.postIllumination, most),
    netPostIllumination: netPostIlluminationOf(`${path}.netPostIllumination`, eye.netPostIllumination),
    unrest: unrestOf(`${path}.unrest`, eye.unrest, most),
    darkAdaptation: darkAdaptationOf(`${path}.darkAdaptation`, eye.darkAdaptation, most),
    near: nearOf(`${path}.near`, eye.near, most),
  };
  const some = Object.values(measured).some((one) => (Array.isArray(one) ? one.length : one));
  if (!reflexes.length && !summary && !listed && !blinks && !some)
    check.fail(path, `must have at least one of ${eyeNames.slice(2).join(', ')}.`);
  return {
    eye: eyeOf(path, eye),
    ...{ reflexes, ...measured, summary, events, series },
    blinkSummary: listed || blinks ? blinkSummary(events, summary?.duration ?? null, listed !== null) : null,
  };
}

/** The eye as passed by the caller, otherwise as named by the measurements. */
function eyeOf(path: string, input: EyeInput): Laterality {
  const { eye, laterality } = input;
  const side = laterality ? check.oneOf(`${path}.laterality`, laterality, sides) : undefined;
  const given = eye === undefined ? side : check.oneOf(`${path}.eye`, eye, eyeSides);
  if (side !== undefined && side !== given) check.fail(`${path}.eye`, `must equal laterality, '${side}'.`);
  const measured = new Set(resultsOf(input).flatMap((result) => result.eye ?? []));
  if (given === 'unknown') return given;
  const other = [...measured].find((one) => one !== 'unknown' && one !== (given ?? [...measured][0]));
  if (other)
    check.fail(
      `${path}.eye`,
      `must match its series, reflexes and other results. One of them is from the ${other} eye.`,
    );
  if (given) return given;
  if (measured.has('unknown') && laterality !== null) check.fail(`${path}.eye`, `is missing: ${sideUnknown}`);
  const [only = 'unknown'] = measured;
  return only;
}

const eventsOf = (path: string, given: readonly EventSpan[]): EventSpan[] =>
  check.objects(path, given, 'events').map(({ kind, onset, offset, final }, i) => {
    check.oneOf(`${path}[${i}].kind`, kind, eventKinds);
    check.known(`${path}[${i}].onset`, onset);
    check.known(`${path}[${i}].offset`, offset, onset);
    if (typeof final !== 'boolean') check.fail(`${path}[${i}].final`, 'must be true or false.');
    return { kind, onset, offset, final };
  });

const blinksOf = (path: string, given: readonly BlinkSpan[]): EventSpan[] =>
  eventsOf(
    path,
    check.objects(path, given, 'blinks').map(({ onset, offset }) => ({ kind: 'blink', onset, offset, final: true })),
  );

const widest = (unit: 'px' | 'mm') => (unit === 'mm' ? WIDEST_PUPIL : 65535);

function summaryOf(path: string, summary: SeriesSummary, unit: 'px' | 'mm'): SeriesSummary {
  check.object(path, summary);
  const length = (name: 'mean' | 'deviation' | 'minimum' | 'maximum') =>
    check.number(`${path}.${name}`, summary[name], 0, widest(unit));
  return {
    mean: length('mean'),
    deviation: length('deviation'),
    minimum: length('minimum'),
    maximum: length('maximum'),
    duration: check.number(`${path}.duration`, summary.duration, 0),
    rate: check.number(`${path}.rate`, summary.rate, 0),
    samples: check.known(`${path}.samples`, summary.samples, 0),
    validPercent: check.known(`${path}.validPercent`, summary.validPercent, 0, 100),
  };
}

/** `samples` and `rejected` are the steps to the other lists. */
const seriesNames = [
  ...['timestamp', 'diameter', 'raw', 'valid', 'rate', 'eye', 'warnings', 'events', 'blinks', 'samples', 'rejected'],
];

function samplesOf(path: string, series: SeriesSamples, unit: 'px' | 'mm'): SeriesSamples {
  check.object(path, series);
  check.names(path, series, seriesNames);
  const { timestamp, diameter, raw, valid, rate } = series;
  const length = timestamp?.length;
  if (!Number.isInteger(length)) check.fail(`${path}.timestamp`, 'must be a list of numbers.');
  for (const [name, list] of Object.entries({ diameter, raw, valid }))
    if (list?.length !== length && (list !== undefined || name === 'diameter'))
      check.fail(`${path}.${name}`, `must have ${length} samples, like timestamp, not ${shown(list?.length)}.`);
  for (let i = 0; i < length; i++) {
    check.known(`${path}.timestamp[${i}]`, timestamp[i], i ? timestamp[i - 1] : undefined);
    check.number(`${path}.diameter[${i}]`, diameter[i], 0, widest(unit));
  }
  if (rate !== undefined) check.known(`${path}.rate`, rate, 0);
  const warnings = check.texts(`${path}.warnings`, series.warnings);
  return {
    timestamp,
    diameter,
    warnings,
    ...(raw && { raw }),
    ...(valid && { valid }),
    ...(rate !== undefined && { rate }),
  };
}

type ReflexName = keyof typeof reflexMeasures | keyof typeof furtherReflexMeasures;
const allReflexMeasures: Readonly<Record<ReflexName, Measure>> = { ...reflexMeasures, ...furtherReflexMeasures };
const reflexNames = [
  ...Object.keys(allReflexMeasures),
  ...['quality', 'warnings', 'onset', 'stimulus', 'label', 'lit', 'eye', 'pupil'],
];

function reflexReport(path: string, reflex: ReflexInput, unit: 'px' | 'mm'): ReflexReport {
  check.object(path, reflex);
  check.names(path, reflex, reflexNames);
  const value = (name: ReflexName): number | null => {
    const { quantity } = allReflexMeasures[name];
    // A pupil may dilate after a light. Then the amplitude is below 0. The sign convention of velocities is the
    // caller's choice.
    const signed = quantity === 'speed' || quantity === 'percent' || name === 'amplitude';
    const most = quantity === 'length' ? widest(unit) : quantity === 'percent' ? 100 : Infinity;
    return check.number(`${path}.${name}`, reflex[name], signed ? -Infinity : 0, most);
  };
  const [baseline, minimum, amplitude] = [value('baseline'), value('minimum'), value('amplitude')];
  if (baseline !== null && minimum !== null && amplitude !== null)
    if (Math.abs(baseline - minimum - amplitude) > AMPLITUDE_TOLERANCE * baseline)
      check.fail(
        `${path}.amplitude`,
        `must be baseline - minimum, ${Number((baseline - minimum).toPrecision(6))}, not ${amplitude}.`,
      );
  const [low, high] = [value('latencyLow'), value('latencyHigh')];
  if (low !== null && high !== null && high < low)
    check.fail(`${path}.latencyHigh`, `must be latencyLow (${low}) or more, not ${high}.`);
  const names = Object.keys(reflexMeasures) as (keyof typeof reflexMeasures)[];
  const further = (Object.keys(furtherReflexMeasures) as (keyof typeof furtherReflexMeasures)[]).filter(
    (name) => reflex[name] !== undefined,
  );
  return {
    ...(Object.fromEntries(names.map((name) => [name, value(name)])) as Record<(typeof names)[number], number | null>),
    ...Object.fromEntries(further.map((name) => [name, value(name)])),
    quality: check.number(`${path}.quality`, reflex.quality, 0, 1),
    warnings: check.texts(`${path}.warnings`, reflex.warnings),
    onset: check.number(`${path}.onset`, reflex.onset),
    stimulus: stimulusOf(path, reflex),
  };
}
