/**
 * The queue of an engine, which decides what runs when. Everything runs on one thread. Calls of one tracker run in
 * order, with up to a given number of frames at a time. Frames have priority. Long operations work in slices of 8 ms
 * and yield the thread in between, so a frame or a cancel never waits longer than a slice.
 */
import type { Pauses } from '../driver.ts';
import { FoveolaError } from '../error.ts';

/** Length of a slice, ms. */
const SLICE = 8;
/** An operation gets a slice after this many milliseconds even if the trackers are busy. */
const PATIENCE = 100;
/** Operations overlap if their sources together have at most this many pixels. */
const PIXELS = 1 << 24;

const waiting: (() => void)[] = [];
let channel: MessageChannel | null = null;

/** Resolves in a separate task. A message has no minimum delay, unlike setTimeout (4 ms when nested). */
export function nextTask(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel!.port2.postMessage(null);
  });
}

/** Rejects with 'aborted' (or 'disposed', if that was the reason). */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (signal.reason instanceof FoveolaError) throw signal.reason;
  throw new FoveolaError('aborted', 'The call was cancelled.', { cause: signal.reason });
}

const none = () => {};

/** A frame's place among the calls of its tracker. */
export interface FrameSlot {
  /** Resolves when all earlier calls are done. */
  readonly before: Promise<unknown>;
  /**
   * Lets the next frame begin while this one waits, as far as the depth allows. Without it, the next frame begins when
   * this one ends.
   */
  entered(): void;
}

/** The calls of one tracker, in the order of arrival. */
export class TrackerQueue {
  /** Resolves when the next frame may begin. */
  #turn: Promise<unknown>;
  /** Resolves when every call so far is done, whether it succeeded or failed. */
  #done: Promise<unknown>;
  #frames = 0;
  #wake = none;

  /** @param ready nothing begins before this resolves */
  constructor(ready: Promise<unknown> = Promise.resolve()) {
    this.#turn = this.#done = ready.catch(none);
  }

  /** Begins when every earlier call is done. */
  call<T>(body: () => Promise<T> | T): Promise<T> {
    const work = this.#done.then(body);
    this.#turn = this.#done = work.catch(none);
    return work;
  }

  /**
   * Begins when the previous frame has entered and fewer than `depth` frames are in flight. A frame that overlaps must
   * wait for `before` before it answers.
   */
  frame<T>(depth: () => number, body: (slot: FrameSlot) => Promise<T> | T): Promise<T> {
    const before = this.#done;
    let entered!: () => void;
    const turn = new Promise<void>((resolve) => (entered = resolve));
    const work = this.#turn.then(async () => {
      while (this.#frames >= depth()) await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#frames++;
      try {
        return await body({ before, entered });
      } finally {
        this.#frames--;
        this.#wake();
        entered();
      }
    });
    this.#turn = turn;
    const both = () => before;
    this.#done = work.then(both, both);
    return work;
  }
}

export class Queue {
  #frames = 0;
  #idle: (() => void)[] = [];
  #pixels = 0;
  #running = 0;
  #admission: { pixels: number; start: () => void }[] = [];

  /** Work on a frame of a tracker. `line`: the queue of that tracker. */
  async frame<T>(line: TrackerQueue, depth: () => number, body: (slot: FrameSlot) => Promise<T> | T): Promise<T> {
    this.#frames++;
    try {
      return await line.frame(depth, body);
    } finally {
      if (--this.#frames === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when no frame is being processed, or after `PATIENCE`. */
  async #framesFirst(): Promise<void> {
    if (this.#frames === 0) return;
    let timer: ReturnType<typeof setTimeout>;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
      timer = setTimeout(resolve, PATIENCE);
    });
    clearTimeout(timer!);
  }

  /** Starts operations in the order of their calls, as many at a time as their sizes allow. */
  async operation<T>(pixels: number, signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    await this.#admit(pixels, signal);
    try {
      await this.#framesFirst();
      throwIfAborted(signal);
      return await body();
    } finally {
      this.#pixels -= pixels;
      this.#running--;
      this.#next();
    }
  }

  #admit(pixels: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = {
        pixels,
        start: () => {
          signal.removeEventListener('abort', cancel);
          this.#pixels += pixels;
          this.#running++;
          resolve();
        },
      };
      const cancel = () => {
        this.#admission.splice(this.#admission.indexOf(entry), 1);
        try {
          throwIfAborted(signal);
        } catch (error) {
          reject(error);
        }
        this.#next();
      };
      this.#admission.push(entry);
      if (signal.aborted) return cancel();
      signal.addEventListener('abort', cancel, { once: true });
      this.#next();
    });
  }

  #next(): void {
    while (this.#admission.length) {
      const { pixels, start } = this.#admission[0]!;
      if (this.#running > 0 && this.#pixels + pixels > PIXELS) return;
      this.#admission.shift();
      start();
    }
  }

  /** The pauses of one call. They yield the thread when its 8 ms are used up. */
  pauses(signal: AbortSignal, framesFirst: boolean): Pauses {
    let start = performance.now();
    const pause = async () => {
      throwIfAborted(signal);
      if (performance.now() - start < SLICE) return;
      await nextTask();
      if (framesFirst) await this.#framesFirst();
      throwIfAborted(signal);
      start = performance.now();
    };
    return { pause };
  }
}
