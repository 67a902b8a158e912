/**
 * Time of frames: one clock per session, named in every row, in milliseconds, strictly increasing. Sources repeat
 * frames, jitter, and jump back when a recording loops. Code that computes speeds or durations must not see that.
 * Frames of a recording have their media time. Frames of a camera have their capture time if the browser reports it,
 * otherwise their arrival time. Both are on the page's time line (performance.now).
 */
import type { Clock } from '../results/export-pupil.ts';
import type { ImageFileNotes } from '../results/types.ts';

/** Times of a frame that a source knows, in milliseconds. */
export interface FrameTimes {
  /** When the camera captured it, on the page's time line. */
  capture?: number;
  /** Position in the recording. */
  media?: number;
  /** When the page saw it: performance.now(). */
  arrival: number;
  /**
   * The frame currently shown, requested and not presented. Its media time is the current time of the video, which may
   * be anywhere within the frame.
   */
  standing?: boolean;
}

/** A frame with its pixels and the times that its source knows. The receiver must close it. */
export interface RawFrame extends FrameTimes {
  frame: VideoFrame | ImageBitmap;
  /** Frames of the source since the last one that were not used. */
  dropped: number;
  /** Notes for a stack or an animation. */
  file?: ImageFileNotes;
}

export interface Stamp {
  timestamp: number;
  /** The clock of the session, or 'arrival' for a live frame without that time. */
  clock: Clock;
  /** Milliseconds into the recording as stored in the file, even if that jumps back. NaN for a live source. */
  mediaTime: number;
}

/**
 * A step back of at most this many milliseconds on the page's time line is jitter of the camera, and no offset is
 * added.
 */
const CAMERA_JITTER = 500;
/** A gap of at least this many milliseconds is a pause, not the distance between two frames. */
const PAUSE = 200;

export class FrameClock {
  readonly live: boolean;
  readonly #wanted: Clock | undefined;
  #name: Clock | undefined;
  #offset = 0;
  #last = -Infinity;
  /** Media time of the last frame. */
  #lastMedia = 0;
  /** The last result of `now`, which never decreases either. */
  #latest = -Infinity;
  /** The usual distance between two frames. Null before the first. */
  #usual: number | null = null;
  #standing = false;

  /** @param wanted the requested clock. If the first frame does not have it, the best other clock is used */
  constructor(live: boolean, wanted?: Clock) {
    this.live = live;
    this.#wanted = wanted;
  }

  /** Typical milliseconds between two frames. */
  get interval(): number {
    return this.#usual ?? 1000 / 30;
  }

  stamp(times: FrameTimes): Stamp {
    // The currently shown frame has no capture time, so it does not choose the clock for the following frames.
    if (!times.standing) this.#name ??= this.#choose(times);
    let clock = this.#name ?? this.#choose(times);
    if (clock === 'capture' && times.capture === undefined) clock = 'arrival'; // on the same time line
    const standing = times.standing ?? false;
    const exact = !standing && !this.#standing;
    const time = times[clock];
    let timestamp = time === undefined ? this.#last + this.interval : time + this.#offset;
    const difference = timestamp - this.#last;
    if (difference < -this.#jitter(clock, exact)) {
      // The recording started again, the user went back in it, or another camera is in use.
      this.#offset += this.interval - difference;
      timestamp = this.#last + this.interval;
    } else if (difference <= 0) timestamp = this.#last + 0.001;
    else if (exact && difference > 1 && difference < PAUSE) {
      // The shortest usual distance. A missing frame doubles a distance, and such a distance must not count.
      const usual = this.#usual ?? Infinity;
      this.#usual = difference < usual ? difference : usual + (difference - usual) * 0.02;
    }
    this.#standing = standing;
    this.#last = timestamp;
    this.#lastMedia = times.media ?? this.#lastMedia;
    return { timestamp, clock, mediaTime: this.live ? NaN : (times.media ?? NaN) };
  }

  /**
   * Maximum step back of a frame that does not count as a jump. If one of the two is a currently shown frame, its exact
   * time is unknown.
   */
  #jitter(clock: Clock, exact: boolean): number {
    if (clock !== 'media') return CAMERA_JITTER;
    return exact ? this.interval / 2 : this.interval;
  }

  #choose(first: FrameTimes): Clock {
    const order: Clock[] = this.live ? ['capture', 'arrival'] : ['media', 'arrival'];
    if (this.#wanted) order.unshift(this.#wanted);
    return order.find((name) => first[name] !== undefined)!;
  }

  /**
   * Current time on the session's clock, never before an earlier result. `media`: milliseconds into the recording, as
   * the video reports it. It may be before the frame that was presented last, or far from it after a seek.
   */
  now(media: number): number {
    const onPage = (this.#name ?? (this.live ? 'arrival' : 'media')) !== 'media';
    let now = performance.now() + this.#offset;
    if (!onPage) now = this.#last === -Infinity ? 0 : this.#last + Math.max(0, media - this.#lastMedia);
    return (this.#latest = Math.max(this.#latest, now));
  }

  /** For headers and documentation. */
  describe(): string {
    if ((this.#name ?? (this.live ? 'arrival' : 'media')) === 'media')
      return 'media: milliseconds into the recording, which continue when it is played again';
    const origin = new Date(performance.timeOrigin).toISOString();
    return this.#name === 'capture'
      ? `capture: when the camera captured the frame, milliseconds since ${origin}`
      : `arrival: when the page saw the frame, milliseconds since ${origin}`;
  }
}
