/** The elements' access to the engine, the progress of its calls, and the rate of its frames. */
import {
  type FoveolaError,
  type Capabilities,
  type Engine,
  sharedEngine,
  type TrackerHandle,
} from '../../src/index.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';

// Handles calls that were lost with the engine's worker.

/** Whether the call was lost with the engine's worker, which restarts automatically. */
export const isInterruption = (error: unknown): error is FoveolaError =>
  (error as FoveolaError | null)?.code === 'worker-lost';

/** Repeats the work if it was lost with a worker. After too many crashes the engine reports an error. */
export async function afterInterruption<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
}

export interface Progress {
  /** 0 to 1. Null if the end is not known. */
  done: number | null;
  /** Milliseconds since the start. */
  elapsed: number;
  /** Recording: frames so far, and media time in milliseconds. */
  frames?: number;
  mediaTime?: number;
  /** File: loaded and total bytes. Null if unknown. */
  loaded?: number;
  total?: number | null;
}

const MEGABYTE = 1e6;

/** `cancel`: null if the toolbar has the button for it. */
export function progressBar(
  s: Strings,
  label: string,
  progress: Progress,
  cancel: (() => void) | null,
): TemplateResult {
  const { done, frames, elapsed, loaded, total = null } = progress;
  const percent = done === null ? null : Math.floor(100 * done);
  const left = done && done > 0.02 && elapsed > 1000 ? s.secondsLeft(Math.ceil((elapsed / done - elapsed) / 1000)) : '';
  const megabytes = (bytes: number) => s.number(bytes / MEGABYTE, 1);
  const size = loaded ? s.megabytes(megabytes(loaded), total === null ? null : megabytes(total)) : '';
  return html`<div class="progress" part="progress">
    <progress aria-label=${label} max="1" .value=${done ?? 0} ?data-unknown=${done === null}></progress>
    <span>
      ${percent === null ? nothing : html`<b><bdi dir="ltr">${`${percent} %`}</bdi></b>`}
      ${[frames === undefined ? '' : s.frameCount(frames), size, left].filter(Boolean).map((text) => html` <bdi>${text}</bdi>`)}
    </span>
    ${cancel ? html`<button type="button" part="button" @click=${cancel}>${s.cancel}</button>` : nothing}
  </div>`;
}

/** Frames per second over the last second, number of dropped frames, and timing of the next figure update. */
const every = 200;

export class Rate {
  #arrivals: number[] = [];
  #writtenAt = -Infinity;
  dropped = 0;

  clear(): void {
    this.#arrivals = [];
    this.dropped = 0;
    this.#writtenAt = -Infinity;
  }

  add(dropped = 0): void {
    const now = performance.now();
    this.#arrivals.push(now);
    while (this.#arrivals[0]! < now - 1000) this.#arrivals.shift();
    this.dropped += dropped;
  }

  /** Milliseconds until the next update: five per second, the first one at once. */
  get wait(): number {
    return Math.max(0, this.#writtenAt + every - performance.now());
  }

  /** The figures are being updated now. */
  written(): void {
    this.#writtenAt = performance.now();
  }

  /** Makes the next update immediate. */
  hurry(): void {
    this.#writtenAt = -Infinity;
  }

  /** A dash until two frames have arrived. */
  get text(): string {
    return this.#arrivals.length > 1 ? String(this.#arrivals.length) : '–';
  }
}

/** Writes a figure into its place below the image, without a render. */
export function writeFigure(box: Element | null, name: string, text: string): void {
  const place = box?.querySelector(`[data-value=${name}]`);
  if (place && place.textContent !== text) place.textContent = text;
}

/** Nothing is known: writes a dash in every place. */
export function emptyFigures(box: Element | null): void {
  for (const place of box?.querySelectorAll('[data-value]') ?? []) place.textContent = '–';
}

// The elements' access to the engine. All elements of a page with the same backend share one engine. It is released
// with the last of them. Tests install another provider here.

// Schedules frames: all elements that share an engine take turns, the longest waiting one first. So the wait in the
// engine is one or two frames, however many elements exist.

export class Turns {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  get free(): boolean {
    return this.#room && !this.#waiting.size;
  }

  /** Several elements are waiting. Slow work would delay all of them. */
  get crowded(): boolean {
    return this.#waiting.size > 1;
  }

  /**
   * While a frame is computed, the next frame of a single element is read. If several elements wait, this would make
   * each wait longer.
   */
  get #room(): boolean {
    return this.#underWay < (this.crowded ? 1 : 2);
  }

  /** Calls `send` once when it is its turn, even if it is requested repeatedly. By then nothing may be left to send. */
  wait(send: () => void): void {
    this.#waiting.add(send);
  }

  /** Registers a frame that was sent. */
  add(frame: Promise<unknown>): void {
    this.#underWay++;
    void frame.finally(() => {
      this.#underWay--;
      for (const send of this.#waiting) {
        if (!this.#room) return;
        this.#waiting.delete(send);
        send();
      }
    });
  }
}

const known = new WeakMap<object, Turns>();

/** Scheduler of an engine. */
export function turnsOf(engine: object): Turns {
  let turns = known.get(engine);
  if (!turns) known.set(engine, (turns = new Turns()));
  return turns;
}

export type ElementEngine = Engine;

/** A tracker of the engine, or an object that an element builds from engine calls. */
export type ElementTracker<R> = TrackerHandle<R, Record<string, unknown>>;

export interface HeldEngine {
  readonly engine: Promise<ElementEngine>;
  /** `broken`: the engine no longer works and must not be shared again. */
  release(broken?: boolean): void;
}

/** Options for an element's engine. */
export interface ElementEngineOptions {
  backend?: 'auto' | 'gpu' | 'wasm';
  /** Folder of the package's files. Undefined: the page's setting. */
  assetBase?: string;
}

export type EngineProvider = (options: ElementEngineOptions) => HeldEngine;

let provider: EngineProvider = sharedEngine;

/** Replaces the engine provider and returns the previous one. */
export function setEngineProvider(next: EngineProvider): EngineProvider {
  const before = provider;
  provider = next;
  return before;
}

/** One element's reference to an engine: acquired on first use, released with the element. */
export class EngineHold {
  readonly #onReady: (capabilities: Capabilities) => void;
  #held: HeldEngine | null = null;
  #engine: Promise<ElementEngine> | null = null;
  #capabilities: Capabilities | null = null;

  constructor(onReady: (capabilities: Capabilities) => void) {
    this.#onReady = onReady;
  }

  /** Null until an engine is available. */
  get capabilities(): Capabilities | null {
    return this.#capabilities;
  }

  /** Scheduler shared by all elements with this engine. Only valid once the engine is available. */
  get turns(): Turns {
    return turnsOf(this.#held!.engine);
  }

  take(options: ElementEngineOptions): Promise<ElementEngine> {
    if (this.#engine) return this.#engine;
    const held = (this.#held = provider(options));
    this.#engine = held.engine.then((engine) => {
      if (held === this.#held && !this.#capabilities) this.#onReady((this.#capabilities = engine.capabilities));
      return engine;
    });
    // After a failure the next source tries again. The caller shows the failure.
    this.#engine.catch(() => held === this.#held && this.release());
    return this.#engine;
  }

  release(broken = false): void {
    this.#held?.release(broken);
    this.#held = this.#engine = this.#capabilities = null;
  }
}
