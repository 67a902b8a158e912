/**
 * Blinks of one eye from the series of its pupil. The core is a gap: no pupil for 50 to 600 ms between two pupils
 * (spontaneous blinks last 100 to 400 ms; Caffier et al., Eur J Appl Physiol 89, 2003); a longer one is a loss. But the
 * lid covers the pupil before it is lost and after it is found again: what is measured then is too small or rests on a
 * part of the outline. So the onset moves back, and the offset on, over the neighboring frames whose outline has less
 * support than usual (the confidence of Pupil Core's blink detector) or whose diameter changes faster than a pupil can
 * (Hershman et al., Behav Res 50, 2018, follow the diameter in this way). An end counts when two frames agree on it: a
 * pupil that is found once in between ends no blink.
 */
import { median } from '../image/numbers.ts';
import type { Blink, Pupil } from '../results/types.ts';

// BEFORE, AFTER and SPEED are physiology, as each says.

/** Shorter and longer gaps, ms, are no blinks. */
const SHORTEST = 50;
const LONGEST = 600;
/** How far onset and offset move at most, ms: the lid takes about 80 ms down and 160 ms up. */
const BEFORE = 100;
const AFTER = 160;
/** Below this share of its usual support an outline is partly covered. */
const SUPPORT = 0.8;
/** No pupil changes faster than this share of its diameter in a millisecond (some 8 mm/s); a lid over it does. */
const SPEED = 0.0015;
/** Frames that follow each other faster than this, ms, as where times stand still, may differ by noise. */
const SHORTEST_STEP = 8;
/** Open frames that say what support is usual, and how few are too few. */
const REMEMBERED = 31;
const ENOUGH = 5;

interface Sample {
  timestamp: number;
  support: number;
  diameter: number;
}

export type BlinkSpan = Pick<Blink, 'onset' | 'offset'>;

export class BlinkDetector {
  /** The last open frames, oldest first. */
  #open: Sample[] = [];
  /** NaN while the eye is open. */
  #onset = NaN;
  /** Pupils since the gap, while the end is not sure; the first one, and the one before this. */
  #first: Sample | null = null;
  #before: Sample | null = null;
  #last = -Infinity;

  /** Takes one frame; returns whether the eye counts as blinking now, and a blink whose end this frame confirms. */
  update(
    pupil: Pick<Pupil, 'found' | 'outlineConfidence' | 'diameter'>,
    timestamp: number,
  ): { blink: boolean; ended: BlinkSpan | null } {
    if (timestamp < this.#last) this.#startAgain(timestamp);
    this.#last = timestamp;
    if (!pupil.found) {
      this.#first = this.#before = null;
      if (Number.isNaN(this.#onset) && this.#open.length) this.#onset = this.#onsetBefore(timestamp);
      return { blink: timestamp - this.#onset <= LONGEST, ended: null };
    }
    const sample = { timestamp, support: pupil.outlineConfidence, diameter: pupil.diameter };
    if (Number.isNaN(this.#onset)) {
      this.#remember(sample);
      return { blink: false, ended: null };
    }
    return this.#reopen(sample);
  }

  reset(): void {
    this.#open = [];
    this.#onset = NaN;
    this.#first = this.#before = null;
    this.#last = -Infinity;
  }

  /** A pupil after a gap: has the lid left it? */
  #reopen(sample: Sample): { blink: boolean; ended: BlinkSpan | null } {
    const onset = this.#onset;
    const before = this.#before;
    const first = (this.#first ??= sample);
    this.#before = sample;
    const agree = before !== null && !this.#covered(before) && !tooFast(before, sample);
    // What stays different is a change, not a lid: then the blink ended where the pupil came back.
    const late = sample.timestamp - first.timestamp >= AFTER;
    if (!agree && !late) return { blink: this.#covered(sample) && sample.timestamp - onset <= LONGEST, ended: null };
    const offset = agree ? before.timestamp : first.timestamp;
    this.#onset = NaN;
    this.#first = this.#before = null;
    if (!agree) this.#open = [];
    this.#remember(sample);
    const length = offset - onset;
    return { blink: false, ended: length >= SHORTEST && length <= LONGEST ? { onset, offset } : null };
  }

  /** A recording in a loop: a blink under way begins with it. */
  #startAgain(timestamp: number): void {
    if (!Number.isNaN(this.#onset)) this.#onset = timestamp;
    this.#first = this.#before = null;
    for (const sample of this.#open) sample.timestamp = -Infinity;
  }

  #remember(sample: Sample): void {
    this.#open.push(sample);
    if (this.#open.length > REMEMBERED) this.#open.shift();
  }

  #covered({ support }: Sample): boolean {
    if (this.#open.length < ENOUGH) return false;
    return support < SUPPORT * median(this.#open.map((open) => open.support));
  }

  /** The first of the covered frames directly before a gap; they no longer say what is usual. */
  #onsetBefore(gap: number): number {
    const open = this.#open;
    const covered = open.map((sample, i) => this.#covered(sample) || (i > 0 && tooFast(open[i - 1]!, sample)));
    let onset = gap;
    while (open.length > 1 && covered[open.length - 1] && gap - open.at(-1)!.timestamp <= BEFORE)
      onset = open.pop()!.timestamp;
    return onset;
  }
}

const tooFast = (a: Sample, b: Sample) =>
  Math.abs(b.diameter - a.diameter) >
  SPEED * Math.max(SHORTEST_STEP, b.timestamp - a.timestamp) * Math.max(a.diameter, b.diameter);
