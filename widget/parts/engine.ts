/**
 * The elements' only door to the engine. All elements of a page that ask for the same backend share one engine; it goes
 * when the last of them is gone. Tests put another provider here.
 */
import { type Capabilities, type Engine, sharedEngine, type TrackerHandle } from '../../src/index.ts';

// Who sends the engine a frame: all elements that share it take turns, the one that has waited longest first, so that the
// wait within the engine is that of a frame or two, however many elements there are.

export class Turns {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  get free(): boolean {
    return this.#room && !this.#waiting.size;
  }

  /** Several wait: who takes long makes all of them late. */
  get crowded(): boolean {
    return this.#waiting.size > 1;
  }

  /** Of one element the next frame is read while one is computed; where several wait, this would make each wait longer. */
  get #room(): boolean {
    return this.#underWay < (this.crowded ? 1 : 2);
  }

  /** `send` is called when it is its turn; once, however often it was asked for. It may find that nothing waits any more. */
  wait(send: () => void): void {
    this.#waiting.add(send);
  }

  /** A frame was sent. */
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

/** Those of an engine. */
export function turnsOf(engine: object): Turns {
  let turns = known.get(engine);
  if (!turns) known.set(engine, (turns = new Turns()));
  return turns;
}

export type ElementEngine = Engine;

/** A tracker of the engine, or what an element makes of the engine's calls. */
export type ElementTracker<R> = TrackerHandle<R, Record<string, unknown>>;

export interface HeldEngine {
  readonly engine: Promise<ElementEngine>;
  /** `broken`: it works no more, nobody should get it again. */
  release(broken?: boolean): void;
}

/** What an element asks of its engine. */
export interface ElementEngineOptions {
  backend?: 'auto' | 'gpu' | 'wasm';
  /** Folder of the package's files; undefined: the page's own choice. */
  assetBase?: string;
}

export type EngineProvider = (options: ElementEngineOptions) => HeldEngine;

let provider: EngineProvider = sharedEngine;

/** Replaces where engines come from; returns the former provider. */
export function setEngineProvider(next: EngineProvider): EngineProvider {
  const before = provider;
  provider = next;
  return before;
}

/** One element's hold on an engine: taken when first needed, given back with the element. */
export class EngineHold {
  readonly #onReady: (capabilities: Capabilities) => void;
  #held: HeldEngine | null = null;
  #engine: Promise<ElementEngine> | null = null;
  #capabilities: Capabilities | null = null;

  constructor(onReady: (capabilities: Capabilities) => void) {
    this.#onReady = onReady;
  }

  /** Null until there is an engine. */
  get capabilities(): Capabilities | null {
    return this.#capabilities;
  }

  /** Those of all elements that have this engine; to be asked for when it is there. */
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
    // After a failure the next source tries again. Whoever took it shows the failure.
    this.#engine.catch(() => held === this.#held && this.release());
    return this.#engine;
  }

  release(broken = false): void {
    this.#held?.release(broken);
    this.#held = this.#engine = this.#capabilities = null;
  }
}
