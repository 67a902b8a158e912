import type { PupilResult } from '../../src/index.ts';

/** How long pupils must be tracked before a test may start, ms. As long without them withdraws it. */
export const steadyFor = 2000;

/** Whether every pupil of a test has been tracked for a while. Blinks do not count. */
export class Steady {
  /** Number of pupils that the test needs. */
  readonly eyes: number;
  #ready = false;
  /** Time since which the pupils are tracked, or are not. */
  #since = NaN;
  #last = NaN;
  #found = false;

  constructor(eyes: 1 | 2 = 1) {
    this.eyes = eyes;
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** Whether the last frame without a blink had every pupil. */
  get found(): boolean {
    return this.#found;
  }

  /** Milliseconds for which the pupils have been tracked. */
  get lasted(): number {
    return this.#found ? this.#last - this.#since : 0;
  }

  /** Returns whether `ready` has changed. */
  add({ timestamp, pupils }: Pick<PupilResult, 'timestamp' | 'pupils'>): boolean {
    const eyes = pupils.slice(0, this.eyes);
    const found = eyes.length === this.eyes && eyes.every((pupil) => pupil.found);
    const before = this.#ready;
    if (found || !eyes.some((pupil) => pupil.blink)) {
      const interrupted = !(timestamp >= this.#last && timestamp - this.#last < steadyFor); // another source, or a seek
      if (found !== this.#found || interrupted) this.#since = timestamp;
      this.#found = found;
      this.#last = timestamp;
      if (timestamp - this.#since >= steadyFor) this.#ready = found;
    }
    return this.#ready !== before;
  }
}
