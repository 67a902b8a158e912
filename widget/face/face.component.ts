import '../base/clean-page.ts';
import { type FaceResult, faceColumns, faceRows, faceTrackerParameters, photographFaces } from '../../src/index.ts';
import { photographFaceParameters } from '../../src/internal.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { html } from 'lit';
import { property } from 'lit/decorators.js';
import type { FoveolaEventMap, ElementKind } from '../base/kind.ts';
import { FoveolaElement } from '../base/foveola-element.ts';
import { chartBoxStyle, ChartsController } from '../tools/charts.ts';
import { faceStyle } from './face.style.ts';
import { drawFaces, faceCharts, ReadoutController } from './results.ts';
import { type EyeBox, type EyeSide, type EyeView, EyesController } from './eyes.ts';
import { LandmarksController } from './landmarks.ts';

// Faces that were lost a moment ago. If faces are hidden, these stay hidden, since only the tracker may have lost them.

/** Number of frames for which a lost face stays hidden. */
const HIDDEN_FOR = 15;

type Faces = FaceResult['faces'];

class GoneFaces {
  readonly #all = new Map<number, { face: Faces[number]; frames: number }>();

  constructor(parts: ElementParts<FaceResult>) {
    parts.host.add(this);
  }

  get faces(): Faces {
    return [...this.#all.values()].flatMap(({ face, frames }) => (frames < HIDDEN_FOR ? face : []));
  }

  present({ faces }: FaceResult): void {
    for (const [id, one] of this.#all) if (!--one.frames) this.#all.delete(id);
    for (const face of faces) this.#all.set(face.id, { face, frames: HIDDEN_FOR });
  }

  forgetFrame(): void {
    this.#all.clear();
  }

  left(): void {
    this.forgetFrame();
  }
}

// before Lit

/** Number of cells across a hidden face. */
const CELLS = 8;

export interface FoveolaFaceEventMap extends FoveolaEventMap<FaceResult> {
  'foveola-eyes': CustomEvent<{ timestamp: number; eyes: EyeBox[] }>;
}

/**
 * Detects and tracks faces in a video, a camera or an image: boxes, and the contours of brows, eyes, nose and mouth.
 * Everything is computed in the page, and nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-face
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
 * @attr {string} lang - Language of the interface, if its dictionary is imported (`en`, `de`).
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} cascade - Detector: the name of a shipped cascade, or the URL of another one.
 * @attr {string} model - Landmark model: `landmarks-network` (the default) and `landmarks-68` are shipped. Other models are set by URL. Boxes appear at once, landmarks once the model has loaded. `none`: boxes only.
 * @attr {'facing'|'mirrored'|'unknown'} view - Orientation of the person in the image, for `eye` in `foveola-eyes`:
 *   `facing` (default for cameras), `mirrored` (the frames are mirror images), `unknown` (default for files).
 * @attr {number} detect-every - Number of frames between detections.
 * @attr {boolean} points - Also shows the landmarks as points.
 * @attr {boolean} blur - Hides the faces on the screen (not in the recording itself).
 * @attr {boolean} rate - Shows the number of frames processed per second.
 *
 * @attr {boolean} running - State: frames are being processed.
 * @attr {boolean} tracking - State: a face was found in the last frame.
 * @attr {boolean} lost - State: no face was found in the last frame.
 * @attr {boolean} recording - State: a recording is running.
 * @attr {string} error - State: code of the current error.
 *
 * @prop {Source | MediaStream | string | null} source - Any source. Takes precedence over `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - Resolves with the capabilities of the engine on this page.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is ready.
 * @fires {CustomEvent<FaceResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<{ timestamp: number, eyes: EyeBox[] }>} foveola-eyes - Position of the eyes of every face. Does
 *   not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking`, `blink` (of the first face) or `recording` has
 *   changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed. The element also shows the error.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - The recordings saved on the device were listed or have changed.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, a landmark model loaded, or a
 *   recording analyzed. `done` is from 0 to 1, or null if the length is not known. A model also has its bytes, `loaded`
 *   and `total`.
 *
 * @slot media - A video, img or canvas on your page, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces the error panel.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the image.
 * @csspart overlay - The canvas over the image.
 * @csspart badge - State over the image.
 * @csspart readout - The numbers.
 * @csspart chart - Pose, and opening of eyes and mouth over time.
 * @csspart hint - Reason why landmarks are missing or unreliable.
 * @csspart progress - Progress of loading a landmark model, or of an analysis.
 * @csspart timeline - The timeline of a recording.
 * @csspart position - The slider of the timeline.
 * @csspart controls - The toolbar.
 * @csspart primary - The button of the next step.
 * @csspart menu - A menu of the toolbar.
 * @csspart summary - Outcome of an analysis.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 *
 * @cssprop --foveola-ellipse - Boxes and contours.
 * @cssprop --foveola-points - Landmarks as points.
 * @cssprop --foveola-line - First curve of a chart.
 * @cssprop --foveola-line-second - Second curve.
 * @cssprop --foveola-mark - Third curve, and markers.
 */
export class FoveolaFace extends FoveolaElement<FaceResult, FoveolaFaceEventMap> {
  static override styles = [...FoveolaElement.styles, chartBoxStyle, faceStyle];

  @property() cascade: string | null = null;
  @property() model: string | null = null;
  @property({ type: Number, attribute: 'detect-every' }) detectEvery: number | null = null;
  /** Orientation in which the image shows the person. Null: `facing` for cameras, otherwise `unknown`. */
  @property() view: EyeView | null = null;
  @property({ type: Boolean, reflect: true }) points = false;
  @property({ type: Boolean, reflect: true, attribute: 'blur' }) hideFaces = false;
  @property({ type: Boolean, reflect: true }) rate = false;

  readonly #landmarks = new LandmarksController(this.parts, this);
  readonly #gone = new GoneFaces(this.parts);
  readonly #readout = new ReadoutController(this.parts, this);
  readonly #charts = new ChartsController(this.parts, faceCharts(this.parts, this));
  readonly #eyes = new EyesController(this.parts, this);
  /** Number of landmarks per face, known from the first face that has landmarks. */
  #count = 0;
  /** The source is a photograph, which does not need the limits of a video. */
  #photograph = false;
  #small: OffscreenCanvas | null = null;

  /**
   * Returns a live stream of one eye (left or right in the image) of the first face, as the source of a
   * `<foveola-pupil>`. `eye` in `foveola-eyes` reports whose eye it is: a camera shows the person's right eye at the
   * left. Needs a landmark model with 68 points. `width` is in pixels, the height is three quarters of it. Ends with
   * the element.
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

    lids: ['blink'],
    columns: () => faceColumns(this.#count),
    rowsOf: (result, timing) => faceRows(result, timing, this.#count),
    draw: () => this.#draw(),
    covers: () => this.hideFaces,

    opened: ({ kind }) => (this.#photograph = kind === 'image'),
    table: () => (this.#photograph ? photographFaceParameters : faceTrackerParameters),
    ownParameters: ['detectEvery'],
    // Landmarks are smoothed by default here, since people watch them.
    parameters: (given) => ({ smoothLandmarks: true, ...(this.#photograph && photographFaces), ...given }),
    defaultOf: (name) => (name === 'smoothLandmarks' ? true : undefined),

    busy: () => this.#landmarks.loading,
    stateText: () => (this.#landmarks.loading ? this.parts.strings.face.loadingModel : undefined),
    tools: () => this.#landmarks.renderProgress(),
    readout: () => html`${this.#readout.render()}${this.#charts.render()}${this.#landmarks.renderHint()}`,
    menus: () => ({
      more: [
        { word: this.parts.strings.face.blur, checked: this.hideFaces, act: () => (this.hideFaces = !this.hideFaces) },
      ],
    }),
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
