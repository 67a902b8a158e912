/**
 * The one rule for frames that come faster than they are worked on: the newest wins. At most one waits, a newer one takes
 * its place, and what is left out is counted for the frame that follows it. So frames that were worked on and frames that
 * were dropped are together those that came.
 */
export interface Counts {
  /** Frames directly before this one that were left out, */
  dropped: number;
  /** and those of them that a limit of frames a second left out. */
  throttled: number;
}

export class Newest<C extends Counts, F extends { close(): void }> {
  #waiting: { counts: C; frame: F } | null = null;
  #left: Counts = { dropped: 0, throttled: 0 };

  /** Frames that came and are not offered. */
  miss(dropped: number, throttled = 0): void {
    this.#left.dropped += dropped;
    this.#left.throttled += throttled;
  }

  /** What was left out before the frame that came now, one that waits included, is written into its `counts`. */
  count(counts: C): C {
    this.drop();
    const { dropped, throttled } = this.#left;
    counts.dropped += dropped;
    counts.throttled += throttled;
    this.miss(-dropped, -throttled);
    return counts;
  }

  /** The frame that came now waits; it is closed here, unless it is taken. */
  offer(counts: C, frame: F): void {
    this.#waiting = { counts: this.count(counts), frame };
  }

  take(): { counts: C; frame: F } | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  /** Nothing waits any more. */
  drop(): void {
    const waiting = this.take();
    if (!waiting) return;
    waiting.frame.close();
    this.lose(waiting.counts);
  }

  /** A frame that was taken came to nothing; `follows` was taken after it, if any was and is still worked on. */
  lose({ dropped, throttled }: Counts, follows: Counts = this.#waiting?.counts ?? this.#left): void {
    follows.dropped += 1 + dropped;
    follows.throttled += throttled;
  }
}
