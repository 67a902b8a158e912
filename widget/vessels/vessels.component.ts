import '../base/clean-page.ts'; // before Lit
import { html, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { type RetinalMeasures, type RetinaReport, type VesselCorrection, vesselParameters } from '../../src/index.ts';
import { brushStyle } from '../tools/brush.ts';
import { layerStyle } from '../base/shape.style.ts';
import { dividerStyle } from '../base/controls.ts';
import type { FoveolaEventMap, ElementKind } from '../base/kind.ts';
import { FoveolaElement } from '../base/foveola-element.ts';
import { inField } from '../base/page.ts';
import { readoutStyle } from '../base/readout.style.ts';
import type { MenuItem, Menus, Primary } from '../base/toolbar.ts';
import { penIcon } from '../base/icons.ts';
import { button, type KeyHelp } from '../base/views.ts';
import { OwnScale } from '../tools/own-scale.ts';
import { ZoomController } from '../tools/zoom-controller.ts';
import { ComparisonController, VesselDrawing } from './results.ts';
import { type CorrectionDetail, CorrectionController } from './correct/controller.ts';
import type { ReportAbout } from './correct/tools.ts';
import { vesselColumns, vesselRows } from './figures.ts';
import { checkLook, colorField, lookOf, vesselBar, vesselNumbers, vesselWarnings } from './views.ts';
import type { VesselExport } from './export.ts';
import type { Tools } from '../tools/load.ts';
import { saveReport, type VesselExportOptions, vesselExports } from './menu.ts';
import { SegmentsController } from './segments.ts';
import type { VesselFrame } from './tracker.ts';
import { vesselsStyle } from './vessels.style.ts';
import type { Visits } from './visits.ts';
import { WorkController } from './work.ts';

/** Minimum confidence of a reliable result. */
const trusted = 0.5;

export interface FoveolaVesselsEventMap extends FoveolaEventMap<VesselFrame> {
  'foveola-correction': CustomEvent<CorrectionDetail>;
}

/**
 * Draws the vessels of a fundus photograph over the photograph and shows their measures: share of the field of view,
 * widths, branch points, every segment. Everything is computed in the page, and nothing is uploaded. For research use,
 * not a medical device.
 *
 * A video or a camera is not analyzed while it plays. It is analyzed at the frame where it is paused or stepped to. If
 * `max-fps` is set, that many frames per second get a preview during playback.
 *
 * @element foveola-vessels
 *
 * @attr {'thick'|'all'} scales - Only the thick vessels, or the whole tree.
 * @attr {number} sigma - Scale of the narrowest vessels to find with line filters, in pixels. 0: the learned network.
 * @attr {number} opacity - Opacity of the vessels, 0 to 1.
 * @attr {string} color - Color of the vessels, as `#rrggbb`.
 * @attr {number} compare - Position of the divider, 0 to 100 percent of the stage width. The original photograph is
 *   shown left of it.
 * @attr {number} micrometres-per-pixel - Scale of the photograph. Default: the scale in the file, if it has one.
 * @attr {boolean} points - Shows centerlines and branch points.
 * @attr {boolean} correcting - Shows the correction tools.
 * @attr {string} src - URL of an image or a video.
 * @attr {string} camera - Offers a camera: empty for any camera, `user`, `environment`, or a device id. It starts with
 *   a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page. The overlay is placed over it.
 * @attr {boolean} mirror - Shows the image mirrored. Coordinates still refer to the source.
 * @attr {number} max-fps - Frames per second that are analyzed while a video or a camera plays. 0: none.
 * @attr {'auto'|'gpu'|'wasm'} backend - Compute backend.
 * @attr {string} asset-base - Folder of the package's files (kernels, worker, models), if they are not next to the
 *   script.
 * @attr {boolean} paused - Playback is paused.
 * @attr {boolean} loop - Restarts a recording when it has ended.
 * @attr {boolean} controls - Shows the toolbar.
 * @attr {'agreed'|''} save-recordings - Saves recordings on the device while they run, once the user has agreed.
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} lang - Language of the interface, if its dictionary is imported (`en`, `de`).
 *
 * @attr {boolean} running - State: a video or a camera plays.
 * @attr {boolean} working - State: an image is being analyzed.
 * @attr {boolean} preview - State: the result on screen was computed from a reduced image.
 * @attr {boolean} tracking - State: vessels were found, and the result is reliable.
 * @attr {boolean} lost - State: the image does not look like a fundus photograph.
 * @attr {boolean} recording - State: a recording is running.
 * @attr {string} error - State: code of the current error.
 *
 * @prop {Source | MediaStream | string | null} source - Any source. Takes precedence over `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - Resolves with the capabilities of the engine on this page.
 * @prop {VesselFrame | null} result - The full result of the open image with the current settings, including
 *   corrections. Null until it is available.
 * @prop {readonly VesselCorrection[]} corrections - Manual corrections. You can save the list and set it again for the
 *   same photograph. Throws if the list is invalid.
 * @prop {RetinalMeasures | null} retina - CRAE, CRVE and related measures of `result`. Null until they are available.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is ready.
 * @fires {CustomEvent<VesselFrame>} foveola-result - An image was analyzed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed. The element also shows the error.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - The recordings saved on the device were listed or have changed.
 * @fires {CustomEvent<CorrectionDetail>} foveola-correction - A correction was made or undone, and the new measures are
 *   ready. Also fires once for the first measures.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or analyzed: `done` from 0 to 1.
 *
 * @slot media - A video, img or canvas on your page, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces the error panel.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the image.
 * @csspart media - The image, video or canvas created for the source.
 * @csspart overlay - The canvas over the image.
 * @csspart divider - The line between before and after.
 * @csspart zoom - The zoom buttons.
 * @csspart badge - State over the image.
 * @csspart bar - Scales and opacity.
 * @csspart scales - The switch between thick and all.
 * @csspart readout - The measures that are always in view.
 * @csspart correct - The correction tools.
 * @csspart tools - The switch between the correction tools.
 * @csspart corrections - Number of corrections.
 * @csspart retina - All measures in groups: the ones in `readout`, and the ones that open below it.
 * @csspart warning - Warnings about the result.
 * @csspart segments - The list of segments.
 * @csspart progress - Progress of a large photograph.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - The slider of the timeline.
 * @csspart controls - The toolbar.
 * @csspart primary - The button of the next step.
 * @csspart menu - A menu of the toolbar.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 * @csspart help - The list of keys.
 *
 * @cssprop --foveola-center - Centerlines.
 * @cssprop --foveola-points - Branch points, and the selected segment.
 * @cssprop --foveola-max-height - Maximum height of the stage.
 */
export class FoveolaVessels extends FoveolaElement<VesselFrame, FoveolaVesselsEventMap> {
  static override styles = [...FoveolaElement.styles, readoutStyle, layerStyle, brushStyle, dividerStyle, vesselsStyle];

  @property({ type: Number }) compare = 0;
  @property({ type: Boolean, reflect: true }) points = false;
  /** Shows the correction tools. */
  @property({ type: Boolean, reflect: true }) correcting = false;

  readonly #zoom = new ZoomController(this.parts, (event) => this.#segments.pressed(event));
  readonly #segments = new SegmentsController(this.parts, {
    scale: () => this.#work.scale,
    reveal: (x, y) => this.#zoom.reveal(x, y, this.mirror),
  });
  readonly #work: WorkController = new WorkController(
    this.parts,
    () => ({ ...lookOf(this), corrections: this.corrections, retina: this.retina, rows: this.#correction.rows }),
    (result) => this.#show(result),
  );
  readonly #correction: CorrectionController = new CorrectionController(this.parts, this, this.#work);
  readonly #comparison = new ComparisonController(this.parts, this);
  readonly #drawing = new VesselDrawing();
  readonly #scale = new OwnScale(this.parts, 'micrometresPerPixel');
  #visits: Visits | null = null;

  /** Highlights a segment of `result.segments` and scrolls it into view. Null: none. */
  choose(segment: number | null): void {
    this.#segments.choose(segment);
  }

  /** Only the thick vessels, or the whole tree. */
  @property() scales: 'thick' | 'all' | null = null;
  /** Scale of the narrowest vessels to find with line filters, in pixels. 0: the learned network. */
  @property({ type: Number }) sigma: number | null = null;
  /** Opacity of the vessels, 0 to 1. */
  @property({ type: Number }) opacity: number | null = null;
  /** Color of the vessels, as `#rrggbb`. */
  @property() color: string | null = null;
  /** Scale of the photograph. Default: the scale in the file, if it has one. */
  @property({ type: Number, attribute: 'micrometres-per-pixel' }) micrometresPerPixel: number | null = null;

  /** The full result of the open image with the current settings. Null until it is available. */
  get result(): VesselFrame | null {
    return this.#work.result;
  }

  /** Manual corrections, in the order in which they were made. */
  get corrections(): readonly VesselCorrection[] {
    return this.#correction.list;
  }

  /**
   * Replaces the corrections of the open photograph. If none is open, they apply to the next one.
   * @throws {FoveolaError} 'invalid-argument': the message names the path and the rule. Corrections that do not fit the
   *   photograph are shown as an error once it is open.
   */
  set corrections(corrections: readonly VesselCorrection[]) {
    this.#correction.set(corrections);
  }

  /** CRAE, CRVE and related measures of `result`. Null until they are available. */
  get retina(): RetinalMeasures | null {
    return this.#correction.retina;
  }

  /**
   * Returns the result as a report, which `foveola/reports` converts to FHIR and DICOM. `about` holds data that only
   * the page has. Rejects with 'source-not-ready' before the first full result, 'invalid-argument' for errors in
   * `about`.
   */
  report(about: ReportAbout = {}): Promise<RetinaReport> {
    return this.#correction.report(about);
  }

  /** Returns the report as one printable HTML page, with the photograph. */
  exportReport(about: ReportAbout = {}): Promise<string> {
    return this.#correction.printed(about);
  }

  /** Returns the mask, 255 on vessels, as PNG. Rejects with 'source-not-ready' before the first full result. */
  exportMask(): Promise<Blob> {
    return this.#export((tools, of) => tools.exportedMask(of));
  }

  /** Returns the photograph with its vessels at full size, as PNG. */
  override snapshot(): Promise<Blob> {
    return this.#export((tools, of) => tools.exportedOverlay(of));
  }

  /** Exports the segments of the displayed image. With `recording`: one row for each image of the last recording. */
  override exportCsv({ recording, ...options }: VesselExportOptions = {}): Promise<string> {
    if (recording) return super.exportCsv(options);
    return this.#export((tools, of) => tools.exportedCsv(of, { ...this.parts.host.exportOptions, ...options }));
  }

  /** Describes the table of `exportCsv()` as JSON: source, settings, version, and its columns with units. */
  override exportCsvJson({ recording, ...options }: VesselExportOptions = {}): Promise<string> {
    if (recording) return super.exportCsvJson(options);
    return this.#export((tools, of) => tools.exportedCsvJson(of, { ...this.parts.host.exportOptions, ...options }));
  }

  /** Exports all measures of the displayed image. With `recording`: the last recording. */
  override exportJson({ recording }: VesselExportOptions = {}): Promise<string> {
    return recording ? super.exportJson() : this.#export((tools, of) => tools.exportedJson(of));
  }

  /** With the measures around the disc, if they can be measured. */
  async #export<T>(make: (tools: Tools, of: VesselExport) => Promise<T>): Promise<T> {
    await this.#correction.settled();
    return this.#work.export(make);
  }

  /** Cancels the analysis in progress. The preview stays. */
  cancel(): void {
    this.#work.cancel();
  }

  /** @internal */
  protected override readonly kind: ElementKind<VesselFrame> = {
    title: () => this.parts.strings.vessels.title,
    words: (general) => {
      const { stage, empty, emptyHint, lines, thresholdFactor, sigma, effects, done, doubtful, keys } = general.vessels;
      return {
        ...{ ...general, stage, empty, emptyHint, points: lines },
        states: { ...general.states, tracking: done, lost: doubtful },
        effects: { ...general.effects, ...effects },
        parameters: { ...general.parameters, thresholdFactor, sigma },
        keys: { ...general.keys, playPause: keys.freeze, step: keys.step, points: keys.points },
      };
    },

    createTracker: (engine, parameters) => this.#work.track(engine, parameters),
    meaningOf: ({ confidence, preview }) => (preview ? null : { tracking: confidence >= trusted, blink: false }),
    stateText: () => this.#work.stateText(),
    standingOnly: () => !(this.maxFps > 0),
    largeResults: true,
    notAnalysable: true, // frame-by-frame analysis is only for moving sources

    columns: () => vesselColumns,
    rowsOf: vesselRows,
    draw: () => this.#draw(),

    table: () => vesselParameters,
    ownParameters: ['scales', 'sigma', 'micrometresPerPixel', 'opacity', 'color'],
    // Color, opacity and scale do not affect the computation.
    parameters: ({ opacity: _, color: __, micrometresPerPixel: ___, measures: ____, ...parameters }) => parameters,
    checkSettings: checkLook,
    panelExtra: () => ({ first: colorField(this.parts, this) }),

    tools: () =>
      html`${this.#correction.layer}${this.#comparison.layer}${this.#segments.layer}${this.#work.layer}${this.#zoom.render()}`,
    readout: () => this.#readout(),
    buttons: () => this.#buttons(),
    primary: () => this.#primary(),
    menus: () => this.#menus(),
    ownExports: true,
    batched: (file) => this.#batched(file),
    batchTable: () => this.#visits?.element ?? null,
    pointsShown: () => this.points,
    togglePoints: () => (this.points = !this.points),
    keys: () => this.#keys(),
    unusedKeys: () => (this.#moving ? ['analyse'] : ['analyse', 'playPause', 'record', 'mark']),
    onKey: (event) => this.#onKey(event),

    present: (result) => this.#tell(result),
    updated: (changed) => {
      if (changed.has('lang')) void this.#visits?.show();
      if (['color', 'opacity', 'compare', 'points', 'correcting'].some((name) => changed.has(name))) this.#draw();
    },
  };

  get #moving(): boolean {
    return this.parts.session.current?.moving ?? false;
  }

  /** Reason why nothing can be saved. False if a result exists. */
  get #noResult(): string | false {
    const { unready, strings } = this.parts;
    return unready || (!this.result && strings.why.noResult);
  }

  /** The file has its measures. They enter the table. */
  async #batched(file: { name: string; file: File } | null): Promise<boolean> {
    this.#visits ??= await this.#correction.visits();
    if (!file) this.#visits.clear();
    else await this.#correction.settled();
    const { result, retina } = this;
    const media = this.parts.feed?.element;
    if (!file || !result || !retina || !media) return false;
    await this.#visits.add(file, { frame: result, retina, media });
    return true;
  }

  #show(result: VesselFrame | null): void {
    this.#drawing.set(result);
    this.#segments.show(result);
    this.#draw();
  }

  #tell({ preview, confidence, fraction, branchPoints }: VesselFrame): void {
    if (preview) return;
    const { strings, state } = this.parts;
    const { vessels: s } = strings;
    const found = s.found(`${strings.number(100 * fraction, 1)} %`, branchPoints?.length ?? 0);
    state.announce(confidence < trusted ? `${s.unlikely}. ${found}` : found);
  }

  #draw(): void {
    if (!this.parts.feed) return;
    const { chosen, hovered } = this.#segments;
    const how = {
      ...{ ...lookOf(this), lines: this.points, chosen, hovered, split: this.#comparison.split },
      over: (...place: Parameters<CorrectionController['draw']>) => this.#correction.draw(...place),
    };
    this.parts.picture.draw((context, view, colors) => this.#drawing.draw(context, view, colors, how));
  }

  #onKey(event: KeyboardEvent): boolean {
    if (this.#correction.onKey(event) || this.#zoom.onKey(event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey || inField(event)) return false;
    if (event.key === 'ArrowRight' && !this.#moving) return true; // elsewhere this is the key for the next frame
    const key = event.key.toLowerCase();
    if (key === 'escape' && this.#work.state.working) this.cancel();
    else if (key === 'escape' && this.#segments.chosen !== null) this.choose(null);
    else if (key === 'c') this.#comparison.toggle();
    else if (key === 'k' && !this.#noResult) this.#correction.toggle();
    else if (key === 'b') {
      this.#comparison.showOriginal(true);
      addEventListener('keyup', () => this.#comparison.showOriginal(false), { once: true });
    } else if (key === 'n') this.#segments.step(event.shiftKey ? -1 : 1);
    else return false;
    return true;
  }

  #keys(): KeyHelp {
    const { keys } = this.parts.strings.vessels;
    return [
      [['+', '−'], keys.zoom],
      [['0', '1'], keys.fit],
      [['←', '↑', '→', '↓'], keys.pan],
      [['C'], keys.compare],
      [['B'], keys.hold],
      [['N'], keys.next],
      [['K'], keys.correct],
      [['A', 'E', 'X', 'D', 'F', 'T', 'V', 'U'], keys.tools],
    ];
  }

  /** A still image is analyzed at once. A frame of a video or a camera, when the user stops there. */
  #primary(): Primary | null {
    const { strings: s, feed, host, actions } = this.parts;
    const playing = this.#moving && host.shown.phase === 'running';
    if (!feed) return null;
    if (playing || this.#work.state.interrupted)
      return { word: s.vessels.find, act: () => (playing ? actions.act('toggle') : void this.step()) };
    const { reportShort: word, saveReport: label } = s.vessels;
    return { word, label, disabled: this.#noResult, act: () => saveReport(this.parts, this) };
  }

  #buttons(): TemplateResult {
    const { vessels: s } = this.parts.strings;
    return button(penIcon, s.correct.long, () => this.#correction.toggle(), {
      ...{ pressed: this.correcting, disabled: !this.correcting && this.#noResult, key: 'K', word: s.correct.edit },
      kind: 'edit',
    });
  }

  #menus(): Menus {
    const { strings: s, unready, actions, host } = this.parts;
    const { recording } = host.shown;
    const record: MenuItem = {
      ...{ word: recording ? s.stopRecording : s.record, key: 'R', disabled: unready },
      act: () => actions.act('record'),
    };
    const compare: MenuItem = {
      ...{ word: s.vessels.compare, key: 'C', checked: this.compare > 0, disabled: unready },
      act: () => this.#comparison.toggle(),
    };
    return {
      exports: vesselExports(this.parts, this, this.#noResult),
      more: [compare, ...(this.#moving ? [record] : [])],
    };
  }

  #readout(): TemplateResult {
    const { strings: s, state } = this.parts;
    const { shown } = this.#work.state;
    const { scale: micrometresPerPixel, scaleFromFile: fromFile } = this.#work;
    const preview = shown?.preview ?? false;
    const whole = preview ? null : shown;
    const rows = whole && this.#correction.rows;
    const early = shown && { vesselPercent: 100 * shown.fraction, quality: shown.confidence };
    const warnings = [...(whole?.warnings ?? []), ...(rows ? this.retina!.warnings : [])];
    const live = state.phase === 'running' && !(this.maxFps > 0);
    const dropped = this.parts.session.current?.dropped;
    return html`${this.#correction.render()} ${vesselBar(this.parts, this)}
      ${vesselNumbers(s, { rows, early, micrometresPerPixel, fromFile }, this.#segments.render(preview), (value) =>
        this.#scale.set(value),
      )}
      <p class="research">
        ${live ? `${s.vessels.live}. ` : nothing}${dropped ? `${s.dropped} ${dropped}. ` : nothing}${s.vessels.research}
      </p>
      ${whole ? vesselWarnings(s, warnings, whole.confidence < trusted) : nothing}`;
  }
}
