/**
 * Landmarks of the faces: their model is loaded beside everything else, and given to the tracker of the source that is open
 * when it is there. Boxes go on meanwhile.
 */
import { html, nothing, type PropertyValues } from 'lit';
import { asFoveolaError, type Engine, type FaceResult, type FaceTracker } from '../../src/index.ts';
import type { ElementParts } from '../parts/element-parts.ts';
import type { Rendered } from '../parts/kind.ts';
import { progressBar } from '../parts/progress.ts';
import { afterInterruption } from '../parts/interruption.ts';
import { FaceModel } from './landmark-model.ts';

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
