import '../base/clean-page.ts';
import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import {
  FoveolaError,
  objectColumns,
  objectParameters,
  type ObjectResult,
  objectRows,
  toMot,
  type TruthFormat,
} from '../../src/index.ts';
import type { AnalysisResult } from '../tools/analysis.ts';
import type { FoveolaEventMap, ElementKind, Rendered } from '../base/kind.ts';
import { FoveolaElement } from '../base/foveola-element.ts';
import { type Box, boxFrom } from '../tools/shape.ts';
import { layerStyle, shapeStyle } from '../base/shape.style.ts';
import { readoutStyle } from '../base/readout.style.ts';
import type { MenuItem, Menus, Primary } from '../base/toolbar.ts';
import { BoxDrawingController, PresetController } from './boxes.ts';
import { chartBoxStyle } from '../tools/charts.ts';
import { HistoryController } from './history.ts';
import { middleOf, rowsOf } from './motion.ts';
import { drawTargets, Trails, TargetListController } from './results.ts';
import { TargetsController } from './targets.ts';
import { trackStyle } from './track.style.ts';
import { TruthController, type TruthScore } from './truth.ts';

// before Lit

export type FoveolaTrackEventMap = FoveolaEventMap<ObjectResult>;

/**
 * Tracks objects in a video or a camera, starting from boxes that the user draws. It learns how an object looks,
 * reports when it is lost, and finds it again. Everything is computed in the page, and nothing is uploaded. For
 * research use, not a medical device.
 *
 * @element foveola-track
 *
 * @attr {string} src - URL of a video or an image.
 * @attr {string} camera - Offers a camera: empty for any camera, `user`, `environment`, or a device id. It starts with
 *   a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page. The overlay is placed over it.
 * @attr {string} box - A target: x, y, width and height in pixels, as in `142 125 91 40`. The box refers to the first
 *   frame of the source that is set together with it, or of the next source if none is open. If a source is already
 *   running, it refers to the last processed frame. Other sources ignore it.
 * @attr {number} trails - Number of past positions drawn per target. 0: none. Default 90.
 * @attr {boolean} mirror - Shows the image mirrored. Coordinates still refer to the source.
 * @attr {number} max-fps - Maximum frame rate. Extra frames are counted as throttled.
 * @attr {string} stream - Sends the measurements to `npx foveola lsl`, at the address that it prints.
 * @attr {'auto'|'manual'} analyse - `auto`: a recording is analyzed as soon as it is open. `manual`: it plays. Default:
 *   `auto` for files that the user opens in the element, otherwise `manual`. With `controls`, a recording without `box`
 *   first waits on its first frame until the user draws a box.
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
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} tracking - State: a target was seen in the last frame.
 * @attr {boolean} lost - State: targets exist, but none was seen in the last frame.
 * @attr {boolean} recording - State: a recording is running.
 * @attr {boolean} analysing - State: a recording is being analyzed frame by frame.
 * @attr {string} error - State: code of the current error.
 *
 * @prop {Source | MediaStream | string | null} source - Any source. Takes precedence over `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - Resolves with the capabilities of the engine on this page.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is ready.
 * @fires {CustomEvent<ObjectResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed. The element also shows the error.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - The recordings saved on the device were listed or have changed.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or a recording analyzed. `done` is
 *   from 0 to 1, or null if the recording does not contain its duration.
 *
 * @slot media - A video, img or canvas on your page, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces the error panel.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the image.
 * @csspart overlay - The canvas over the image.
 * @csspart readout - The targets and numbers.
 * @csspart chart - Position and speed of the selected target, or of the first one.
 * @csspart truth - Agreement of the track with the ground truth.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - The slider of the timeline.
 * @csspart controls - The toolbar.
 * @csspart primary - The button of the next step.
 * @csspart menu - A menu of the toolbar.
 * @csspart summary - Outcome of an analysis.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 */
export class FoveolaTrack extends FoveolaElement<ObjectResult> {
  static override styles = [...FoveolaElement.styles, readoutStyle, chartBoxStyle, layerStyle, shapeStyle, trackStyle];

  /**
   * A target of the open source, or of the next one if none is open. If set together with a source, it belongs to that
   * source. Other sources ignore it. For a new source, the box refers to the first frame. For a running source, it
   * refers to the last processed frame.
   */
  @property({ attribute: 'box', converter: boxFrom, hasChanged: () => true }) box: Box | null = null;

  /** Number of past positions drawn per target. 0: none. */
  @property({ type: Number }) trails = 90;

  readonly #targets = new TargetsController(this.parts, () => this.#goOn());
  readonly #list = new TargetListController(this.parts, this.#targets, () => this.#drawing);
  readonly #preset = new PresetController(this.parts, this, this.#targets);
  readonly #drawing = new BoxDrawingController(this.parts, this.#targets);
  readonly #truth = new TruthController(this.parts, () => this.#targets.selected);
  readonly #trails = new Trails();
  readonly #history = new HistoryController(this.parts, this.#targets);
  /** Continues a recording that waits for its first target. */
  #next: (() => unknown) | null = null;
  /** Trails of an exported video, which start at its first frame. */
  #written: Trails | null = null;

  /** Rejects with 'source-not-ready' without a target to track. */
  override async analyse(): Promise<AnalysisResult> {
    if (this.parts.feed && !this.#targets.any && !this.#preset.pending)
      throw new FoveolaError('source-not-ready', this.parts.strings.track.none);
    return super.analyse();
  }

  /**
   * Loads ground truth of the open recording, one line per frame: x, y, width, height or x1, y1, x2, y2. NaN: the
   * target is absent. It is scored once every frame has been analyzed. Throws 'source-not-ready', 'invalid-argument'.
   * @param format if known; default: detected from the text
   */
  loadTruth(text: string, format?: TruthFormat): void {
    this.#truth.load(text, format);
  }

  /** Agreement of the selected target, or of the first one, with the ground truth. Null until it is scored. */
  get truthScore(): TruthScore | null {
    return this.#truth.score;
  }

  /** Exports the score as JSON. Throws 'source-not-ready'. */
  exportScore(): string {
    return this.#truth.export();
  }

  /** Exports the last recording in the MOT Challenge format. */
  exportMot(): string {
    const { recording } = this.parts.recorder;
    if (!recording) throw new FoveolaError('source-not-ready', 'No recording to export exists. Record a track first.');
    return toMot(recording);
  }

  /** Adds a target in the last processed frame. Resolves with its number. */
  async addTarget(box: Box): Promise<number> {
    return this.#targets.add(box);
  }

  /** Stops tracking one target. */
  async removeTarget(id: number): Promise<void> {
    await this.#targets.remove(id);
  }

  /** Corrects the position of a target in the last processed frame. The model learns from it. */
  async correctTarget(id: number, box: Box): Promise<void> {
    await this.#targets.correct(id, box);
  }

  /** @internal */
  protected override readonly kind: ElementKind<ObjectResult> = {
    title: () => this.parts.strings.track.title,
    words: (general) => {
      const { stage, empty, emptyHint, following: tracking, lostState: lost } = general.track;
      return { ...general, stage, empty, emptyHint, states: { ...general.states, tracking, lost } };
    },

    createTracker: (engine, parameters, analysis) =>
      analysis
        ? this.#targets.replay(engine, parameters, this.#preset.pending)
        : this.#targets.track(engine, parameters),
    meaningOf: ({ targets }) =>
      targets.length ? { tracking: targets.some(({ box }) => box !== null), blink: false } : null,

    columns: () => objectColumns,
    rowsOf: objectRows,
    settled: (result) => this.#history.settled(result),
    draw: () => this.#draw(),
    busy: () => this.#history.busy,
    stateText: () => (this.#history.busy ? this.parts.strings.track.trackingOn : undefined),

    table: () => objectParameters,

    takesFile: (file) => this.#truth.takes(file),
    nextFile: () => (this.box = this.box), // set together with a source, it belongs to that source
    tools: () => html`${this.#drawing.layer}${this.#prompt()}`,
    readout: () => html`${this.#list.render()}${this.#truth.render()}${this.#history.charts.render()}`,
    primary: () => this.#primary(),
    menus: () => this.#menus(),
    ready: () => {
      if (this.#targets.any) return true;
      if (!this.#preset.box) this.#drawing.toggle('add');
      this.#next = () => this.analyse();
      return false;
    },
    begin: ({ external }) => {
      if (!this.controls || this.paused || external || !this.parts.player.video || this.#preset.box) return;
      this.paused = true;
      this.#next = () => this.start();
    },
    playback: () => {
      if (this.running) this.#next = null; // the user has played it
    },
    closing: () => (this.#next = null),
    keys: () => [[['←', '↑', '→', '↓', 'Shift', 'Enter'], this.parts.strings.track.drawHint]],
    unusedKeys: () => ['points'],

    present: ({ targets }) => this.#trails.add(targets, this.#length),
    recalled: ({ targets, timestamp }) => {
      for (const { id } of targets) this.#recallTrail(id, timestamp);
      this.#draw();
    },
    writing: (step) => {
      if (typeof step === 'object') this.#written?.add(step.targets, this.#length);
      else this.#written = step === 'begins' ? new Trails() : null;
    },
    updated: (changed) => {
      if (!changed.has('trails')) return;
      this.#trails.shorten(this.#length);
      this.#draw();
    },
    forget: () => this.#trails.clear(),
  };

  /** The trail up to a frame of an analyzed recording. */
  #recallTrail(id: number, timestamp: number): void {
    const { recording } = this.parts.recorder;
    if (!this.parts.shown.analysed || !recording) return;
    const places = [];
    for (const row of rowsOf(recording, id)) if (row.timestamp <= timestamp) places.push(row.box && middleOf(row.box));
    this.#trails.set(id, this.#length ? places.slice(-this.#length) : []);
  }

  /** The first target exists. */
  #goOn(): void {
    const next = this.#next;
    this.#next = null;
    if (next) this.parts.actions.attempt(this.parts.strings.track.title, next);
  }

  /** On the image: the next step while no target exists. */
  #prompt(): Rendered {
    const { strings: s, unready, analysis } = this.parts;
    if (this.#targets.any || unready || analysis.running) return nothing;
    return html`<div class="prompt">
      ${
        this.#drawing.mode
          ? html`<p>${s.track.none}</p>`
          : html`<button type="button" class="primary" part="button" @click=${() => this.#drawing.toggle('add')}>
              ${s.track.addShort}
            </button>`
      }
    </div>`;
  }

  get #length(): number {
    const { trails } = this;
    return typeof trails === 'number' && trails > 0 ? trails : 0;
  }

  #primary(): Primary | undefined {
    const { strings: s, unready, analysis, feed } = this.parts;
    const drawing = this.#drawing.mode === 'add';
    if (!feed || (this.#targets.any && !drawing)) return undefined;
    return {
      ...{ word: s.track.addShort, label: s.track.add, pressed: drawing },
      disabled: unready || (analysis.running && s.why.analysing),
      act: () => this.#drawing.toggle('add'),
    };
  }

  #menus(): Menus {
    const { strings: s, recorder, exports } = this.parts;
    const mot: MenuItem = {
      ...{ word: s.track.mot, disabled: !recorder.recording?.length && s.why.noRows },
      act: () => exports.start({ extension: 'mot.txt', type: 'text/plain', make: () => this.exportMot() }),
    };
    return { exports: [mot], more: [this.#truth.menuItem] };
  }

  #draw(): void {
    const { result } = this.parts.picture;
    if (!result) return;
    this.parts.picture.draw((context, view, colors) =>
      drawTargets(context, view, colors, result.targets, this.#written ?? this.#trails, this.#targets.selected),
    );
  }
}
