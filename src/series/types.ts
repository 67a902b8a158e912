/** What the functions of series take and give. Times in milliseconds, on one clock. */
import type { EventSpan, EyeEventKind, Laterality } from '../results/types.ts';

/** One sample of a pupil. A pupil that was not found has the diameter NaN (null in JSON). */
export interface PupilSample {
  timestamp: number;
  /** In any unit, which is that of the results. NaN, null or 0: no pupil. */
  diameter: number | null;
  /** 0..1; 1 where it is left out. */
  confidence?: number;
  /** The lid lies over the pupil, as another tracker says. */
  blink?: boolean;
  /**
   * The event of the tracker's list that covers the sample, null where none does (`pupilSamples` sets it). Where no sample
   * has it, `cleanSeries` finds the events.
   */
  event?: EyeEventKind | null;
  /** Whose eye (`pupilSamples` sets it). */
  eye?: Laterality;
}

/** Samples as they were measured. */
export interface MeasuredSamples {
  timestamp: Float64Array;
  /** NaN where there was no pupil. */
  diameter: Float64Array;
  /** 1 where no step of the cleaning took the sample out. */
  valid: Uint8Array;
}

/** How many samples each step of the cleaning took out. */
export interface RejectedSamples {
  missing: number;
  confidence: number;
  blink: number;
  margin: number;
  speed: number;
  trend: number;
  island: number;
}

/** A pupil over time. All arrays have one value for each time. */
export interface PupilSeries {
  timestamp: Float64Array;
  /** Cleaned. NaN where nothing was measured and the gap is too long to be filled. */
  diameter: Float64Array;
  /** As measured: after resampling that of the nearest sample, NaN where none lies within half a step. */
  raw: Float64Array;
  /** 1 where the diameter rests on a sample that was kept, 0 where it was interpolated or is missing. */
  valid: Uint8Array;
  /** Samples a second: as asked for, else one over the median step. */
  rate: number;
  /** Whose eye, where the samples say it. */
  eye?: Laterality;
  /** Those of `events` that are blinks and have ended. */
  blinks: { onset: number; offset: number }[];
  /** Blinks, closures and losses. Results of cleanSeries have it. */
  events?: EventSpan[];
  /** All samples at their own times. Results of cleanSeries have it. */
  samples?: MeasuredSamples;
  rejected?: RejectedSamples;
  warnings?: string[];
}
