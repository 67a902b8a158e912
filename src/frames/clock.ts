/**
 * Time of frames: one clock a session, named in every row, in milliseconds, strictly growing. Sources repeat frames,
 * jitter and jump back when a recording loops; whoever computes speeds or durations must not see that. A recording's
 * frames carry their media time; a camera's their capture time where the browser tells it, else that of their arrival,
 * both on the page's own time line (performance.now).
 */
import type { Clock } from '../results/export-pupil.ts';
import type { ImageFileNotes } from '../results/types.ts';

/** What a source knows of the time of a frame, in milliseconds. */
export interface FrameTimes {
  /** When the camera took it, on the page's time line. */
  capture?: number;
  /** Into the recording. */
  media?: number;
  /** When the page saw it: performance.now(). */
  arrival: number;
  /** The frame that stands, asked for and not presented: its media time is the video's, which lies anywhere within it. */
  standing?: boolean;
}

/** A frame with its pixels and the times that its source knows. Whoever receives it closes it. */
export interface RawFrame extends FrameTimes {
  frame: VideoFrame | ImageBitmap;
  /** Frames that the source had since the last one and that were not taken. */
  dropped: number;
  /** Of a stack or an animation. */
  file?: ImageFileNotes;
}

export interface Stamp {
  timestamp: number;
  /** The clock of the session; of a live frame without that time 'arrival'. */
  clock: Clock;
  /** Milliseconds into the recording as the file has it, also where that goes back; NaN for a live source. */
  mediaTime: number;
}

/** On the page's time line a step back of up to this many milliseconds is jitter of the camera, and nothing is moved. */
const CAMERA_JITTER = 500;
/** A gap of this many milliseconds or more is a pause, not the distance of two frames. */
const PAUSE = 200;

export class FrameClock {
  readonly live: boolean;
  readonly #wanted: Clock | undefined;
  #name: Clock | undefined;
  #offset = 0;
  #last = -Infinity;
  /** Media time of the last frame. */
  #lastMedia = 0;
  /** The last answer of `now`; it does not go back either. */
  #latest = -Infinity;
  /** The usual distance of two frames; null before the first. */
  #usual: number | null = null;
  #standing = false;

  /** @param wanted the clock asked for; the best of the others where the first frame does not have it */
  constructor(live: boolean, wanted?: Clock) {
    this.live = live;
    this.#wanted = wanted;
  }

  /** Typical milliseconds between two frames. */
  get interval(): number {
    return this.#usual ?? 1000 / 30;
  }

  stamp(times: FrameTimes): Stamp {
    // A frame that stands knows no capture time: it does not choose for those that follow.
    if (!times.standing) this.#name ??= this.#choose(times);
    let clock = this.#name ?? this.#choose(times);
    if (clock === 'capture' && times.capture === undefined) clock = 'arrival'; // on the same time line
    const standing = times.standing ?? false;
    const exact = !standing && !this.#standing;
    const time = times[clock];
    let timestamp = time === undefined ? this.#last + this.interval : time + this.#offset;
    const difference = timestamp - this.#last;
    if (difference < -this.#jitter(clock, exact)) {
      // The recording began again, somebody went back in it, or the camera is another one.
      this.#offset += this.interval - difference;
      timestamp = this.#last + this.interval;
    } else if (difference <= 0) timestamp = this.#last + 0.001;
    else if (exact && difference > 1 && difference < PAUSE) {
      // The shortest usual distance: a missing frame doubles one, and must not count.
      const usual = this.#usual ?? Infinity;
      this.#usual = difference < usual ? difference : usual + (difference - usual) * 0.02;
    }
    this.#standing = standing;
    this.#last = timestamp;
    this.#lastMedia = times.media ?? this.#lastMedia;
    return { timestamp, clock, mediaTime: this.live ? NaN : (times.media ?? NaN) };
  }

  /** How far back a frame may lie that is no jump: where one of the two stands, its own time is not known. */
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
   * Time on the session's clock at this moment, never before an earlier answer. `media`: milliseconds into the recording,
   * as the video says. It may be behind the frame that was presented last, or far from it after a seek.
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
