/**
 * The analysis of the picture that stands: previews while a slider is held, the whole result when it is let go, what is
 * analysed of what moves, what is said of all that, and the exports of the result.
 */
import { html, nothing } from 'lit';
import { FoveolaError, type Source, sourcePixels } from '../../src/index.ts';
import type { ElementParts } from '../parts/element-parts.ts';
import type { ElementEngine } from '../parts/engine.ts';
import type { Rendered, Settings } from '../parts/kind.ts';
import { type Progress, progressBar } from '../parts/progress.ts';
import { Store } from '../parts/host.ts';
import type { VesselExport } from './export.ts';
import { type Tools, withTools } from '../tools/load.ts';
import { scaled } from './figures.ts';
import { type VesselFrame, VesselTracker } from './tracker.ts';

/** A slider that is moved by keys is let go after this many milliseconds. */
const letGo = 250;
const tellEvery = 50;

/** What exports have beside the result. */
type ExportLook = Pick<VesselExport, 'color' | 'opacity' | 'corrections' | 'retina'>;

interface WorkState {
  /** What is seen: the result, or a preview of it. */
  shown: VesselFrame | null;
  working: Progress | null;
  /** The analysis was cancelled. */
  interrupted: boolean;
}

export class WorkController {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #look: () => ExportLook;
  /** Something else is to be seen; null: nothing, also not of a former result. */
  readonly #shows: (result: VesselFrame | null) => void;
  readonly #store: Store<WorkState>;
  #tracker: VesselTracker | null = null;
  #result: VesselFrame | null = null;
  /** The same with what a person has corrected. */
  #corrected: VesselFrame | null = null;
  /** Micrometres per pixel that the file says. */
  #fileScale: number | null = null;
  #began = 0;
  #toldAt = 0;
  #letGo = 0;
  #pressed = false;
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

  /** The whole result of the picture that is open, with the settings as they are; null until it is there. */
  get result(): VesselFrame | null {
    const result = this.#corrected ?? this.#result;
    return result && scaled(result, this.scale);
  }

  /** The same as it was found, before anything was corrected. */
  get automatic(): VesselFrame | null {
    return this.#result;
  }

  /** What was analysed. */
  async picture(): Promise<Source | null> {
    return (await this.#tracker?.picture()) ?? null;
  }

  /** In the place of the result. */
  correct(frame: VesselFrame): void {
    if (!this.#result) return;
    this.#corrected = frame;
    this.#show(scaled(frame, this.scale));
  }

  /** Micrometres per pixel: what was given, else what the file says. */
  get scale(): number | null {
    const given = this.#parts.settings.given.micrometresPerPixel;
    return typeof given === 'number' && given > 0 ? given : this.#fileScale;
  }

  get scaleFromFile(): boolean {
    return this.#fileScale !== null && !this.#parts.settings.given.micrometresPerPixel;
  }

  /** Only previews are made. */
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

  /** Ends the analysis that is under way; the preview stays. */
  cancel(): void {
    if (!this.state.working) return;
    this.#tracker?.cancel();
    this.#work(null);
    this.#store.set({ interrupted: true });
    this.#parts.state.announce(this.#parts.strings.vessels.cancelled);
  }

  /** What is under way, over the picture: below it it would move the sliders. */
  get layer(): Rendered {
    const { strings: s, host } = this.#parts;
    const { vessels: words } = s;
    const { working, shown, interrupted } = this.state;
    // What is done at once needs no bar.
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

  /** For the badge. */
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

  /** A slider is pressed, or let go. */
  press(on: boolean): void {
    this.#pressed = on;
    clearTimeout(this.#letGo);
    if (!on) this.#release();
  }

  async export<T>(make: (tools: Tools, of: VesselExport) => Promise<T>): Promise<T> {
    const { feed, session, settings } = this.#parts;
    const { result } = this;
    const { capabilities } = session;
    const picture = await this.picture();
    if (!feed || !result || !capabilities || !picture)
      throw new FoveolaError('source-not-ready', 'No result exists yet. Open a photograph and wait for its vessels.');
    const parameters = { ...settings.all, measures: true, micrometresPerPixel: this.scale ?? 0 };
    const pixels = () => sourcePixels(picture);
    const of = { result, pixels, feed, capabilities, parameters, ...this.#look() };
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

  // Previews while something is changed, the whole result when it is let go.
  parametersChanged(): void {
    this.#result = this.#corrected = null;
    this.#work(0);
    clearTimeout(this.#letGo);
    this.#tracker?.hold(true);
    if (!this.#pressed) this.#letGo = window.setTimeout(() => this.#release(), letGo);
  }

  /** What moves is analysed where it stands; while it moves nothing of a former frame lies over it. */
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

  /** How far the analysis is; null: none is under way. */
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
