/** Which picture of a video a result belongs to, and whether that one is still shown when the result comes. */
import type { Held } from './session-host.ts';

/** Where a frame belongs. Its own picture, where it was taken, can be shown again. */
export interface Place {
  readonly picture: Held | null;
  readonly shown: number;
  readonly place: number;
}

export class ShownFrames {
  /** Counts the pictures that were shown. */
  #shown = 0;
  /** Counts the places that were gone to. */
  #place = 0;
  /** The picture of the last result. */
  #delivered = -1;
  /** Where a frame stands that was processed elsewhere, ms. */
  #stands = NaN;

  /** How many pictures the video has shown since that of the last result. */
  get behind(): number {
    return this.#shown - this.#delivered;
  }

  /** The number of the picture that is shown. */
  get number(): number {
    return this.#shown;
  }

  /** The video goes to a frame whose picture is shown already. */
  standAt(media: number): void {
    this.#stands = media;
    this.#delivered = -1; // the video shows it later
  }

  /** Returns whether the picture is another one than that which is meant to stand. */
  presented(media: number, interval: number): boolean {
    this.#shown++;
    return !this.#isStanding(media, interval);
  }

  /** Another place is shown from now on; returns false where that is the one that is meant to stand. */
  leave(media: number, interval: number): boolean {
    if (this.#isStanding(media, interval)) return false;
    this.#stands = NaN;
    this.#place++;
    this.#shown++;
    return true;
  }

  /** `held` is cloned, since a tracker may close what it is given; null where its picture is not to be shown again. */
  at(held: Held | null, shown = this.#shown): Place {
    return { picture: held && 'clone' in held ? held.clone() : held, shown, place: this.#place };
  }

  /** A result is there. Returns its picture; null where it was measured before another place was gone to. */
  deliver({ picture, shown, place }: Place): Held | null {
    const here = place === this.#place;
    this.#delivered = here ? shown : -1;
    return here ? picture : null;
  }

  /** The result of the picture that is shown was known. */
  recalled(): void {
    this.#delivered = this.#shown;
  }

  #isStanding(media: number, interval: number): boolean {
    return Math.abs(media - this.#stands) < interval;
  }
}
