/**
 * Blinks, closures and losses of one eye, from the series of its pupil. Every frame without a pupil belongs to one event.
 * The core of an event is a gap between two pupils. One of 50 ms up to the limit is a blink (spontaneous blinks last 100 to
 * 400 ms; Caffier et al., Eur J Appl Physiol 89, 2003), a longer one a closure. A gap that says nothing about a lid is a
 * loss: before the first pupil, too short for a lid, longer than any closure, without frames in it, or of a pupil that was
 * leaving the picture.
 *
 * The lid covers the pupil before it is lost and after it is found again: what is measured then is too small or rests on a
 * part of the outline. So the onset moves back, and the offset forward, over the neighboring frames whose outline has less
 * support than usual (the confidence of Pupil Core's blink detector) or whose diameter changes faster than a pupil can
 * (Hershman et al., Behav Res 50, 2018, follow the diameter in this way). An end counts when two frames agree on it: a
 * pupil that is found once in between ends no event.
 */
import { median } from '../image/numbers.ts';
import type { EventSpan, Pupil } from '../results/types.ts';
import { number } from '../runtime/parameters.ts';

// BEFORE, AFTER and SPEED are physiology, as each says; `npm run bench -- constants --system series` tries them and the others.

/** The one limit between blinks and closures, for trackers and for series that come from elsewhere. */
export const maxBlink = number({
  default: 600,
  min: 50,
  max: 15_000,
  unit: 'ms',
  effect: 'Maximum gap without a pupil that counts as a blink. A longer gap is a closure.',
});

/** Shorter gaps, ms, are no lid. */
const SHORTEST = 50;
/** No closure of somebody who is awake is longer, ms: microsleeps last 3 to 14 s (Boyle et al., Transp Res F 11, 2008). */
const LONGEST = 15_000;
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

/** What a frame says about the pupil of one eye. */
export interface SeenPupil extends Pick<Pupil, 'found' | 'outlineConfidence' | 'diameter'> {
  /** A gap beside this frame may have another cause than a lid: a pupil at the edge of the picture, a picture too dark. */
  readonly unsure?: boolean;
}

interface Sample {
  timestamp: number;
  support: number;
  diameter: number;
}

/** What is known of the cause of a gap: nothing speaks against a lid; something does; no pupil was there before. */
type Cause = 'lid' | 'unsure' | 'unseen';

export class EyeEventDetector {
  /** Longest blink, ms. */
  limit: number;
  /** The last open frames, oldest first. */
  #open: Sample[] = [];
  /** NaN while the eye is open. */
  #onset = NaN;
  #cause: Cause = 'lid';
  /** Pupils since the gap, while the end is not sure; the first one, and the one before this. */
  #first: Sample | null = null;
  #before: Sample | null = null;
  /** The frame before this one: when, and whether a gap after it is sure to be a lid. */
  #last = -Infinity;
  #unsure = false;

  constructor(limit: number = maxBlink.default) {
    this.limit = limit;
  }

  /**
   * Takes one frame. Returns whether the eye counts as blinking now, and the events that this frame ends or continues:
   * `final` ones do not change any more, one that lasts is given again with each frame, up to this one.
   */
  update(pupil: SeenPupil, timestamp: number): { blink: boolean; events: EventSpan[] } {
    const events = timestamp < this.#last ? this.#startAgain(timestamp) : [];
    const { found, outlineConfidence: support, diameter, unsure = false } = pupil;
    if (!found) {
      this.#first = this.#before = null;
      if (Number.isNaN(this.#onset)) this.#begin(timestamp);
    }
    // Without frames nobody saw a lid.
    if (unsure || (timestamp - this.#last > this.limit && !this.#first)) this.#doubt();
    const blink = found ? this.#seen({ timestamp, support, diameter }, events) : this.#lasts(timestamp, events);
    this.#last = timestamp;
    this.#unsure = unsure;
    return { blink, events };
  }

  reset(): void {
    this.#open = [];
    this.#onset = NaN;
    this.#first = this.#before = null;
    this.#last = -Infinity;
    this.#unsure = false;
  }

  #begin(timestamp: number): void {
    this.#cause = !this.#open.length ? 'unseen' : this.#unsure ? 'unsure' : 'lid';
    this.#onset = this.#onsetBefore(timestamp);
  }

  #doubt(): void {
    if (this.#cause === 'lid') this.#cause = 'unsure';
  }

  #seen(sample: Sample, events: EventSpan[]): boolean {
    if (Number.isNaN(this.#onset)) {
      this.#remember(sample);
      return false;
    }
    const first = (this.#first ??= sample);
    const before = this.#before;
    this.#before = sample;
    const agree = before !== null && !this.#covered(before) && !tooFast(before, sample);
    // What stays different is a change, not a lid: then the event ended where the pupil came back.
    if (!agree && sample.timestamp - first.timestamp < AFTER)
      return this.#lasts(sample.timestamp, events) && this.#covered(sample);
    events.push(this.#event(agree ? before.timestamp : first.timestamp, true));
    this.#onset = NaN;
    this.#first = this.#before = null;
    if (!agree) this.#open = [];
    this.#remember(sample);
    return false;
  }

  /** The event that is under way, up to this frame; whether it counts as a blink. */
  #lasts(timestamp: number, events: EventSpan[]): boolean {
    const event = this.#event(timestamp, false);
    events.push(event);
    return event.kind === 'blink';
  }

  #event(offset: number, final: boolean): EventSpan {
    const onset = this.#onset;
    const cause = this.#cause;
    const length = offset - onset;
    // What is short may still become a blink as long as it lasts.
    const blink = cause !== 'unseen' && length <= this.limit && (length >= SHORTEST || !final);
    const closure = cause === 'lid' && length > this.limit && length <= LONGEST;
    return { kind: blink ? 'blink' : closure ? 'closure' : 'loss', onset, offset, final };
  }

  /** A recording in a loop: what is under way ends with it, and begins again. */
  #startAgain(timestamp: number): EventSpan[] {
    const events: EventSpan[] = [];
    if (!Number.isNaN(this.#onset)) {
      events.push({ ...this.#event(this.#last, true), kind: 'loss' });
      this.#onset = timestamp;
    }
    this.#first = this.#before = null;
    for (const sample of this.#open) sample.timestamp = -Infinity;
    this.#last = timestamp;
    return events;
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
