/**
 * The elements' only door to the engine. All elements of a page that ask for the same backend share one engine; it goes
 * when the last of them is gone. Tests put another provider here.
 */
import { type Capabilities, type Engine, sharedEngine, type TrackerHandle } from '../../src/index.ts';
import { type Turns, turnsOf } from './turns.ts';

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
