/**
 * Blinks from the series of found and not found: a gap of 50 to 600 ms after a pupil, with a pupil at its end, is a
 * blink (spontaneous blinks last 100 to 400 ms; Caffier et al. 2003). A longer gap is a loss.
 */
const SHORTEST = 50;
const LONGEST = 600;

export class BlinkDetector {
  #lastFound = NaN;
  #onset = NaN;

  /** Takes one frame; returns whether the eye counts as blinking now, and a blink that ended with this frame. */
  update(found: boolean, timestamp: number): { blink: boolean; ended: { onset: number; offset: number } | null } {
    if (timestamp < this.#onset) this.#onset = timestamp; // the recording began anew
    if (!found) {
      if (Number.isNaN(this.#onset) && !Number.isNaN(this.#lastFound)) this.#onset = timestamp;
      return { blink: timestamp - this.#onset <= LONGEST, ended: null };
    }
    this.#lastFound = timestamp;
    const onset = this.#onset;
    this.#onset = NaN;
    const length = timestamp - onset;
    const ended = length >= SHORTEST && length <= LONGEST ? { onset, offset: timestamp } : null;
    return { blink: false, ended };
  }

  reset(): void {
    this.#lastFound = this.#onset = NaN;
  }
}
