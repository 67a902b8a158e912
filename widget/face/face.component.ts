import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import {
  asFoveolaError,
  type Column,
  type Engine,
  type FaceTracker,
  faceColumns,
  faceRows,
  type FaceResult,
  faceTrackerParameters,
  FoveolaError,
  type FrameTiming,
  type ParameterTable,
} from '../../src/index.ts';
import { drawFaces } from './drawing.ts';
import type { Meaning } from '../parts/element-core.ts';
import { FoveolaElement } from '../parts/element.ts';
import type { FoveolaEventMap } from '../parts/events.ts';
import type { ElementEngine, ElementTracker } from '../parts/engine.ts';
import { FaceModel } from './landmark-model.ts';
import { progressBar } from '../parts/progress.ts';
import { eyeBox, EyeStream, type EyeBox, type EyeSide } from './eye-crops.ts';
import { RateMeter } from '../parts/rate-meter.ts';
import type { Settings } from '../parts/settings-element.ts';
import { button } from '../parts/views.ts';
import type { Strings } from '../strings/index.ts';

/** Frames for which a face that was lost stays hidden. */
const HIDDEN_FOR = 15;
/** Cells across a hidden face. */
const CELLS = 8;

export interface FoveolaFaceEventMap extends FoveolaEventMap<FaceResult> {
  'foveola-eyes': CustomEvent<{ timestamp: number; eyes: EyeBox[] }>;
}

/**
 * Finds and follows faces in a video, a camera or an image: boxes, and with a landmark model the contours of brows, eyes,
 * nose and mouth. Everything is computed in the page; nothing is uploaded. For research use, not a medical device.
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
 * @attr {string} lang - Language of the words, where its dictionary is imported (`en`, `de`).
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} cascade - Detector: the name of a shipped cascade, or the address of one.
 * @attr {string} model - Address of a landmark model; without it, and until it is loaded, there are boxes only.
 *   docs/models.md says how to get one.
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
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed; the element shows it as well.
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
 * @csspart hint - What is missing for landmarks.
 * @csspart progress - How far the loading of a landmark model is, or an analysis.
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
  @property({ type: Boolean, reflect: true }) points = false;
  @property({ type: Boolean, reflect: true, attribute: 'blur' }) hideFaces = false;
  @property({ type: Boolean, reflect: true }) rate = false;

  @query('.readout') private readoutBox!: HTMLElement | null;
  #last: FaceResult | null = null;
  #landmarks = 0;
  /** Faces that were lost a moment ago, and how many frames they stay hidden. */
  #gone: { face: FaceResult['faces'][number]; frames: number }[] = [];
  readonly #rate = new RateMeter();
  readonly #streams = new Map<EyeSide, EyeStream>();
  #small: OffscreenCanvas | null = null;
  #words: { from: Strings; to: Strings } | null = null;

  /** The words of this element in the places of the general ones. */
  protected override get strings(): Strings {
    const from = super.strings;
    if (this.#words?.from !== from) {
      const { stage, empty, emptyHint, points, lost, found: tracking, pointsKey } = from.face;
      const states = { ...from.states, tracking, lost };
      const keys = { ...from.keys, points: pointsKey };
      this.#words = { from, to: { ...from, stage, empty, emptyHint, points, states, keys } };
    }
    return this.#words!.to;
  }

  protected override get columns(): readonly Column[] {
    return faceColumns(this.#landmarks);
  }

  protected override rowsOf(result: FaceResult, timing: FrameTiming): number[][] {
    return faceRows(result, timing, this.#landmarks);
  }

  protected override title_(): string {
    return this.strings.face.title;
  }

  protected override get table(): ParameterTable {
    return faceTrackerParameters;
  }

  protected override get ownParameters(): readonly string[] {
    return ['detectEvery'];
  }

  protected override get panelFirst(): readonly string[] {
    return ['detectEvery', 'minSize', 'maxFaces', 'smoothLandmarks', 'minScore'];
  }

  /** Landmarks are smoothed here, where they are looked at. */
  protected override defaultOf(name: string): unknown {
    return name === 'smoothLandmarks' ? true : super.defaultOf(name);
  }

  protected override parameters(): Settings {
    return { smoothLandmarks: true, ...this.given };
  }

  protected override get reloadOn(): readonly string[] {
    return ['cascade'];
  }

  readonly #model = new FaceModel({
    requestUpdate: () => this.requestUpdate(),
    modelProgress: (done, { loaded, total }) => this.emit('progress', { done, loaded, total }),
    modelMissing: (error) => this.setShortfall(error),
  });
  /** Of the source that is open. */
  #tracker: FaceTracker | null = null;

  /** With boxes at once; landmarks come when their model is there. An analysis waits for them. */
  protected override async createTracker(
    engine: ElementEngine,
    parameters: Settings,
  ): Promise<ElementTracker<FaceResult>> {
    const { cascade, analysing } = this;
    const faces = engine as unknown as Engine;
    const tracker = await faces.createFaceTracker({ ...parameters, ...(cascade && { cascade }) });
    if (!analysing) this.#tracker = tracker;
    const loaded = this.#model.load(faces, this.model);
    if (analysing ? await loaded : this.#model.ready) await this.#giveModel(tracker);
    else void loaded.then((there) => void (there && tracker === this.#tracker && this.#giveModel(tracker)));
    return tracker;
  }

  /** What stands is processed again, so that landmarks are seen also where nothing plays. */
  async #giveModel(tracker: FaceTracker): Promise<void> {
    try {
      await tracker.setModel(this.#model.ready ? this.model : null);
    } catch (error) {
      return this.setShortfall(asFoveolaError(error, 'The landmark model'));
    }
    if (tracker === this.#tracker) await this.session?.refresh();
  }

  /** Another model, or the same once more: boxes go on meanwhile. */
  async #loadModel(again = false): Promise<void> {
    const tracker = this.#tracker;
    if (!tracker) return; // the next source brings it
    const engine = (await this.takeEngine()) as unknown as Engine;
    const loaded = this.#model.load(engine, this.model, again);
    if (!this.model) return this.#giveModel(tracker);
    if ((await loaded) && tracker === this.#tracker) await this.#giveModel(tracker);
  }

  protected override closing(): void {
    super.closing();
    this.#tracker = null;
  }

  /** Escape ends the loading where it has nothing else to close. */
  protected override onOwnKey(event: KeyboardEvent): boolean {
    const free = !this.settingsOpen && !this.analysing && !this.renderRoot.querySelector('.help');
    if (event.key !== 'Escape' || !this.#model.progress || !free) return false;
    this.#model.cancel();
    return true;
  }

  protected override renderProgress(): TemplateResult {
    const { progress } = this.#model;
    const s = this.strings;
    return html`${super.renderProgress()}${
      progress ? progressBar(s, s.face.loadingModel, progress, () => this.#model.cancel()) : nothing
    }`;
  }

  protected override meaningOf(result: FaceResult): Meaning {
    return { tracking: result.faces.length > 0, blink: false };
  }

  protected override forgetFrame(): void {
    super.forgetFrame();
    this.#last = null;
    this.#gone = [];
    for (const place of this.readoutBox?.querySelectorAll('[data-value]') ?? []) place.textContent = '–';
  }

  protected override forget(): void {
    super.forget();
    this.#rate.clear();
  }

  protected override begin(): void {
    this.#landmarks = 0;
  }

  protected override present(result: FaceResult, timing: FrameTiming): void {
    // How many landmarks there are shows with the first face that has some.
    const landmarks = result.faces.find((face) => face.landmarks)?.landmarks?.length;
    if (landmarks && !this.recorder.active) this.#landmarks = landmarks / 2;
    super.present(result, timing);
    this.#remember(result);
    this.#last = result;
    if (this.pictured === result) this.drawPictured();
    this.#rate.count();
    this.#show(result);
    this.#offerEyes(result);
  }

  /** Faces that are gone since the last frame stay hidden for a moment: it may be the tracker that lost them. */
  #remember({ faces }: FaceResult): void {
    const now = new Set(faces.map(({ id }) => id));
    const left = (this.#last?.faces ?? []).filter(({ id }) => !now.has(id));
    this.#gone = [...this.#gone, ...left.map((face) => ({ face, frames: HIDDEN_FOR }))]
      .map(({ face, frames }) => ({ face, frames: frames - 1 }))
      .filter(({ face, frames }) => frames > 0 && !now.has(face.id));
  }

  #show({ faces }: FaceResult): void {
    const box = this.readoutBox;
    if (!box || !this.#rate.due()) return;
    const write = (name: string, text: string) => {
      const place = box.querySelector(`[data-value=${name}]`);
      if (place && place.textContent !== text) place.textContent = text;
    };
    write('faces', String(faces.length));
    write('score', faces.map(({ score }) => Math.round(100 * score)).join(' | ') || '–');
    write('rate', this.#rate.text);
  }

  #offerEyes({ timestamp, faces }: FaceResult): void {
    const sides: EyeSide[] = ['left', 'right'];
    const eyes = faces.flatMap((face) => sides.map((side) => eyeBox(face, side)).filter((eye) => eye !== null));
    if (!eyes.length) return;
    const picture = this.shownPicture;
    if (picture)
      for (const [side, stream] of this.#streams) {
        const eye = eyes.find((found) => found.side === side);
        if (eye) stream.draw(picture as CanvasImageSource, eye);
      }
    this.emit('eyes', { timestamp, eyes: eyes satisfies EyeBox[] }, false);
  }

  /**
   * A live picture of one eye (left or right in the picture) of the first face, as the source of a `<foveola-pupil>`.
   * Needs a landmark model of 68 points. `width` in pixels; three quarters of it high. Ends with the element.
   */
  eyeStream(side: EyeSide, { width = 320 }: { width?: number } = {}): MediaStream {
    if (side !== 'left' && side !== 'right')
      throw new FoveolaError('invalid-argument', `eyeStream: the side is 'left' or 'right', not ${String(side)}.`);
    if (!(width >= 32 && width <= 2048))
      throw new FoveolaError('invalid-argument', `eyeStream: width must be from 32 to 2048, not ${String(width)}.`);
    let stream = this.#streams.get(side);
    if (!stream) this.#streams.set(side, (stream = new EyeStream(Math.round(width))));
    return stream.stream;
  }

  protected override left(): void {
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
    this.#model.leave();
    this.setShortfall(null);
  }

  protected override get pointsShown(): boolean {
    return this.points;
  }

  protected override togglePoints(): void {
    this.points = !this.points;
  }

  protected override renderButtons(): TemplateResult {
    return html`<div class="group">
      ${button('hide', this.strings.face.blur, () => (this.hideFaces = !this.hideFaces), { pressed: this.hideFaces })}
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('points') || changed.has('hideFaces')) this.drawPictured();
    if (changed.has('model') && changed.get('model') !== undefined) void this.#loadModel();
  }

  protected override drawPictured(): void {
    const { pictured: result } = this;
    if (!result) return;
    const picture = this.hideFaces ? this.shownPicture : null;
    if (picture) this.#small ??= new OffscreenCanvas(CELLS, CELLS);
    const faces = picture ? [...result.faces, ...this.#gone.map(({ face }) => face)] : result.faces;
    const drawing = { points: this.points, hidden: picture, small: this.#small };
    this.overlay?.draw((context, view, colours) => drawFaces(context, view, colours, faces, drawing));
  }

  protected override renderReadout(): TemplateResult | typeof nothing {
    const s = this.strings;
    const item = (name: string, label: string, unit = '') =>
      html`<div>
        <dt>${label}</dt>
        <dd>
          <bdi dir="ltr"><span data-value=${name}>–</span>${unit ? html`<small>${unit}</small>` : nothing}</bdi>
        </dd>
      </div>`;
    return html`<dl class="readout" part="readout">
        ${item('faces', s.face.faces)} ${item('score', s.confidence, '%')}
        ${this.rate ? item('rate', s.frameRate) : nothing}
      </dl>
      ${this.#hint()}`;
  }

  #hint(): TemplateResult | typeof nothing {
    const { face: s } = this.strings;
    if (!this.model) return html`<p class="hint" part="hint">${s.noModel}</p>`;
    if (!this.#model.missing) return nothing;
    return html`<p class="hint" part="hint">
      ${s.modelMissing}
      <button type="button" part="button" @click=${() => this.#loadModel(true)}>${s.loadAgain}</button>
    </p>`;
  }
}
