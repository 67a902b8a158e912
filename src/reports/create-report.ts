/** The one way to make a report. What it gives is whole and checked: FHIR, DICOM and HTML look at nothing again. */
import { notice } from '../results/recording.ts';
import { version } from '../results/version.ts';
import type { ImageScale, VesselResult } from '../results/types.ts';
import { Check } from './check.ts';
import type {
  BlinkSpan,
  DicomPatient,
  DicomSource,
  EyeReport,
  PupilReport,
  ReflexReport,
  Report,
  RetinaReport,
  SeriesSamples,
  SeriesSummary,
  Side,
  VesselReport,
} from './report.ts';
import { reflexMeasures, retinaMeasures } from './measures.ts';
import { blinkSummary, seriesSummary, vesselSummary } from './summary.ts';
import { uuidFrom } from './uuid.ts';

interface InputBase {
  /** A UUID; a new one where there is none. The same report under the same id is the same entry in a record. */
  id?: string;
  /** Of the report; now where it is not given. */
  created?: Date | string;
  started: Date | string;
  ended?: Date | string | null;
  camera?: { name: string; model?: string | null; serial?: string | null } | null;
  backend?: string | null;
  renderer?: string | null;
  parameters?: Record<string, unknown>;
  source?: Partial<Omit<PupilReport['source'], 'dicom'>> & { dicom?: DicomSource | null };
  patient?: string | null;
  encounter?: string | null;
  dicomPatient?: DicomPatient | null;
  warnings?: readonly string[];
}

type Numbers<T> = { [K in keyof T]?: number | null };

/** As lightReflex gives it, with the onset of the stimulus and what it was. NaN and null: not known. */
export type ReflexInput = Numbers<Omit<ReflexReport, 'warnings' | 'stimulus'>> & {
  warnings?: readonly string[];
  stimulus?: string | null;
};

export interface EyeInput {
  laterality?: Side | null;
  /** One or several results of lightReflex. */
  reflexes?: readonly ReflexInput[];
  /** As cleanSeries gives it; its blinks are taken where `blinks` is not given. */
  series?: (SeriesSamples & { blinks?: readonly BlinkSpan[] }) | null;
  blinks?: readonly BlinkSpan[] | null;
  /** Instead of what is computed from `series`. */
  summary?: SeriesSummary | null;
}

export interface PupilReportInput extends InputBase {
  kind: 'pupil';
  /** Of all lengths. 'mm' needs a calibration: nothing is converted here. */
  unit: 'px' | 'mm';
  calibration?: { millimetresPerPixel: number; method?: string | null } | null;
  eyes: readonly EyeInput[];
}

export interface RetinaReportInput extends InputBase {
  kind: 'retina';
  /** Of crae, crve and other lengths in `vessels`. 'um' where a scale is known, else 'px'. */
  unit?: 'px' | 'um';
  laterality?: Side | null;
  /** Of engine.vessels; `vessels` adds to it and goes before it. */
  result?: Pick<VesselResult, 'fraction' | 'confidence' | 'warnings'> &
    Partial<Pick<VesselResult, 'segments' | 'branchPoints' | 'scale' | 'mask'>>;
  scale?: ImageScale | null;
  vessels?: Numbers<VesselReport>;
  quality?: number | null;
}

export type ReportInput = PupilReportInput | RetinaReportInput;

/** No pupil is wider, mm: what is, was not calibrated (dilated pupils have 8 to 9; Watson and Yellott, J Vis 12(10), 2012). */
const WIDEST_PUPIL = 15;

const check: Check = new Check('createReport');
const sides = ['left', 'right'] as const;

const sideOf = (path: string, side: Side | null | undefined): Side | null =>
  side === null || side === undefined ? null : check.oneOf(path, side, sides);

/**
 * Throws 'invalid-argument': the message names the path of the value and the rule. Millimetres need a calibration and
 * micrometres a scale; without one the report is in pixels and says so among its warnings.
 */
export function createReport(input: PupilReportInput): PupilReport;
export function createReport(input: RetinaReportInput): RetinaReport;
export function createReport(input: ReportInput): Report;
export function createReport(input: ReportInput): Report {
  check.object('the report', input);
  check.oneOf('kind', input.kind, ['pupil', 'retina']);
  return input.kind === 'pupil' ? pupilReport(input) : retinaReport(input);
}

function base(input: ReportInput) {
  const started = check.instant('started', input.started);
  const ended = input.ended === undefined || input.ended === null ? null : check.instant('ended', input.ended);
  if (ended !== null && ended < started) check.fail('ended', `must not be before started (${started}), not ${ended}.`);
  return {
    software: 'foveola' as const,
    ...{ version, notice, started, ended },
    id: uuidFrom(input.id, 'createReport: id'),
    created: check.instant('created', input.created ?? new Date()),
    camera: cameraOf(input.camera),
    backend: check.text('backend', input.backend),
    renderer: check.text('renderer', input.renderer),
    parameters: check.plain('parameters', input.parameters ?? {}),
    patient: check.reference('patient', input.patient, 'Patient'),
    encounter: check.reference('encounter', input.encounter, 'Encounter'),
    dicomPatient: patientOf(input.dicomPatient),
  };
}

function cameraOf(camera: InputBase['camera']): PupilReport['camera'] {
  if (camera === null || camera === undefined) return null;
  check.object('camera', camera);
  const name = check.text('camera.name', camera.name, 64);
  if (!name) check.fail('camera.name', 'must be a text that is not empty.');
  return {
    name,
    model: check.text('camera.model', camera.model, 64),
    serial: check.text('camera.serial', camera.serial, 64),
  };
}

function patientOf(patient: DicomPatient | null | undefined): DicomPatient | null {
  if (patient === null || patient === undefined) return null;
  check.object('dicomPatient', patient);
  const { name, id, birthDate, sex } = patient;
  check.text('dicomPatient.name', name, 64);
  check.text('dicomPatient.id', id, 64);
  if (birthDate !== undefined && !/^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(birthDate))
    check.fail('dicomPatient.birthDate', `must have the form YYYYMMDD, not '${birthDate}'.`);
  if (sex !== undefined) check.oneOf('dicomPatient.sex', sex, ['M', 'F', 'O']);
  return {
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
    ...(birthDate !== undefined && { birthDate }),
    ...(sex !== undefined && { sex }),
  };
}

/** The names of an instance, each checked. Throws 'invalid-argument'. */
export function dicomSource(path: string, source: DicomSource, checked: Check = check): DicomSource {
  checked.object(path, source);
  const { frame } = source;
  if (frame !== undefined && !Number.isInteger(checked.known(`${path}.frame`, frame, 1)))
    checked.fail(`${path}.frame`, `must be a whole number from 1 on, not ${frame}.`);
  return {
    sopClassUid: checked.uid(`${path}.sopClassUid`, source.sopClassUid),
    sopInstanceUid: checked.uid(`${path}.sopInstanceUid`, source.sopInstanceUid),
    studyInstanceUid: checked.uid(`${path}.studyInstanceUid`, source.studyInstanceUid),
    seriesInstanceUid: checked.uid(`${path}.seriesInstanceUid`, source.seriesInstanceUid),
    ...(frame !== undefined && { frame }),
  };
}

function sourceOf(source: InputBase['source'] = {}, mask?: { width: number; height: number }): PupilReport['source'] {
  const sha256 = check.text('source.sha256', source.sha256);
  if (sha256 !== null && !/^[0-9a-f]{64}$/i.test(sha256)) check.fail('source.sha256', 'must be 64 hexadecimal digits.');
  return {
    name: check.text('source.name', source.name),
    sha256: sha256?.toLowerCase() ?? null,
    width: check.number('source.width', source.width ?? mask?.width, 1, 65535),
    height: check.number('source.height', source.height ?? mask?.height, 1, 65535),
    dicom: source.dicom ? dicomSource('source.dicom', source.dicom) : null,
  };
}

function pupilReport(input: PupilReportInput): PupilReport {
  const unit = check.oneOf('unit', input.unit, ['px', 'mm']);
  const calibration = input.calibration ?? null;
  if (unit === 'mm' && !calibration)
    check.fail(
      'calibration',
      "is missing: unit 'mm' needs calibration.millimetresPerPixel; without one the unit is 'px'.",
    );
  if (!Array.isArray(input.eyes) || input.eyes.length < 1 || input.eyes.length > 2)
    check.fail('eyes', 'must be a list of one or two eyes.');
  const eyes = input.eyes.map((eye, i) => eyeReport(`eyes[${i}]`, eye, unit));
  if (eyes.length === 2 && (eyes[0]!.laterality === null || eyes[0]!.laterality === eyes[1]!.laterality))
    check.fail(
      'eyes[1].laterality',
      'and eyes[0].laterality must be the one left and the other right where there are two eyes.',
    );
  const uncalibrated =
    'No calibration: lengths are in pixels of the picture and cannot be compared with other recordings.';
  return {
    kind: 'pupil',
    ...base(input),
    source: sourceOf(input.source),
    unit,
    calibration: calibration && {
      millimetresPerPixel: check.known('calibration.millimetresPerPixel', calibration.millimetresPerPixel, 1e-6, 10),
      method: check.text('calibration.method', calibration.method),
    },
    eyes,
    warnings: [...check.texts('warnings', input.warnings), ...(unit === 'px' ? [uncalibrated] : [])],
  };
}

function eyeReport(path: string, eye: EyeInput, unit: 'px' | 'mm'): EyeReport {
  check.object(path, eye);
  const series = eye.series ? samplesOf(`${path}.series`, eye.series, unit) : null;
  const spans = eye.blinks ?? eye.series?.blinks ?? null;
  const blinks = (spans ?? []).map(({ onset, offset }, i) => {
    check.known(`${path}.blinks[${i}].onset`, onset);
    check.known(`${path}.blinks[${i}].offset`, offset, onset);
    return { onset, offset };
  });
  if (eye.reflexes !== undefined && !Array.isArray(eye.reflexes)) check.fail(`${path}.reflexes`, 'must be a list.');
  const reflexes = (eye.reflexes ?? []).map((reflex: ReflexInput, i: number) =>
    reflexReport(`${path}.reflexes[${i}]`, reflex, unit),
  );
  const summary = eye.summary ? summaryOf(`${path}.summary`, eye.summary, unit) : series && seriesSummary(series);
  if (!reflexes.length && !summary && !spans)
    check.fail(path, 'must have at least one of reflexes, series, summary and blinks.');
  return {
    laterality: sideOf(`${path}.laterality`, eye.laterality),
    ...{ reflexes, summary, blinks, series },
    blinkSummary: spans && blinkSummary(blinks, summary?.duration ?? null),
  };
}

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
      check.fail(`${path}.${name}`, `must have as many samples as timestamp, ${length}, not ${String(list?.length)}.`);
  for (let i = 0; i < length; i++) {
    check.known(`${path}.timestamp[${i}]`, timestamp[i], i ? timestamp[i - 1] : undefined);
    check.number(`${path}.diameter[${i}]`, diameter[i], 0, widest(unit));
  }
  if (rate !== undefined) check.known(`${path}.rate`, rate, 0);
  return { timestamp, diameter, ...(raw && { raw }), ...(valid && { valid }), ...(rate !== undefined && { rate }) };
}

function reflexReport(path: string, reflex: ReflexInput, unit: 'px' | 'mm'): ReflexReport {
  check.object(path, reflex);
  const value = (name: keyof typeof reflexMeasures): number | null => {
    const { quantity } = reflexMeasures[name];
    const most = quantity === 'length' ? widest(unit) : quantity === 'percent' ? 100 : Infinity;
    // Velocities may have either sign: who measures says which way is positive.
    return check.number(`${path}.${name}`, reflex[name], quantity === 'speed' ? -Infinity : 0, most);
  };
  const [baseline, minimum] = [value('baseline'), value('minimum')];
  if (baseline !== null && minimum !== null && minimum > baseline)
    check.fail(`${path}.minimum`, `must not be above baseline (${baseline}), not ${minimum}.`);
  const names = Object.keys(reflexMeasures) as (keyof typeof reflexMeasures)[];
  return {
    ...(Object.fromEntries(names.map((name) => [name, value(name)])) as Record<(typeof names)[number], number | null>),
    quality: check.number(`${path}.quality`, reflex.quality, 0, 1),
    warnings: check.texts(`${path}.warnings`, reflex.warnings),
    onset: check.number(`${path}.onset`, reflex.onset),
    stimulus: check.text(`${path}.stimulus`, reflex.stimulus),
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
    check.fail('scale', "is missing: unit 'um' needs scale.micrometresPerPixel; without one the unit is 'px'.");
  if (!result && !input.vessels) check.fail('result', 'or vessels must be given.');
  if (result) check.known('result.fraction', result.fraction, 0, 1);
  const computed = result && vesselSummary(result, unit);
  const given: Numbers<VesselReport> = input.vessels ?? {};
  const names = Object.keys(retinaMeasures) as (keyof VesselReport)[];
  const vessels = Object.fromEntries(
    names.map((name) => {
      const most = retinaMeasures[name].quantity === 'percent' ? 100 : Infinity;
      return [name, check.number(`vessels.${name}`, given[name], 0, most) ?? computed?.[name] ?? null];
    }),
  ) as unknown as VesselReport;
  const unscaled = 'No scale: lengths are in pixels of the photograph and cannot be compared with other photographs.';
  return {
    kind: 'retina',
    ...base(input),
    source: sourceOf(input.source, result?.mask),
    ...{ unit, vessels },
    scale: scale && { micrometresPerPixel: scale.micrometresPerPixel, from: scale.from },
    laterality: sideOf('laterality', input.laterality),
    quality: check.number('quality', input.quality ?? result?.confidence, 0, 1),
    warnings: [
      ...check.texts('result.warnings', result?.warnings),
      ...check.texts('warnings', input.warnings),
      ...(unit === 'px' ? [unscaled] : []),
    ],
  };
}
