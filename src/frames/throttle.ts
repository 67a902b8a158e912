/** Leaves out frames so that there are at most so many a second. */
export class Throttle {
  #due = -Infinity;

  /** Whether the frame at this time, in milliseconds, is taken. 0 frames a second: all are. */
  takes(timestamp: number, perSecond: number): boolean {
    const interval = perSecond > 0 ? 1000 / perSecond : 0;
    // A tenth of a frame early is on time: presentation jitters.
    if (interval && timestamp < this.#due - interval / 10) return false;
    // On a grid while it keeps up, from here on where it does not.
    this.#due = (timestamp - this.#due < interval ? this.#due : timestamp) + interval;
    return true;
  }
}
