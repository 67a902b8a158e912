import '../parts/clean-page.ts';
import { css, html, nothing, type TemplateResult } from 'lit';
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
import type { AnalysisResult } from '../parts/analysis.ts';
import type { FoveolaEventMap, ElementKind } from '../parts/kind.ts';
import { FoveolaElement } from '../parts/foveola-element.ts';
import { type Box, boxFrom } from '../parts/shape.ts';
import { layerStyle, shapeStyle } from '../parts/shape.style.ts';
import { button, titleOf } from '../parts/views.ts';
import { BoxDrawingController } from './box-drawing.ts';
import { drawTargets, Trails } from './drawing.ts';
import { PresetController } from './preset.ts';
import { TargetListController } from './target-list.ts';
import { TargetsController } from './targets.ts';
import { TruthController, type TruthScore } from './truth.ts';

/** The list of targets below the picture. */
const trackStyle = css`
  .readout.targets {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
  }
  .readout.targets dl {
    display: flex;
    gap: 1rem;
    margin: 0;
    margin-inline-start: auto;
  }
  ul.targets {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  ul.targets li {
    display: flex;
  }
  ul.targets button[aria-pressed='true'] {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .truth {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding: 8px 14px;
    border-top: 1px solid var(--_border);
    font-variant-numeric: tabular-nums;
  }
  .readout.targets .hint {
    margin: 0;
    color: var(--_muted);
  }
`;

// before Lit

export type FoveolaTrackEventMap = FoveolaEventMap<ObjectResult>;

/**
 * Follows what the user draws a box around, in a video or from a camera: learns what it looks like, says when it is lost,
 * finds it again. Everything is computed in the page; nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-track
 *
 * @attr {string} src - Address of a video or an image.
 * @attr {string} camera - Offers the camera: present for any, `user`, `environment`, or a device id. Starts with a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page; the overlay is laid over it.
 * @attr {string} box - A target: x, y, width and height in pixels, as in `142 125 91 40`, in the first frame of the source
 *   that it is set with, or of the next one where none is open; of one that is under way in the frame that was processed last.
 *   In another source it is not looked for.
 * @attr {number} trails - How many of the last positions of a target are drawn; 0: none. Default 90.
 * @attr {boolean} mirror - Shows the picture mirrored; coordinates stay those of the source.
 * @attr {number} max-fps - At most so many frames a second are processed; the others are counted as throttled.
 * @attr {'auto'|'gpu'|'wasm'} backend - Which side computes.
 * @attr {string} asset-base - Folder of the package's files (kernels, worker, models), where they do not lie beside the script.
 * @attr {boolean} paused - Does not play.
 * @attr {boolean} loop - Starts a recording again when it has ended.
 * @attr {boolean} controls - Shows the toolbar.
 * @attr {'agreed'|''} keep-recordings - Keeps recordings on the device while they run, once that is agreed to.
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} lang - Language of the words, where its dictionary is imported (`en`, `de`).
 *
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} tracking - State: a target was seen in the last frame.
 * @attr {boolean} lost - State: there are targets, and none was seen.
 * @attr {boolean} recording - State: rows are being recorded.
 * @attr {boolean} analysing - State: a recording is analysed frame by frame.
 * @attr {string} error - State: code of the error that is shown.
 *
 * @prop {Source | MediaStream | string | null} source - Any source; comes before `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - What the engine can do on this page.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is there.
 * @fires {CustomEvent<ObjectResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed; the element shows it as well.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - What is kept on the device, when the element finds it and when it changes.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or a recording analysed:
 *   `done` from 0 to 1, null where the recording does not say how long it is.
 *
 * @slot media - A video, img or canvas of the page's own, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces what is shown when something failed.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the picture.
 * @csspart overlay - The canvas over it.
 * @csspart readout - The targets and numbers.
 * @csspart truth - How the track agrees with the ground truth.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - Its slider.
 * @csspart controls - The toolbar.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 */
export class FoveolaTrack extends FoveolaElement<ObjectResult> {
  static override styles = [...FoveolaElement.styles, layerStyle, shapeStyle, trackStyle];

  /**
   * A target of the source that is open, or of the next one where none is; set together with a source, of that one. In
   * another source it is not looked for. Of a source that begins it is the place in the first frame, of one that is under
   * way the place in the frame that was processed last.
   */
  @property({ attribute: 'box', converter: boxFrom, hasChanged: () => true }) box: Box | null = null;

  /** How many of the last positions of a target are drawn; 0: none. */
  @property({ type: Number }) trails = 90;

  readonly #targets = new TargetsController(this.parts);
  readonly #list = new TargetListController(this.parts, this.#targets);
  readonly #preset = new PresetController(this.parts, this, this.#targets);
  readonly #drawing = new BoxDrawingController(this.parts, this.#targets);
  readonly #truth = new TruthController(this.parts, () => this.#targets.selected);
  readonly #trails = new Trails();
  /** Those of a video that is written, which begins with its first frame. */
  #written: Trails | null = null;

  /** Refuses with 'source-not-ready' where there is no target to look for. */
  override async analyse(): Promise<AnalysisResult> {
    if (this.parts.feed && !this.#targets.any && !this.#preset.pending)
      throw new FoveolaError('source-not-ready', this.parts.strings.track.none);
    return super.analyse();
  }

  /**
   * Ground truth of the recording that is open, a line a frame: x, y, width, height or x1, y1, x2, y2; NaN where the target is
   * absent. Scored when every frame was analysed. Throws 'source-not-ready', 'invalid-argument'.
   * @param format where it is known; else it is found out
   */
  loadTruth(text: string, format?: TruthFormat): void {
    this.#truth.load(text, format);
  }

  /** How the target that is selected, else the first one, agrees with the ground truth; null until it is scored. */
  get truthScore(): TruthScore | null {
    return this.#truth.score;
  }

  /** The same as JSON. Throws 'source-not-ready'. */
  exportScore(): string {
    return this.#truth.export();
  }

  /** The last recording in the format of the MOT challenge. */
  exportMot(): string {
    const { recording } = this.parts.recorder;
    if (!recording) throw new FoveolaError('source-not-ready', 'No recording to export exists. Record a track first.');
    return toMot(recording);
  }

  /** A new target in the frame that was processed last; resolves with its number. */
  async addTarget(box: Box): Promise<number> {
    return this.#targets.add(box);
  }

  /** Ends the tracking of one target. */
  async removeTarget(id: number): Promise<void> {
    await this.#targets.remove(id);
  }

  /** Says where a target is in the frame that was processed last; the model learns from it. */
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
    draw: () => this.#draw(),

    table: () => objectParameters,
    panelFirst: ['minConfidence', 'learning', 'rotation', 'nearestThreshold', 'flowWindow'],

    takesFile: (file) => this.#truth.takes(file),
    nextFile: () => (this.box = this.box), // set together with a source it is of that one
    tools: () => this.#drawing.layer,
    readout: () => html`${this.#list.render()}${this.#truth.render()}`,
    buttons: () => this.#buttons(),
    keys: () => [[['←', '↑', '→', '↓', 'Shift', 'Enter'], this.parts.strings.track.drawHint]],
    unusedKeys: () => ['points'],

    present: ({ targets }) => this.#trails.add(targets, this.#length),
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

  get #length(): number {
    const { trails } = this;
    return typeof trails === 'number' && trails > 0 ? trails : 0;
  }

  #buttons(): TemplateResult {
    const { strings: s, unready, analysis, recorder, exports } = this.parts;
    const { mode } = this.#drawing;
    const disabled = unready || (analysis.running && s.why.analysing);
    const noRows = !recorder.recording?.length && s.why.noRows;
    const correct = () =>
      html`<button
        part="button"
        aria-pressed=${mode === 'correct'}
        title=${titleOf(s.track.correct, { disabled })}
        ?disabled=${!!disabled}
        @click=${() => this.#drawing.toggle('correct')}
      >
        ${s.track.correct}
      </button>`;
    return html`<div class="group">
      ${button('region', s.track.add, () => this.#drawing.toggle('add'), { pressed: mode === 'add', disabled })}
      ${this.#targets.selected === null ? nothing : correct()}
      <button
        part="button"
        title=${titleOf(s.track.mot, { disabled: noRows })}
        ?disabled=${!!noRows}
        @click=${() => exports.start({ extension: 'mot.txt', type: 'text/plain', make: () => this.exportMot() })}
      >
        ${s.track.mot}
      </button>
      ${this.#truth.renderButton()}
    </div>`;
  }

  #draw(): void {
    const { result } = this.parts.picture;
    if (!result) return;
    this.parts.picture.draw((context, view, colors) =>
      drawTargets(context, view, colors, result.targets, this.#written ?? this.#trails, this.#targets.selected),
    );
  }
}
