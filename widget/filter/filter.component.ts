import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import {
  asFoveolaError,
  type Column,
  FoveolaError,
  type FrameTiming,
  type GrayImage,
  type ParameterTable,
} from '../../src/index.ts';
import { Brush } from './brush.ts';
import { choiceSwitch } from '../parts/choice-switch.ts';
import { canvasOf } from './draw-results.ts';
import type { Meaning } from '../parts/element-core.ts';
import { FoveolaElement } from '../parts/element.ts';
import type { FoveolaEventMap } from '../parts/events.ts';
import type { ElementEngine } from '../parts/engine.ts';
import type { Feed } from '../parts/feed.ts';
import { FilterDrawing } from './drawing.ts';
import { filterColumns, filterFigures, filterRows } from './rows.ts';
import {
  type FilterEngine,
  type FilterOperation,
  filterOperations,
  type FilterResult,
  filterTable,
  FilterTracker,
} from './tracker.ts';
import { brushBar, compareSlider } from './views.ts';
import { filterStyle } from './filter.style.ts';
import { imageFiles, pictureOf, readMask, toPng } from '../parts/picture-files.ts';
import type { View } from '../parts/overlay.ts';
import { Retouch } from './retouch.ts';
import type { Settings } from '../parts/settings-element.ts';
import { button } from '../parts/views.ts';
import type { Strings } from '../strings/index.ts';

const flowViews = ['both', 'colours', 'arrows'] as const;

/** What the panel shows at once. */
const mainParameters = [
  'low',
  'high',
  'sigma',
  'threshold',
  'max',
  'window',
  'levels',
  'iterations',
  'patch',
  'variant',
];

export type FoveolaFilterEventMap = FoveolaEventMap<FilterResult>;

/**
 * Shows edges, lines or motion in a video, a camera or an image, and removes what is painted over by inpainting.
 * Everything is computed in the page; nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-filter
 *
 * @attr {'canny'|'hough'|'flow'|'inpaint'} operation - Edges, lines, optical flow, or inpainting with a brush.
 * @attr {'both'|'colours'|'arrows'} flow-view - How flow is shown.
 * @attr {number} compare - 0 to 100: left of this part of the picture it is shown as it came.
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
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} lang - Language of the words, where its dictionary is imported (`en`, `de`).
 *
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} filling - State: a hole is being filled.
 * @attr {boolean} recording - State: rows are being recorded.
 * @attr {string} error - State: code of the error that is shown.
 *
 * @prop {Source | MediaStream | string | null} source - Any source; comes before `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - What the engine can do on this page.
 * @prop {GrayImage | null} mask - What is painted, of the picture's size; what is not 0 will be filled.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is there.
 * @fires {CustomEvent<FilterResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed; the element shows it as well.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or a hole filled.
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
 * @csspart bar - Operation, before and after, brush.
 * @csspart operations - The operation switch.
 * @csspart controls - The toolbar.
 * @csspart camera - Camera settings.
 * @csspart button - Every button.
 * @csspart fill - The button that fills.
 * @csspart error - The error.
 * @csspart panel - The settings.
 * @csspart help - The list of keys.
 *
 * @cssprop --foveola-surface - Background of the toolbar.
 * @cssprop --foveola-text - Text.
 * @cssprop --foveola-muted - Less important text.
 * @cssprop --foveola-border - Lines between areas.
 * @cssprop --foveola-hover - Background of a button under the pointer.
 * @cssprop --foveola-accent - Switched-on buttons and the focus ring.
 * @cssprop --foveola-danger - Errors and the record button.
 * @cssprop --foveola-stage - Background behind the picture.
 * @cssprop --foveola-ellipse - Lines.
 * @cssprop --foveola-points - Arrows.
 * @cssprop --foveola-radius - Radius of the corners.
 * @cssprop --foveola-font - Font family.
 * @cssprop --foveola-max-height - Greatest height of the stage.
 */
export class FoveolaFilter extends FoveolaElement<FilterResult> {
  static override styles = [...FoveolaElement.styles, filterStyle];

  @property({ reflect: true }) operation: 'canny' | 'hough' | 'flow' | 'inpaint' = 'canny';
  @property({ attribute: 'flow-view' }) flowView: 'both' | 'colours' | 'arrows' = 'both';
  @property({ type: Number }) compare = 0;
  @state() private radius = 12;
  @state() private erase = false;
  @state() private retouchVersion = 0;

  #engine: FilterEngine | null = null;
  #last: FilterResult | null = null;
  readonly #drawing = new FilterDrawing();
  #retouch: Retouch | null = null;
  #pendingMask: GrayImage | null = null;
  #words: { from: Strings; to: Strings } | null = null;

  protected override get strings(): Strings {
    const from = super.strings;
    if (this.#words?.from !== from) {
      const { title, stage, empty, emptyHint, arrows, arrowsKey } = from.filter;
      const keys = { ...from.keys, points: arrowsKey };
      this.#words = { from, to: { ...from, pupilTracking: title, stage, empty, emptyHint, points: arrows, keys } };
    }
    return this.#words!.to;
  }

  /** The operation, where the attribute names one. */
  get #chosen(): FilterOperation {
    return filterOperations.find((name) => name === this.operation) ?? 'canny';
  }

  get mask(): GrayImage | null {
    return this.#retouch?.mask ?? this.#pendingMask;
  }

  /** Throws 'invalid-argument' where its size is not that of the picture. */
  set mask(mask: GrayImage | null | undefined) {
    if (this.#retouch) this.#retouch.setMask(mask ?? null);
    else this.#pendingMask = mask ?? null;
  }

  /** Fills what is painted. Resolves when it is done or was cancelled; a failure is shown and told by an event. */
  async fill(): Promise<void> {
    const { feed, strings: s } = this;
    const retouch = this.#retouch;
    if (!feed || !retouch || !this.#engine)
      throw new FoveolaError('source-not-ready', 'There is no picture yet. Open a source first.');
    this.paused = true; // what is filled is the frame that stands
    const { operation: _, ...options } = this.parameters();
    this.announce(s.filter.filling);
    const outcome = await retouch.fill(
      this.#engine,
      () => pictureOf({ ...feed, element: this.shownPicture! }),
      this.#chosen === 'inpaint' ? options : {},
    );
    if (outcome === 'done') this.announce(s.filter.filled(retouch.progress.patches));
    if (outcome === 'cancelled') this.announce(s.filter.cancelled(Math.round(100 * retouch.progress.done)));
  }

  /** Ends a filling; what was filled so far stays. */
  cancel(): void {
    this.#retouch?.cancel();
  }

  /** The result as PNG: edges, the picture with its lines, flow as colours, or the retouched picture. */
  async exportImage(): Promise<Blob> {
    const { feed } = this;
    if (!feed) throw new FoveolaError('source-not-ready', 'There is no picture yet. Open a source first.');
    const retouched = () => this.#retouch?.shown ?? canvasOf(pictureOf({ ...feed, element: this.shownPicture! }));
    const own = this.#chosen === 'inpaint' ? retouched() : this.#drawing.resultOf(this.#chosen);
    return own ? toPng(own) : this.snapshot();
  }

  protected override title_(): string {
    return this.strings.filter.title;
  }

  protected override get table(): ParameterTable {
    return filterTable(this.#chosen);
  }

  protected override get panelFirst(): readonly string[] {
    return mainParameters;
  }

  protected override get panelHidden(): readonly string[] {
    return ['segments'];
  }

  protected override defaultOf(name: string): unknown {
    for (const operation of filterOperations)
      if (name in filterTable(operation)) return filterTable(operation)[name]!.default;
    return undefined;
  }

  protected override parameters(): Settings {
    const { table } = this;
    const own = Object.entries(this.given).filter(([name]) => name in table);
    return { ...Object.fromEntries(own), operation: this.operation };
  }

  protected override createTracker(engine: ElementEngine, parameters: Settings) {
    this.#engine = engine as unknown as FilterEngine;
    return new FilterTracker(this.#engine, parameters);
  }

  protected override get columns(): readonly Column[] {
    return filterColumns(this.#chosen);
  }

  protected override rowsOf(result: FilterResult, timing: FrameTiming): number[][] {
    return filterRows(result, timing);
  }

  protected override meaningOf(): Meaning {
    return { tracking: true, blink: false };
  }

  protected override stateText(): string {
    const { filling } = this.#retouch ?? {};
    return filling ? this.strings.filter.filling : this.strings.states[this.phase];
  }

  protected override forgetFrame(): void {
    super.forgetFrame();
    this.#last = null;
    this.#drawing.clear();
    this.#write('');
    this.drawPictured(); // what is painted stays
  }

  /** What is painted belongs to the picture. */
  protected override closing(): void {
    super.closing();
    this.#retouch?.cancel();
    this.#retouch = null;
    this.toggleAttribute('filling', false);
    this.history.clear();
  }

  #write(figures: string): void {
    const place = this.renderRoot.querySelector('.figures.result');
    if (place) place.textContent = figures;
  }

  protected override begin(feed: Feed): void {
    this.radius = Math.max(3, Math.round(Math.min(feed.width, feed.height) / 40));
    this.#newRetouch();
  }

  /** For a new picture: what was painted on the former one is forgotten. */
  #newRetouch(): void {
    const { feed } = this;
    this.#retouch?.cancel();
    const { size } = { size: feed && { width: feed.width, height: feed.height } };
    const retouch: Retouch | null =
      size &&
      new Retouch(size.width, size.height, {
        remember: (deed) => this.remember(deed),
        changed: () => this.#retouch === retouch && this.#retouchChanged(),
        failed: (error) => this.onFailure(error),
      });
    this.#retouch = retouch;
    this.history.clear();
    const mask = this.#pendingMask;
    this.#pendingMask = null;
    try {
      if (mask) retouch?.setMask(mask);
    } catch (error) {
      this.onFailure(asFoveolaError(error, 'The mask'));
    }
  }

  #retouchChanged(): void {
    const { filling, progress } = this.#retouch!;
    this.toggleAttribute('filling', filling);
    if (filling) this.emit('progress', progress);
    this.retouchVersion++;
    this.drawPictured();
  }

  protected override present(result: FilterResult, timing: FrameTiming): void {
    if (!result.width && this.feed) ({ width: result.width, height: result.height } = this.feed); // files do not tell
    super.present(result, timing);
    const retouch = this.#retouch;
    const moved = this.#last !== null && result.timestamp !== this.#last.timestamp;
    if (moved && retouch && (retouch.painted || retouch.shown)) this.#newRetouch();
    this.#last = result;
    if (this.pictured === result) this.drawPictured();
    this.#write(filterFigures(this.strings, result, this.session?.moving ?? false));
  }

  protected override drawPictured(): void {
    const { feed, flowView, pictured } = this;
    if (!feed) return;
    if (pictured) this.#drawing.set(pictured);
    const how = {
      operation: this.#chosen,
      width: feed.width,
      height: feed.height,
      split: Math.max(0, Math.min(1, this.compare / 100)),
      colours: flowView !== 'arrows',
      arrows: flowView !== 'colours',
      unit: this.strings.filter.perFrame,
      number: this.strings.number,
    };
    this.overlay?.draw((context, view, colours) => this.#drawing.draw(context, view, colours, how, this.#retouch));
  }

  readonly #brush = new Brush({
    begin: (x, y) => {
      this.paused = true; // the frame that is painted on must stay
      this.#retouch?.begin(x, y, this.radius, this.erase);
    },
    extend: (x, y) => this.#retouch?.extend(x, y),
    end: () => this.#retouch?.end(),
    size: (change) =>
      (this.radius = Math.max(1, Math.min(100, Math.round(this.radius * (change > 0 ? 1.25 : 0.8)) || 1))),
    erase: () => (this.erase = !this.erase),
    done: () => void this.fill().catch((error) => this.onFailure(asFoveolaError(error, 'Inpainting'))),
    clear: () => this.#retouch?.clear(),
    leave: () =>
      this.#retouch?.filling ? this.cancel() : this.renderRoot.querySelector<HTMLElement>('.stage')?.focus(),
    describe: (x, y, down) => this.strings.filter.brushAt(Math.round(x), Math.round(y), 2 * this.radius, down),
  });

  protected override viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#brush.look(view, overlay);
  }

  protected override renderTools(): unknown {
    return this.#brush.element;
  }

  protected override get pointsShown(): boolean | null {
    return this.#chosen === 'flow' ? this.flowView !== 'colours' : null;
  }

  protected override get unusedKeys(): readonly string[] {
    return this.pointsShown === null ? ['points'] : [];
  }

  protected override togglePoints(): void {
    this.flowView = this.flowView === 'colours' ? 'both' : 'colours';
  }

  protected override left(): void {
    this.#retouch?.cancel();
    this.#retouch = null;
    this.#engine = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('operation') && this.recordingNow) this.endRecording(); // its columns are those of one operation
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { feed } = this;
    this.#brush.show(this.#chosen === 'inpaint' && feed !== null, feed?.width ?? 0, feed?.height ?? 0, this.radius);
    if (['operation', 'compare', 'flowView'].some((name) => changed.has(name))) this.drawPictured();
  }

  protected override renderButtons(): TemplateResult {
    const { strings: s, history } = this;
    const save = async () => {
      try {
        this.save(await this.exportImage(), 'png');
      } catch (error) {
        this.onFailure(asFoveolaError(error, 'The download'));
      }
    };
    const undoing =
      this.#chosen === 'inpaint'
        ? html`${button('undo', s.undo, () => void this.undo(), { disabled: !history.canUndo && s.why.noUndo, key: 'Control+Z' })}
          ${button('redo', s.redo, () => void this.redo(), { disabled: !history.canRedo && s.why.noRedo, key: 'Control+Y' })}`
        : nothing;
    return html`<div class="group">
      ${undoing}
      ${button('download', s.filter.download, () => void save(), { disabled: this.unready, word: 'PNG', kind: 'file' })}
    </div>`;
  }

  protected override renderReadout(): TemplateResult {
    const { strings: s } = this;
    const operation = this.#chosen;
    return html`<div class="filter" part="bar">
      ${choiceSwitch(
        {
          label: s.filter.operation,
          part: 'operations',
          values: filterOperations,
          words: s.filter.operations,
          chosen: operation,
        },
        (chosen) => (this.operation = chosen),
      )}
      ${
        operation === 'flow'
          ? html`<label
              >${s.filter.flowView}
              <select
                @change=${(event: Event) => (this.flowView = (event.target as HTMLSelectElement).value as FoveolaFilter['flowView'])}
              >
                ${flowViews.map(
                  (view) =>
                    html`<option value=${view} .selected=${view === this.flowView}>
                      ${s.filter.flowViews[view]}
                    </option>`,
                )}
              </select></label
            >`
          : nothing
      }
      ${operation === 'inpaint' ? this.#brushBar() : html`<span class="figures result"></span>`}
      ${compareSlider(s, this.compare, (value) => (this.compare = value))}
    </div>`;
  }

  #brushBar(): TemplateResult {
    const retouch = this.#retouch;
    const { done, patches } = retouch?.progress ?? { done: 0, patches: 0 };
    return html`${brushBar(
        this.strings,
        {
          radius: this.radius,
          erase: this.erase,
          painted: retouch?.painted ?? false,
          filling: retouch?.filling ?? false,
          done,
          patches,
          unready: retouch === null && (this.unready || this.strings.why.loading),
        },
        {
          radius: (radius) => (this.radius = radius),
          erase: () => (this.erase = !this.erase),
          clear: () => retouch?.clear(),
          mask: () => this.renderRoot.querySelector<HTMLInputElement>('input.mask-file')!.click(),
          fill: () => void this.fill().catch((error) => this.onFailure(asFoveolaError(error, 'Inpainting'))),
          cancel: () => this.cancel(),
        },
      )}<input
        class="mask-file"
        type="file"
        accept=${imageFiles}
        hidden
        tabindex="-1"
        aria-label=${this.strings.filter.maskFile}
        @change=${this.#onMaskFile}
      />`;
  }

  readonly #onMaskFile = async (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    const retouch = this.#retouch;
    if (!file || !retouch) return;
    try {
      retouch.setMask(await readMask(file));
    } catch (error) {
      this.onFailure(asFoveolaError(error, 'Reading the mask'));
    }
  };
}
