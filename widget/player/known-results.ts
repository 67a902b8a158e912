/**
 * What is known of the frames of a recording, by their place in it: the result where it is kept, what it means, and the
 * blinks, closures and losses of all of them.
 */
import { EventList, type FrameTiming } from '../../src/index.ts';
import type { Meaning } from '../parts/kind.ts';
import type { Known } from '../parts/session-host.ts';

/** What the timeline shows of a frame; of several in one place it shows the greatest. */
export const frameStates = ['unknown', 'found', 'lost', 'blink', 'closure'] as const;
export type FrameState = (typeof frameStates)[number];

export interface Entry<R> {
  /** Null where results are too large to be kept. */
  readonly result: R | null;
  readonly timing: FrameTiming;
  /** As far as its result says it. */
  readonly state: FrameState;
}

/** Ten minutes at 60 frames a second. What is older goes. */
const most = 36_000;
/** Milliseconds within which two times are those of one frame: players round them. */
const near = 1;

export const stateOf = (meaning: Meaning | null): FrameState => {
  if (!meaning) return 'unknown';
  if (meaning.blink) return 'blink';
  return meaning.tracking ? 'found' : 'lost';
};

export class KnownResults<R> {
  readonly events = new EventList();
  /** By media time. */
  #entries: Entry<R>[] = [];

  get entries(): readonly Entry<R>[] {
    return this.#entries;
  }

  add(entry: Entry<R>): void {
    const entries = this.#entries;
    const { mediaTime } = entry.timing;
    const at = this.#after(mediaTime - near);
    const same = at < entries.length && entries[at]!.timing.mediaTime <= mediaTime + near;
    entries.splice(at, same ? 1 : 0, entry);
    if (entries.length > most) entries.shift();
  }

  /**
   * Of the frame that begins at this time; `within`: the frame that stands there, which may have begun so many
   * milliseconds before.
   */
  at(mediaTime: number, within = 0): Entry<R> | null {
    const entry = this.#entries[this.#after(mediaTime + near) - 1];
    return entry && entry.timing.mediaTime >= mediaTime - Math.max(near, within) ? entry : null;
  }

  /** The last one before this time. */
  before(mediaTime: number): Entry<R> | null {
    return this.#entries[this.#after(mediaTime - near) - 1] ?? null;
  }

  /** As the session takes it; null where the frame has to be processed. */
  recall(mediaTime: number, within: number): Known<R> | null {
    const entry = this.at(mediaTime, within);
    return entry?.result ? { result: entry.result, timing: entry.timing } : null;
  }

  /** Where in the recording this time on the clock of the results lies; NaN where nothing is known near it. */
  mediaTimeAt(timestamp: number): number {
    let best: FrameTiming | null = null;
    for (const { timing } of this.#entries)
      if (!best || Math.abs(timing.timestamp - timestamp) < Math.abs(best.timestamp - timestamp)) best = timing;
    return best && Math.abs(best.timestamp - timestamp) < 1000 ? best.mediaTime + timestamp - best.timestamp : NaN;
  }

  /** What it was in the end: of several events the one that matters most. */
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

  clear(): void {
    this.#entries = [];
    this.events.clear();
  }

  /** The first entry after this time; by bisection. */
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
