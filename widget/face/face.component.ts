import '../parts/clean-page.ts'; // before Lit
import { html, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import {
  faceColumns,
  faceRows,
  type FaceResult,
  faceTrackerParameters,
  photographFaceParameters,
  photographFaces,
} from '../../src/index.ts';
import type { FoveolaEventMap } from '../parts/events.ts';
import { FoveolaElement } from '../parts/foveola-element.ts';
import type { ElementKind } from '../parts/kind.ts';
import { button } from '../parts/views.ts';
import { drawFaces } from './drawing.ts';
import type { EyeBox, EyeSide, EyeView } from './eye-crops.ts';
import { EyesController } from './eyes.ts';
import { GoneFaces } from './gone-faces.ts';
import { LandmarksController } from './landmarks.ts';
import { ReadoutController } from './readout.ts';

/** Cells across a hidden face. */
const CELLS = 8;

export interface FoveolaFaceEventMap extends FoveolaEventMap<FaceResult> {
  'foveola-eyes': CustomEvent<{ timestamp: number; eyes: EyeBox[] }>;
}

/**
 * Finds and follows faces in a video, a camera or an image: boxes, and the contours of brows, eyes, nose and mouth. Everything is computed in the page; nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-face
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
 * @attr {'agreed'|''} keep-recordings - Keeps recordings on the device while they run, once that is agreed to.
 * @attr {string} lang - Language of the words, where its dictionary is imported (`en`, `de`).
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} cascade - Detector: the name of a shipped cascade, or the address of one.
 * @attr {string} model - Landmark model: `landmarks-68` (the default) and `landmarks-68-small` are shipped; or an address.
 *   Boxes come at once, landmarks when the model is loaded; `none`: boxes alone.
 * @attr {'facing'|'mirrored'|'unknown'} view - Which way the picture shows the person, for `eye` in `foveola-eyes`: `facing` (the
 *   default of cameras), `mirrored` (the frames themselves are mirror images), `unknown` (the default of files).
 * @attr {number} detect-every - Frames from one detection to the next.
 * @attr {boolean} points - Shows the landmarks as points as well.
 * @attr {boolean} blur - Hides the faces in the picture (not in the recording itself).
 * @attr {boolean} rate - Shows how many frames a second are processed.
 *
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} tracking - State: a face was found in the last frame.
 * @attr {boolean} lost - State: no face was found in the last frame.
 * @attr {boolean} recording - State: rows are being recorded.
 * @attr {string} error - State: code of the error that is shown.
 *
 * @prop {Source | MediaStream | string | null} source - Any source; comes before `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - What the engine can do on this page.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is there.
 * @fires {CustomEvent<FaceResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<{ timestamp: number, eyes: EyeBox[] }>} foveola-eyes - Where the eyes of every face lie. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking`, `blink` (of the first face) or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed; the element shows it as well.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - What is kept on the device, when the element finds it and when it changes.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, a landmark model loaded, or a
 *   recording analysed: `done` from 0 to 1, null where the end is not known; of a model also the bytes, `loaded` and
 *   `total`.
 *
 * @slot media - A video, img or canvas of the page's own, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces what is shown when something failed.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the picture.
 * @csspart overlay - The canvas over it.
 * @csspart badge - State over the picture.
 * @csspart readout - The numbers.
 * @csspart hint - Why there are no landmarks, or why they are not to be trusted.
 * @csspart progress - How far the loading of a landmark model is, or an analysis.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - Its slider.
 * @csspart controls - The toolbar.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 *
 * @cssprop --foveola-ellipse - Boxes and contours.
 * @cssprop --foveola-points - Landmarks as points.
 */
export class FoveolaFace extends FoveolaElement<FaceResult, FoveolaFaceEventMap> {
  @property() cascade: string | null = null;
  @property() model: string | null = null;
  @property({ type: Number, attribute: 'detect-every' }) detectEvery: number | null = null;
  /** Which way the picture shows the person; null: `facing` for cameras, else `unknown`. */
  @property() view: EyeView | null = null;
  @property({ type: Boolean, reflect: true }) points = false;
  @property({ type: Boolean, reflect: true, attribute: 'blur' }) hideFaces = false;
  @property({ type: Boolean, reflect: true }) rate = false;

  readonly #landmarks = new LandmarksController(this.parts, this);
  readonly #gone = new GoneFaces(this.parts);
  readonly #readout = new ReadoutController(this.parts);
  readonly #eyes = new EyesController(this.parts, this);
  /** How many landmarks a face has: it shows with the first face that has some. */
  #count = 0;
  /** The source is a photograph, which needs none of a video's limits. */
  #photograph = false;
  #small: OffscreenCanvas | null = null;

  /**
   * A live picture of one eye (left or right in the picture) of the first face, as the source of a `<foveola-pupil>`. Whose eye
   * that is, `eye` in `foveola-eyes` says: a camera shows the person's right eye at the left.
   * Needs a landmark model of 68 points. `width` in pixels; three quarters of it high. Ends with the element.
   */
  eyeStream(side: EyeSide, { width = 320 }: { width?: number } = {}): MediaStream {
    return this.#eyes.stream(side, width);
  }

  /** @internal */
  protected override readonly kind: ElementKind<FaceResult> = {
    title: () => this.parts.strings.face.title,
    words: (general) => {
      const { stage, empty, emptyHint, points, lost, found: tracking, pointsKey } = general.face;
      const states = { ...general.states, tracking, lost };
      return { ...general, stage, empty, emptyHint, points, states, keys: { ...general.keys, points: pointsKey } };
    },

    createTracker: async (engine, parameters, analysis) => {
      const { cascade } = this;
      const tracker = await engine.createFaceTracker({ ...parameters, model: null, ...(cascade && { cascade }) });
      return this.#landmarks.join(tracker, engine, analysis);
    },
    reloadOn: ['cascade'],
    meaningOf: ({ faces }) => ({ tracking: faces.length > 0, blink: faces[0]?.blink ?? false }),

    columns: () => faceColumns(this.#count),
    rowsOf: (result, timing) => faceRows(result, timing, this.#count),
    draw: () => this.#draw(),
    covers: () => this.hideFaces,

    opened: ({ kind }) => (this.#photograph = kind === 'image'),
    table: () => (this.#photograph ? photographFaceParameters : faceTrackerParameters),
    ownParameters: ['detectEvery'],
    panelFirst: ['detectEvery', 'minSize', 'maxFaces', 'smoothLandmarks', 'minScore'],
    // Landmarks are smoothed here, where they are looked at.
    parameters: (given) => ({ smoothLandmarks: true, ...(this.#photograph && photographFaces), ...given }),
    defaultOf: (name) => (name === 'smoothLandmarks' ? true : undefined),

    progress: (analysis) => html`${analysis()}${this.#landmarks.renderProgress()}`,
    readout: () => html`${this.#readout.render(this.rate)} ${this.#landmarks.renderHint()}`,
    buttons: () => this.#buttons(),
    pointsShown: () => this.points,
    togglePoints: () => (this.points = !this.points),
    onKey: (event) => this.#landmarks.onKey(event),

    begin: () => (this.#count = 0),
    present: ({ faces }) => {
      const landmarks = faces.find((face) => face.landmarks)?.landmarks?.length;
      if (landmarks && !this.parts.recorder.active) this.#count = landmarks / 2;
    },
    updated: (changed) => (changed.has('points') || changed.has('hideFaces')) && this.#draw(),
  };

  #buttons(): TemplateResult {
    return html`<div class="group">
      ${button('hide', this.parts.strings.face.blur, () => (this.hideFaces = !this.hideFaces), { pressed: this.hideFaces })}
    </div>`;
  }

  #draw(): void {
    const { result, shown } = this.parts.picture;
    if (!result) return;
    const hidden = this.hideFaces ? shown : null;
    if (hidden) this.#small ??= new OffscreenCanvas(CELLS, CELLS);
    const faces = hidden ? [...result.faces, ...this.#gone.faces] : result.faces;
    const how = { points: this.points, hidden, small: this.#small };
    this.parts.picture.draw((context, view, colors) => drawFaces(context, view, colors, faces, how));
  }
}
