/**
 * A report: measurements, devices and subject as one plain object. FHIR, DICOM, HTML and messages are created from it
 * alone. `createReport` creates and checks it. Lengths are in `unit`. Times are in milliseconds on the clock of the
 * recording, dates are ISO 8601. An unknown value is null, never 0.
 */
import type { DicomSource } from '../results/dicom-identity.ts';
import type { About } from '../results/recording.ts';
import type { CorrectionNote } from '../results/export-vessels.ts';
import type { EventSpan, ImageScale, Laterality, VesselResult } from '../results/types.ts';
import type { LengthUnit } from './units.ts';
import type {
  afferentMeasures,
  anisocoriaMeasures,
  AveragedMeasure,
  AverageParts,
  darkAdaptationMeasures,
  hippusMeasures,
  nearMeasures,
  netPostIlluminationMeasures,
  postIlluminationMeasures,
  recordingMeasures,
  taskMeasures,
  unrestMeasures,
} from './test-measures.ts';

type Values<Table> = { [K in keyof Table]: number | null };

export type BlinkSpan = Pick<EventSpan, 'onset' | 'offset'>;

export type Side = 'left' | 'right';

/** The result of `lightReflex`: lengths in the unit of the series, velocities per second, times in milliseconds. */
export interface LightReflexValues {
  latency: number | null;
  baseline: number | null;
  minimum: number | null;
  amplitude: number | null;
  amplitudePercent: number | null;
  constrictionVelocity: number | null;
  peakConstrictionVelocity: number | null;
  dilationVelocity: number | null;
  timeToMinimum: number | null;
  t50: number | null;
  t75: number | null;
  /** Present if they were measured. */
  latencyLow?: number | null;
  latencyHigh?: number | null;
  maximum?: number | null;
  peakDilationVelocity?: number | null;
  /** Percent. */
  pipr?: number | null;
  /** 0 to 1. */
  quality: number | null;
  warnings: readonly string[];
}

export interface ReflexReport extends LightReflexValues {
  /** Onset of the stimulus, ms on the clock of the series. */
  onset: number | null;
  /** Description, such as 'white, 1 s, 100 lx'. */
  stimulus: string | null;
}

/** The result of `cleanSeries`. */
export interface SeriesSamples {
  readonly timestamp: ArrayLike<number>;
  /** NaN if it is missing. */
  readonly diameter: ArrayLike<number>;
  /** The measured values, before interpolation and smoothing. */
  readonly raw?: ArrayLike<number>;
  /** 1 if the sample was measured. */
  readonly valid?: ArrayLike<number>;
  /** Samples per second. */
  readonly rate?: number;
  /** The eye, if the samples name it. */
  readonly eye?: Laterality;
  readonly warnings?: readonly string[];
}

export interface SeriesSummary {
  mean: number | null;
  deviation: number | null;
  minimum: number | null;
  maximum: number | null;
  duration: number | null;
  rate: number | null;
  samples: number;
  validPercent: number;
}

/** Only events that have ended are included. */
export interface BlinkSummary {
  count: number;
  /** Absent if only blinks were listed. */
  closures?: number;
  rate: number | null;
  meanDuration: number | null;
}

/** The result of `anisocoria`, in the unit of the report. */
export interface AnisocoriaReport extends Values<typeof anisocoriaMeasures> {
  larger: Side | 'none';
}

/** The result of `relativeAfferentDefect`. */
export interface AfferentDefectReport extends Values<typeof afferentMeasures> {
  /** The eye with the defect. */
  eye: Side | 'none';
  warnings: readonly string[];
}

/** The result of `hippus`. */
export interface HippusReport extends Values<typeof hippusMeasures> {
  warnings: readonly string[];
}

/** A response to a task, by `evaluateTest`. */
export interface TaskReport extends Values<typeof taskMeasures> {
  /** Onset of the task, ms on the clock of the series. */
  onset: number | null;
  label: string | null;
}

/** The result of `postIllumination`, with its light. */
export interface PostIlluminationReport extends Values<typeof postIlluminationMeasures> {
  /** Onset of the light, ms on the clock of the series. */
  onset: number | null;
  stimulus: string | null;
  warnings: readonly string[];
}

export type NetPostIlluminationReport = Values<typeof netPostIlluminationMeasures>;

/** The result of `unrest`. */
export interface UnrestReport extends Values<typeof unrestMeasures> {
  windows: readonly (number | null)[];
  warnings: readonly string[];
}

/** The result of `darkAdaptation`. */
export interface DarkAdaptationReport extends Values<typeof darkAdaptationMeasures> {
  warnings: readonly string[];
}

/** The result of `nearResponse`. */
export interface NearReport extends Values<typeof nearMeasures> {
  /** Onset of looking near, ms on the clock of the series. */
  onset: number | null;
  warnings: readonly string[];
}

/** The result of `averageReflexes`. A measure that is unknown in every reflex has a count of 0. */
export type AverageReport = Partial<Record<AveragedMeasure, Record<AverageParts, number | null>>>;

export interface EyeReport {
  /** The eye of the person. */
  eye: Laterality;
  reflexes: ReflexReport[];
  /** Null if reflexes were not averaged. */
  average: AverageReport | null;
  /** Null if the waves at rest were not measured. */
  hippus: HippusReport | null;
  tasks: TaskReport[];
  /** Responses after each light. */
  postIllumination: PostIlluminationReport[];
  /** Blue minus red. Null without both. */
  netPostIllumination: NetPostIlluminationReport | null;
  unrest: UnrestReport | null;
  darkAdaptation: DarkAdaptationReport | null;
  near: NearReport[];
  summary: SeriesSummary | null;
  events: EventSpan[];
  /** Null if the eye was not checked for blinks. */
  blinkSummary: BlinkSummary | null;
  /** For plots and tables of samples. Not in FHIR and DICOM. */
  series: SeriesSamples | null;
}

type Further = 'superior' | 'inferior' | 'nasal' | 'temporal';
/** Names of the measures that only retinalMeasures returns. */
export type FurtherRetinaMeasure =
  | `${'crae' | 'crve'}${'Vessels' | 'Spread' | 'Hubbard'}`
  | 'avrHubbard'
  | 'kindsConfidence'
  | 'agreement'
  | `${'artery' | 'vein'}${'Tortuosity' | 'Curvature'}`
  | `zone${'A' | 'B' | 'C'}Width`
  | 'zoneMeanWidth'
  | 'zoneSeen'
  | 'curvature'
  | 'fractalError'
  | 'forks'
  | `branching${'Angle' | 'AreaRatio' | 'Asymmetry' | 'Exponent'}`
  | `${'disc' | 'fovea'}Density${Capitalize<Further>}`
  | `disc${'X' | 'Y' | 'Radius' | 'Confidence'}`
  | `fovea${'X' | 'Y'}`;

export interface VesselReport extends Partial<Record<FurtherRetinaMeasure, number | null>> {
  vesselPercent: number | null;
  segments: number | null;
  branchPoints: number | null;
  totalLength: number | null;
  meanWidth: number | null;
  crae: number | null;
  crve: number | null;
  avr: number | null;
  tortuosity: number | null;
  fractalDimension: number | null;
}

export type { DicomSource };

/**
 * In DICOM notation: 'Doe^Jane', YYYYMMDD. Only the portal provides these data. foveola neither stores nor requests
 * them.
 */
export interface DicomPatient {
  name?: string;
  id?: string;
  birthDate?: string;
  sex?: 'M' | 'F' | 'O';
}

export interface ReportSource {
  name: string | null;
  /** SHA-256 of the file's bytes in hex. */
  sha256: string | null;
  width: number | null;
  height: number | null;
  dicom: DicomSource | null;
}

interface ReportBase {
  readonly software: 'foveola';
  readonly version: string;
  readonly notice: string;
  /** A UUID. Identifiers in a record are derived from it, so a report that is sent twice remains one report. */
  readonly id: string;
  readonly created: string;
  /** Start of the measurement. */
  readonly started: string;
  readonly ended: string | null;
  readonly unit: LengthUnit;
  /** The camera. Null if it is not known. */
  readonly camera: { name: string; model: string | null; serial: string | null } | null;
  /** The backend of the engine. */
  readonly backend: string | null;
  readonly renderer: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly source: ReportSource;
  /** FHIR references from the portal: 'Patient/42'. */
  readonly patient: string | null;
  /** Subject, session, trial and note of a study. Absent if none was given. Not in FHIR and DICOM. */
  readonly about?: About;
  readonly encounter: string | null;
  readonly dicomPatient: DicomPatient | null;
  readonly warnings: readonly string[];
}

/** The caller's norm of one measure for a range of ages. */
export interface NormRow {
  /** Our code of the measure, as in `reportCsv`: 'constriction-amplitude'. */
  readonly code: string;
  /** UCUM, as in `reportCsv`: 'mm'. Values in another unit are not compared. */
  readonly unit: string;
  /** Years, both included. Default: every age. */
  readonly fromAge?: number;
  readonly toAge?: number;
  /** Only for this stimulus, as the report describes it. Default: every stimulus. */
  readonly stimulus?: string;
  readonly mean: number;
  readonly deviation: number;
}

/** Norms of a laboratory or a publication, and the age of the person. */
export interface Norms {
  /** Age of the person at the test, years. */
  readonly age: number;
  /** Origin of the table, such as a publication. */
  readonly source: string;
  readonly rows: readonly NormRow[];
}

export interface PupilReport extends ReportBase {
  readonly kind: 'pupil';
  readonly unit: 'px' | 'mm';
  /** Null if all values are in pixels. */
  readonly calibration: {
    millimetresPerPixel: number;
    method: string | null;
    /** All millimeters may be off by this many percent. Null if it is not known. */
    uncertaintyPercent: number | null;
  } | null;
  readonly eyes: readonly EyeReport[];
  /** Null if both pupils were not compared. */
  readonly anisocoria: AnisocoriaReport | null;
  readonly afferentDefect: AfferentDefectReport | null;
  /** Quality of the whole recording. Its faults are warnings. Null if it was not assessed. */
  readonly quality: Values<typeof recordingMeasures> | null;
  /** The caller's norms, and the age of the person. Absent if none were given. */
  readonly norms?: Norms;
}

export interface RetinaReport extends ReportBase {
  readonly kind: 'retina';
  readonly unit: 'px' | 'um';
  readonly laterality: Side | null;
  /** Null if all values are in pixels. */
  readonly scale: ImageScale | null;
  readonly vessels: VesselReport;
  /** Formulas of CRAE and CRVE, such as 'Knudtson 2003'. Null if they were not computed here. */
  readonly formula: string | null;
  /** Manual corrections. Null if no one could make any. */
  readonly corrections: readonly (Readonly<Record<string, unknown>> & CorrectionNote)[] | null;
  /** 0 to 1. */
  readonly quality: number | null;
}

export type Report = PupilReport | RetinaReport;

// Summaries of a series of diameters, of a list of blinks and of a result of `engine.vessels`.

/** Whether a sample was measured: it is valid, if the series has this flag, and a number. */
export const isMeasured = ({ diameter, valid }: SeriesSamples, i: number): boolean =>
  Number.isFinite(diameter[i]) && (valid === undefined || valid[i] === 1);

export function seriesSummary(series: SeriesSamples): SeriesSummary {
  const samples = series.timestamp.length;
  const measured: number[] = [];
  for (let i = 0; i < samples; i++) if (isMeasured(series, i)) measured.push(series.diameter[i]!);
  const n = measured.length;
  const mean = measured.reduce((sum, value) => sum + value, 0) / n;
  const squares = measured.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const duration = samples > 1 ? series.timestamp[samples - 1]! - series.timestamp[0]! : null;
  return {
    mean: n ? mean : null,
    deviation: n > 1 ? Math.sqrt(squares / (n - 1)) : null,
    minimum: n ? measured.reduce((a, b) => Math.min(a, b)) : null,
    maximum: n ? measured.reduce((a, b) => Math.max(a, b)) : null,
    duration,
    rate: series.rate ?? (duration ? (1000 * (samples - 1)) / duration : null),
    samples,
    validPercent: samples ? (100 * n) / samples : 0,
  };
}

/** `duration`: of the recording, ms. Null if it is not known. `all`: the detection included closures. */
export function blinkSummary(events: readonly EventSpan[], duration: number | null, all: boolean): BlinkSummary {
  const ended = (wanted: EventSpan['kind']) => events.filter(({ kind, final }) => kind === wanted && final);
  const blinks = ended('blink');
  const closed = blinks.reduce((sum, { onset, offset }) => sum + offset - onset, 0);
  return {
    count: blinks.length,
    rate: duration ? (60_000 * blinks.length) / duration : null,
    meanDuration: blinks.length ? closed / blinks.length : null,
    ...(all && { closures: ended('closure').length }),
  };
}

/** Micrometers if `unit` requires them, otherwise pixels. Widths are weighted by segment length. */
export function vesselSummary(
  result: Pick<VesselResult, 'fraction' | 'segments' | 'branchPoints' | 'quality'>,
  unit: 'px' | 'um',
): VesselReport {
  const { segments } = result;
  const lengths = segments?.map((one) => (unit === 'um' ? (one.lengthMicrometres ?? NaN) : one.length)) ?? [];
  const widths = segments?.map((one) => (unit === 'um' ? one.widthMicrometres : one.width)) ?? [];
  let [sum, weights] = [0, 0];
  widths.forEach((width, i) => {
    if (width === undefined || !Number.isFinite(width * lengths[i]!)) return;
    sum += width * lengths[i]!;
    weights += lengths[i]!;
  });
  const total = lengths.reduce((all, length) => all + length, 0);
  return {
    vesselPercent: 100 * result.fraction,
    segments: segments?.length ?? null,
    branchPoints: result.branchPoints?.length ?? null,
    totalLength: segments && Number.isFinite(total) ? total : null,
    meanWidth: weights ? sum / weights : null,
    ...{ crae: null, crve: null, avr: null, tortuosity: null, fractalDimension: null },
    ...(result.quality && { agreement: result.quality.agreement }),
  };
}
