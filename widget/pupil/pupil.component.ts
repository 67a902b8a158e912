import '../base/clean-page.ts';
import { html, nothing } from 'lit';
import {
  oneEuroDefaults,
  type PupilExportOptions,
  FoveolaError,
  type Laterality,
  type ParameterTable,
  pupilColumns,
  type PupilCorrection,
  pupilParameters,
  type PupilResult,
  pupilRows,
  pupilSeries,
  type PupilSeriesOptions,
  type PupilSeriesRows,
  recordedPupils,
  type Roi,
} from '../../src/index.ts';
import { property } from 'lit/decorators.js';
import type { FoveolaEventMap, ElementKind } from '../base/kind.ts';
import { viewOf } from '../base/feed.ts';
import { FoveolaElement } from '../base/foveola-element.ts';
import { loadedTools, type Tools } from '../tools/load.ts';
import { boxFrom } from '../tools/shape.ts';
import { readoutStyle } from '../base/readout.style.ts';
import { ChartsController } from '../tools/charts.ts';
import { pupilCharts, pupilStyle, unitOf } from './charts.ts';
import { type PupilCorrectionDetail, ReviewController } from './review/controller.ts';
import { drawPupils, isDoubtful, ReadoutController } from './results.ts';
import type { ExportChoice, PupilPanel } from './panel.ts';

/** Content of exports of `<foveola-pupil>`, as set by the page or in the panel. */
export const exportOptions = ({ interpolate, smooth }: ExportChoice): PupilExportOptions =>
  interpolate || smooth
    ? { series: { interpolate: interpolate ? 'linear' : 'none', smooth: smooth ? oneEuroDefaults : null } }
    : {};

// before Lit

const table: ParameterTable = pupilParameters;

/** Parameter tables by view of the open source. */
const tables = {
  unknown: table,
  facing: { ...table, view: { ...pupilParameters.view, default: 'facing' } },
} as const satisfies Record<string, ParameterTable>;

export interface FoveolaPupilEventMap extends FoveolaEventMap<PupilResult> {
  'foveola-correction': CustomEvent<PupilCorrectionDetail>;
}

/**
 * Tracks the pupil in a video, a camera or an image. Draws it over the image, shows its diameter over time, records and
 * exports. Everything is computed in the page, and nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-pupil
 *
 * @attr {string} src - URL of a video or an image.
 * @attr {string} camera - Offers a camera: empty for any camera, `user`, `environment`, or a device id. It starts with
 *   a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page. The overlay is placed over it.
 * @attr {boolean} mirror - Shows the image mirrored. Coordinates still refer to the source.
 * @attr {number} max-fps - Maximum frame rate. Extra frames are counted as throttled.
 * @attr {string} stream - Sends the measurements to `npx foveola lsl`, at the address that it prints.
 * @attr {'auto'|'manual'} analyse - `auto`: a recording is analyzed as soon as it is open. `manual`: it plays. Default:
 *   `auto` for files that the user opens in the element, otherwise `manual`.
 * @attr {'auto'|'gpu'|'wasm'} backend - Compute backend.
 * @attr {string} asset-base - Folder of the package's files (kernels, worker, models), if they are not next to the
 *   script.
 * @attr {boolean} paused - Playback is paused.
 * @attr {boolean} loop - Restarts a recording when it has ended.
 * @attr {boolean} controls - Shows the toolbar.
 * @attr {'agreed'|''} save-recordings - Saves recordings on the device while they run, once the user has agreed.
 * @attr {boolean} points - Shows the border points.
 * @attr {string} lang - Language of the interface, if its dictionary is imported (`en`, `de`).
 * @attr {'robust'|'starburst'|'threshold'|'hough'} method - Detector.
 * @attr {'ellipse'|'circle'} fit - Shape that is fitted to the border.
 * @attr {1|2} eyes - 2: the image shows both eyes, in its left and right half.
 * @attr {'facing'|'mirrored'|'unknown'} view - Orientation of the person in the image, with two eyes. `facing` (default
 *   for cameras): the right eye is in the left half. `mirrored`: the frames are mirror images, or upside down.
 *   `unknown` (default for files): eyes are not labeled left or right. The attribute `mirror` changes only the display,
 *   so it does not affect `view`.
 * @attr {'left'|'right'|'unknown'} eye - With one eye: the person's left or right eye. Default `unknown`.
 * @attr {string} roi - Region of interest: x, y, width and height in pixels, as in `120 80 320 240`.
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {'plain'|'comments'|'excel'|'pupilext'} export-format - Format of the CSV: a table (the default), a table after
 *   lines with all settings, a table for Excel with decimal commas, or exactly the columns of PupilEXT.
 * @attr {boolean} interpolate - Exports also contain the diameter with blinks filled in.
 * @attr {boolean} smooth - Exports also contain the diameter smoothed by the 1 euro filter.
 * @attr {number} millimetres-per-pixel - Calibration. If set, the diameter is also reported in millimeters.
 *
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} tracking - State: a pupil was found in the last frame.
 * @attr {boolean} lost - State: no pupil was found in the last frame, and it is not a blink.
 * @attr {boolean} blink - State: the eye is closed.
 * @attr {boolean} analysing - State: a recording is being analyzed frame by frame.
 * @attr {boolean} recording - State: a recording is running.
 * @attr {string} error - State: code of the current error.
 *
 * @prop {Source | MediaStream | string | null} source - Any source. Takes precedence over `src`, `for` and `camera`.
 * @prop {readonly PupilCorrection[]} corrections - Manual corrections of the analyzed recording. You can save the list
 *   and set it again for the same recording.
 * @prop {Promise<Capabilities>} ready - Resolves with the capabilities of the engine on this page.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is ready.
 * @fires {CustomEvent<PupilResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking`, `blink` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed. The element also shows the error.
 * @fires {CustomEvent<PupilCorrectionDetail>} foveola-correction - A correction was made or undone.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - The recordings saved on the device were listed or have changed.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or a recording analyzed. `done` is
 *   from 0 to 1. An analysis also has `frames` and `mediaTime`.
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
 * @csspart readout - The numbers.
 * @csspart hint - Reason why the pupil is unreliable, or problems of the image.
 * @csspart chart - The diameter over time.
 * @csspart review - The review of an analyzed recording.
 * @csspart markers - The markers of a recording, and the average around them.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - The slider of the timeline.
 * @csspart controls - The toolbar.
 * @csspart primary - The button of the next step.
 * @csspart menu - A menu of the toolbar.
 * @csspart summary - Outcome of an analysis.
 * @csspart camera - Camera settings.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 * @csspart progress - Progress of an analysis.
 * @csspart note - Outcome of an analysis.
 * @csspart help - The list of keys.
 *
 * @cssprop --foveola-surface - Background of toolbar and chart.
 * @cssprop --foveola-text - Text.
 * @cssprop --foveola-muted - Less important text.
 * @cssprop --foveola-border - Lines between areas.
 * @cssprop --foveola-hover - Background of a button under the pointer.
 * @cssprop --foveola-accent - Active buttons and the focus ring.
 * @cssprop --foveola-danger - Errors and the record button.
 * @cssprop --foveola-stage - Background behind the image.
 * @cssprop --foveola-ellipse - The fitted outline.
 * @cssprop --foveola-center - The center cross.
 * @cssprop --foveola-points - Border points.
 * @cssprop --foveola-line - Diameter in the chart.
 * @cssprop --foveola-line-second - Diameter of the second eye.
 * @cssprop --foveola-blink - Blinks and closures in the chart.
 * @cssprop --foveola-mark - Markers in the chart.
 * @cssprop --foveola-shape - Region and disc on the image.
 * @cssprop --foveola-radius - Radius of the corners.
 * @cssprop --foveola-font - Font family.
 * @cssprop --foveola-max-height - Maximum height of the stage.
 */
export class FoveolaPupil extends FoveolaElement<PupilResult, FoveolaPupilEventMap> {
  static override styles = [...FoveolaElement.styles, readoutStyle, ...pupilStyle];

  @property() method: 'robust' | 'starburst' | 'threshold' | 'hough' | null = null;
  @property() fit: 'ellipse' | 'circle' | null = null;
  @property({ type: Number }) eyes: 1 | 2 | null = null;
  /** Orientation of the person in the image, with two eyes. Null: `facing` for cameras, otherwise `unknown`. */
  @property() view: 'facing' | 'mirrored' | 'unknown' | null = null;
  /** With one eye: the person's left or right eye. Null: not known. */
  @property() eye: Laterality | null = null;
  @property({ type: Number, attribute: 'millimetres-per-pixel' }) millimetresPerPixel: number | null = null;
  @property({ attribute: 'roi', converter: boxFrom }) roi: Roi | null = null;
  @property({ type: Boolean, reflect: true }) points = false;

  /** Region and calibration. Created once a region is set or the settings are opened. */
  #panel: PupilPanel | null = null;
  readonly #charts = new ChartsController(this.parts, pupilCharts(this.parts, this));
  readonly #readout = new ReadoutController(this.parts);
  readonly #review = new ReviewController(this.parts, () => this.#charts.all);

  /** Exports also contain the diameter with blinks filled in by a straight line. */
  @property({ type: Boolean, reflect: true }) interpolate = false;
  /** Exports also contain the diameter smoothed by the 1 euro filter. */
  @property({ type: Boolean, reflect: true }) smooth = false;

  /** Manual corrections, in the order in which they were made. */
  get corrections(): readonly PupilCorrection[] {
    return this.#review.list;
  }

  /** Replaces the corrections of the analyzed recording. If none is open, they apply after the next analysis. */
  set corrections(corrections: readonly PupilCorrection[]) {
    this.#review.set(corrections);
  }

  /**
   * Returns the diameter of the last recording over time, with its blinks, closures and losses. Filling in and
   * smoothing are optional.
   */
  series(options: PupilSeriesOptions = {}): PupilSeriesRows {
    const { recording } = this.parts.recorder;
    return pupilSeries(recording ? recordedPupils(recording) : [], options);
  }

  /** @internal */
  protected override readonly kind: ElementKind<PupilResult> = {
    title: () => this.parts.strings.pupilTracking,

    createTracker: (engine, parameters) => engine.createPupilTracker(parameters),
    meaningOf: ({ pupils }) => ({
      tracking: pupils.some((pupil) => pupil.found),
      blink: pupils.some((pupil) => pupil.blink && !pupil.found),
    }),

    columns: () => pupilColumns,
    rowsOf: pupilRows,
    eventsOf: ({ events }) => events,
    lids: ['blink', 'closure'],
    doubtful: ({ pupils }) => pupils.some(isDoubtful),
    settled: (given, events) => {
      const result = this.#review.settled(given);
      const blinks = result.pupils.map((_, i) => events.at(result.timestamp, i)?.kind === 'blink');
      if (result.pupils.every(({ blink }, i) => blink === blinks[i])) return result;
      return { ...result, pupils: result.pupils.map((pupil, i) => ({ ...pupil, blink: blinks[i]! })) };
    },
    exportOptions: () => ({ ...exportOptions(this), calibration: this.#panel?.calibration }),
    draw: () => this.#draw(),

    table: () => tables[viewOf(this.parts.feed)],
    ownParameters: ['method', 'fit', 'eyes', 'view', 'eye', 'millimetresPerPixel', 'roi'],
    unmeasured: ['outline'],
    parameters: (given) => ({
      ...{ method: table.method!.default, view: viewOf(this.parts.feed) },
      ...given,
      outline: this.points,
    }),
    defaultOf: (name) => (name === 'roi' ? null : undefined),
    checkSettings: ({ roi, ...settings }) => {
      const box = roi as Roi | undefined;
      if (box && ![box.x, box.y, box.width, box.height].every(Number.isFinite))
        throw new FoveolaError('invalid-argument', 'Settings: roi must be { x, y, width, height } in pixels.');
      return settings;
    },
    panelExtra: () => this.#panelOf(loadedTools()!).render(),

    moreSettings: () => this.#review.file,
    takeSettings: ({ corrections, recording }) => {
      if (corrections !== undefined) this.#review.set(corrections, recording);
    },

    tools: () => html`${this.#panel?.layers ?? nothing}${this.#review.layer}`,
    keys: () => [[['V'], this.parts.strings.review]],
    onKey: (event) => this.#review.onKey(event),
    menus: () => this.#panelOf(loadedTools()!).menus(this.#review),
    readout: () => html`${this.#review.render()}${this.#readout.render(unitOf(this))}${this.#charts.render()}`,
    pointsShown: () => this.points,
    togglePoints: () => (this.points = !this.points),

    updated: (changed) => {
      if (changed.has('points')) this.#draw();
      if (changed.has('roi') && this.roi && !this.#panel) void this.#withPanel();
    },
  };

  #panelOf(tools: Tools): PupilPanel {
    if (!this.#panel) {
      this.#panel = new tools.PupilPanel(this.parts, this);
      this.requestUpdate(); // its layers are over the image
    }
    return this.#panel;
  }

  /** Null if it cannot be loaded. The element shows that error. */
  async #withPanel(): Promise<PupilPanel | null> {
    return (await this.parts.tools.load()) ? this.#panelOf(loadedTools()!) : null;
  }

  #draw(): void {
    const { result } = this.parts.picture;
    if (!result) return;
    const { eyeLetters } = this.parts.strings;
    this.parts.picture.draw((context, view, colors) =>
      drawPupils(context, view, colors, result.pupils, this.points, eyeLetters),
    );
  }
}
