/**
 * Tracks which frame of a video a result belongs to, and whether that frame is still displayed when the result arrives.
 */
import type { Held } from './session-host.ts';

/** Position of a frame. Its image, if there is one, can be displayed again. */
export interface Place {
  readonly picture: Held | null;
  readonly shown: number;
  readonly place: number;
}

export class ShownFrames {
  /** Number of displayed frames. */
  #shown = 0;
  /** Number of seeks. */
  #place = 0;
  /** Frame number of the last result. */
  #delivered = -1;
  /** Time of a still frame that was processed elsewhere, in ms. */
  #stands = NaN;

  /** Number of frames that the video has shown since the frame of the last result. */
  get behind(): number {
    return this.#shown - this.#delivered;
  }

  /** Number of the displayed frame. */
  get number(): number {
    return this.#shown;
  }

  /** The video seeks to a frame whose image is already displayed. */
  standAt(media: number): void {
    this.#stands = media;
    this.#delivered = -1; // the video shows it later
  }

  /** Returns whether the presented frame differs from the expected still frame. */
  presented(media: number, interval: number): boolean {
    this.#shown++;
    return !this.#isStanding(media, interval);
  }

  /** Another position is displayed, starting now. Returns false if it is the expected still frame. */
  leave(media: number, interval: number): boolean {
    if (this.#isStanding(media, interval)) return false;
    this.#stands = NaN;
    this.#place++;
    this.#shown++;
    return true;
  }

  /** `held` is cloned, since a tracker may close its input. Null if its image is not displayed again. */
  at(held: Held | null, shown = this.#shown): Place {
    return { picture: held && 'clone' in held ? held.clone() : held, shown, place: this.#place };
  }

  /** A result has arrived. Returns its image, or null if it was measured before the last seek. */
  deliver({ picture, shown, place }: Place): Held | null {
    const here = place === this.#place;
    this.#delivered = here ? shown : -1;
    return here ? picture : null;
  }

  /** The result of the displayed frame was already known. */
  recalled(): void {
    this.#delivered = this.#shown;
  }

  #isStanding(media: number, interval: number): boolean {
    return Math.abs(media - this.#stands) < interval;
  }
}
