/**
 * The elements' access to the engine. All elements of a page with the same backend share one engine. It is released
 * with the last of them. Tests install another provider here.
 */
import { type Capabilities, type Engine, sharedEngine, type TrackerHandle } from '../../src/index.ts';

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
