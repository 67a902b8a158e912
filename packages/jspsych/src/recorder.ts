/** Keeps the results of a tracker until the trial that they belong to has ended. */
import type { EventList, PupilResult } from 'foveola';

/** A result of foveola's pupil tracker with the clock of its timestamp. */
export interface RecordedResult extends PupilResult {
  /** The timestamp is on the time line of `performance.now()`. */
  clock: 'capture' | 'arrival' | 'media' | 'simulated';
}

/** Results older than this before the start of a trial are deleted, in ms. Cameras deliver frames later than that. */
const KEPT = 2000;

export class Recorder {
  readonly #events: EventList;
  readonly #listeners = new Set<(result: RecordedResult | null) => void>();
  #results: RecordedResult[] = [];
  #ended = false;
  /** Why the camera or the tracker stopped. Null if nothing failed. */
  error: unknown = null;

  constructor(events: EventList) {
    this.#events = events;
  }

  /** Reads a source to its end. Does not reject: an error stays in `error`. */
  async read(results: AsyncIterable<RecordedResult>): Promise<void> {
    try {
      for await (const result of results) this.add(result);
    } catch (error) {
      this.error = error;
    }
    this.#ended = true;
    for (const listener of this.#listeners) listener(null);
  }

  add(result: RecordedResult): void {
    this.#results.push(result);
    for (const event of result.events) this.#events.settle(event);
    for (const listener of this.#listeners) listener(result);
  }

  /** Deletes results from before the trial that starts now. */
  forget(now: number): void {
    this.#results = this.#results.filter(({ timestamp }) => timestamp >= now - KEPT);
  }

  /** Results from `from` up to, but not including, `to` (ms). */
  between(from: number, to: number): RecordedResult[] {
    return this.#results.filter(({ timestamp }) => timestamp >= from && timestamp < to);
  }

  /** Events of all pupils that overlap a period. */
  eventsBetween(from: number, to: number) {
    return this.#events.all.filter(({ onset, offset, final }) => onset < to && (offset > from || !final));
  }

  /** Resolves to true once a frame from this time or later has arrived. False after `patience` ms, or without a source. */
  until(time: number, patience: number): Promise<boolean> {
    const last = this.#results.at(-1);
    if (last && last.timestamp >= time) return Promise.resolve(true);
    if (this.#ended) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (arrived: boolean) => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
        resolve(arrived);
      };
      const listener = (result: RecordedResult | null) => {
        if (!result || result.timestamp >= time) end(result !== null);
      };
      const timer = setTimeout(() => end(false), patience);
      this.#listeners.add(listener);
    });
  }
}
