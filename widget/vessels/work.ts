/**
 * Analyzes the current still image: previews while a setting changes, then the full result. Also decides
 * which frames of a moving source are analyzed, shows progress and notes, and exports the result.
 */
import { html, nothing } from 'lit';
import { FoveolaError, type Source } from '../../src/index.ts';
import { sourcePixels } from '../../src/internal.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { type ElementEngine, type Progress, progressBar } from '../base/engine.ts';
import type { Rendered, Settings } from '../base/kind.ts';
import { Store } from '../base/host.ts';
import type { VesselExport } from './export.ts';
import { type Tools, withTools } from '../tools/load.ts';
import { scaled } from './figures.ts';
import { type VesselFrame, VesselTracker } from './tracker.ts';

/** A setting that has not changed for this many milliseconds is final. */
const letGo = 250;
const tellEvery = 50;

/** Additional data of exports. */
type ExportLook = Pick<VesselExport, 'color' | 'opacity' | 'corrections' | 'retina' | 'rows'>;

interface WorkState {
  /** The displayed result: full, or a preview. */
  shown: VesselFrame | null;
  working: Progress | null;
  /** The analysis was cancelled. */
  interrupted: boolean;
}

export class WorkController {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #look: () => ExportLook;
  /** Called when the display changes. Null: nothing is shown, not even a previous result. */
  readonly #shows: (result: VesselFrame | null) => void;
  readonly #store: Store<WorkState>;
  #tracker: VesselTracker | null = null;
  #result: VesselFrame | null = null;
  /** The full result with manual corrections. */
  #corrected: VesselFrame | null = null;
  /** Micrometers per pixel in the file. */
  #fileScale: number | null = null;
  #began = 0;
  #toldAt = 0;
  #letGo = 0;
  #frozen = false;

  constructor(parts: ElementParts<VesselFrame>, look: () => ExportLook, shows: (result: VesselFrame | null) => void) {
    this.#parts = parts;
    this.#look = look;
    this.#shows = shows;
    const nothing: WorkState = { shown: null, working: null, interrupted: false };
    this.#store = new Store(nothing, () => parts.host.element.requestUpdate());
    parts.host.add(this);
  }

  get state(): Readonly<WorkState> {
    return this.#store.state;
  }

  /** The full result of the open image with the current settings. Null until it is available. */
  get result(): VesselFrame | null {
    const result = this.#corrected ?? this.#result;
    return result && scaled(result, this.scale);
  }

  /** The full result without corrections. */
  get automatic(): VesselFrame | null {
    return this.#result;
  }

  /** The analyzed image. */
  async picture(): Promise<Source | null> {
    return (await this.#tracker?.picture()) ?? null;
  }

  /** Replaces the result with a corrected one. */
  correct(frame: VesselFrame): void {
    if (!this.#result) return;
    this.#corrected = frame;
    this.#show(scaled(frame, this.scale));
  }

  /** Micrometers per pixel: the configured value, otherwise the value in the file. */
  get scale(): number | null {
    const given = this.#parts.settings.given.micrometresPerPixel;
    return typeof given === 'number' && given > 0 ? given : this.#fileScale;
  }

  get scaleFromFile(): boolean {
    return this.#fileScale !== null && !this.#parts.settings.given.micrometresPerPixel;
  }

  /** Only previews are computed. */
  get held(): boolean {
    return this.#tracker?.held ?? false;
  }

  track(engine: ElementEngine, parameters: Settings): VesselTracker {
    return (this.#tracker = new VesselTracker(engine, parameters, {
      preview: (frame) => this.#show(frame),
      progress: (done) => this.#work(done),
      made: (frame) => this.#made(frame),
    }));
  }

  /** Cancels the analysis in progress. The preview stays. */
  cancel(): void {
    if (!this.state.working) return;
    this.#tracker?.cancel();
    this.#work(null);
    this.#store.set({ interrupted: true });
    this.#parts.state.announce(this.#parts.strings.vessels.cancelled);
  }

  /** Progress, shown over the image. Below the image it would move the sliders. */
  get layer(): Rendered {
    const { strings: s, host } = this.#parts;
    const { vessels: words } = s;
    const { working, shown, interrupted } = this.state;
    // Fast work does not need a bar.
    if (working && !this.held && (working.elapsed > 250 || shown?.preview))
      return html`<div class="doing">${progressBar(s, words.analysing, working, () => this.cancel())}</div>`;
    if (!interrupted) return nothing;
    return html`<div class="doing">
      <div class="progress" part="progress">
        <span>${words.cancelled}</span>
        <button type="button" part="button" @click=${() => void host.element.step()}>${words.again}</button>
      </div>
    </div>`;
  }

  /** Text of the badge. */
  stateText(): string {
    const { strings, state } = this.#parts;
    const { vessels: s, states } = strings;
    const { phase, meaning } = state;
    const { shown, working } = this.state;
    if (phase === 'running') return s.liveShort;
    if (phase !== 'paused' && phase !== 'finished') return states[phase];
    if (working && !(this.held && shown)) return s.analysing;
    if (!shown || shown.preview) return shown ? s.preview : states[phase];
    return meaning.tracking ? states.tracking : states.lost;
  }

  async export<T>(make: (tools: Tools, of: VesselExport) => Promise<T>): Promise<T> {
    const { feed, session, settings, host } = this.#parts;
    const { result } = this;
    const { capabilities } = session;
    const picture = await this.picture();
    if (!feed || !result || !capabilities || !picture)
      throw new FoveolaError('source-not-ready', 'No result exists yet. Open a photograph and wait for its vessels.');
    const parameters = { ...settings.all, measures: true, micrometresPerPixel: this.scale ?? 0 };
    const pixels = () => sourcePixels(picture);
    const of = { result, pixels, feed, element: host.element, capabilities, parameters, ...this.#look() };
    return withTools((tools) => make(tools, of));
  }

  begin(): void {
    this.#frozen = false;
    if (!this.#parts.session.current?.moving) this.#work(0);
  }

  present(result: VesselFrame): void {
    this.#show(result);
  }

  published({ preview }: VesselFrame): void {
    if (!preview) this.#parts.host.emit('progress', { done: 1 });
  }

  failed(): void {
    this.#work(null);
  }

  forgetFrame(): void {
    this.#clear();
  }

  forget(): void {
    this.#fileScale = null;
  }

  // Previews while a setting changes, then the full result.
  parametersChanged(): void {
    this.#result = this.#corrected = null;
    this.#work(0);
    clearTimeout(this.#letGo);
    this.#tracker?.hold(true);
    this.#letGo = window.setTimeout(() => this.#release(), letGo);
  }

  /** A moving source is analyzed while it is paused. While it plays, the result of an earlier frame is not shown. */
  playback(): void {
    const { current } = this.#parts.session;
    const video = current?.feed.element;
    if (!current || !(video instanceof HTMLVideoElement)) return;
    const stands = video.paused && this.#parts.state.phase !== 'error';
    if (this.#tracker) this.#tracker.live = !stands;
    if (stands === this.#frozen) return;
    this.#frozen = stands;
    if (stands) {
      this.#work(0);
      current.again();
    } else {
      this.#tracker?.cancel();
      this.#clear();
      this.#parts.state.setMeaning(null);
    }
  }

  left(): void {
    clearTimeout(this.#letGo);
    this.#tracker = null;
  }

  #made(frame: VesselFrame): VesselFrame {
    this.#work(null);
    if (!frame.preview) {
      this.#result = frame;
      this.#corrected = null;
      this.#fileScale = frame.scale?.from === 'file' ? frame.scale.micrometresPerPixel : null;
    }
    return scaled(frame, this.scale);
  }

  #release(): void {
    this.#tracker?.hold(false);
    this.#parts.host.element.requestUpdate();
  }

  #clear(): void {
    this.#result = this.#corrected = null;
    this.#store.set({ interrupted: false });
    this.#work(null);
    this.#show(null);
  }

  #show(shown: VesselFrame | null): void {
    this.#store.set({ shown });
    this.#parts.host.element.toggleAttribute('preview', shown?.preview ?? false);
    this.#shows(shown);
  }

  /** Progress of the analysis. Null: no analysis is running. */
  #work(done: number | null): void {
    const { host } = this.#parts;
    const { working } = this.state;
    const now = performance.now();
    if (done === null) this.#store.set({ working: null });
    else {
      if (!working || done < (working.done ?? 0)) this.#began = now;
      else if (now - this.#toldAt < tellEvery) return;
      this.#toldAt = now;
      this.#store.set({ interrupted: false, working: { done, elapsed: now - this.#began } });
      host.emit('progress', { done });
    }
    host.element.toggleAttribute('working', this.state.working !== null);
  }
}
