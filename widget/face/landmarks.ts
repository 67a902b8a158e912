/**
 * Landmarks of the faces: their model is loaded beside everything else, and given to the tracker of the source that is open
 * when it is there. Boxes go on meanwhile.
 */
import {
  asFoveolaError,
  type Engine,
  type FoveolaError,
  type LoadProgress,
  type FaceResult,
  type FaceTracker,
} from '../../src/index.ts';
import { type Progress, progressBar, afterInterruption } from '../parts/progress.ts';
import { html, nothing, type PropertyValues } from 'lit';
import type { ElementParts } from '../parts/element-parts.ts';
import type { Rendered } from '../parts/kind.ts';

// The landmark model of an element: loaded beside everything else, so that boxes need not wait for it; it is loaded once,
// whatever becomes of sources and trackers meanwhile.

interface FaceModelHost {
  requestUpdate(): void;
  /** How far it is: the share of its bytes, null where the server does not say how many there are. */
  modelProgress(done: number | null, bytes: LoadProgress): void;
  /** It is missing (or, with null, it is not any more), and why. */
  modelMissing(error: FoveolaError | null): void;
}

class FaceModel {
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

/** The shipped model that is loaded where none is named. */
const DEFAULT = 'landmarks-68';
/** For those who want none; addresses have a dot or a slash. */
const NONE = 'none';

export class LandmarksController {
  readonly #parts: ElementParts<FaceResult>;
  readonly #own: { readonly model: string | null };
  readonly #model: FaceModel;
  /** Of the source that is open. */
  #tracker: FaceTracker | null = null;

  constructor(parts: ElementParts<FaceResult>, own: { readonly model: string | null }) {
    this.#parts = parts;
    this.#own = own;
    this.#model = new FaceModel({
      requestUpdate: () => parts.host.element.requestUpdate(),
      modelProgress: (done, { loaded, total }) => parts.host.emit('progress', { done, loaded, total }),
      modelMissing: (error) => parts.state.setShortfall(error),
    });
    parts.host.add(this);
  }

  /** Name or address; null: boxes alone. */
  get #wanted(): string | null {
    const { model } = this.#own;
    return model === NONE || model === '' ? null : (model ?? DEFAULT);
  }

  /** The tracker begins with boxes at once; landmarks come when their model is there. An analysis waits for them. */
  async join(tracker: FaceTracker, engine: Engine, analysis: boolean): Promise<FaceTracker> {
    if (!analysis) this.#tracker = tracker;
    const loaded = this.#model.load(engine, this.#wanted);
    if (analysis ? await loaded : this.#model.ready) await this.#give(tracker);
    else void loaded.then((there) => void (there && tracker === this.#tracker && this.#give(tracker)));
    return tracker;
  }

  /** Escape ends the loading where it has nothing else to close; returns whether it did. */
  onKey({ key }: KeyboardEvent): boolean {
    const { analysis, host, shown } = this.#parts;
    const free = !host.element.settingsOpen && !analysis.running && !shown.help;
    if (key !== 'Escape' || !this.#model.progress || !free) return false;
    this.#model.cancel();
    return true;
  }

  closing(): void {
    this.#tracker = null;
  }

  updated(changed: PropertyValues): void {
    if (!changed.has('model') || changed.get('model') === undefined) return;
    this.#parts.host.tell('endRecording'); // a file has the points of one model
    void this.#load();
  }

  left(): void {
    this.#model.leave();
    this.#parts.state.setShortfall(null);
  }

  renderProgress(): Rendered {
    const { progress } = this.#model;
    const s = this.#parts.strings;
    return progress ? progressBar(s, s.face.loadingModel, progress, () => this.#model.cancel()) : nothing;
  }

  /** What is missing for landmarks. */
  renderHint(): Rendered {
    const { face: s } = this.#parts.strings;
    if (!this.#model.missing) return nothing;
    return html`<p class="hint" part="hint">
      ${s.modelMissing}
      <button type="button" part="button" @click=${() => this.#load(true)}>${s.loadAgain}</button>
    </p>`;
  }

  /** What stands is processed again, so that landmarks are seen also where nothing plays. */
  async #give(tracker: FaceTracker): Promise<void> {
    try {
      await afterInterruption(() => tracker.setModel(this.#model.ready ? this.#wanted : null));
    } catch (error) {
      return this.#parts.state.setShortfall(asFoveolaError(error, 'The landmark model'));
    }
    if (tracker === this.#tracker) await this.#parts.session.current?.refresh();
  }

  /** Another model, or the same once more. */
  async #load(again = false): Promise<void> {
    const tracker = this.#tracker;
    if (!tracker) return; // the next source brings it
    const engine = await this.#parts.session.takeEngine();
    const loaded = this.#model.load(engine, this.#wanted, again);
    if (!this.#wanted) return this.#give(tracker);
    if ((await loaded) && tracker === this.#tracker) await this.#give(tracker);
  }
}
