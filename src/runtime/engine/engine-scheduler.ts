/**
 * Who works when. Everything runs on one thread: frames of trackers go first, long operations work in slices of 8 ms
 * and give the thread back in between, so that a frame or a cancel never waits longer than a slice.
 */
import { FoveolaError } from '../error.ts';

/** Length of a slice in milliseconds. */
const SLICE = 8;
/** However busy the trackers are, an operation gets a slice after this many milliseconds. */
const PATIENCE = 100;
/** Operations overlap while their sources together have at most this many pixels. */
const PIXELS = 1 << 24;

const waiting: (() => void)[] = [];
let channel: MessageChannel | null = null;

/** Resolves in a task of its own. A message has no minimum delay, unlike setTimeout (4 ms when nested). */
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

/** Rejects with 'aborted' (or 'disposed', when that was the reason). */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (signal.reason instanceof FoveolaError) throw signal.reason;
  throw new FoveolaError('aborted', 'The call was cancelled.', { cause: signal.reason });
}

export class Scheduler {
  #frames = 0;
  #idle: (() => void)[] = [];
  #pixels = 0;
  #running = 0;
  #admission: { pixels: number; start: () => void }[] = [];

  /** Work on a frame of a tracker. */
  async frame<T>(body: () => Promise<T>): Promise<T> {
    this.#frames++;
    try {
      return await body();
    } finally {
      if (--this.#frames === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when no frame is being worked on, or after `PATIENCE`. */
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

  /** The `slice` of one call: gives the thread back when its 8 ms are used up. */
  slicer(signal: AbortSignal, framesFirst: boolean): () => Promise<void> {
    let start = performance.now();
    return async () => {
      throwIfAborted(signal);
      if (performance.now() - start < SLICE) return;
      await nextTask();
      if (framesFirst) await this.#framesFirst();
      throwIfAborted(signal);
      start = performance.now();
    };
  }
}
