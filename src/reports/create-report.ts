/**
 * The only way to create a report. The returned report is complete and checked, so FHIR, DICOM and HTML do not check it
 * again.
 */
import { shown } from '../runtime/check.ts';
import { correctionsText, type CorrectionNote } from '../results/export-vessels.ts';
import { eventKinds } from '../results/event-list.ts';
import { eyeSides, sideUnknown } from '../results/laterality.ts';
import type { EventSpan, ImageScale, Laterality, VesselResult } from '../results/types.ts';
import { baseOf, check, sourceOf, type InputBase, qualityWarnings, type QualityInput } from './report-base.ts';
import {
  type BlinkSpan,
  type EyeReport,
  type PupilReport,
  type ReflexReport,
  type Report,
  type RetinaReport,
  type SeriesSamples,
  type SeriesSummary,
  type Side,
  type VesselReport,
  blinkSummary,
  seriesSummary,
  vesselSummary,
} from './report.ts';
import {
  furtherReflexMeasures,
  furtherRetinaMeasures,
  reflexMeasures,
  retinaMeasures,
  type Measure,
} from './measures.ts';

type Numbers<T> = { [K in keyof T]?: number | null };

/** The result of lightReflex, with the onset and a description of the stimulus. NaN and null mean not known. */
export type ReflexInput = Numbers<Omit<ReflexReport, 'warnings' | 'stimulus'>> & {
  warnings?: readonly string[];
  stimulus?: string | null;
  /** The eye of this pupil. */
  eye?: Laterality;
};

export interface EyeInput {
  /**
   * The left or right eye of the person. Default: the eye named by its series and reflexes. 'unknown' creates a report
   * of one eye that does not name it.
   */
  eye?: Laterality;
  /** `eye` in the terms of records. null: only the measurements may name the eye, or nothing does. */
  laterality?: Side | null;
  /** One or more results of lightReflex. */
  reflexes?: readonly ReflexInput[];
  /** The result of cleanSeries, with its events. */
  series?: (SeriesSamples & { events?: readonly EventSpan[]; blinks?: readonly BlinkSpan[] }) | null;
  /** Blinks, closures and losses. Default: the events of the series. */
  events?: readonly EventSpan[] | null;
  /** Blinks only, for sources without other events. */
  blinks?: readonly BlinkSpan[] | null;
  /** Replaces the summary computed from `series`. */
  summary?: SeriesSummary | null;
}

export interface PupilReportInput extends InputBase {
  kind: 'pupil';
  /** Unit of all lengths. 'mm' needs a calibration. Nothing is converted here. */
  unit: 'px' | 'mm';
  calibration?: { millimetresPerPixel: number; method?: string | null } | null;
  eyes: readonly EyeInput[];
  /** Quality of the whole recording, from the result of a test or from a QualityMeter. Faults become warnings. */
  quality?: QualityInput | null;
}

type Caliber = { readonly pixels: number; readonly micrometres: number | null } | null;
type Quarters = { readonly [K in 'superior' | 'inferior' | 'nasal' | 'temporal']: number | null } | null;

/** The parts of RetinalMeasures that a report contains. */
export interface RetinaInput {
  readonly disc: { readonly x: number; readonly y: number; readonly radius: number } | null;
  readonly fovea: { readonly x: number; readonly y: number } | null;
  readonly zone: { readonly crae: Caliber; readonly crve: Caliber; readonly avr: number | null } | null;
  readonly tortuosity: { readonly arcOverChord: number | null };
  readonly fractal: { readonly dimension: number } | null;
  readonly branching: { readonly [K in 'angle' | 'areaRatio' | 'asymmetry' | 'exponent']: number | null };
  readonly density: { readonly disc: Quarters; readonly fovea: Quarters };
  readonly warnings?: readonly string[];
}

export interface RetinaReportInput extends InputBase {
  kind: 'retina';
  /** Unit of crae, crve and other lengths in `vessels`. 'um' if a scale is known, otherwise 'px'. */
  unit?: 'px' | 'um';
  laterality?: Side | null;
  /** Result of engine.vessels. Values in `vessels` are added to it and override it. */
  result?: Pick<VesselResult, 'fraction' | 'confidence' | 'warnings'> &
    Partial<Pick<VesselResult, 'segments' | 'branchPoints' | 'scale' | 'mask' | 'dicom'>>;
  /** The result of retinalMeasures. It fills `vessels`, and its warnings become warnings of the report. */
  retina?: RetinaInput | null;
  scale?: ImageScale | null;
  vessels?: Numbers<VesselReport>;
  /** Manual corrections, in the order that they were made. */
  corrections?: readonly CorrectionNote[] | null;
  quality?: number | null;
}

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

const sides = ['left', 'right'] as const;

const sideOf = (path: string, side: Side | null | undefined): Side | null =>
  side === null || side === undefined ? null : check.oneOf(path, side, sides);

/**
 * Creates a report. Throws 'invalid-argument' with the path of the value and the rule. Millimeters need a calibration
 * and micrometers a scale. Without one, the report is in pixels and has a warning.
 */
export function createReport(input: PupilReportInput): PupilReport;
export function createReport(input: RetinaReportInput): RetinaReport;
export function createReport(input: ReportInput): Report;
export function createReport(input: ReportInput): Report {
  check.object('the report', input);
  check.oneOf('kind', input.kind, ['pupil', 'retina']);
  return input.kind === 'pupil' ? pupilReport(input) : retinaReport(input);
}

function pupilReport(input: PupilReportInput): PupilReport {
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
  const sideless =
    'It is not known whether this is the left or the right eye. Set `eye` of the tracker or the element.';
  const uncalibrated = 'No calibration: lengths are in pixels and cannot be compared with other recordings.';
  return {
    kind: 'pupil',
    ...baseOf(input),
    source: sourceOf(input.source),
    unit,
    calibration: calibration && {
      millimetresPerPixel: check.known('calibration.millimetresPerPixel', calibration.millimetresPerPixel, 1e-6, 10),
      method: check.text('calibration.method', calibration.method),
    },
    eyes,
    warnings: [
      ...qualityWarnings(input.quality),
      ...check.texts('warnings', input.warnings),
      ...(eyes.some(({ eye }) => eye === 'unknown') ? [sideless] : []),
      ...(unit === 'px' ? [uncalibrated] : []),
    ],
  };
}

function eyeReport(path: string, eye: EyeInput, unit: 'px' | 'mm'): EyeReport {
  check.object(path, eye);
  const series = eye.series ? samplesOf(`${path}.series`, eye.series, unit) : null;
  const listed = eye.events ?? (eye.blinks ? null : eye.series?.events) ?? null;
  const blinks = listed ? null : (eye.blinks ?? eye.series?.blinks ?? null);
  const events = listed ? eventsOf(`${path}.events`, listed) : blinksOf(`${path}.blinks`, blinks ?? []);
  if (eye.reflexes !== undefined && !Array.isArray(eye.reflexes)) check.fail(`${path}.reflexes`, 'must be a list.');
  const reflexes = (eye.reflexes ?? []).map((reflex: ReflexInput, i: number) =>
    reflexReport(`${path}.reflexes[${i}]`, reflex, unit),
  );
  const summary = eye.summary ? summaryOf(`${path}.summary`, eye.summary, unit) : series && seriesSummary(series);
  if (!reflexes.length && !summary && !listed && !blinks)
    check.fail(path, 'must have at least one of reflexes, series, summary, events and blinks.');
  return {
    eye: eyeOf(path, eye),
    ...{ reflexes, summary, events, series },
    blinkSummary: listed || blinks ? blinkSummary(events, summary?.duration ?? null, listed !== null) : null,
  };
}

/** The eye as passed by the caller, otherwise as named by the measurements. */
function eyeOf(path: string, { eye, laterality, series, reflexes = [] }: EyeInput): Laterality {
  const side = laterality ? check.oneOf(`${path}.laterality`, laterality, sides) : undefined;
  const given = eye === undefined ? side : check.oneOf(`${path}.eye`, eye, eyeSides);
  if (side !== undefined && side !== given) check.fail(`${path}.eye`, `must equal laterality, '${side}'.`);
  const measured = new Set([series?.eye, ...reflexes.map((reflex) => reflex.eye)].filter((one) => one !== undefined));
  if (given === 'unknown') return given;
  const other = [...measured].find((one) => one !== 'unknown' && one !== (given ?? [...measured][0]));
  if (other) check.fail(`${path}.eye`, `must match its series and reflexes. One of them is from the ${other} eye.`);
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

function samplesOf(path: string, series: SeriesSamples, unit: 'px' | 'mm'): SeriesSamples {
  check.object(path, series);
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

function reflexReport(path: string, reflex: ReflexInput, unit: 'px' | 'mm'): ReflexReport {
  check.object(path, reflex);
  const all: Readonly<Record<ReflexName, Measure>> = { ...reflexMeasures, ...furtherReflexMeasures };
  const value = (name: ReflexName): number | null => {
    const { quantity } = all[name];
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
    stimulus: check.text(`${path}.stimulus`, reflex.stimulus),
  };
}

/** Values of retinalMeasures under the names of a report. */
function retinaValues(retina: RetinaInput, unit: 'px' | 'um'): Partial<VesselReport> {
  check.object('retina', retina);
  const { disc, fovea, zone, tortuosity, fractal, branching, density } = retina;
  const length = (caliber: Caliber | undefined) => (unit === 'um' ? caliber?.micrometres : caliber?.pixels) ?? null;
  const percent = (place: 'disc' | 'fovea') =>
    Object.entries(density[place] ?? {}).map(([quarter, share]) => [
      `${place}Density${quarter[0]!.toUpperCase()}${quarter.slice(1)}`,
      share === null ? null : 100 * share,
    ]);
  return {
    ...{ crae: length(zone?.crae), crve: length(zone?.crve), avr: zone?.avr ?? null },
    ...{ tortuosity: tortuosity.arcOverChord, fractalDimension: fractal?.dimension ?? null },
    ...{ branchingAngle: branching.angle, branchingAreaRatio: branching.areaRatio },
    ...{ branchingAsymmetry: branching.asymmetry, branchingExponent: branching.exponent },
    ...Object.fromEntries([...percent('disc'), ...percent('fovea')]),
    ...(disc && { discX: disc.x, discY: disc.y, discRadius: disc.radius }),
    ...(fovea && { foveaX: fovea.x, foveaY: fovea.y }),
  };
}

function retinaReport(input: RetinaReportInput): RetinaReport {
  const { result } = input;
  const scale = input.scale ?? result?.scale ?? null;
  if (scale) {
    check.known('scale.micrometresPerPixel', scale.micrometresPerPixel, 0.01, 10_000);
    check.oneOf('scale.from', scale.from, ['option', 'file']);
  }
  const unit = check.oneOf('unit', input.unit ?? (scale ? 'um' : 'px'), ['px', 'um']);
  if (unit === 'um' && !scale)
    check.fail('scale', "is missing. Set scale.micrometresPerPixel for unit 'um', or use unit 'px'.");
  if (!result && !input.vessels) check.fail('result', 'or vessels must be given.');
  if (result) {
    check.known('result.fraction', result.fraction, 0, 1);
    const lengths = ['length', 'width', 'lengthMicrometres', 'widthMicrometres'] as const;
    check.objects('result.segments', result.segments ?? [], 'segments').forEach((segment, i) => {
      for (const name of lengths) check.number(`result.segments[${i}].${name}`, segment[name], 0);
    });
  }
  const computed = {
    ...(result && vesselSummary(result, unit)),
    ...(input.retina && retinaValues(input.retina, unit)),
  };
  const given: Numbers<VesselReport> = input.vessels ?? {};
  const all: Readonly<Record<keyof VesselReport, Measure>> = { ...retinaMeasures, ...furtherRetinaMeasures };
  const names = (Object.keys(all) as (keyof VesselReport)[]).filter(
    (name) => name in retinaMeasures || name in computed || given[name] !== undefined,
  );
  for (const name of Object.keys(given)) if (!(name in all)) check.fail(`vessels.${name}`, 'is not a known measure.');
  const vessels = Object.fromEntries(
    names.map((name) => {
      const most = all[name].quantity === 'percent' ? 100 : Infinity;
      return [
        name,
        check.number(`vessels.${name}`, given[name], 0, most) ?? check.number(`retina.${name}`, computed[name]) ?? null,
      ];
    }),
  ) as unknown as VesselReport;
  const corrections =
    input.corrections &&
    check.list('corrections', input.corrections, 'corrections').map((one, i) => {
      const path = `corrections[${i}]`;
      const plain = check.plain(path, one);
      if (typeof plain.action !== 'string') check.fail(`${path}.action`, 'must describe the correction.');
      return plain as Record<string, unknown> & CorrectionNote;
    });
  const unscaled = 'No scale: lengths are in pixels and cannot be compared with other photographs.';
  const source = sourceOf(input.source, result);
  const laterality = sideOf('laterality', input.laterality) ?? source.dicom?.laterality ?? null;
  if (source.dicom?.laterality && laterality !== source.dicom.laterality)
    check.fail('laterality', `must match the header of the source, which says '${source.dicom.laterality}'.`);
  return {
    kind: 'retina',
    ...baseOf(input),
    source,
    ...{ unit, vessels },
    scale: scale && { micrometresPerPixel: scale.micrometresPerPixel, from: scale.from },
    corrections: corrections ?? null,
    laterality,
    quality: check.number('quality', input.quality ?? result?.confidence, 0, 1),
    warnings: [
      ...check.texts('result.warnings', result?.warnings),
      ...check.texts('retina.warnings', input.retina?.warnings),
      ...check.texts('warnings', input.warnings),
      ...(corrections?.length ? [`${correctionsText(corrections)}.`] : []),
      ...(unit === 'px' ? [unscaled] : []),
    ],
  };
}
