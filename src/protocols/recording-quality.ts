/**
 * Checks whether the camera data is good enough for a test, before and during the test. The check uses the results of
 * the last seconds and returns codes, which the page turns into messages.
 */
import { median } from '../image/numbers.ts';
import type { PupilResult } from '../results/types.ts';

/** Possible faults, the most serious first. */
export const qualityFaults = ['no-frames', 'eye-not-in-view', 'uncertain', 'slow', 'drops', 'blinks'] as const;
export type QualityFault = (typeof qualityFaults)[number];

export interface RecordingQuality {
  /** Number of frames, and the share of them with a pupil (for each required eye). Blinks are excluded. */
  frames: number;
  found: number;
  /** Median confidence of the detected pupils. 0 without any. */
  confidence: number;
  /** Frames per second, measured. */
  rate: number;
  /** Share of the source's frames that were dropped. */
  dropped: number;
  /** Share of the frames with the eye closed. */
  blinking: number;
  faults: QualityFault[];
  /** True without any faults. */
  good: boolean;
}

/**
 * The limits were chosen by hand. A light reflex lasts a second, so 20 samples per second are the minimum (Kelbsch et
 * al. 2019 ask for at least 25). Kret and Sjak-Shie (2019) exclude trials if more than half of the samples are missing.
 * `confidence` is higher than `minConfidence` of the trackers, below which nothing is detected. At this value begins
 * the tenth of the scale where nearly every pupil is right (lab/results/accuracy.md, reliability of the confidence).
 */
export const qualityLimits = { found: 0.8, confidence: 0.9, rate: 20, dropped: 0.1, blinking: 0.3 } as const;

interface Seen {
  readonly at: number;
  readonly found: number;
  readonly blink: boolean;
  readonly confidence: number;
  readonly dropped: number;
}

/** Quality of the last `seconds` of a tracker's results. */
export class QualityMeter {
  readonly #eyes: number;
  readonly #span: number;
  #seen: Seen[] = [];

  constructor(eyes: 1 | 2 = 1, seconds = 3) {
    this.#eyes = eyes;
    this.#span = seconds * 1000;
  }

  add({ timestamp, pupils, dropped }: PupilResult): void {
    const eyes = pupils.slice(0, this.#eyes);
    const found = eyes.filter((pupil) => pupil.found);
    this.#seen.push({
      at: timestamp,
      found: found.length / this.#eyes,
      blink: !found.length && eyes.some((pupil) => pupil.blink),
      confidence: found.length ? Math.min(...found.map((pupil) => pupil.confidence)) : NaN,
      dropped,
    });
    const from = timestamp - this.#span;
    const first = this.#seen.findIndex(({ at }) => at > from);
    if (first > 0) this.#seen = this.#seen.slice(first);
  }

  clear(): void {
    this.#seen = [];
  }

  judge(): RecordingQuality {
    const seen = this.#seen;
    const open = seen.filter(({ blink }) => !blink);
    const frames = seen.length;
    const found = open.length ? open.reduce((sum, one) => sum + one.found, 0) / open.length : 0;
    const confidences = open.map((one) => one.confidence).filter((value) => !Number.isNaN(value));
    const confidence = confidences.length ? median(confidences) : 0;
    const lasted = frames > 1 ? seen[frames - 1]!.at - seen[0]!.at : 0;
    const rate = lasted > 0 ? ((frames - 1) * 1000) / lasted : 0;
    // Frames dropped before the first result do not belong to this period.
    const lost = seen.slice(1).reduce((sum, one) => sum + one.dropped, 0);
    const dropped = frames ? lost / (frames + lost) : 0;
    const blinking = frames ? 1 - open.length / frames : 0;
    const wrong: Record<QualityFault, boolean> = {
      'no-frames': frames < 2,
      'eye-not-in-view': frames >= 2 && found < qualityLimits.found,
      uncertain: found > 0 && confidence < qualityLimits.confidence,
      slow: lasted >= this.#span / 2 && rate < qualityLimits.rate,
      drops: dropped > qualityLimits.dropped,
      blinks: blinking > qualityLimits.blinking,
    };
    const faults = qualityFaults.filter((fault) => wrong[fault]);
    return { frames, found, confidence, rate, dropped, blinking, faults, good: !faults.length };
  }
}
