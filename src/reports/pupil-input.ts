/** Input of a report of a pupil test: results of the library, unchanged. */
import type { About } from '../results/recording.ts';
import type { EventSpan, Laterality } from '../results/types.ts';
import type { InputBase, Numbers, QualityInput } from './report-base.ts';
import type {
  AfferentDefectReport,
  AnisocoriaReport,
  BlinkSpan,
  DarkAdaptationReport,
  HippusReport,
  NearReport,
  NetPostIlluminationReport,
  Norms,
  PostIlluminationReport,
  ReflexReport,
  SeriesSamples,
  SeriesSummary,
  Side,
  TaskReport,
  UnrestReport,
} from './report.ts';
import type { AverageParts } from './test-measures.ts';

export type AnisocoriaInput = Numbers<Omit<AnisocoriaReport, 'larger'>> & Pick<AnisocoriaReport, 'larger'>;
export type AfferentDefectInput = Numbers<Omit<AfferentDefectReport, 'eye' | 'warnings'>> &
  Pick<AfferentDefectReport, 'eye'> & { warnings?: readonly string[] };
export type HippusInput = Numbers<Omit<HippusReport, 'warnings'>> & {
  warnings?: readonly string[];
  eye?: Laterality;
};
export type TaskInput = Numbers<Omit<TaskReport, 'label'>> & {
  label?: string | null;
  eye?: Laterality;
  pupil?: number;
};
/** Eye and index of a result of `evaluateTest`. */
interface OfEye {
  eye?: Laterality;
  pupil?: number;
}
interface Warned {
  warnings?: readonly string[];
}
export type PostIlluminationInput = Numbers<Omit<PostIlluminationReport, 'warnings' | 'stimulus'>> &
  OfEye &
  Warned & { stimulus?: string | null; label?: string | null; lit?: 'both' | 'left' | 'right' | null };
export type NetPostIlluminationInput = Numbers<NetPostIlluminationReport> & OfEye;
export type UnrestInput = Numbers<Omit<UnrestReport, 'warnings' | 'windows'>> &
  OfEye &
  Warned & { windows?: readonly (number | null)[] };
export type DarkAdaptationInput = Numbers<Omit<DarkAdaptationReport, 'warnings'>> & OfEye & Warned;
export type NearInput = Numbers<Omit<NearReport, 'warnings'>> & OfEye & Warned & { label?: string | null };
export type AverageInput = Readonly<Record<string, Numbers<Record<AverageParts, number | null>>>>;

/** The result of `evaluateTest`. */
export interface TestMeasuresInput {
  readonly series: readonly (EyeInput['series'] | null)[];
  readonly reflexes?: readonly ReflexInput[];
  readonly afferentDefect?: AfferentDefectInput | null;
  readonly anisocoria?: AnisocoriaInput | null;
  readonly hippus?: readonly (HippusInput | null)[];
  readonly tasks?: readonly TaskInput[];
  readonly postIllumination?: readonly PostIlluminationInput[];
  readonly netPostIllumination?: readonly NetPostIlluminationInput[];
  readonly unrest?: readonly (UnrestInput | null)[];
  readonly darkAdaptation?: readonly (DarkAdaptationInput | null)[];
  readonly near?: readonly NearInput[];
  readonly warnings?: readonly string[];
}

/** The result of `<foveola-pupil-test>`. */
export interface TestResultInput {
  readonly measures: TestMeasuresInput;
  readonly started?: string;
  readonly complete?: boolean;
  readonly unit?: 'px' | 'mm';
  readonly quality?: QualityInput;
  readonly backend?: string | null;
  readonly protocol?: object;
  /** The screen as described to the element. It becomes a parameter of the report. */
  readonly screen?: object | null;
  readonly about?: About;
}

/** The result of lightReflex, with the onset and a description of the stimulus. NaN and null mean not known. */
export type ReflexInput = Numbers<Omit<ReflexReport, 'warnings' | 'stimulus'>> & {
  warnings?: readonly string[];
  /** Default: its label and the eye that it lit, by `evaluateTest`. */
  stimulus?: string | null;
  label?: string | null;
  lit?: 'both' | 'left' | 'right' | null;
  /** The eye of this pupil. */
  eye?: Laterality;
  /** Index of the eye in the result of a test. */
  pupil?: number;
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
  /** The result of averageReflexes. */
  average?: AverageInput | null;
  /** The result of hippus. */
  hippus?: HippusInput | null;
  /** Responses to tasks, as returned by evaluateTest. */
  tasks?: readonly TaskInput[];
  /** Results of postIllumination, and their difference as returned by evaluateTest. */
  postIllumination?: readonly PostIlluminationInput[];
  netPostIllumination?: NetPostIlluminationInput | null;
  /** The result of unrest. */
  unrest?: UnrestInput | null;
  /** The result of darkAdaptation. */
  darkAdaptation?: DarkAdaptationInput | null;
  /** Results of nearResponse. */
  near?: readonly NearInput[];
  /** Blinks, closures and losses. Default: the events of the series. */
  events?: readonly EventSpan[] | null;
  /** Blinks only, for sources without other events. */
  blinks?: readonly BlinkSpan[] | null;
  /** Replaces the summary computed from `series`. */
  summary?: SeriesSummary | null;
}

export interface PupilReportInput extends Omit<InputBase, 'started'> {
  kind: 'pupil';
  /**
   * The result of evaluateTest, or of `<foveola-pupil-test>`, which also contains `started`, `unit`, `quality` and
   * `backend`. It replaces `eyes`.
   */
  result?: TestMeasuresInput | TestResultInput | null;
  /** Required without the result of `<foveola-pupil-test>`. */
  started?: Date | string;
  /**
   * Unit of all lengths. 'mm' needs a calibration. Nothing is converted here. Required without the result of
   * `<foveola-pupil-test>`.
   */
  unit?: 'px' | 'mm';
  calibration?: { millimetresPerPixel: number; method?: string | null; uncertaintyPercent?: number | null } | null;
  /** Required without `result`. */
  eyes?: readonly EyeInput[];
  /** The result of anisocoria. */
  anisocoria?: AnisocoriaInput | null;
  /** The result of relativeAfferentDefect. */
  afferentDefect?: AfferentDefectInput | null;
  /** Quality of the whole recording, from a QualityMeter. Faults become warnings. */
  quality?: QualityInput | null;
  /** Norms of your laboratory, or of a publication, and the age of the person. */
  norms?: Norms | null;
}
