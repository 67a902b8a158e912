/**
 * The inner side of <foveola-vessels>: settings, previews while a slider is held, what is analysed of what moves, the
 * result and its exports. The component adds what is seen.
 */
import { property, state } from 'lit/decorators.js';
import { type Column, FoveolaError, type FrameTiming, type ParameterTable, vesselParameters } from '../../src/index.ts';
import type { Meaning } from '../parts/element-core.ts';
import type { ElementEngine } from '../parts/engine.ts';
import type { Feed } from '../parts/feed.ts';
import type { Progress } from '../parts/progress.ts';
import type { Settings } from '../parts/settings-element.ts';
import { exportedCsv, exportedJson, exportedMask, exportedOverlay, type VesselExport } from './export.ts';
import { scaled, vesselColumns, vesselRows } from './figures.ts';
import { type VesselEngine, type VesselFrame, VesselTracker } from './tracker.ts';
import type { ToolbarModel } from '../parts/views.ts';
import { ZoomElement } from '../parts/zoom-element.ts';

/** Below it a result is not to be trusted. */
export const trusted = 0.5;
/** A slider that is moved by keys is let go after this many milliseconds. */
const letGo = 250;
const tellEvery = 50;
const isColour = (text: unknown): text is string => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text);

export abstract class VesselElement extends ZoomElement<VesselFrame> {
  /** `thick` or `all`. */
  @property() scales: 'thick' | 'all' | null = null;
  /** Scale of the narrowest vessels sought, in pixels; 0 or none: in proportion to the field of view. */
  @property({ type: Number }) sigma: number | null = null;
  /** Of the vessels, 0 to 1. */
  @property({ type: Number }) opacity: number | null = null;
  /** Of the vessels, as `#rrggbb`. */
  @property() colour: string | null = null;
  /** Scale of the photograph; without it that of the file, where it has one. */
  @property({ type: Number, attribute: 'micrometres-per-pixel' }) micrometresPerPixel: number | null = null;

  /** What is seen: the result, or a preview of it. */
  @state() protected shown: VesselFrame | null = null;
  @state() protected working: Progress | null = null;
  /** The analysis was cancelled. */
  @state() protected interrupted = false;

  #tracker: VesselTracker | null = null;
  #result: VesselFrame | null = null;
  #fileScale: number | null = null;
  #began = 0;
  #toldAt = 0;
  #letGo = 0;
  #pressed = false;
  #frozen = false;

  /** Something else is to be seen; null: nothing, also not of a former result. */
  protected abstract show(result: VesselFrame | null): void;

  /** The whole result of the picture that is open, with the settings as they are; null until it is there. */
  get result(): VesselFrame | null {
    return this.#result && scaled(this.#result, this.scale);
  }

  /** The mask, 255 on vessels, as PNG. Rejects with 'source-not-ready' before the first whole result. */
  exportMask(): Promise<Blob> {
    return this.#export(exportedMask);
  }

  /** The photograph with its vessels at its full size, as PNG. */
  override snapshot(): Promise<Blob> {
    return this.#export(exportedOverlay);
  }

  /** The segments of the picture that is shown; with `recording` a row for each picture of the last recording. */
  override exportCsv({ recording = false }: { recording?: boolean } = {}): Promise<string> {
    return recording ? super.exportCsv() : this.#export(exportedCsv);
  }

  /** All measures of the picture that is shown; with `recording` the last recording. */
  override exportJson({ recording = false }: { recording?: boolean } = {}): Promise<string> {
    return recording ? super.exportJson() : this.#export(exportedJson);
  }

  /** Ends the analysis that is under way; the preview stays. */
  cancel(): void {
    if (!this.working) return;
    this.#tracker?.cancel();
    this.#work(null);
    this.interrupted = true;
    this.announce(this.strings.vessels.cancelled);
  }

  async #export<T>(make: (of: VesselExport) => Promise<T>): Promise<T> {
    const { feed, capabilities, result } = this;
    const picture = await this.#tracker?.picture();
    if (!feed || !result || !capabilities || !picture)
      throw new FoveolaError('source-not-ready', 'There is no result yet. Open a photograph and wait for its vessels.');
    const micrometresPerPixel = this.scale ?? 0;
    const parameters = { ...this.defaults, ...this.parameters(), measures: true, micrometresPerPixel };
    const { tint: colour, strength: opacity } = this;
    return make({ result, picture, feed, capabilities, parameters, colour, opacity });
  }

  /** Micrometres per pixel: what was given, else what the file says. */
  protected get scale(): number | null {
    const given = this.given.micrometresPerPixel;
    return typeof given === 'number' && given > 0 ? given : this.fileScale;
  }

  protected get fileScale(): number | null {
    return this.#fileScale;
  }

  protected get tint(): string {
    return isColour(this.colour) ? this.colour.toLowerCase() : '#00d5ff';
  }

  protected get strength(): number {
    const { opacity } = this;
    return opacity === null || !Number.isFinite(opacity) ? 0.75 : Math.max(0, Math.min(1, opacity));
  }

  protected override get table(): ParameterTable {
    return vesselParameters;
  }

  protected override get ownParameters(): readonly string[] {
    return ['scales', 'sigma', 'micrometresPerPixel', 'opacity', 'colour'];
  }

  protected override get panelFirst(): readonly string[] {
    return ['thresholdFactor', 'sigma'];
  }

  protected override get panelHidden(): readonly string[] {
    return ['scales', 'measures', 'micrometresPerPixel'];
  }

  protected override checkSettings({ opacity, colour, ...settings }: Settings): void {
    if (colour !== undefined && !isColour(colour))
      throw new FoveolaError('invalid-argument', `Settings: colour must be like #00d5ff, not ${String(colour)}.`);
    if (opacity !== undefined && !((opacity as number) >= 0 && (opacity as number) <= 1))
      throw new FoveolaError('invalid-argument', `Settings: opacity must be from 0 to 1, not ${String(opacity)}.`);
    super.checkSettings(settings);
  }

  /** Colour, opacity and the scale change nothing of what is computed. */
  protected override parameters(): Settings {
    const { opacity: _, colour: __, micrometresPerPixel: ___, measures: ____, ...parameters } = this.given;
    return parameters;
  }

  /** @internal */
  get standingOnly(): boolean {
    return !(this.maxFps > 0);
  }

  protected override createTracker(engine: ElementEngine, parameters: Settings): VesselTracker {
    return (this.#tracker = new VesselTracker(engine as unknown as VesselEngine, parameters, {
      preview: (frame) => this.#show(frame),
      progress: (done) => this.#work(done),
    }));
  }

  protected override get columns(): readonly Column[] {
    return vesselColumns;
  }

  protected override rowsOf(result: VesselFrame, timing: FrameTiming): number[][] {
    return vesselRows(result, timing);
  }

  protected override get analysable(): boolean {
    return false; // frame by frame is for what moves
  }

  protected override meaningOf({ confidence, preview }: VesselFrame): Meaning | null {
    return preview ? null : { tracking: confidence >= trusted, blink: false };
  }

  protected override stateText(): string {
    const { vessels: s, states } = this.strings;
    if (this.phase === 'running') return s.liveShort;
    if (this.phase !== 'paused' && this.phase !== 'finished') return states[this.phase];
    if (this.working && !(this.held && this.shown)) return s.analysing;
    if (!this.shown || this.shown.preview) return this.shown ? s.preview : states[this.phase];
    return this.tracking ? states.tracking : states.lost;
  }

  protected override toolbarFor(model: ToolbarModel): ToolbarModel {
    const moving = this.session?.moving ?? false;
    return {
      ...{ ...model, rows: null, noMeasure: this.unready || (!this.#result && this.strings.why.noResult) },
      ...(!moving && { noPlay: null, recording: null }),
    };
  }

  protected override forgetFrame(): void {
    super.forgetFrame();
    this.#clear();
  }

  protected override forget(): void {
    super.forget();
    this.#fileScale = null;
  }

  protected override begin(_feed: Feed): void {
    this.#frozen = false;
    if (!this.session?.moving) this.#work(0);
  }

  protected override left(): void {
    super.left();
    clearTimeout(this.#letGo);
    this.#tracker = null;
  }

  #clear(): void {
    this.#result = null;
    this.interrupted = false;
    this.#work(null);
    this.#show(null);
  }

  #work(done: number | null): void {
    const now = performance.now();
    if (done === null) this.working = null;
    else {
      if (!this.working || done < (this.working.done ?? 0)) this.#began = now;
      else if (now - this.#toldAt < tellEvery) return;
      this.#toldAt = now;
      this.interrupted = false;
      this.working = { done, elapsed: now - this.#began };
      this.emit('progress', { done });
    }
    this.toggleAttribute('working', this.working !== null);
  }

  #show(result: VesselFrame | null): void {
    this.shown = result;
    this.toggleAttribute('preview', result?.preview ?? false);
    this.show(result);
  }

  /** @internal */
  override onResult(result: VesselFrame, timing: FrameTiming): void {
    this.#work(null);
    if (!result.preview) {
      this.#result = result;
      this.#fileScale = result.scale?.from === 'file' ? result.scale.micrometresPerPixel : null;
    }
    super.onResult(scaled(result, this.scale), timing);
    if (!result.preview) this.emit('progress', { done: 1 });
  }

  /** @internal */
  override onFailure(error: FoveolaError): void {
    if (error.code !== 'aborted' && error.code !== 'disposed') this.#work(null);
    super.onFailure(error);
  }

  protected override present(result: VesselFrame, timing: FrameTiming): void {
    super.present(result, timing);
    this.#show(result);
  }

  // Previews while something is changed, the whole result when it is let go.
  protected override parametersChanged(parameters: Settings): void {
    super.parametersChanged(parameters);
    this.#result = null;
    this.#work(0);
    clearTimeout(this.#letGo);
    this.#tracker?.hold(true);
    if (!this.#pressed) this.#letGo = window.setTimeout(() => this.#release(), letGo);
  }

  /** A slider is pressed, or let go. */
  protected press(on: boolean): void {
    this.#pressed = on;
    clearTimeout(this.#letGo);
    if (!on) this.#release();
  }

  /** Only previews are made. */
  protected get held(): boolean {
    return this.#tracker?.held ?? false;
  }

  #release(): void {
    this.#tracker?.hold(false);
    this.requestUpdate();
  }

  /**
   * What moves is analysed where it stands; while it moves nothing of a former frame lies over it.
   * @internal
   */
  override onPlayback(): void {
    super.onPlayback();
    const { session } = this;
    const video = session?.feed.element;
    if (!session || !(video instanceof HTMLVideoElement)) return;
    const stands = video.paused && this.phase !== 'error';
    if (this.#tracker) this.#tracker.live = !stands;
    if (stands === this.#frozen) return;
    this.#frozen = stands;
    if (stands) {
      this.#work(0);
      session.again();
    } else {
      this.#tracker?.cancel();
      this.#clear();
      this.setMeaning(null);
    }
  }
}
