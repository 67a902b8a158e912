import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import {
  asFoveolaError,
  type FrameTiming,
  FoveolaError,
  objectColumns,
  objectParameters,
  type ObjectResult,
  objectRows,
  type ParameterTable,
  toMot,
} from '../../src/index.ts';
import type { AnalysisResult } from '../parts/analysis.ts';
import { drawTargets, Trails } from './drawing.ts';
import type { Meaning } from '../parts/element-core.ts';
import { FoveolaElement } from '../parts/element.ts';
import type { FoveolaEventMap } from '../parts/events.ts';
import type { ElementEngine, ElementObjectTracker } from '../parts/engine.ts';
import type { View } from '../parts/overlay.ts';
import { Rate } from '../parts/rate.ts';
import { boxFrom, rounded } from '../parts/region.ts';
import type { Settings } from '../parts/settings-element.ts';
import type { Box } from '../parts/shape.ts';
import { ShapeTool } from '../parts/shape-tool.ts';
import { TargetReplay, type Mark, type ReplayedTarget } from './target-replay.ts';
import { trackStyle } from './track.style.ts';
import { button, titleOf } from '../parts/views.ts';
import type { Strings } from '../strings/index.ts';

/** Readout and list of targets are brought up to date so often, ms. */
const every = 200;

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
 * @attr {boolean} mirror - Shows the picture mirrored; coordinates stay those of the source.
 * @attr {number} max-fps - At most so many frames a second are processed; the others are counted as throttled.
 * @attr {'auto'|'gpu'|'wasm'} backend - Which side computes.
 * @attr {string} asset-base - Folder of the package's files (kernels, worker, models), where they do not lie beside the script.
 * @attr {boolean} paused - Does not play.
 * @attr {boolean} loop - Starts a recording again when it has ended.
 * @attr {boolean} controls - Shows the toolbar.
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
 * @csspart controls - The toolbar.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 */
export class FoveolaTrack extends FoveolaElement<ObjectResult> {
  static override styles = [...FoveolaElement.styles, trackStyle];

  /**
   * A target of the source that is open, or of the next one where none is; set together with a source, of that one. In
   * another source it is not looked for. Of a source that begins it is the place in the first frame, of one that is under
   * way the place in the frame that was processed last.
   */
  @property({ attribute: 'box', converter: boxFrom, hasChanged: () => true }) box: Box | null = null;

  @query('.readout') private readoutBox!: HTMLElement | null;
  /** A box is being drawn for a new target, or the selected target's box is being corrected. */
  @state() private drawing: 'add' | 'correct' | null = null;
  @state() private selected: number | null = null;
  /** Targets as the list shows them. */
  @state() private listed: ObjectResult['targets'] = [];
  readonly #rate = new Rate();
  readonly #trails = new Trails();
  #tracker: ElementObjectTracker | null = null;
  #last: ObjectResult | null = null;
  /** Boxes by hand of each target, in the order in which they were drawn. */
  readonly #marks = new Map<number, Mark[]>();
  #seen = new Map<number, boolean>();
  #pending: Box | null = null;
  #begun = false;
  /** Which source is open, and for which one `box` was set; null: for the next one. */
  #source: unknown = null;
  #boxSource: unknown = null;
  /** The box that was taken for the source that is open. */
  #presetTaken = 'null';
  /** Goes on playing what was stopped to draw on it. */
  #thaw: (() => void) | null = null;
  #words: { from: Strings; to: Strings } | null = null;
  #later = 0;
  #writtenAt = -Infinity;

  protected override readonly columns = objectColumns;

  protected override title_(): string {
    return this.strings.track.title;
  }

  protected override get table(): ParameterTable {
    return objectParameters;
  }

  protected override get panelFirst(): readonly string[] {
    return ['minConfidence', 'learning', 'nearestThreshold', 'flowWindow'];
  }

  protected override createTracker(engine: ElementEngine, parameters: Settings) {
    if (this.analysing && !this.analysing.signal.aborted) return this.#replay(engine.createObjectTracker(parameters));
    return (this.#tracker = engine.createObjectTracker(parameters));
  }

  /** The targets as they are now, for an analysis from the recording's beginning. */
  async #replay(tracker: ElementObjectTracker): Promise<TargetReplay> {
    const targets: ReplayedTarget[] = [];
    for (const [id, marks] of this.#marks) targets.push({ id, marks, model: await this.#tracker!.exportModel(id) });
    // Nothing has been shown yet: the target of the attribute begins in the first frame.
    const box = this.#begun ? null : this.#preset;
    if (box) targets.push({ id: 1, marks: [{ timestamp: -Infinity, box }], model: null });
    return TargetReplay.of(tracker, targets);
  }

  /** Refuses with 'source-not-ready' where there is no target to look for. */
  override async analyse(): Promise<AnalysisResult> {
    if (this.feed && !this.#marks.size && (this.#begun || !this.#preset))
      throw new FoveolaError('source-not-ready', this.strings.track.none);
    return super.analyse();
  }

  protected override rowsOf(result: ObjectResult, timing: FrameTiming): number[][] {
    return objectRows(result, timing);
  }

  protected override meaningOf({ targets }: ObjectResult): Meaning | null {
    return targets.length ? { tracking: targets.some(({ box }) => box !== null), blink: false } : null;
  }

  /** The words of this element in the places of the general ones. */
  protected override get strings(): Strings {
    const from = super.strings;
    if (this.#words?.from !== from) {
      const { stage, empty, emptyHint, following: tracking, lostState: lost } = from.track;
      this.#words = { from, to: { ...from, stage, empty, emptyHint, states: { ...from.states, tracking, lost } } };
    }
    return this.#words!.to;
  }

  protected override get unusedKeys(): readonly string[] {
    return ['points'];
  }

  /** The last recording in the format of the MOT challenge. */
  exportMot(): string {
    const { recording } = this.recorder;
    if (!recording)
      throw new FoveolaError('source-not-ready', 'There is no recording to export. Record a track first.');
    return toMot(recording);
  }

  /** A new target in the frame that was processed last; resolves with its number. */
  async addTarget(box: Box): Promise<number> {
    const id = await this.#need().add(box);
    this.#seen.set(id, true);
    this.#marks.set(id, [this.#mark(box)]);
    this.selected = id;
    this.announce(this.strings.track.added(id));
    return id;
  }

  /** Ends the tracking of one target. */
  async removeTarget(id: number): Promise<void> {
    await this.#need().remove(id);
    if (this.selected === id) this.selected = null;
    this.listed = this.listed.filter((target) => target.id !== id);
    this.#seen.delete(id);
    this.#marks.delete(id);
    this.announce(this.strings.track.removed(id));
  }

  /** Says where a target is in the frame that was processed last; the model learns from it. */
  async correctTarget(id: number, box: Box): Promise<void> {
    const mark = this.#mark(box);
    await this.#need().correct(id, box);
    this.#marks.get(id)?.push(mark);
    this.announce(this.strings.track.corrected(id));
  }

  /** `box`, where it was set for the source that is open. */
  get #preset(): Box | null {
    return this.#boxSource === this.#source ? this.box : null;
  }

  protected override sourceChosen(source: unknown): void {
    this.#source = source;
    this.#boxSource ??= source;
  }

  #mark(box: Box): Mark {
    return { timestamp: this.#last?.timestamp ?? -Infinity, box: { ...box } };
  }

  #need(): ElementObjectTracker {
    if (!this.#tracker || !this.#last)
      throw new FoveolaError('source-not-ready', 'There is no picture yet. Open a source first.');
    return this.#tracker;
  }

  readonly #tool = new ShapeTool(
    'box',
    {
      changed: (box, last) => {
        this.#pending = box;
        if (last && this.#pointer) this.#commit();
      },
      describe: (box) => this.strings.track.boxAt(rounded(box)),
      leave: () => this.#stopDrawing(),
      remove: () => this.#stopDrawing(),
      done: () => this.#commit(),
    },
    { smallest: 10, step: 2 },
  );
  /** The box is being drawn with mouse or finger: it counts when it is let go. With keys Enter says so. */
  #pointer = false;

  constructor() {
    super();
    const { element } = this.#tool;
    element.addEventListener('pointerdown', () => (this.#pointer = true), { capture: true });
    element.addEventListener('keydown', () => (this.#pointer = false), { capture: true });
  }

  #draw(mode: 'add' | 'correct'): void {
    const { feed } = this;
    if (!feed) return;
    if (this.drawing === mode) {
      this.#stopDrawing();
      return;
    }
    if (this.drawing === null) this.#freeze();
    this.drawing = mode;
    this.#pointer = false;
    const target = this.#last?.targets.find(({ id }) => id === this.selected);
    const quarter = { x: 0.375 * feed.width, y: 0.375 * feed.height, width: feed.width / 4, height: feed.height / 4 };
    this.#pending = rounded((mode === 'correct' && target?.box) || quarter);
    this.#tool.show(this.#pending, feed.width, feed.height);
    this.#tool.armed = mode === 'add';
    this.announce(this.strings.track.drawHint);
    void this.updateComplete.then(() => this.#tool.focus());
  }

  /** A box is drawn on a picture that stands, and that the tracker has seen. */
  #freeze(): void {
    const { session, feed } = this;
    if (!session?.moving) return;
    const goOn = !this.paused && (session.running || feed!.external);
    this.paused = true;
    const thaw = session.freeze();
    this.#thaw = () => {
      thaw();
      if (goOn) this.paused = false;
    };
  }

  #goOn(): void {
    const thaw = this.#thaw;
    this.#thaw = null;
    thaw?.();
  }

  #stopDrawing(goOn = true): void {
    const drawing = this.drawing !== null;
    this.drawing = null;
    this.#pending = null;
    this.#tool.armed = false;
    this.#tool.show(null, this.feed?.width ?? 0, this.feed?.height ?? 0);
    if (drawing) this.renderRoot.querySelector<HTMLElement>('.stage')?.focus();
    if (goOn) this.#goOn();
  }

  // The tracker has the box before the next frame.
  #commit(): void {
    const [box, mode, selected] = [this.#pending, this.drawing, this.selected];
    if (!box || !mode) return;
    this.#stopDrawing(false);
    const goOn = () => this.#goOn();
    if (mode === 'correct' && selected !== null) this.#try(() => this.correctTarget(selected, box).finally(goOn));
    else
      this.#try(async () => {
        let id = await this.addTarget(box).finally(goOn);
        this.remember({
          ofSource: true,
          undo: () => this.#try(() => this.removeTarget(id)),
          redo: () => this.#try(async () => (id = await this.addTarget(box))),
        });
      });
  }

  #try(work: () => Promise<unknown>): void {
    const fail = (error: unknown) => this.onFailure(asFoveolaError(error, this.strings.track.title));
    Promise.resolve()
      .then(work)
      .then(() => this.#refresh(), fail);
  }

  /** Where nothing plays, the frame that stands is processed once more, so that the box is shown. */
  #refresh(): void {
    if (this.phase !== 'running') void this.session?.refresh();
  }

  protected override viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#tool.look(view, overlay);
  }

  protected override renderTools(): unknown {
    return this.#tool.element;
  }

  protected override renderButtons(): TemplateResult {
    const { strings: s, drawing, selected } = this;
    const disabled = this.unready || (this.analysing !== null && s.why.analysing);
    const noRows = this.recorder.rows === 0 && s.why.noRows;
    return html`<div class="group">
      ${button('region', s.track.add, () => this.#draw('add'), { pressed: drawing === 'add', disabled })}
      ${
        selected === null
          ? nothing
          : html`<button
              part="button"
              aria-pressed=${drawing === 'correct'}
              title=${titleOf(s.track.correct, { disabled })}
              ?disabled=${!!disabled}
              @click=${() => this.#draw('correct')}
            >
              ${s.track.correct}
            </button>`
      }
      <button
        part="button"
        title=${titleOf(s.track.mot, { disabled: noRows })}
        ?disabled=${!!noRows}
        @click=${() => this.save(this.exportMot(), 'mot.txt', 'text/plain')}
      >
        ${s.track.mot}
      </button>
    </div>`;
  }

  protected override forgetFrame(): void {
    super.forgetFrame();
    clearTimeout(this.#later);
    this.#later = 0;
    this.listed = [];
    this.#write('–', 0);
  }

  protected override forget(): void {
    super.forget();
    this.#last = null;
    this.#rate.clear();
    this.#trails.clear();
    this.#seen.clear();
  }

  /** Targets are of their source; an analysis of it takes them along. */
  protected override closing(): void {
    super.closing();
    this.#source = null;
    this.#presetTaken = 'null';
    this.#begun = false;
    this.#marks.clear();
    this.selected = null;
    this.#stopDrawing(false);
    this.#thaw = null;
  }

  protected override begin(): void {}

  protected override present(result: ObjectResult, timing: FrameTiming): void {
    super.present(result, timing);
    this.#last = result;
    this.#trails.add(result.targets);
    this.#rate.add(timing.dropped);
    for (const { id, box } of result.targets) {
      if (this.#seen.get(id) === (box !== null)) continue;
      this.#seen.set(id, box !== null);
      this.announce(box ? this.strings.track.found(id) : this.strings.track.lost(id));
    }
    if (this.pictured === result) this.drawPictured();
    this.#later ||= window.setTimeout(() => this.#list(), Math.max(0, this.#writtenAt + every - performance.now()));
    if (!this.#begun && !this.analysing) {
      this.#begun = true;
      this.#addPreset();
    }
  }

  #addPreset(): void {
    const box = this.#preset;
    // Frameworks set the same box at each rendering.
    if (JSON.stringify(box) === this.#presetTaken) return;
    this.#presetTaken = JSON.stringify(box);
    if (box) this.#try(() => this.addTarget(box));
  }

  #list(): void {
    this.#later = 0;
    this.#writtenAt = performance.now();
    this.listed = this.#last?.targets ?? [];
    this.#write(String(this.#rate.perSecond ?? '–'), this.#rate.dropped);
  }

  #write(rate: string, dropped: number): void {
    for (const [name, text] of Object.entries({ rate, dropped: String(dropped) })) {
      const place = this.readoutBox?.querySelector(`[data-value=${name}]`);
      if (place && place.textContent !== text) place.textContent = text;
    }
  }

  protected override drawPictured(): void {
    const { pictured: result } = this;
    if (!result) return;
    this.overlay?.draw((context, view, colours) =>
      drawTargets(context, view, colours, result.targets, this.#trails, this.selected),
    );
  }

  protected override left(): void {
    this.#tracker = null;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed); // opens the source that was set with the box
    if (changed.has('box')) {
      this.#boxSource = this.#source;
      if (this.#begun && !this.analysing) this.#addPreset();
    }
    if (changed.has('paused') && !this.paused && this.#thaw) this.#stopDrawing();
    if (this.feed) this.#tool.show(this.#pending, this.feed.width, this.feed.height);
    if (this.drawing === 'add') this.#tool.armed = true;
    if (changed.has('selected' as never)) this.drawPictured();
  }

  protected override renderReadout(): TemplateResult {
    const { strings: s, listed, selected } = this;
    return html`<div class="readout targets" part="readout">
      ${
        listed.length
          ? html`<ul class="targets" aria-label=${s.track.targets}>
              ${listed.map(
                ({ id, box, confidence }) =>
                  html`<li>
                    <button
                      part="button"
                      aria-pressed=${id === selected}
                      @click=${() => (this.selected = id === selected ? null : id)}
                    >
                      <bdi>${s.track.state(id, box ? Math.round(100 * confidence) : null)}</bdi>
                    </button>
                    <button
                      part="button"
                      aria-label=${s.track.remove(id)}
                      @click=${() => this.#try(() => this.removeTarget(id))}
                    >
                      ×
                    </button>
                  </li>`,
              )}
            </ul>`
          : html`<p class="hint">${s.track.none}</p>`
      }
      <dl>
        <div>
          <dt>${s.frameRate}</dt>
          <dd><bdi data-value="rate">–</bdi></dd>
        </div>
        <div>
          <dt>${s.dropped}</dt>
          <dd><bdi data-value="dropped">0</bdi></dd>
        </div>
      </dl>
    </div>`;
  }
}
