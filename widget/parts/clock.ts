/**
 * One clock a session. A camera's frames carry their capture time where the browser tells it, on the page's own time
 * line (performance.now); a recording's frames carry their media time; what has neither gets the time of arrival.
 * Timestamps never go back: a clip that starts again goes on counting, its media time is kept beside.
 */
import type { Clock } from '../../src/index.ts';

export interface Stamp {
  timestamp: number;
  clock: Clock;
  /** Milliseconds into the recording; NaN for a live source. */
  mediaTime: number;
}

export interface Presented {
  /** performance.now() of the callback. */
  now: number;
  /** Seconds, of requestVideoFrameCallback or the video's currentTime. */
  mediaTime: number;
  captureTime?: number;
  /** The frame that stands, asked for and not presented: its time is the video's, which lies anywhere within the frame. */
  standing?: boolean;
}

export class SessionClock {
  readonly live: boolean;
  #offset = 0;
  #last = -Infinity;
  /** Of the last frame, in milliseconds. */
  #lastMedia = 0;
  /** What `now` has told; it does not go back either. */
  #told = -Infinity;
  #interval = 1000 / 30;
  #standing = false;
  #lastClock: Clock | undefined;

  constructor(live: boolean) {
    this.live = live;
  }

  /** Typical milliseconds between two frames, for stepping. */
  get interval(): number {
    return this.#interval;
  }

  stamp(frame: Presented): Stamp {
    const media = frame.mediaTime * 1000;
    const clock: Clock = !this.live ? 'media' : frame.captureTime === undefined ? 'arrival' : 'capture';
    let timestamp = clock === 'media' ? media + this.#offset : clock === 'capture' ? frame.captureTime! : frame.now;
    const difference = timestamp - this.#last;
    if (clock === 'media' && difference < 0) {
      // The clip began again, or somebody seeked back.
      this.#offset += this.#interval - difference;
      timestamp = media + this.#offset;
    } else if (difference <= 0) timestamp = this.#last + 0.001;
    const exact = !frame.standing && !this.#standing;
    if (exact && difference > 1 && difference < 200 && this.#last > -Infinity) {
      // The shortest usual distance: a missing frame doubles one, and must not count.
      this.#interval = difference < this.#interval ? difference : this.#interval + (difference - this.#interval) * 0.02;
    }
    this.#standing = frame.standing ?? false;
    this.#last = timestamp;
    this.#lastMedia = media;
    this.#lastClock = clock;
    return { timestamp, clock, mediaTime: this.live ? NaN : media };
  }

  /**
   * Time on the session's clock at this moment, never before one that was told. `currentTime`: seconds into the recording,
   * as the video says. It may be behind the frame that was presented last, or far from it after a seek.
   */
  now(currentTime: number): number {
    let now = performance.now();
    if (this.#lastClock === undefined) now = this.live ? now : 0;
    else if (this.#lastClock === 'media') now = this.#last + Math.max(0, currentTime * 1000 - this.#lastMedia);
    return (this.#told = Math.max(this.#told, now));
  }

  /** For headers and documentation. */
  describe(): string {
    if (!this.live) return 'media: milliseconds into the recording; goes on counting when it is played again';
    const origin = new Date(performance.timeOrigin).toISOString();
    return this.#lastClock === 'capture'
      ? `capture: when the camera took the frame, milliseconds since ${origin}`
      : `arrival: when the page saw the frame, milliseconds since ${origin}`;
  }
}
