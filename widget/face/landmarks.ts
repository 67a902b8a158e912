/**
 * Landmarks of the faces. Their model loads in the background and is passed to the tracker of the open source once it
 * has loaded. Until then the element shows boxes.
 */
import {
  type Engine,
  type FoveolaError,
  type LoadProgress,
  type FaceResult,
  type FaceTracker,
  asFoveolaError,
} from '../../src/index.ts';
import { type Progress, progressBar, afterInterruption } from '../base/engine.ts';
import { html, nothing, type PropertyValues } from 'lit';
import type { ElementParts } from '../base/element-parts.ts';
import type { Rendered } from '../base/kind.ts';

// The landmark model of an element. It loads in the background, so that boxes need not wait for it. It is loaded only
// once, even if sources and trackers change meanwhile.

class FaceModel {
  readonly #parts: ElementParts<FaceResult>;
  #engine: Engine | null = null;
  #source: string | null = null;
  #loading: AbortController | null = null;
  #loaded: Promise<boolean> = Promise.resolve(false);
  #began = 0;
  /** Progress while the model loads. */
  progress: Progress | null = null;
  /** The model has loaded. */
  ready = false;
  /** The model was requested but could not be loaded. `load` with `again` retries. */
  missing = false;

  constructor(parts: ElementParts<FaceResult>) {
    this.#parts = parts;
  }

  /** Resolves with whether the model is ready. Starts loading if needed. `again`: also after a failure or a cancel. */
  load(engine: Engine, source: string | null, again = false): Promise<boolean> {
    const same = engine === this.#engine && source === this.#source;
    if (same && !(again && this.missing)) return this.#loaded;
    this.#loading?.abort();
    this.#engine = engine;
    this.#source = source;
    this.ready = this.missing = false;
    this.progress = null;
    this.#changed(null);
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
        this.#changed(asFoveolaError(error, 'Loading the landmark model'));
      }
      return false;
    } finally {
      if (current()) {
        this.#loading = null;
        this.progress = null;
        this.#changed();
      }
    }
  }

  #tell(done: number, bytes: LoadProgress): void {
    const { loaded, total } = bytes;
    const share = total === null ? null : done;
    this.progress = { done: share, loaded, total, elapsed: performance.now() - this.#began };
    this.#parts.host.emit('progress', { done: share, loaded, total });
    this.#changed();
  }

  /** `error`: why the model is missing. Null: it is no longer missing. */
  #changed(error?: FoveolaError | null): void {
    if (error !== undefined) this.#parts.state.setShortfall(error);
    this.#parts.host.element.requestUpdate();
  }

  /** Cancels the loading. Boxes are still tracked. */
  cancel(): void {
    this.#loading?.abort();
  }

  /** Called when the element has been removed. */
  leave(): void {
    this.#loading?.abort();
    this.#loading = this.#engine = this.#source = this.progress = null;
    this.ready = this.missing = false;
  }
}

/** The default model, shipped with the package. */
const DEFAULT = 'landmarks-network';
/** Value of `model` for boxes without landmarks. It cannot be an address, since addresses have a dot or a slash. */
const NONE = 'none';

export class LandmarksController {
  readonly #parts: ElementParts<FaceResult>;
  readonly #own: { readonly model: string | null };
  readonly #model: FaceModel;
  /** Tracker of the open source. */
  #tracker: FaceTracker | null = null;

  constructor(parts: ElementParts<FaceResult>, own: { readonly model: string | null }) {
    this.#parts = parts;
    this.#own = own;
    this.#model = new FaceModel(parts);
    parts.host.add(this);
  }

  /** Name or address of the model. Null: boxes only. */
  get #wanted(): string | null {
    const { model } = this.#own;
    return model === NONE || model === '' ? null : (model ?? DEFAULT);
  }

  /**
   * The tracker starts with boxes at once. Landmarks follow when their model has loaded. An analysis waits for the
   * model.
   */
  async join(tracker: FaceTracker, engine: Engine, analysis: boolean): Promise<FaceTracker> {
    if (!analysis) this.#tracker = tracker;
    const loaded = this.#model.load(engine, this.#wanted);
    if (analysis ? await loaded : this.#model.ready) await this.#give(tracker);
    else void loaded.then((there) => void (there && tracker === this.#tracker && this.#give(tracker)));
    return tracker;
  }

  /** Escape cancels the loading if it has nothing else to close. Returns whether it did. */
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
    this.#parts.host.tell('endRecording'); // a file has the points of only one model
    void this.#load();
  }

  left(): void {
    this.#model.leave();
    this.#parts.state.setShortfall(null);
  }

  /** The model of the open source is loading. */
  get loading(): boolean {
    return this.#model.progress !== null && this.#parts.feed !== null;
  }

  renderProgress(): Rendered {
    const { progress } = this.#model;
    const s = this.#parts.strings;
    return progress ? progressBar(s, s.face.loadingModel, progress, () => this.#model.cancel()) : nothing;
  }

  /** Explains why landmarks are missing. */
  renderHint(): Rendered {
    const { face: s } = this.#parts.strings;
    if (!this.#model.missing) return nothing;
    return html`<p class="hint" part="hint">
      ${s.modelMissing}
      <button type="button" part="button" @click=${() => this.#load(true)}>${s.loadAgain}</button>
    </p>`;
  }

  /** Processes a still frame again, so that landmarks also appear when nothing plays. */
  async #give(tracker: FaceTracker): Promise<void> {
    try {
      await afterInterruption(() => tracker.setModel(this.#model.ready ? this.#wanted : null));
    } catch (error) {
      return this.#parts.state.setShortfall(asFoveolaError(error, 'The landmark model'));
    }
    if (tracker === this.#tracker) await this.#parts.session.current?.refresh();
  }

  /** Loads another model, or retries the current one. */
  async #load(again = false): Promise<void> {
    const tracker = this.#tracker;
    if (!tracker) return; // the next source loads it
    const engine = await this.#parts.session.takeEngine();
    const loaded = this.#model.load(engine, this.#wanted, again);
    if (!this.#wanted) return this.#give(tracker);
    if ((await loaded) && tracker === this.#tracker) await this.#give(tracker);
  }
}
