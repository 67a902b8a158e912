/**
 * Known results of the frames of a recording by media time: the stored result, its state, and all blinks, closures and
 * losses.
 */
import { EventList, type EyeEvent, type FrameTiming } from '../../../src/index.ts';
import type { Meaning } from '../../base/kind.ts';
import type { Known } from '../../base/session-host.ts';

/** States of a frame in the timeline. If several frames share a column, the highest state is shown. */
export const frameStates = ['unknown', 'found', 'lost', 'blink', 'closure'] as const;
export type FrameState = (typeof frameStates)[number];

export interface Entry<R> {
  /** Null if results are too large to store. */
  readonly result: R | null;
  readonly timing: FrameTiming;
  /** State according to its own result. */
  readonly state: FrameState;
}

/** Results of ten minutes at 60 frames per second. Of older ones, only the state is kept. */
const most = 36_000;
/** Maximum difference in milliseconds between two times of one frame, since players round them. */
const near = 1;

export const stateOf = (meaning: Meaning | null): FrameState => {
  if (!meaning) return 'unknown';
  if (meaning.blink) return 'blink';
  return meaning.tracking ? 'found' : 'lost';
};

export class KnownResults<R> {
  readonly events = new EventList();
  /** Sorted by media time. */
  #entries: Entry<R>[] = [];
  /** Media times of the entries with a result, in the order in which they were added. */
  #results: number[] = [];
  #oldest = 0;

  get entries(): readonly Entry<R>[] {
    return this.#entries;
  }

  add(entry: Entry<R>): void {
    const entries = this.#entries;
    const { mediaTime } = entry.timing;
    const at = this.#after(mediaTime - near);
    const same = at < entries.length && entries[at]!.timing.mediaTime <= mediaTime + near;
    entries.splice(at, same ? 1 : 0, entry);
    if (!entry.result || same) return;
    if (this.#results.push(mediaTime) - this.#oldest > most) this.#forget(this.#results[this.#oldest++]!);
  }

  /** The state of the frame stays. */
  #forget(mediaTime: number): void {
    const at = this.#after(mediaTime + near) - 1;
    const entry = this.#entries[at];
    if (entry) this.#entries[at] = { ...entry, result: null };
  }

  /**
   * Entry of the frame that begins at this time. `within`: accepts a frame that began up to this many milliseconds
   * earlier.
   */
  at(mediaTime: number, within = 0): Entry<R> | null {
    const entry = this.#entries[this.#after(mediaTime + near) - 1];
    return entry && entry.timing.mediaTime >= mediaTime - Math.max(near, within) ? entry : null;
  }

  /** Last entry before this time. */
  before(mediaTime: number): Entry<R> | null {
    return this.#entries[this.#after(mediaTime - near) - 1] ?? null;
  }

  /** Result in the session's format. Null if the frame has to be processed. */
  recall(mediaTime: number, within: number): Known<R> | null {
    const entry = this.at(mediaTime, within);
    return entry?.result ? { result: entry.result, timing: entry.timing } : null;
  }

  /** Media time of a time on the clock of the results. NaN if no result near it is known. */
  mediaTimeAt(timestamp: number): number {
    let best: FrameTiming | null = null;
    for (const { timing } of this.#entries)
      if (!best || Math.abs(timing.timestamp - timestamp) < Math.abs(best.timestamp - timestamp)) best = timing;
    return best && Math.abs(best.timestamp - timestamp) < 1000 ? best.mediaTime + timestamp - best.timestamp : NaN;
  }

  /** Final state of a frame. If several events cover it, the most important one counts. */
  stateOf({ timing, state }: Entry<R>): FrameState {
    const kinds = [0, 1].map((pupil) => this.events.at(timing.timestamp, pupil)?.kind);
    return kinds.includes('closure')
      ? 'closure'
      : kinds.includes('blink')
        ? 'blink'
        : kinds.includes('loss')
          ? 'lost'
          : state;
  }

  /** Replaces the events, and the states of the frames. */
  correct(events: readonly EyeEvent[], stateOf: (result: R) => FrameState): void {
    this.events.clear();
    for (const event of events) this.events.settle(event);
    this.#entries = this.#entries.map((entry) => (entry.result ? { ...entry, state: stateOf(entry.result) } : entry));
  }

  clear(): void {
    this.#entries = [];
    this.#results = [];
    this.#oldest = 0;
    this.events.clear();
  }

  /** First entry after this time. Uses bisection. */
  #after(mediaTime: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.timing.mediaTime <= mediaTime) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
