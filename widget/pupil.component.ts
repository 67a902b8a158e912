import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import {
  FoveolaError,
  type FrameTiming,
  type ParameterTable,
  type Pupil,
  pupilColumns,
  pupilParameters,
  pupilPresets,
  type PupilResult,
  pupilRows,
  type PupilExportOptions,
  type PupilSeries,
  type PupilSeriesOptions,
  oneEuroDefaults,
  pupilSeries,
  recordedPupils,
  toPupilCsv,
  toPupilJson,
  type Roi,
} from '../src/index.ts';
import { Chart } from './parts/chart.ts';
import { drawPupils } from './parts/draw-pupil.ts';
import type { Meaning } from './parts/element-core.ts';
import { FoveolaElement } from './parts/element.ts';
import type { ElementEngine } from './parts/engine.ts';
import type { Feed } from './parts/feed.ts';
import type { View } from './parts/overlay.ts';
import { Readout } from './parts/readout.ts';
import { boxFrom, describeRegion, middleOf, regionFields, rounded, smallestRegion } from './parts/region.ts';
import type { Settings } from './parts/settings-element.ts';
import { ShapeTool } from './parts/shape-tool.ts';
import { button } from './parts/views.ts';

/**
 * Tracks the pupil in a video, a camera or an image, draws it over the picture, shows its diameter over time, records and
 * exports. Everything is computed in the page; nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-pupil
 *
 * @attr {string} src - Address of a video or an image.
 * @attr {string} camera - Offers the camera: present for any, `user`, `environment`, or a device id. Starts with a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page; the overlay is laid over it.
 * @attr {boolean} mirror - Shows the picture mirrored; coordinates stay those of the source.
 * @attr {number} max-fps - At most so many frames a second are processed; the others are counted as throttled.
 * @attr {'auto'|'gpu'|'wasm'} backend - Which side computes.
 * @attr {boolean} paused - Does not play.
 * @attr {boolean} loop - Starts a recording again when it has ended.
 * @attr {boolean} controls - Shows the toolbar.
 * @attr {boolean} points - Shows the border points.
 * @attr {string} lang - Language of the words, where its dictionary is imported (`en`, `de`).
 * @attr {'robust'|'starburst'|'threshold'|'hough'} method - Detector.
 * @attr {'ellipse'|'circle'} fit - What is fitted to the border.
 * @attr {1|2} eyes - 2: the picture shows both eyes, left and right half.
 * @attr {string} roi - Region of interest: x, y, width and height in pixels, as in `120 80 320 240`.
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {number} millimetres-per-pixel - Calibration; with it the diameter is also given in millimetres.
 *
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} tracking - State: a pupil was found in the last frame.
 * @attr {boolean} lost - State: no pupil was found in the last frame, and it is no blink.
 * @attr {boolean} blink - State: the eye is closed.
 * @attr {boolean} recording - State: rows are being recorded.
 * @attr {string} error - State: code of the error that is shown.
 *
 * @prop {Source | MediaStream | string | null} source - Any source; comes before `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - What the engine can do on this page.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is there.
 * @fires {CustomEvent<PupilResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking`, `blink` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed; the element shows it as well.
 * @fires {CustomEvent<{ done: number }>} foveola-progress - A source is being opened: `done` from 0 to 1.
 *
 * @slot media - A video, img or canvas of the page's own, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces what is shown when something failed.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the picture.
 * @csspart media - The video, image or canvas that was made for the source.
 * @csspart overlay - The canvas over it.
 * @csspart badge - State over the picture.
 * @csspart readout - The numbers.
 * @csspart chart - The diameter over time.
 * @csspart controls - The toolbar.
 * @csspart camera - Camera settings.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 * @csspart help - The list of keys.
 *
 * @cssprop --foveola-surface - Background of toolbar and chart.
 * @cssprop --foveola-text - Text.
 * @cssprop --foveola-muted - Less important text.
 * @cssprop --foveola-border - Lines between areas.
 * @cssprop --foveola-hover - Background of a button under the pointer.
 * @cssprop --foveola-accent - Switched-on buttons and the focus ring.
 * @cssprop --foveola-danger - Errors and the record button.
 * @cssprop --foveola-stage - Background behind the picture.
 * @cssprop --foveola-ellipse - The fitted outline.
 * @cssprop --foveola-centre - The centre cross.
 * @cssprop --foveola-points - Border points.
 * @cssprop --foveola-line - Diameter in the chart.
 * @cssprop --foveola-line-second - Diameter of the second eye.
 * @cssprop --foveola-blink - Blinks in the chart.
 * @cssprop --foveola-mark - Markers in the chart.
 * @cssprop --foveola-radius - Radius of the corners.
 * @cssprop --foveola-font - Font family.
 * @cssprop --foveola-max-height - Greatest height of the stage.
 */
export class FoveolaPupil extends FoveolaElement<PupilResult> {
  @property() method: string | null = null;
  @property() fit: string | null = null;
  @property({ type: Number }) eyes: number | null = null;
  @property({ type: Number, attribute: 'millimetres-per-pixel' }) millimetresPerPixel: number | null = null;
  @property({ attribute: 'roi', converter: boxFrom }) roi: Roi | null = null;
  @property({ type: Boolean, reflect: true }) points = false;

  @query('.chart') private chartBox!: HTMLElement | null;
  @query('.readout') private readoutBox!: HTMLElement | null;
  #chart: Chart | null = null;
  readonly #readout = new Readout();
  #last: PupilResult | null = null;

  protected override readonly columns = pupilColumns;

  /** Exports also give the diameter with blinks filled in by a straight line. */
  @property({ type: Boolean, reflect: true }) interpolate = false;
  /** Exports also give the diameter smoothed by the 1 euro filter. */
  @property({ type: Boolean, reflect: true }) smooth = false;

  get #exportOptions(): PupilExportOptions {
    const { interpolate, smooth } = this;
    if (!interpolate && !smooth) return {};
    return { series: { interpolate: interpolate ? 'linear' : 'none', smooth: smooth ? oneEuroDefaults : null } };
  }

  /** The last recording as CSV in the columns of PupilEXT and more; `plain`: those columns alone. */
  override exportCsv(options: PupilExportOptions = {}): Promise<string> {
    const all = { ...this.#exportOptions, ...options };
    return this.recorder.csv((recording, header) => toPupilCsv(recording, header, all));
  }

  override exportJson(options: PupilExportOptions = {}): Promise<string> {
    const all = { ...this.#exportOptions, ...options };
    return this.recorder.json((recording, header) => toPupilJson(recording, header, all));
  }

  /** The diameter of the last recording over time, with its blinks; filled in and smoothed only on request. */
  series(options: PupilSeriesOptions = {}): PupilSeries {
    const { recording } = this.recorder;
    return pupilSeries(recording ? recordedPupils(recording) : [], options);
  }

  protected override title_(): string {
    return this.strings.pupilTracking;
  }

  protected override get table(): ParameterTable {
    return pupilParameters;
  }

  protected override get ownParameters(): readonly string[] {
    return ['method', 'fit', 'eyes', 'millimetresPerPixel', 'roi'];
  }

  protected override get panelFirst(): readonly string[] {
    return ['method', 'fit', 'eyes', 'reflections', 'minDiameter', 'maxDiameter', 'minConfidence'];
  }

  protected override get panelHidden(): readonly string[] {
    return ['millimetresPerPixel', 'outline'];
  }

  protected override get builtInPresets(): Readonly<Record<string, Settings>> {
    return pupilPresets;
  }

  protected override defaultOf(name: string): unknown {
    return name === 'roi' ? null : super.defaultOf(name);
  }

  protected override parameters(): Settings {
    return { ...this.given, outline: this.points };
  }

  protected override checkSettings({ roi, ...settings }: Settings): void {
    super.checkSettings(settings);
    const box = roi as Roi | undefined;
    if (box && ![box.x, box.y, box.width, box.height].every(Number.isFinite))
      throw new FoveolaError('invalid-argument', 'Settings: roi must be { x, y, width, height } in pixels.');
  }

  readonly #region = new ShapeTool(
    'box',
    {
      changed: (box, last, gesture) => last && this.edit({ roi: rounded(box) }, gesture),
      describe: (box) => describeRegion(this.strings, box),
      leave: () => this.renderRoot.querySelector<HTMLElement>('.stage')?.focus(),
      remove: () => this.#toggleRegion(),
    },
    { smallest: smallestRegion },
  );

  #toggleRegion(): void {
    const { roi, feed } = this;
    if (roi) this.edit({ roi: undefined });
    else if (feed) {
      this.edit({ roi: middleOf(feed.width, feed.height) });
      void this.updateComplete.then(() => this.#region.focus());
    }
  }

  protected override viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#region.look(view, overlay);
  }

  protected override renderTools(): unknown {
    return this.#region.element;
  }

  protected override renderButtons(): TemplateResult {
    const { strings: s, feed, roi } = this;
    return html`<div class="group">
      ${button('region', s.region, () => this.#toggleRegion(), { pressed: roi !== null, disabled: !feed && !roi })}
    </div>`;
  }

  protected override renderPanelExtra(): TemplateResult {
    return regionFields(this.strings, this.roi, this.feed, {
      toggle: () => this.#toggleRegion(),
      set: (roi) => this.edit({ roi }, 'roi'),
    });
  }

  protected override createTracker(engine: ElementEngine, parameters: Record<string, unknown>) {
    return engine.createPupilTracker(parameters);
  }

  protected override rowsOf(result: PupilResult, timing: FrameTiming): number[][] {
    return pupilRows(result, timing);
  }

  protected override meaningOf(result: PupilResult): Meaning {
    return {
      tracking: result.pupils.some((pupil) => pupil.found),
      blink: result.pupils.some((pupil) => pupil.blink && !pupil.found),
    };
  }

  protected override begin(feed: Feed): void {
    this.#last = null;
    this.#chart?.clear();
    this.#readout.clear();
    this.chartShown = feed.kind !== 'image' && feed.kind !== 'canvas';
  }

  @state() private chartShown = true;

  protected override present(result: PupilResult, timing: FrameTiming): void {
    super.present(result, timing);
    this.#last = result;
    if (this.pictureDue) this.#draw();
    this.#readout.show(result, timing, this.readoutBox);
    const millimetres = this.millimetresPerPixel !== null;
    const values = result.pupils.map((pupil: Pupil) =>
      pupil.found ? (millimetres ? (pupil.diameterMm ?? NaN) : pupil.diameter) : NaN,
    );
    this.#chart?.push(
      timing.timestamp,
      values,
      result.pupils.some((pupil) => pupil.blink),
    );
  }

  protected override marked(label: string, timestamp: number): void {
    this.#chart?.mark(timestamp, label);
  }

  protected override get pointsShown(): boolean {
    return this.points;
  }

  protected override togglePoints(): void {
    this.points = !this.points;
  }

  protected override left(): void {
    this.#chart?.close();
    this.#chart = null;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('points')) this.#draw();
    if (this.feed) this.#region.show(this.roi, this.feed.width, this.feed.height);
    if (changed.has('millimetresPerPixel') || changed.has('eyes')) {
      this.#chart?.close();
      this.#chart = null;
    }
    if (!this.chartBox || !this.isConnected) {
      this.#chart?.close();
      this.#chart = null;
    } else
      this.#chart ??= new Chart(
        this.chartBox,
        Number(this.eyes) === 2 ? 2 : 1,
        this.millimetresPerPixel === null ? 'px' : 'mm',
        (work) => this.pageTime.measure('chart', work),
      );
  }

  #draw(): void {
    const result = this.#last;
    if (!result) return;
    this.overlay?.draw((context, view, colours) => drawPupils(context, view, colours, result.pupils, this.points));
  }

  protected override renderReadout(): TemplateResult | typeof nothing {
    const s = this.strings;
    const unit = this.millimetresPerPixel === null ? 'px' : 'mm';
    const item = (name: string, label: string, unitText = '') =>
      html`<div>
        <dt>${label}</dt>
        <dd><span data-value=${name}>–</span>${unitText ? html`<small>${unitText}</small>` : nothing}</dd>
      </div>`;
    return html`<dl class="readout" part="readout">
        ${item('diameter', s.diameter, unit)} ${item('centre', s.centre, 'px')} ${item('confidence', s.confidence, '%')}
        ${item('rate', s.frameRate)} ${item('dropped', s.dropped)}
      </dl>
      <div class="chart" part="chart" role="img" aria-label=${s.chart} ?hidden=${!this.chartShown}></div>`;
  }
}
