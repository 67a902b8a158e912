/**
 * Whether what the camera gives is good enough for a test, before it begins and while it runs: from the last seconds of
 * results, in codes that the page puts into words.
 */
import { median } from '../image/numbers.ts';
import type { PupilResult } from '../results/types.ts';

/** What is wrong, the worst first. */
export const qualityFaults = ['no-frames', 'eye-not-in-view', 'uncertain', 'slow', 'drops', 'blinks'] as const;
export type QualityFault = (typeof qualityFaults)[number];

export interface RecordingQuality {
  /** Frames, and the share of them with a pupil (of each eye that is asked for), blinks left out. */
  frames: number;
  found: number;
  /** Median confidence of the pupils found; 0 without one. */
  confidence: number;
  /** Frames a second that were measured. */
  rate: number;
  /** Share of the source's frames that were dropped. */
  dropped: number;
  /** Share of the frames in which the eye was shut. */
  blinking: number;
  faults: QualityFault[];
  /** Nothing is wrong. */
  good: boolean;
}

/**
 * Chosen by hand: a light reflex lasts a second, so that 20 samples a second are the least (Kelbsch et al. 2019 ask for 25
 * and more); Kret and Sjak-Shie (2019) drop trials with more than half of the samples missing. `confidence` is above
 * `minConfidence` of the trackers, below which nothing is found, and starts the tenth in which nearly every pupil is right
 * (docs/accuracy-tables.md, reliability of the confidence).
 */
export const qualityLimits = { found: 0.8, confidence: 0.9, rate: 20, dropped: 0.1, blinking: 0.3 } as const;

interface Seen {
  readonly at: number;
  readonly found: number;
  readonly blink: boolean;
  readonly confidence: number;
  readonly dropped: number;
}

/** The last `seconds` of a tracker's results. */
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
    // What was dropped before the first of them is not of these seconds.
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
