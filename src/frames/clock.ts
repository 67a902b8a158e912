/**
 * Time of frames: one clock a session, named in every row, in milliseconds, strictly growing. Sources repeat frames,
 * jitter and jump back when a recording loops; whoever computes speeds or durations must not see that.
 */
export type ClockName = 'capture' | 'media' | 'arrival';

/** A step back of more than this many milliseconds is a loop or a seek, a smaller one is jitter. */
const JUMP = 500;

export class FrameClock {
  readonly name: ClockName;
  #last = -Infinity;
  #step = 1000 / 30;
  #offset = 0;

  constructor(name: ClockName) {
    this.name = name;
  }

  /** The session's time of a frame that its source puts at `time`; without one, a step after the last. */
  next(time: number | undefined): number {
    if (time === undefined) return (this.#last += this.#step);
    let now = time + this.#offset;
    if (now < this.#last - JUMP) {
      this.#offset += this.#last + this.#step - now;
      now = time + this.#offset;
    } else if (now <= this.#last) now = this.#last + 0.001;
    else if (this.#last > -Infinity && now - this.#last < JUMP) this.#step = now - this.#last;
    return (this.#last = now);
  }
}

/** The clock of a session: the one asked for, if the first frame has it, else the best of the others. */
export function chooseClock(
  wanted: ClockName | undefined,
  first: { capture?: number; media?: number },
  live: boolean,
): ClockName {
  const order: ClockName[] = live ? ['capture', 'arrival'] : ['media', 'arrival'];
  if (wanted) order.unshift(wanted);
  return order.find((name) => name === 'arrival' || first[name] !== undefined)!;
}
