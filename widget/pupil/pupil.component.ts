import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, queryAll, state } from 'lit/decorators.js';
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
  type PupilFormat,
  pupilFormats,
  type PupilSeries,
  type PupilSeriesOptions,
  oneEuroDefaults,
  pupilSeries,
  recordedPupils,
  toPupilCsv,
  toPupilJson,
  type Roi,
} from '../../src/index.ts';
import { Chart } from './chart.ts';
import { drawPupils } from './drawing.ts';
import type { AnalysisResult } from '../parts/analysis.ts';
import type { Meaning } from '../parts/element-core.ts';
import { FoveolaElement } from '../parts/element.ts';
import type { FoveolaEventMap } from '../parts/events.ts';
import type { ElementEngine } from '../parts/engine.ts';
import type { Feed } from '../parts/feed.ts';
import type { View } from '../parts/overlay.ts';
import { Readout } from './readout.ts';
import { boxFrom, RegionControl, type RegionHost } from '../parts/region.ts';
import { CalibrationControl, type CalibrationHost } from './calibration.ts';
import type { Settings } from '../parts/settings-element.ts';
import { button } from '../parts/views.ts';

/** The library's parameters; the element's own default is the detector that copes with real recordings. */
const methods: readonly string[] = pupilParameters.method.values;
const table: ParameterTable = {
  ...pupilParameters,
  ...(methods.includes('robust') && { method: { ...pupilParameters.method, default: 'robust' } }),
};

export type FoveolaPupilEventMap = FoveolaEventMap<PupilResult>;

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
 * @attr {string} asset-base - Folder of the package's files (kernels, worker, models), where they do not lie beside the script.
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
 * @attr {'foveola'|'pupilext'} export-format - Columns of the CSV: all of them (the default), or exactly those of PupilEXT.
 * @attr {boolean} interpolate - Exports also give the diameter with blinks filled in.
 * @attr {boolean} smooth - Exports also give the diameter smoothed by the 1 euro filter.
 * @attr {number} millimetres-per-pixel - Calibration; with it the diameter is also given in millimetres.
 *
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} tracking - State: a pupil was found in the last frame.
 * @attr {boolean} lost - State: no pupil was found in the last frame, and it is no blink.
 * @attr {boolean} blink - State: the eye is closed.
 * @attr {boolean} analysing - State: a recording is analysed frame by frame.
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
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or a recording analysed:
 *   `done` from 0 to 1; of an analysis also `frames` and `mediaTime`.
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
 * @csspart progress - How far an analysis is.
 * @csspart note - What came of it.
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
 * @cssprop --foveola-shape - Region and disc on the picture.
 * @cssprop --foveola-radius - Radius of the corners.
 * @cssprop --foveola-font - Font family.
 * @cssprop --foveola-max-height - Greatest height of the stage.
 */
export class FoveolaPupil extends FoveolaElement<PupilResult> {
  @property() method: 'robust' | 'starburst' | 'threshold' | 'hough' | null = null;
  @property() fit: 'ellipse' | 'circle' | null = null;
  @property({ type: Number }) eyes: 1 | 2 | null = null;
  @property({ type: Number, attribute: 'millimetres-per-pixel' }) millimetresPerPixel: number | null = null;
  @property({ attribute: 'roi', converter: boxFrom }) roi: Roi | null = null;
  @property({ type: Boolean, reflect: true }) points = false;

  @queryAll('.chart') private chartBoxes!: NodeListOf<HTMLElement>;
  @query('.readout') private readoutBox!: HTMLElement | null;
  /** One an eye. */
  #charts: Chart[] = [];
  readonly #readout = new Readout();

  protected override readonly columns = pupilColumns;

  /** Columns of the CSV: `foveola` (the default) or `pupilext`. */
  @property({ attribute: 'export-format' }) exportFormat: string | null = null;
  /** Exports also give the diameter with blinks filled in by a straight line. */
  @property({ type: Boolean, reflect: true }) interpolate = false;
  /** Exports also give the diameter smoothed by the 1 euro filter. */
  @property({ type: Boolean, reflect: true }) smooth = false;

  get #exportOptions(): PupilExportOptions {
    const { interpolate, smooth, exportFormat } = this;
    const format = exportFormat ? { format: exportFormat as PupilFormat } : {};
    if (!interpolate && !smooth) return format;
    return {
      ...format,
      series: { interpolate: interpolate ? 'linear' : 'none', smooth: smooth ? oneEuroDefaults : null },
    };
  }

  /**
   * The last recording as CSV. `format` 'foveola' (the default) gives the columns of PupilEXT and more, after a header;
   * 'pupilext' exactly what PupilEXT writes, and so does `plain`.
   */
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
    return table;
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
    return { method: table.method!.default, ...this.given, outline: this.points };
  }

  protected override checkSettings({ roi, ...settings }: Settings): void {
    super.checkSettings(settings);
    const box = roi as Roi | undefined;
    if (box && ![box.x, box.y, box.width, box.height].every(Number.isFinite))
      throw new FoveolaError('invalid-argument', 'Settings: roi must be { x, y, width, height } in pixels.');
  }

  readonly #host = this.#tools();
  readonly #region = new RegionControl(this.#host);
  readonly #calibration = new CalibrationControl(this.#host);

  /** What the controls on the picture see of the element. */
  #tools(): RegionHost & CalibrationHost {
    const element = (): this => this;
    return {
      get strings() {
        return element().strings;
      },
      get roi() {
        return element().roi;
      },
      get feed() {
        return element().feed;
      },
      get millimetresPerPixel() {
        return element().millimetresPerPixel;
      },
      get updateComplete() {
        return element().updateComplete;
      },
      edit: (changes, key) => this.edit(changes, key),
      requestUpdate: () => this.requestUpdate(),
      announce: (text) => this.announce(text),
      focusStage: () => this.renderRoot.querySelector<HTMLElement>('.stage')?.focus(),
    };
  }

  protected override viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#region.tool.look(view, overlay);
    this.#calibration.tool.look(view, overlay);
  }

  protected override closing(): void {
    super.closing();
    this.#calibration.cancel();
  }

  protected override renderTools(): unknown {
    return html`${this.#region.tool.element}${this.#calibration.tool.element}`;
  }

  protected override renderButtons(): TemplateResult {
    const { strings: s, feed, roi } = this;
    return html`<div class="group">
      ${button('region', s.region, () => this.#region.toggle(), { pressed: roi !== null, disabled: !feed && !roi && this.unready })}
    </div>`;
  }

  protected override renderPanelExtra(): TemplateResult {
    const { strings: s } = this;
    const check = (name: 'interpolate' | 'smooth', label: string) =>
      html`<label
        ><input
          type="checkbox"
          .checked=${this[name]}
          @change=${(event: Event) => (this[name] = (event.target as HTMLInputElement).checked)}
        />
        ${label}</label
      >`;
    return html`<div class="extras">
      ${this.#region.render()} ${this.#calibration.render()}
      <fieldset class="fields">
        <legend>${s.exports}</legend>
        <label
          >${s.exportFormat}
          <select
            name="export-format"
            @change=${(event: Event) => (this.exportFormat = (event.target as HTMLSelectElement).value)}
          >
            ${pupilFormats.map(
              (format) =>
                html`<option value=${format} .selected=${format === (this.exportFormat ?? pupilFormats[0])}>
                  ${s.exportFormats[format]}
                </option>`,
            )}
          </select></label
        >
        ${check('interpolate', s.interpolate)} ${check('smooth', s.smooth)}
        <p>${s.exportsHint}</p>
      </fieldset>
    </div>`;
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

  protected override forgetFrame(): void {
    super.forgetFrame();
    this.#readout.forget();
  }

  protected override forget(): void {
    super.forget();
    for (const chart of this.#charts) chart.clear();
    this.#readout.clear();
  }

  protected override begin(feed: Feed): void {
    this.chartShown = feed.kind !== 'image' && feed.kind !== 'canvas';
  }

  @state() private chartShown = true;

  protected override present(result: PupilResult, timing: FrameTiming): void {
    super.present(result, timing);
    if (this.pictured === result) this.drawPictured();
    this.#readout.show(result, timing, this.readoutBox, this.strings.number);
    const millimetres = this.millimetresPerPixel !== null;
    const values = result.pupils.map((pupil: Pupil) =>
      pupil.found ? (millimetres ? (pupil.diameterMm ?? NaN) : pupil.diameter) : NaN,
    );
    values.forEach((value, eye) => this.#charts[eye]?.push(timing.timestamp, [value], result.pupils[eye]!.blink));
  }

  protected override keepAnalysis(step: true | AnalysisResult): void {
    super.keepAnalysis(step);
    if (step === true) for (const chart of this.#charts) chart.clear(true);
  }

  protected override analysisEnded(): void {
    for (const chart of this.#charts) chart.showAll();
  }

  protected override marked(label: string, timestamp: number): void {
    for (const chart of this.#charts) chart.mark(timestamp, label);
  }

  protected override unmarked(label: string, timestamp: number): void {
    for (const chart of this.#charts) chart.unmark(timestamp, label);
  }

  protected override get pointsShown(): boolean {
    return this.points;
  }

  protected override togglePoints(): void {
    this.points = !this.points;
  }

  protected override left(): void {
    for (const chart of this.#charts) chart.close();
    this.#charts = [];
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('points')) this.drawPictured();
    this.#region.show();
    const boxes = [...this.chartBoxes];
    const kept = this.#charts.length === boxes.length && this.isConnected && !changed.has('millimetresPerPixel');
    if (kept) return this.#number();
    this.left();
    if (!this.isConnected) return;
    const unit = this.millimetresPerPixel === null ? 'px' : 'mm';
    const measure = (work: () => void) => this.pageTime.measure('chart', work);
    this.#charts = boxes.map((box, eye) => new Chart(box, 1, unit, measure, eye));
    this.#number();
  }

  #number(): void {
    const { number } = this.strings;
    for (const chart of this.#charts) chart.number = number;
  }

  protected override drawPictured(): void {
    const { pictured: result } = this;
    if (!result) return;
    this.overlay?.draw((context, view, colours) => drawPupils(context, view, colours, result.pupils, this.points));
  }

  protected override renderReadout(): TemplateResult | typeof nothing {
    const s = this.strings;
    const unit = this.millimetresPerPixel === null ? 'px' : 'mm';
    const chart = (label: string, side = '') =>
      html`<div class="chart" part="chart" role="img" aria-label=${label} ?hidden=${!this.chartShown}>
        ${side ? html`<span class="side">${side}</span>` : nothing}
      </div>`;
    const item = (name: string, label: string, unitText = '') =>
      html`<div>
        <dt>${label}</dt>
        <dd>
          <bdi dir="ltr"><span data-value=${name}>–</span>${unitText ? html`<small>${unitText}</small>` : nothing}</bdi>
        </dd>
      </div>`;
    return html`<dl class="readout" part="readout">
        ${item('diameter', s.diameter, unit)} ${item('centre', s.centre, 'px')} ${item('confidence', s.confidence, '%')}
        ${item('rate', s.frameRate)} ${item('dropped', s.dropped)}
      </dl>
      ${this.given.eyes === 2 ? [s.left, s.right].map((side) => chart(`${s.chart}, ${side}`, side)) : chart(s.chart)}`;
  }
}
