import '../parts/clean-page.ts'; // before Lit
import { html, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { type RetinalMeasures, type RetinaReport, type VesselCorrection, vesselParameters } from '../../src/index.ts';
import { brushStyle } from '../parts/brush.ts';
import { layerStyle } from '../parts/shape.style.ts';
import { dividerStyle } from '../parts/divider.ts';
import type { FoveolaEventMap, ElementKind } from '../parts/kind.ts';
import { FoveolaElement } from '../parts/foveola-element.ts';
import { inField } from '../parts/keyboard.ts';
import { button, holdButton, type KeyHelp } from '../parts/views.ts';
import { ZoomController } from '../parts/zoom-controller.ts';
import { ComparisonController } from './comparison.ts';
import { type CorrectionDetail, CorrectionController } from './correct/controller.ts';
import type { ReportAbout } from './correct/report.ts';
import { VesselDrawing } from './drawing.ts';
import { figuresOf, type VesselFigures, vesselColumns, vesselRows } from './figures.ts';
import { checkLook, lookOf, vesselBar } from './settings-bar.ts';
import { SaveMenu } from './menu.ts';
import { SegmentsController } from './segments.ts';
import type { VesselFrame } from './tracker.ts';
import { vesselsStyle } from './vessels.style.ts';
import { vesselNumbers, vesselWarnings } from './views.ts';
import { WorkController } from './work.ts';

/** Below it a result is not to be trusted. */
const trusted = 0.5;

export interface FoveolaVesselsEventMap extends FoveolaEventMap<VesselFrame> {
  'foveola-correction': CustomEvent<CorrectionDetail>;
}

/**
 * Shows the vessels of a fundus photograph over it, with what is measured of them: share of the field of view, widths,
 * branch points, every segment. Everything is computed in the page; nothing is uploaded. For research use, not a medical
 * device.
 *
 * A video or a camera plays without being analysed; the frame that stands when it is paused, or stepped to, is. With
 * `max-fps` that many frames a second get a preview while it plays.
 *
 * @element foveola-vessels
 *
 * @attr {'thick'|'all'} scales - The thick vessels alone, or the whole tree.
 * @attr {number} sigma - Scale of the narrowest vessels to find, in pixels; 0: in proportion to the field of view.
 * @attr {number} opacity - Of the vessels, 0 to 1.
 * @attr {string} color - Of the vessels, as `#rrggbb`.
 * @attr {number} compare - 0 to 100: left of this part of the stage the photograph is shown as it came.
 * @attr {number} micrometres-per-pixel - Scale of the photograph; without it that of the file, where it has one.
 * @attr {boolean} points - Shows middle lines and branch points.
 * @attr {boolean} correcting - Shows the tools with which a person corrects, and the measures around the optic disc.
 * @attr {string} src - Address of an image or a video.
 * @attr {string} camera - Offers the camera: present for any, `user`, `environment`, or a device id. Starts with a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page; the overlay is laid over it.
 * @attr {boolean} mirror - Shows the picture mirrored; coordinates stay those of the source.
 * @attr {number} max-fps - Frames a second that are analysed while a video or a camera plays; 0: none.
 * @attr {'auto'|'gpu'|'wasm'} backend - Which side computes.
 * @attr {string} asset-base - Folder of the package's files (kernels, worker, models), where they do not lie beside the script.
 * @attr {boolean} paused - Does not play.
 * @attr {boolean} loop - Starts a recording again when it has ended.
 * @attr {boolean} controls - Shows the toolbar.
 * @attr {'agreed'|''} keep-recordings - Keeps recordings on the device while they run, once that is agreed to.
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} lang - Language of the words, where its dictionary is imported (`en`, `de`).
 *
 * @attr {boolean} running - State: a video or a camera plays.
 * @attr {boolean} working - State: a picture is being analysed.
 * @attr {boolean} preview - State: what is shown is of a reduced picture.
 * @attr {boolean} tracking - State: vessels were found, and the result can be trusted.
 * @attr {boolean} lost - State: the picture does not look like a fundus photograph.
 * @attr {boolean} recording - State: rows are being recorded.
 * @attr {string} error - State: code of the error that is shown.
 *
 * @prop {Source | MediaStream | string | null} source - Any source; comes before `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - What the engine can do on this page.
 * @prop {VesselFrame | null} result - The whole result of the picture that is open, with the settings as they are; null until
 *   it is there. With what was corrected in it.
 * @prop {readonly VesselCorrection[]} corrections - What was corrected by hand, to be kept and set again with the same photograph.
 *   Throws where the list is none.
 * @prop {RetinalMeasures | null} retina - CRAE, CRVE and the like of `result`; null until they are asked for, by `correcting` or
 *   `corrections`.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is there.
 * @fires {CustomEvent<VesselFrame>} foveola-result - A picture was analysed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed; the element shows it as well.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - What is kept on the device, when the element finds it and when it changes.
 * @fires {CustomEvent<CorrectionDetail>} foveola-correction - Something was corrected or taken back, and its measures are
 *   there; and once for the first measures.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or analysed: `done` from 0 to 1.
 *
 * @slot media - A video, img or canvas of the page's own, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces what is shown when something failed.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the picture.
 * @csspart media - The image, video or canvas that was made for the source.
 * @csspart overlay - The canvas over it.
 * @csspart divider - The line between before and after.
 * @csspart zoom - The zoom buttons.
 * @csspart badge - State over the picture.
 * @csspart bar - Scales, opacity, color.
 * @csspart scales - The switch between thick and all.
 * @csspart readout - The numbers.
 * @csspart correct - The tools for correcting.
 * @csspart tools - The switch between them.
 * @csspart corrections - How much was corrected.
 * @csspart retina - The measures around the optic disc.
 * @csspart warning - What speaks against the result.
 * @csspart segments - The list of segments.
 * @csspart progress - Progress of a large photograph.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - Its slider.
 * @csspart controls - The toolbar.
 * @csspart menu - The list of what can be saved.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 * @csspart help - The list of keys.
 *
 * @cssprop --foveola-center - Middle lines.
 * @cssprop --foveola-points - Branch points, and the segment that is chosen.
 * @cssprop --foveola-max-height - Greatest height of the stage.
 */
export class FoveolaVessels extends FoveolaElement<VesselFrame, FoveolaVesselsEventMap> {
  static override styles = [...FoveolaElement.styles, layerStyle, brushStyle, dividerStyle, vesselsStyle];

  @property({ type: Number }) compare = 0;
  @property({ type: Boolean, reflect: true }) points = false;
  /** Shows the tools with which a person corrects, and the measures around the optic disc. */
  @property({ type: Boolean, reflect: true }) correcting = false;

  readonly #zoom = new ZoomController(this.parts, (event) => this.#segments.pressed(event));
  readonly #segments = new SegmentsController(this.parts, {
    scale: () => this.#work.scale,
    reveal: (x, y) => this.#zoom.reveal(x, y, this.mirror),
  });
  readonly #work = new WorkController(
    this.parts,
    () => ({ ...lookOf(this), corrections: this.corrections, retina: this.retina }),
    (result) => this.#show(result),
  );
  readonly #correction = new CorrectionController(this.parts, this, this.#work);
  readonly #comparison = new ComparisonController(this.parts, this);
  readonly #menu = new SaveMenu(this.parts, this);
  readonly #drawing = new VesselDrawing();
  #figures: VesselFigures | null = null;

  /** Highlights a segment of `result.segments` and moves it into sight; null: none. */
  choose(segment: number | null): void {
    this.#segments.choose(segment);
  }

  /** The thick vessels alone, or the whole tree. */
  @property() scales: 'thick' | 'all' | null = null;
  /** Scale of the narrowest vessels to find, in pixels; 0: in proportion to the field of view. */
  @property({ type: Number }) sigma: number | null = null;
  /** Of the vessels, 0 to 1. */
  @property({ type: Number }) opacity: number | null = null;
  /** Of the vessels, as `#rrggbb`. */
  @property() color: string | null = null;
  /** Scale of the photograph; without it that of the file, where it has one. */
  @property({ type: Number, attribute: 'micrometres-per-pixel' }) micrometresPerPixel: number | null = null;

  /** The whole result of the picture that is open, with the settings as they are; null until it is there. */
  get result(): VesselFrame | null {
    return this.#work.result;
  }

  /** What was corrected by hand, in the order in which it was done. */
  get corrections(): readonly VesselCorrection[] {
    return this.#correction.list;
  }

  /**
   * Corrects in their stead: of the photograph that is open, else of the one that is opened next.
   * @throws {FoveolaError} 'invalid-argument': the message names the path and the rule. What does not fit the photograph
   * is shown as an error when it is there.
   */
  set corrections(corrections: readonly VesselCorrection[]) {
    this.#correction.set(corrections);
  }

  /** CRAE, CRVE and the like of `result`; null until `correcting` or `corrections` asks for them. */
  get retina(): RetinalMeasures | null {
    return this.#correction.retina;
  }

  /**
   * The result as a report, which `foveola/reports` makes FHIR and DICOM of; `about` is what only the page knows. Rejects
   * with 'source-not-ready' before the first whole result, 'invalid-argument' for what is wrong in `about`.
   */
  report(about: ReportAbout = {}): Promise<RetinaReport> {
    return this.#correction.report(about);
  }

  /** The same as one page to print, with the photograph: HTML. */
  exportReport(about: ReportAbout = {}): Promise<string> {
    return this.#correction.printed(about);
  }

  /** The mask, 255 on vessels, as PNG. Rejects with 'source-not-ready' before the first whole result. */
  exportMask(): Promise<Blob> {
    return this.#work.export((tools, of) => tools.exportedMask(of));
  }

  /** The photograph with its vessels at its full size, as PNG. */
  override snapshot(): Promise<Blob> {
    return this.#work.export((tools, of) => tools.exportedOverlay(of));
  }

  /** The segments of the picture that is shown; with `recording` a row for each picture of the last recording. */
  override exportCsv({ recording = false }: { recording?: boolean } = {}): Promise<string> {
    return recording ? super.exportCsv() : this.#work.export((tools, of) => tools.exportedCsv(of));
  }

  /** All measures of the picture that is shown; with `recording` the last recording. */
  override exportJson({ recording = false }: { recording?: boolean } = {}): Promise<string> {
    return recording ? super.exportJson() : this.#work.export((tools, of) => tools.exportedJson(of));
  }

  /** Ends the analysis that is under way; the preview stays. */
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
    notAnalysable: true, // frame by frame is for what moves

    columns: () => vesselColumns,
    rowsOf: vesselRows,
    draw: () => this.#draw(),

    table: () => vesselParameters,
    ownParameters: ['scales', 'sigma', 'micrometresPerPixel', 'opacity', 'color'],
    panelFirst: ['thresholdFactor', 'sigma'],
    panelHidden: ['variant', 'scales', 'measures', 'micrometresPerPixel'],
    // Color, opacity and the scale change nothing of what is computed.
    parameters: ({ opacity: _, color: __, micrometresPerPixel: ___, measures: ____, ...parameters }) => parameters,
    checkSettings: checkLook,

    tools: () =>
      html`${this.#correction.layer}${this.#comparison.layer}${this.#segments.layer}${this.#work.layer}${this.#zoom.render()}`,
    progress: () => nothing,
    readout: () => this.#readout(),
    buttons: () => this.#buttons(),
    toolbar: (model) => ({
      ...{ ...model, rows: null, noMeasure: this.#noResult },
      ...(!this.#moving && { noPlay: null, recording: null }),
    }),
    pointsShown: () => this.points,
    togglePoints: () => (this.points = !this.points),
    keys: () => this.#keys(),
    unusedKeys: () => (this.#moving ? ['analyse'] : ['analyse', 'playPause', 'record', 'mark']),
    onKey: (event) => this.#onKey(event),

    present: (result) => this.#tell(result),
    updated: (changed) =>
      ['color', 'opacity', 'compare', 'points', 'correcting'].some((name) => changed.has(name)) && this.#draw(),
  };

  get #moving(): boolean {
    return this.parts.session.current?.moving ?? false;
  }

  /** Why nothing can be saved; false where there is a result. */
  get #noResult(): string | false {
    const { unready, strings } = this.parts;
    return unready || (!this.result && strings.why.noResult);
  }

  #show(result: VesselFrame | null): void {
    this.#figures = result && figuresOf(result);
    this.#drawing.set(result);
    this.#segments.show(result);
    this.#draw();
  }

  #tell({ preview, confidence }: VesselFrame): void {
    if (preview) return;
    const { strings, state } = this.parts;
    const { fraction, branchPoints } = this.#figures!;
    const { vessels: s } = strings;
    const found = s.found(`${strings.number(fraction, 1)} %`, branchPoints ?? 0);
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
    if (event.key === 'ArrowRight' && !this.#moving) return true; // elsewhere the key for the next frame
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

  #buttons(): TemplateResult {
    const { strings, unready } = this.parts;
    const { vessels: s } = strings;
    const disabled = this.#noResult;
    return html`<div class="group">
        ${button('compare', s.compare, () => this.#comparison.toggle(), {
          ...{ pressed: this.compare > 0, disabled: unready, key: 'C' },
        })}
        ${holdButton('eye', s.hold, (on) => this.#comparison.showOriginal(on), { disabled, key: 'B' })}
        ${button('pen', s.correct.long, () => this.#correction.toggle(), {
          ...{ pressed: this.correcting, disabled: !this.correcting && disabled, key: 'K' },
        })}
      </div>
      <div class="group">${this.#menu.render(disabled)}</div>`;
  }

  #readout(): TemplateResult {
    const { strings: s, settings, state } = this.parts;
    const { shown } = this.#work.state;
    const { scale: micrometresPerPixel, scaleFromFile: fromFile } = this.#work;
    const preview = shown?.preview ?? false;
    const whole = preview ? null : shown;
    const numbers = { figures: this.#figures, preview, micrometresPerPixel, fromFile };
    const live = state.phase === 'running' && !(this.maxFps > 0);
    const dropped = this.parts.session.current?.dropped;
    return html`${vesselBar(this.parts, this, (on) => this.#work.press(on))}
      ${whole ? vesselWarnings(s, whole.warnings, whole.confidence < trusted) : nothing}
      ${vesselNumbers(s, numbers, (value) => settings.edit({ micrometresPerPixel: value ?? undefined }))}
      ${this.#correction.render()} ${this.#segments.render(preview)}
      <p class="research">
        ${live ? `${s.vessels.live}. ` : nothing}${dropped ? `${s.dropped} ${dropped}. ` : nothing}${s.vessels.research}
      </p>`;
  }
}
