/** The columns that the extension adds to the data of a trial. */
import type { EyeEvent, QualityMeter } from 'foveola';
import { ParameterType } from 'jspsych';
import type { Delay } from './delay.ts';
import type { RecordedResult } from './recorder.ts';

const list = { type: ParameterType.COMPLEX, array: true, default: undefined } as const;
const float = { type: ParameterType.FLOAT, default: undefined } as const;
const int = { type: ParameterType.INT, default: undefined } as const;
const text = { type: ParameterType.STRING, default: undefined } as const;

/** Times are in ms. `t`, `onset` and `offset` count from `pupil_onset`. A value that is not known is null. */
export const columns = {
  /** One object per eye and frame: t, eye, diameter (px), diameter_mm, x, y (px), confidence, found, blink. */
  pupil_samples: list,
  /** Blinks, closures and losses: kind, eye, onset, offset, final. */
  pupil_events: list,
  /** Start of the trial on the clock of performance.now(). */
  pupil_onset: float,
  /** Mean diameter of the samples outside of events, in `pupil_unit`. */
  pupil_diameter: float,
  /** 'mm' after a calibration, otherwise 'px'. */
  pupil_unit: text,
  /** Number of blinks. */
  pupil_blinks: int,
  pupil_frames: int,
  /** Share of the frames with a pupil, 0 to 1, without blinks. */
  pupil_found: float,
  /** Median confidence of the pupils, 0 to 1. */
  pupil_confidence: float,
  /** Frames per second. */
  pupil_rate: float,
  /** Share of the camera's frames that were dropped, 0 to 1. */
  pupil_dropped: float,
  /** Faults of the recording: 'no-frames', 'eye-not-in-view', 'uncertain', 'slow', 'drops', 'blinks'. */
  pupil_faults: { ...text, array: true },
  /** Clock of the samples: 'capture', 'arrival', or 'simulated'. */
  pupil_clock: text,
  /** True if all frames of the trial had arrived when its data were written. */
  pupil_complete: { type: ParameterType.BOOL, default: undefined },
  /** Measured delay from screen to camera, and its 95 % interval. Not subtracted from any time. */
  pupil_delay: float,
  pupil_delay_low: float,
  pupil_delay_high: float,
  /** Message if the camera or the tracker failed. */
  pupil_error: text,
} as const;

const known = (value: number | null, digits: number): number | null =>
  value !== null && Number.isFinite(value) ? Number(value.toFixed(digits)) : null;

export interface TrialInput {
  results: readonly RecordedResult[];
  events: readonly EyeEvent[];
  /** Start and end of the trial on the clock of the results, ms. */
  from: number;
  to: number;
  complete: boolean;
  delay: Delay | null;
  error: unknown;
}

/** The data of one trial. `meter` must be new. */
export function trialData(meter: QualityMeter, input: TrialInput): Record<keyof typeof columns, unknown> {
  const { results, events, from, to, delay, error } = input;
  for (const result of results) meter.add(result);
  const quality = meter.judge();
  const pupils = results.flatMap(({ timestamp, pupils }) =>
    pupils.map((pupil, index) => ({ timestamp, index, pupil })),
  );
  const unit = pupils.some(({ pupil }) => pupil.diameterMm !== null) ? 'mm' : 'px';
  const open = pupils.filter(
    ({ timestamp, index, pupil }) =>
      pupil.found && !events.some((one) => one.pupil === index && timestamp >= one.onset && timestamp < one.offset),
  );
  const diameters = open.map(({ pupil }) => (unit === 'mm' ? pupil.diameterMm : pupil.diameter) ?? NaN);
  return {
    pupil_samples: pupils.map(({ timestamp, pupil }) => ({
      t: known(timestamp - from, 2),
      eye: pupil.eye,
      diameter: known(pupil.diameter, 3),
      diameter_mm: known(pupil.diameterMm, 4),
      x: known(pupil.x, 2),
      y: known(pupil.y, 2),
      confidence: known(pupil.confidence, 3),
      found: pupil.found,
      blink: pupil.blink,
    })),
    pupil_events: events.map(({ kind, eye, onset, offset, final }) => ({
      kind,
      eye,
      onset: known(onset - from, 2),
      offset: known(offset - from, 2),
      final,
    })),
    pupil_onset: known(from, 3),
    pupil_diameter: known(diameters.reduce((sum, one) => sum + one, 0) / diameters.length, 4),
    pupil_unit: unit,
    // A blink that started before the trial is counted where it started.
    pupil_blinks: events.filter(({ kind, onset }) => kind === 'blink' && onset >= from && onset < to).length,
    pupil_frames: quality.frames,
    pupil_found: known(quality.found, 4),
    pupil_confidence: known(quality.confidence, 3),
    pupil_rate: known(quality.rate, 2),
    pupil_dropped: known(quality.dropped, 4),
    pupil_faults: quality.faults,
    pupil_clock: results.at(-1)?.clock ?? null,
    pupil_complete: input.complete,
    pupil_delay: known(delay?.delay ?? null, 2),
    pupil_delay_low: known(delay?.low ?? null, 2),
    pupil_delay_high: known(delay?.high ?? null, 2),
    pupil_error: error === null ? null : messageOf(error),
  };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
