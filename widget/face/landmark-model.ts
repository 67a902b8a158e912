/**
 * The landmark model of an element: loaded beside everything else, so that boxes need not wait for it; it is loaded once,
 * whatever becomes of sources and trackers meanwhile.
 */
import { asFoveolaError, type Engine, type FoveolaError, type LoadProgress } from '../../src/index.ts';
import type { Progress } from '../parts/progress.ts';
import { afterInterruption } from '../parts/interruption.ts';

export interface FaceModelHost {
  requestUpdate(): void;
  /** How far it is: the share of its bytes, null where the server does not say how many there are. */
  modelProgress(done: number | null, bytes: LoadProgress): void;
  /** It is missing (or, with null, it is not any more), and why. */
  modelMissing(error: FoveolaError | null): void;
}

export class FaceModel {
  readonly #host: FaceModelHost;
  #engine: Engine | null = null;
  #source: string | null = null;
  #loading: AbortController | null = null;
  #loaded: Promise<boolean> = Promise.resolve(false);
  #began = 0;
  /** While it is being loaded. */
  progress: Progress | null = null;
  /** It is there. */
  ready = false;
  /** It was wanted and is not there; `load` with `again` tries once more. */
  missing = false;

  constructor(host: FaceModelHost) {
    this.#host = host;
  }

  /** Resolves with whether it is there; begins what has not begun. `again`: also after a failure or a cancel. */
  load(engine: Engine, source: string | null, again = false): Promise<boolean> {
    const same = engine === this.#engine && source === this.#source;
    if (same && !(again && this.missing)) return this.#loaded;
    this.#loading?.abort();
    this.#engine = engine;
    this.#source = source;
    this.ready = this.missing = false;
    this.progress = null;
    this.#host.modelMissing(null);
    this.#host.requestUpdate();
    return (this.#loaded = source ? this.#load(engine, source) : Promise.resolve(false));
  }

  async #load(engine: Engine, source: string): Promise<boolean> {
    const loading = (this.#loading = new AbortController());
    const current = () => this.#loading === loading;
    this.#began = performance.now();
    this.#tell(0, { loaded: 0, total: null });
    const onProgress = (done: number, bytes: unknown) => {
      if (current()) this.#tell(done, bytes as LoadProgress);
    };
    try {
      await afterInterruption(() => engine.preload({ model: source }, { signal: loading.signal, onProgress }));
      if (current()) this.ready = true;
      return current();
    } catch (error) {
      if (current()) {
        this.missing = true;
        this.#host.modelMissing(asFoveolaError(error, 'Loading the landmark model'));
      }
      return false;
    } finally {
      if (current()) {
        this.#loading = null;
        this.progress = null;
        this.#host.requestUpdate();
      }
    }
  }

  #tell(done: number, bytes: LoadProgress): void {
    const { loaded, total } = bytes;
    const share = total === null ? null : done;
    this.progress = { done: share, loaded, total, elapsed: performance.now() - this.#began };
    this.#host.modelProgress(share, { loaded, total });
    this.#host.requestUpdate();
  }

  /** Ends the loading; boxes stay. */
  cancel(): void {
    this.#loading?.abort();
  }

  /** The element is gone. */
  leave(): void {
    this.#loading?.abort();
    this.#loading = this.#engine = this.#source = this.progress = null;
    this.ready = this.missing = false;
  }
}
