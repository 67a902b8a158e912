import '../base/clean-page.ts'; // before Lit
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { FoveolaError, type GrayImage, type ParameterTable, resolveParameters } from '../../src/index.ts';
import { choiceSwitch, dividerStyle } from '../base/controls.ts';
import { saveFile, inField } from '../base/page.ts';
import { brushStyle } from '../tools/brush.ts';
import { layerStyle } from '../base/shape.style.ts';
import type { FoveolaEventMap, ElementKind, Rendered, Settings } from '../base/kind.ts';
import { FoveolaElement } from '../base/foveola-element.ts';
import { pictureOf, toPng } from '../base/picture-controller.ts';
import type { MenuItem, Menus } from '../base/toolbar.ts';
import { redoIcon, undoIcon } from '../base/icons.ts';
import { button } from '../base/views.ts';
import { ComparisonController, FilterDrawing } from './results.ts';
import { besideEachOther, canvasOf, drawLetters } from './draw-results.ts';
import { filterStyle } from './filter.style.ts';
import { InpaintingController } from './inpainting.ts';
import { filterColumns, filterFigures, filterRows, flowSelect, moreSelect } from './views.ts';
import {
  type FilterOperation,
  filterOperations,
  type FilterResult,
  filterTable,
  FilterTracker,
  imageOperations,
  ownOperations,
} from './tracker.ts';

/** Parameters at the top of the panel. */
export type FoveolaFilterEventMap = FoveolaEventMap<FilterResult>;

/**
 * Shows edges, lines or motion in a video, a camera or an image, and removes painted areas by inpainting. All other
 * filters of the engine (Gaussian, median and so on) are available too. Everything is computed in the page, and nothing
 * is uploaded. For research use, not a medical device.
 *
 * @element foveola-filter
 *
 * @attr {'canny'|'hough'|'flow'|'inpaint'|(string & Record<never, never>)} operation - Edges, lines, optical flow,
 *   inpainting with a brush, or an engine call that turns an image into an image, for example `median`.
 * @attr {'both'|'colors'|'arrows'} flow-view - Display of optical flow.
 * @attr {number} compare - Position of the divider, 0 to 100 percent of the width. The original image is shown left of
 *   it. With `comparisonSettings`, the result of `settings` is left of it and the result of `comparisonSettings` is right of it.
 * @attr {string} src - URL of a video or an image.
 * @attr {string} camera - Offers a camera: empty for any camera, `user`, `environment`, or a device id. It starts with
 *   a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page. The overlay is placed over it.
 * @attr {boolean} mirror - Shows the image mirrored. Coordinates still refer to the source.
 * @attr {number} max-fps - Maximum frame rate. Extra frames are counted as throttled.
 * @attr {'auto'|'manual'} analyse - `auto`: a recording is analyzed as soon as it is open. Default: it plays.
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
 * @attr {boolean} filling - State: a hole is being filled.
 * @attr {boolean} recording - State: a recording is running.
 * @attr {string} error - State: code of the current error.
 *
 * @prop {Source | MediaStream | string | null} source - Any source. Takes precedence over `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - Resolves with the capabilities of the engine on this page.
 * @prop {Settings | null} comparisonSettings - Comparison settings of the same operation, shown next to `settings`.
 * @prop {GrayImage | null} mask - Painted mask, as large as the image. Nonzero pixels will be filled.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is ready.
 * @fires {CustomEvent<FilterResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed. The element also shows the error.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - The recordings saved on the device were listed or have changed.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or a hole filled.
 *
 * @slot media - A video, img or canvas on your page, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces the error panel.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the image.
 * @csspart media - The video, image or canvas created for the source.
 * @csspart overlay - The canvas over the image.
 * @csspart badge - State over the image.
 * @csspart bar - Operation.
 * @csspart outcome - Result, before and after, export.
 * @csspart operations - The operation switch. A list next to it has the other filters.
 * @csspart divider - The line between before and after, or between two results.
 * @csspart sides - The choice of the settings in the panel, A or B.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - The slider of the timeline.
 * @csspart controls - The toolbar.
 * @csspart primary - The button of the next step.
 * @csspart menu - A menu of the toolbar.
 * @csspart camera - Camera settings.
 * @csspart button - Every button.
 * @csspart fill - The fill button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 * @csspart help - The list of keys.
 *
 * @cssprop --foveola-surface - Background of the toolbar.
 * @cssprop --foveola-text - Text.
 * @cssprop --foveola-muted - Less important text.
 * @cssprop --foveola-border - Lines between areas.
 * @cssprop --foveola-hover - Background of a button under the pointer.
 * @cssprop --foveola-accent - Active buttons and the focus ring.
 * @cssprop --foveola-danger - Errors and the record button.
 * @cssprop --foveola-stage - Background behind the image.
 * @cssprop --foveola-ellipse - Lines.
 * @cssprop --foveola-points - Arrows.
 * @cssprop --foveola-radius - Radius of the corners.
 * @cssprop --foveola-font - Font family.
 * @cssprop --foveola-max-height - Maximum height of the stage.
 */
export class FoveolaFilter extends FoveolaElement<FilterResult> {
  static override styles = [...FoveolaElement.styles, layerStyle, brushStyle, dividerStyle, filterStyle];

  @property({ reflect: true }) operation: 'canny' | 'hough' | 'flow' | 'inpaint' | (string & Record<never, never>) =
    'canny';
  @property({ attribute: 'flow-view' }) flowView: 'both' | 'colors' | 'arrows' = 'both';
  @property({ type: Number }) compare = 0;
  /** Comparison settings: each frame is processed with both. Null: no comparison. `{}` compares with the defaults. */
  @property({ attribute: false }) comparisonSettings: Settings | null = null;

  readonly #drawing = new FilterDrawing();
  readonly #drawingB = new FilterDrawing();
  /** Strings in which the figures were last written. */
  #written: unknown = null;
  readonly #comparison = new ComparisonController(this.parts, this, () => this.#chosen);
  readonly #inpainting = new InpaintingController(this.parts, () => this.#chosen === 'inpaint');

  /** Selected operation: the attribute's value if valid, otherwise `canny`. */
  get #chosen(): FilterOperation {
    return filterOperations().find((name) => name === this.operation) ?? 'canny';
  }

  get mask(): GrayImage | null {
    return this.#inpainting.mask;
  }

  /** Throws 'invalid-argument' if its size differs from the image. */
  set mask(mask: GrayImage | null | undefined) {
    this.#inpainting.setMask(mask ?? null);
  }

  /** Fills the painted area. Resolves when it is done or cancelled. A failure is shown and fires an event. */
  async fill(): Promise<void> {
    await this.#inpainting.fill();
  }

  /** Cancels the filling. Pixels filled so far stay. */
  cancel(): void {
    this.#inpainting.cancel();
  }

  /**
   * The result as PNG: edges, the image with its lines, flow as colors, a filtered image, or the retouched image. If
   * two settings are compared, both results are exported, A to the left of B. Line results are exported as shown.
   */
  async exportImage(): Promise<Blob> {
    const { feed, picture } = this.parts;
    if (!feed) throw new FoveolaError('source-not-ready', 'No image is open. Open a source first.');
    const retouched = () =>
      this.#inpainting.retouch?.shown ?? canvasOf(pictureOf({ ...feed, element: picture.shown! }));
    const b = this.#comparison.second && this.#drawingB.resultOf(this.#chosen);
    const a = this.#chosen === 'inpaint' ? retouched() : this.#drawing.resultOf(this.#chosen);
    const own = a && b ? besideEachOther(a, b) : a;
    return own ? toPng(own) : this.snapshot();
  }

  /** @internal */
  protected override readonly kind: ElementKind<FilterResult> = {
    title: () => this.parts.strings.filter.title,
    words: (general) => {
      const { title, stage, empty, emptyHint, arrows, arrowsKey } = general.filter;
      const keys = { ...general.keys, points: arrowsKey };
      return { ...general, pupilTracking: title, stage, empty, emptyHint, points: arrows, keys };
    },

    createTracker: (engine, parameters, analysis) => {
      this.#inpainting.use(engine);
      const { parts } = this;
      const crowded = () => !analysis && parts.session.current?.running === true && parts.session.turns.crowded;
      return new FilterTracker(engine, parameters, () => parts.feed, crowded);
    },
    meaningOf: () => ({ tracking: true, blink: false }),
    stateText: () =>
      this.#inpainting.filling ? this.parts.strings.filter.filling : this.parts.strings.states[this.state],

    columns: () => filterColumns(this.#chosen, this.#comparison.second !== null),
    rowsOf: filterRows,
    draw: () => this.#draw(),

    table: () => filterTable(this.#chosen),
    parameters: (given) => {
      const table = filterTable(this.#chosen);
      const own = Object.entries(given).filter(([name]) => Object.hasOwn(table, name) || name === 'comparisonSettings');
      return { ...Object.fromEntries(own), operation: this.operation };
    },
    ownParameters: ['comparisonSettings'],
    panelGiven: () => this.#comparison.shown,
    panelChange: (changes) => this.#comparison.changed(changes),
    panelExtra: () => (this.#comparison.second ? this.#comparison.renderChoice() : nothing),
    defaultOf: (name) => {
      if (name === 'comparisonSettings') return null;
      const operation = filterOperations().find((one) => Object.hasOwn(filterTable(one), name));
      return operation && filterTable(operation)[name]!.default;
    },

    // A file has the settings of every filter that was used.
    checkSettings: ({ comparisonSettings, ...settings }) => {
      const table = Object.assign(
        {},
        ...filterOperations().map(filterTable),
        filterTable(this.#chosen),
      ) as ParameterTable;
      for (const one of [settings, comparisonSettings ?? {}]) resolveParameters(table, one as never, 'Settings');
      return {};
    },

    largeResults: true,
    tools: () => [this.#inpainting.layer, this.#comparison.layer],
    readout: () => this.#bar(),
    primary: () => null, // next to the result
    buttons: () => this.#buttons(),
    menus: () => this.#menus(),
    playsFirst: true,
    pointsShown: () => (this.#chosen === 'flow' ? this.flowView !== 'colors' : null),
    togglePoints: () => (this.flowView = this.flowView === 'colors' ? 'both' : 'colors'),
    unusedKeys: () => (this.#chosen === 'flow' ? [] : ['points']),
    keys: () => [[['B'], this.parts.strings.filter.twoSettingsKey]],
    onKey: (event) => {
      if (event.key.toLowerCase() !== 'b' || event.ctrlKey || event.metaKey || event.altKey || inField(event))
        return false;
      this.#comparison.toggle();
      return true;
    },

    present: (result) => this.#writeFigures(result),
    forgetFrame: () => {
      this.#drawing.clear();
      this.#drawingB.clear();
      this.#place?.replaceChildren();
      this.#draw(); // the painted mask stays
    },
    updated: (changed) => {
      const { picture, strings } = this.parts;
      if (picture.result && strings !== this.#written) this.#writeFigures(picture.result);
      if (['operation', 'compare', 'flowView', 'comparisonSettings'].some((name) => changed.has(name))) this.#draw();
    },
  };

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const begun = changed.has('comparisonSettings') && !changed.get('comparisonSettings') !== !this.comparisonSettings;
    if (begun && this.comparisonSettings && !(this.compare > 0)) this.compare = 50;
    // The columns of a recording depend on the operation, and on whether each frame has one or two results.
    if (changed.has('operation') || begun) this.parts.recorder.endRecording();
  }

  get #place(): Element | null {
    return this.shadowRoot?.querySelector('.figures.result') ?? null;
  }

  #writeFigures(result: FilterResult): void {
    const { strings, session } = this.parts;
    this.#written = strings;
    this.#place?.replaceChildren(filterFigures(strings, result, session.current));
  }

  #draw(): void {
    const { feed, picture, strings: s } = this.parts;
    const { flowView } = this;
    if (!feed) return;
    const resultB = this.#comparison.second && picture.result?.resultB;
    if (picture.result) this.#drawing.set(picture.result);
    if (resultB) this.#drawingB.set(resultB);
    const split = Math.max(0, Math.min(1, this.compare / 100));
    const how = {
      operation: this.#chosen,
      width: feed.width,
      height: feed.height,
      colors: flowView !== 'arrows',
      arrows: flowView !== 'colors',
      unit: s.filter.perFrame,
      number: s.number,
    };
    const { retouch } = this.#inpainting;
    picture.draw((context, view, colors) => {
      const [left, right] = [
        { ...how, from: 0, to: split },
        { ...how, from: split, to: 1 },
      ];
      if (!resultB) return this.#drawing.draw(context, view, colors, right, retouch);
      this.#drawing.draw(context, view, colors, left, null);
      const box = this.#drawingB.draw(context, view, colors, right, null);
      if (box) drawLetters(context, view, box, split);
      return box;
    });
  }

  #saveImage(): void {
    const { actions, host } = this.parts;
    actions.attempt('The download', async () => saveFile(host, await this.exportImage(), 'png'));
  }

  #menus(): Menus {
    const { strings: s, unready } = this.parts;
    const image: MenuItem = { word: s.filter.download, act: () => this.#saveImage(), disabled: unready };
    return { exports: [image], more: [this.#comparison.menuItem] };
  }

  #buttons(): Rendered {
    const { strings: s, settings } = this.parts;
    const { history } = settings;
    if (this.#chosen !== 'inpaint') return nothing;
    return html`${button(undoIcon, s.undo, () => void this.undo(), { disabled: !history.canUndo && s.why.noUndo, key: 'Control+Z' })}
    ${button(redoIcon, s.redo, () => void this.redo(), { disabled: !history.canRedo && s.why.noRedo, key: 'Control+Y' })}`;
  }

  #bar(): TemplateResult {
    const { strings: s } = this.parts;
    const operation = this.#chosen;
    const inpaint = operation === 'inpaint';
    const save = html`<button
      type="button"
      class=${inpaint ? 'bordered' : 'primary'}
      part="button"
      aria-label=${s.filter.download}
      ?disabled=${!this.parts.feed}
      @click=${() => this.#saveImage()}
    >
      ${s.filter.saveImage}
    </button>`;
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
      </div>
      ${inpaint ? html`<div class="filter">${this.#inpainting.renderBar(save)}</div>` : nothing}
      <div class="filter outcome" part="outcome">
        ${inpaint ? nothing : html`<span class="figures result"></span>`} ${this.#comparison.renderSlider()}
        ${inpaint ? nothing : save}
      </div>`;
  }
}
