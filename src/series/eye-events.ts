/**
 * Detects blinks, closures and losses of one eye in the series of its pupil. Every frame without a pupil belongs to one
 * event. The core of an event is a gap between two pupils. A gap of 50 ms up to the limit is a blink (spontaneous
 * blinks last 100 to 400 ms, Caffier et al., Eur J Appl Physiol 89, 2003). A longer one is a closure. A gap without
 * evidence of a lid is a loss. It is before the first pupil, too short for a lid, longer than any closure, without
 * frames in it, or of a pupil that was leaving the image.
 *
 * The lid covers the pupil before it is lost and after it is found again. Diameters measured in that time are too small
 * or are based on a part of the outline. The onset therefore moves back, and the offset forward, over the neighboring
 * covered frames. The outline of a covered frame has less support than usual (the confidence in Pupil Core's blink
 * detector), or its diameter changes faster than a pupil can (as in Hershman et al., Behav Res 50, 2018). An event ends
 * only if two frames agree. A single frame with a pupil in between does not end it.
 */
import { median } from '../image/numbers.ts';
import type { EventSpan, Pupil } from '../results/types.ts';
import { number } from '../runtime/parameters.ts';

// BEFORE, AFTER and SPEED have physiological reasons, given at each.

/** The only limit between blinks and closures, for trackers and for series from other sources. */
export const maxBlink = number({
  default: 600,
  min: 50,
  max: 15_000,
  unit: 'ms',
  effect: 'Maximum gap without a pupil that counts as a blink. A longer gap is a closure.',
});

/** Shorter gaps are not caused by a lid, ms. */
const SHORTEST = 50;
/** Maximum closure of an awake person, ms: microsleeps last 3 to 14 s (Boyle et al., Transp Res F 11, 2008). */
const LONGEST = 15_000;
/** Maximum shift of onset and offset, ms: the lid takes about 80 ms to close and 160 ms to open. */
const BEFORE = 100;
const AFTER = 160;
/** An outline is partly covered if its support is below this share of the usual support. */
const SUPPORT = 0.8;
/**
 * Maximum change of a pupil per millisecond, as a share of its diameter (about 8 mm/s). A lid moving over it exceeds
 * this.
 */
const SPEED = 0.0015;
/** Frames with shorter steps than this, ms, for example with constant times, may differ by noise. */
const SHORTEST_STEP = 8;
/** Number of open frames that define the usual support, and the minimum number required. */
const REMEMBERED = 31;
const ENOUGH = 5;

/** Data of a frame about the pupil of one eye. */
export interface SeenPupil extends Pick<Pupil, 'found' | 'outlineConfidence' | 'diameter'> {
  /**
   * A gap next to this frame may have another cause than a lid: a pupil at the edge of the image, or an image that is
   * too dark.
   */
  readonly unsure?: boolean;
}

interface Sample {
  timestamp: number;
  support: number;
  diameter: number;
}

/**
 * Possible cause of a gap: 'lid' if no evidence contradicts it, 'unsure' if some does, 'unseen' if there was no pupil
 * before.
 */
type Cause = 'lid' | 'unsure' | 'unseen';

export class EyeEventDetector {
  /** Maximum duration of a blink, ms. */
  limit: number;
  /** The last open frames, oldest first. */
  #open: Sample[] = [];
  /** Onset of the current event. NaN while the eye is open. */
  #onset = NaN;
  #cause: Cause = 'lid';
  /** Pupils since the gap, while its end is not certain: the first one, and the previous one. */
  #first: Sample | null = null;
  #before: Sample | null = null;
  /** The previous frame: its time, and whether a gap after it is certainly a lid. */
  #last = -Infinity;
  #unsure = false;

  constructor(limit: number = maxBlink.default) {
    this.limit = limit;
  }

  /**
   * Processes one frame. Returns whether the eye counts as blinking now, and the events that this frame ends or
   * continues. `final` events do not change again. An ongoing event is returned with each frame, up to the current one.
   */
  update(pupil: SeenPupil, timestamp: number): { blink: boolean; events: EventSpan[] } {
    const events = timestamp < this.#last ? this.#startAgain(timestamp) : [];
    const { found, outlineConfidence: support, diameter, unsure = false } = pupil;
    if (!found) {
      this.#first = this.#before = null;
      if (Number.isNaN(this.#onset)) this.#begin(timestamp);
    }
    // Without frames there is no evidence of a lid.
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
    // A lasting difference is a real change, not a lid. In that case the event ended when the pupil reappeared.
    if (!agree && sample.timestamp - first.timestamp < AFTER)
      return this.#lasts(sample.timestamp, events) && this.#covered(sample);
    events.push(this.#event(agree ? before.timestamp : first.timestamp, true));
    this.#onset = NaN;
    this.#first = this.#before = null;
    if (!agree) this.#open = [];
    this.#remember(sample);
    return false;
  }

  /** The current event, up to this frame. Returns whether it counts as a blink. */
  #lasts(timestamp: number, events: EventSpan[]): boolean {
    const event = this.#event(timestamp, false);
    events.push(event);
    return event.kind === 'blink';
  }

  #event(offset: number, final: boolean): EventSpan {
    const onset = this.#onset;
    const cause = this.#cause;
    const length = offset - onset;
    // A short event may still become a blink while it lasts.
    const blink = cause !== 'unseen' && length <= this.limit && (length >= SHORTEST || !final);
    const closure = cause === 'lid' && length > this.limit && length <= LONGEST;
    return { kind: blink ? 'blink' : closure ? 'closure' : 'loss', onset, offset, final };
  }

  /** A recording that loops: the current event ends with it, and detection restarts. */
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

  /** The first of the covered frames directly before a gap. They no longer count for the usual support. */
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
