/**
 * What was measured, by what and of whom, as one plain object: the one thing that FHIR, DICOM, HTML and messages are made of.
 * Made by `createReport`, which checks it. Lengths are in `unit`; times in milliseconds on the clock of the recording, dates
 * as ISO 8601. What is not known is null, never 0.
 */
import type { CorrectionNote } from '../results/corrections.ts';
import type { EventSpan, ImageScale, Laterality } from '../results/types.ts';
import type { LengthUnit } from './units.ts';

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
