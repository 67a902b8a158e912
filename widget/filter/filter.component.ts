import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { FoveolaError, type GrayImage, type ParameterTable, resolveParameters } from '../../src/index.ts';
import { choiceSwitch } from '../parts/choice-switch.ts';
import { saveFile } from '../parts/download.ts';
import { brushStyle } from '../parts/brush.style.ts';
import type { FoveolaEventMap } from '../parts/events.ts';
import { FoveolaElement } from '../parts/foveola-element.ts';
import type { ElementKind } from '../parts/kind.ts';
import { pictureOf, toPng } from '../parts/picture-files.ts';
import { button } from '../parts/views.ts';
import { canvasOf } from './draw-results.ts';
import { FilterDrawing } from './drawing.ts';
import { filterStyle } from './filter.style.ts';
import { InpaintingController } from './inpainting.ts';
import { filterColumns, filterFigures, filterRows } from './rows.ts';
import {
  type FilterOperation,
  filterOperations,
  type FilterResult,
  filterTable,
  FilterTracker,
  imageOperations,
  ownOperations,
} from './tracker.ts';
import { compareSlider, flowSelect, moreSelect } from './views.ts';

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
 * Shows edges, lines or motion in a video, a camera or an image, and removes what is painted over by inpainting. Every other
 * filter of the engine (Gaussian, median and the like) is there too.
 * Everything is computed in the page; nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-filter
 *
 * @attr {'canny'|'hough'|'flow'|'inpaint'|(string & Record<never, never>)} operation - Edges, lines, optical flow, inpainting
 * with a brush, or a call of the engine that makes a picture of a picture, for example `median`.
 * @attr {'both'|'colors'|'arrows'} flow-view - How flow is shown.
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
 * @attr {'agreed'|''} keep-recordings - Keeps recordings on the device while they run, once that is agreed to.
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
 * @fires {CustomEvent<KeptDetail>} foveola-kept - What is kept on the device, when the element finds it and when it changes.
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
 * @csspart operations - The operation switch; a list beside it has the further filters.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - Its slider.
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
  static override styles = [...FoveolaElement.styles, brushStyle, filterStyle];

  @property({ reflect: true }) operation: 'canny' | 'hough' | 'flow' | 'inpaint' | (string & Record<never, never>) =
    'canny';
  @property({ attribute: 'flow-view' }) flowView: 'both' | 'colors' | 'arrows' = 'both';
  @property({ type: Number }) compare = 0;

  readonly #drawing = new FilterDrawing();
  readonly #inpainting = new InpaintingController(this.parts, () => this.#chosen === 'inpaint');

  /** The operation, where the attribute names one. */
  get #chosen(): FilterOperation {
    return filterOperations().find((name) => name === this.operation) ?? 'canny';
  }

  get mask(): GrayImage | null {
    return this.#inpainting.mask;
  }

  /** Throws 'invalid-argument' where its size is not that of the picture. */
  set mask(mask: GrayImage | null | undefined) {
    this.#inpainting.setMask(mask ?? null);
  }

  /** Fills what is painted. Resolves when it is done or was cancelled; a failure is shown and told by an event. */
  async fill(): Promise<void> {
    await this.#inpainting.fill();
  }

  /** Ends a filling; what was filled so far stays. */
  cancel(): void {
    this.#inpainting.cancel();
  }

  /** The result as PNG: edges, the picture with its lines, flow as colors, what a filter made, or the retouched picture. */
  async exportImage(): Promise<Blob> {
    const { feed, picture } = this.parts;
    if (!feed) throw new FoveolaError('source-not-ready', 'There is no picture yet. Open a source first.');
    const retouched = () =>
      this.#inpainting.retouch?.shown ?? canvasOf(pictureOf({ ...feed, element: picture.shown! }));
    const own = this.#chosen === 'inpaint' ? retouched() : this.#drawing.resultOf(this.#chosen);
    return own ? toPng(own) : this.snapshot();
  }

  protected override readonly kind: ElementKind<FilterResult> = {
    title: () => this.parts.strings.filter.title,
    words: (general) => {
      const { title, stage, empty, emptyHint, arrows, arrowsKey } = general.filter;
      const keys = { ...general.keys, points: arrowsKey };
      return { ...general, pupilTracking: title, stage, empty, emptyHint, points: arrows, keys };
    },

    createTracker: (engine, parameters) => {
      this.#inpainting.use(engine);
      return new FilterTracker(engine, parameters, () => this.parts.feed);
    },
    meaningOf: () => ({ tracking: true, blink: false }),
    stateText: () =>
      this.#inpainting.filling ? this.parts.strings.filter.filling : this.parts.strings.states[this.state],

    columns: () => filterColumns(this.#chosen),
    rowsOf: filterRows,
    draw: () => this.#draw(),

    table: () => filterTable(this.#chosen),
    panelFirst: mainParameters,
    panelHidden: ['segments'],
    parameters: (given) => {
      const table = filterTable(this.#chosen);
      const own = Object.entries(given).filter(([name]) => name in table);
      return { ...Object.fromEntries(own), operation: this.operation };
    },
    defaultOf: (name) => {
      const operation = filterOperations().find((one) => name in filterTable(one));
      return operation && filterTable(operation)[name]!.default;
    },

    // A file has the settings of every filter that was used.
    checkSettings: (settings) => {
      const table = Object.assign(
        {},
        ...filterOperations().map(filterTable),
        filterTable(this.#chosen),
      ) as ParameterTable;
      resolveParameters(table, settings as never, 'Settings');
      return {};
    },

    largeResults: true,
    tools: () => this.#inpainting.layer,
    readout: () => this.#bar(),
    buttons: () => this.#buttons(),
    pointsShown: () => (this.#chosen === 'flow' ? this.flowView !== 'colors' : null),
    togglePoints: () => (this.flowView = this.flowView === 'colors' ? 'both' : 'colors'),
    unusedKeys: () => (this.#chosen === 'flow' ? [] : ['points']),

    present: (result) => {
      const { strings, session } = this.parts;
      this.#write(filterFigures(strings, result, session.current));
    },
    forgetFrame: () => {
      this.#drawing.clear();
      this.#write('');
      this.#draw(); // what is painted stays
    },
    updated: (changed) => ['operation', 'compare', 'flowView'].some((name) => changed.has(name)) && this.#draw(),
  };

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('operation')) this.parts.recorder.endRecording(); // its columns are those of one operation
  }

  #write(figures: string): void {
    const place = this.renderRoot.querySelector('.figures.result');
    if (place) place.textContent = figures;
  }

  #draw(): void {
    const { feed, picture, strings: s } = this.parts;
    const { flowView } = this;
    if (!feed) return;
    if (picture.result) this.#drawing.set(picture.result);
    const how = {
      operation: this.#chosen,
      width: feed.width,
      height: feed.height,
      split: Math.max(0, Math.min(1, this.compare / 100)),
      colors: flowView !== 'arrows',
      arrows: flowView !== 'colors',
      unit: s.filter.perFrame,
      number: s.number,
    };
    picture.draw((context, view, colors) => this.#drawing.draw(context, view, colors, how, this.#inpainting.retouch));
  }

  #buttons(): TemplateResult {
    const { strings: s, settings, unready, actions, host } = this.parts;
    const { history } = settings;
    const save = () => actions.attempt('The download', async () => saveFile(host, await this.exportImage(), 'png'));
    const undoing = () =>
      html`${button('undo', s.undo, () => void this.undo(), { disabled: !history.canUndo && s.why.noUndo, key: 'Control+Z' })}
      ${button('redo', s.redo, () => void this.redo(), { disabled: !history.canRedo && s.why.noRedo, key: 'Control+Y' })}`;
    return html`<div class="group">
      ${this.#chosen === 'inpaint' ? undoing() : nothing}
      ${button('download', s.filter.download, save, { disabled: unready, word: 'PNG', kind: 'file' })}
    </div>`;
  }

  #bar(): TemplateResult {
    const { strings: s } = this.parts;
    const operation = this.#chosen;
    const choice = {
      label: s.filter.operation,
      part: 'operations',
      values: ownOperations,
      words: s.filter.operations,
      chosen: operation,
    };
    return html`<div class="filter" part="bar">
      ${choiceSwitch(choice, (chosen) => (this.operation = chosen))}
      ${moreSelect(s, imageOperations(), operation, (chosen) => (this.operation = chosen))}
      ${operation === 'flow' ? flowSelect(s, this.flowView, (view) => (this.flowView = view)) : nothing}
      ${operation === 'inpaint' ? this.#inpainting.renderBar() : html`<span class="figures result"></span>`}
      ${compareSlider(s, this.compare, (value) => (this.compare = value))}
    </div>`;
  }
}
