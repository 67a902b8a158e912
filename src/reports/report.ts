/**
 * What was measured, by what and of whom, as one plain object: the one thing that FHIR, DICOM, HTML and messages are made of.
 * Made by `createReport`, which checks it. Lengths are in `unit`; times in milliseconds on the clock of the recording, dates
 * as ISO 8601. What is not known is null, never 0.
 */
import type { CorrectionNote } from '../results/corrections.ts';
import type { EventSpan, ImageScale, Laterality, VesselResult } from '../results/types.ts';

// Units of what is measured: as people read them, and in UCUM.

/** What a number is; the unit follows, of lengths and speeds from the unit of the report. */
export type Quantity = 'length' | 'speed' | 'time' | 'percent' | 'share' | 'count' | 'ratio' | 'rate' | 'frequency';

export type LengthUnit = 'px' | 'mm' | 'um';

export interface Unit {
  /** As people read it; the space before it is not there. */
  readonly text: string;
  /** UCUM. Pixels have no unit there: they stand in braces, as in DICOM. */
  readonly ucum: string;
  readonly name: string;
  /** Digits after the point. */
  readonly digits: number;
}

export const ucumSystem = 'http://unitsofmeasure.org';

const lengths: Readonly<Record<LengthUnit, Unit>> = {
  px: { text: 'px', ucum: '{pixels}', name: 'pixels', digits: 2 },
  mm: { text: 'mm', ucum: 'mm', name: 'millimeter', digits: 3 },
  um: { text: 'µm', ucum: 'um', name: 'micrometer', digits: 1 },
};
const others: Readonly<Record<Exclude<Quantity, 'length' | 'speed'>, Unit>> = {
  time: { text: 'ms', ucum: 'ms', name: 'millisecond', digits: 0 },
  percent: { text: '%', ucum: '%', name: 'percent', digits: 1 },
  share: { text: '', ucum: '1', name: 'no units', digits: 3 },
  count: { text: '', ucum: '1', name: 'no units', digits: 0 },
  ratio: { text: '', ucum: '1', name: 'no units', digits: 3 },
  rate: { text: '/min', ucum: '/min', name: 'per minute', digits: 1 },
  frequency: { text: 'Hz', ucum: 'Hz', name: 'hertz', digits: 1 },
};

export function unitOf(quantity: Quantity, length: LengthUnit): Unit {
  const { text, ucum, name, digits } = lengths[length];
  if (quantity === 'length') return lengths[length];
  if (quantity === 'speed') return { text: `${text}/s`, ucum: `${ucum}/s`, name: `${name} per second`, digits };
  return others[quantity];
}

/** Rounded for people and records; null stays null. */
export const rounded = (value: number, { digits }: Unit): number => Number(value.toFixed(digits));

export type BlinkSpan = Pick<EventSpan, 'onset' | 'offset'>;

export type Side = 'left' | 'right';

/** As `lightReflex` gives it: lengths in the unit of the series, velocities per second, times in milliseconds. */
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
  /** Where they were measured as well. */
  latencyLow?: number | null;
  latencyHigh?: number | null;
  maximum?: number | null;
  peakDilationVelocity?: number | null;
  /** Per cent. */
  pipr?: number | null;
  /** 0..1. */
  quality: number | null;
  warnings: readonly string[];
}

export interface ReflexReport extends LightReflexValues {
  /** Of the stimulus, ms on the clock of the series. */
  onset: number | null;
  /** In plain words: 'white, 1 s, 100 lx'. */
  stimulus: string | null;
}

/** As `cleanSeries` gives it. */
export interface SeriesSamples {
  readonly timestamp: ArrayLike<number>;
  /** NaN where it is missing. */
  readonly diameter: ArrayLike<number>;
  /** What was measured, before anything was filled in or smoothed. */
  readonly raw?: ArrayLike<number>;
  /** 1 where the sample was measured. */
  readonly valid?: ArrayLike<number>;
  /** Samples in a second. */
  readonly rate?: number;
  /** Whose eye, where the samples say it. */
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

/** Of what had ended. */
export interface BlinkSummary {
  count: number;
  /** Absent where only blinks were listed. */
  closures?: number;
  rate: number | null;
  meanDuration: number | null;
}

export interface EyeReport {
  /** Of the person. */
  eye: Laterality;
  reflexes: ReflexReport[];
  summary: SeriesSummary | null;
  events: EventSpan[];
  /** Null where the eye was not looked at for blinks. */
  blinkSummary: BlinkSummary | null;
  /** For plots and tables of samples; not in FHIR and DICOM. */
  series: SeriesSamples | null;
}

export interface VesselReport {
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

/** The DICOM instance that was measured, as its file names it. */
export interface DicomSource {
  sopClassUid: string;
  sopInstanceUid: string;
  studyInstanceUid: string;
  seriesInstanceUid: string;
  /** Counts from 1; absent where there is one frame. */
  frame?: number;
}

/** As DICOM has it: 'Doe^Jane', YYYYMMDD. Only what the portal gives; nothing is kept or asked for. */
export interface DicomPatient {
  name?: string;
  id?: string;
  birthDate?: string;
  sex?: 'M' | 'F' | 'O';
}

export interface ReportSource {
  name: string | null;
  /** Of the file's bytes, in hex. */
  sha256: string | null;
  width: number | null;
  height: number | null;
  dicom: DicomSource | null;
}

interface ReportBase {
  readonly software: 'foveola';
  readonly version: string;
  readonly notice: string;
  /** A UUID. What goes into a record is named after it: sent twice, it is the same. */
  readonly id: string;
  readonly created: string;
  /** Of the measurement. */
  readonly started: string;
  readonly ended: string | null;
  readonly unit: LengthUnit;
  /** What took the pictures; null where it is not known. */
  readonly camera: { name: string; model: string | null; serial: string | null } | null;
  /** How the engine computed it. */
  readonly backend: string | null;
  readonly renderer: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly source: ReportSource;
  /** FHIR references that the portal gives: 'Patient/42'. */
  readonly patient: string | null;
  readonly encounter: string | null;
  readonly dicomPatient: DicomPatient | null;
  readonly warnings: readonly string[];
}

export interface PupilReport extends ReportBase {
  readonly kind: 'pupil';
  readonly unit: 'px' | 'mm';
  /** Null: everything is in pixels. */
  readonly calibration: { millimetresPerPixel: number; method: string | null } | null;
  readonly eyes: readonly EyeReport[];
}

export interface RetinaReport extends ReportBase {
  readonly kind: 'retina';
  readonly unit: 'px' | 'um';
  readonly laterality: Side | null;
  /** Null: everything is in pixels. */
  readonly scale: ImageScale | null;
  readonly vessels: VesselReport;
  /** What a person has corrected; null where nobody could. */
  readonly corrections: readonly (Readonly<Record<string, unknown>> & CorrectionNote)[] | null;
  /** 0..1. */
  readonly quality: number | null;
}

export type Report = PupilReport | RetinaReport;

// What a series of diameters, a list of blinks and a result of `engine.vessels` come to in a few numbers.

/** Samples that were measured: valid where the series says so, and a number. */
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

/** `duration`: of the recording, ms; null where it is not known. `all`: closures were looked for as well. */
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

/** Micrometres where `unit` asks for them; pixels elsewhere. Widths are weighted by the lengths of their segments. */
export function vesselSummary(
  result: Pick<VesselResult, 'fraction' | 'segments' | 'branchPoints'>,
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
  };
}
