/**
 * The base of all elements: the attributes and methods that they have in common. What these do is done by the parts
 * (element-parts.ts); what an element tracks, draws and shows it says itself (`kind`).
 */
import { LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { type Capabilities, type FoveolaError, type Marker, type RecordingKey, version } from '../../src/index.ts';
import type { AnalysisResult } from './analysis.ts';
import { guard, takeGiven } from './given-values.ts';
import { ElementParts } from './element-parts.ts';
import { elementView } from './element-view.ts';
import type { ElementState, FoveolaEventMap, FoveolaListener, AnyResult, ElementKind, Settings } from './kind.ts';
import type { Given } from './feed.ts';
import type { FileResult } from '../several/several-files.ts';
import type { KeptRecording } from '../kept/kept-recording.ts';
import type { VideoOptions } from '../player/exporting.ts';
import type { Strings } from '../strings/index.ts';
import { commonStyles } from './styles.ts';
import type { PageTime, PageTimeSummary } from './host.ts';

// The interface of the same name, below, gives its listeners the events of the map, without a line of code.
/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-unused-vars */
export abstract class FoveolaElement<
  R extends AnyResult,
  Events extends FoveolaEventMap<R> = FoveolaEventMap<R>,
> extends LitElement {
  /* eslint-enable */
  static readonly version = version;
  static override styles = commonStyles;

  /** @internal What this element tracks, draws and shows. */
  protected abstract readonly kind: ElementKind<R>;
  /** @internal */
  protected readonly parts: ElementParts<R> = new ElementParts<R>(this, () => this.kind);

  /** Words in the element's language. */
  protected get strings(): Strings {
    return this.parts.strings;
  }

  /** Milliseconds on the clock of the results at this moment: what `mark` takes. */
  get now(): number {
    return this.parts.analysis.now();
  }

  /** Starts a recording, or ends the one that runs. Returns whether one runs now. */
  record(): boolean {
    return this.parts.recorder.toggle();
  }

  /** The last recording as CSV; where nothing was recorded, the picture that is open. */
  exportCsv(): Promise<string> {
    return this.parts.recorder.csv();
  }

  /** The same as JSON. */
  exportJson(): Promise<string> {
    return this.parts.recorder.json();
  }

  /** Name of the source of what `exportCsv()` and `exportJson()` give, which may not be the one that is open; else empty. */
  get exportedName(): string {
    return this.parts.recorder.exportedName;
  }

  /** The picture with the overlay, as PNG. */
  async snapshot(): Promise<Blob> {
    return this.parts.picture.snapshot();
  }

  /** Puts the picture with the overlay into the clipboard. Rejects with 'source-not-ready', 'clipboard-refused'. */
  copySnapshot(): Promise<void> {
    return this.parts.picture.copy();
  }

  /**
   * The recording with what is drawn over it, as MP4 or WebM: every frame with its own time, with the result that is known
   * of it or a new one. Rejects with 'source-not-ready', 'source-unsupported' (no encoder), 'aborted'.
   */
  exportVideo(options?: VideoOptions): Promise<Blob> {
    return this.parts.player.exportVideo(options);
  }

  /**
   * Analyses every frame of the recording that is open, from its beginning, as fast as it goes. Resolves at its end, after
   * `cancelAnalysis()`, and also where it breaks off: `error` then says where, and the rows before are kept.
   * Rejects with 'source-not-ready' where no recording is open.
   */
  async analyse(): Promise<AnalysisResult> {
    return this.parts.analysis.start();
  }

  /**
   * Opens pictures and recordings one after the other and analyses each: a recording every frame, a picture once. Numbered
   * pictures are pictures, in the order of their numbers. The element lists them with their exports. Resolves with one result
   * a file; a file that fails has its error there, and the others go on. Rejects where the list cannot be loaded.
   */
  async analyseFiles(files: readonly File[]): Promise<readonly FileResult[]> {
    return this.parts.files.analyse(files);
  }

  /**
   * Opens pictures as one recording, in the order of the numbers in their names, so many a second. It is written as a video in
   * memory that keeps their gray values, and resolves when that is open: `analyse()`, timeline and exports are those of a
   * recording. Rejects with 'invalid-argument' where they have different sizes, and with 'source-unsupported' where this
   * browser does not write VP9 without loss.
   */
  async openPictures(files: readonly File[], rate = 30): Promise<void> {
    return this.parts.files.openPictures(files, rate);
  }

  /** Ends the analysis that runs; what was done is kept. */
  cancelAnalysis(): void {
    this.parts.analysis.cancel();
  }

  /**
   * Keeps recordings on the device while they run, once the person has agreed to that in the element; `agreed`: they have
   * agreed on the page. Without it nothing is stored.
   */
  @property({ attribute: 'keep-recordings' }) keepRecordings: string | null = null;
  /** Encrypts what is kept: a key of Web Crypto for AES-GCM, or a function that gives it. It is not stored. */
  @property({ attribute: false }) recordingKey: RecordingKey | null = null;

  /** Recordings of this element that are kept on the device, the newest first; none without `keep-recordings`. */
  keptRecordings(): Promise<readonly KeptRecording[]> {
    return this.parts.keep.list();
  }

  /** Parameters by their names in the table, beside those that have an attribute. */
  @property({ attribute: false }) settings: Settings = {};
  /** Shows the settings. */
  @property({ type: Boolean, reflect: true, attribute: 'settings-open' }) settingsOpen = false;

  /** Takes back the last change; false when there is none. */
  undo(): boolean {
    return this.parts.settings.undo();
  }

  redo(): boolean {
    return this.parts.settings.redo();
  }

  /** The settings as JSON, to be kept and given to `loadSettings` on this or another page. */
  exportSettings(): string {
    return this.parts.settings.export();
  }

  /** Takes settings from `exportSettings`; those that are not in it get their defaults. Throws 'invalid-argument'. */
  loadSettings(json: string): void {
    this.parts.settings.import(json);
  }

  /**
   * Puts a marker (a stimulus, an event) into the recording that runs, and on the chart. Returns the marker as it was
   * recorded; null when no recording runs.
   * @param timestamp milliseconds on the clock of the results; default now
   */
  mark(label: string, timestamp?: number): Marker | null {
    return this.parts.recorder.mark(label, timestamp);
  }

  /** Resolves with what the engine can do here; rejects with the reason why there is none. */
  get ready(): Promise<Capabilities> {
    return this.parts.session.takeEngine().then((engine) => engine.capabilities);
  }

  /**
   * Diagnostics: the time that the page's thread spends on a frame.
   * @internal
   */
  get pageTime(): PageTime {
    return this.parts.host.pageTime;
  }

  /** Diagnostics: milliseconds that the page's own thread works for a frame. */
  get pageTimes(): PageTimeSummary {
    return this.pageTime.summary();
  }

  /** Plays; where a camera is asked for and nothing is open, opens it (call it in a click's handler). */
  async start(): Promise<void> {
    await this.parts.source.start();
  }

  /** Gives the focus to the picture, from where all keys work. */
  override focus(): void {
    this.parts.host.focusStage();
  }

  /** As `start()`. */
  play(): Promise<void> {
    return this.start();
  }

  /** Stops where it is; a camera stays on. */
  pause(): void {
    this.paused = true;
  }

  /** Where the recording is, in seconds; setting it seeks. 0 where none is open. */
  get currentTime(): number {
    return this.parts.player.video?.currentTime ?? 0;
  }

  set currentTime(seconds: number) {
    this.seek(typeof seconds === 'number' ? 1000 * seconds : NaN).catch(() => {}); // as of a video: where nothing is open, nothing happens
  }

  /** How long the recording is, in seconds; NaN where none is open or it is not known. */
  get duration(): number {
    return this.parts.player.duration;
  }

  /** How fast recordings are played, 0.0625 to 16. Throws 'invalid-argument'. */
  get playbackRate(): number {
    return this.parts.player.rate;
  }

  set playbackRate(rate: number) {
    this.parts.player.rate = rate;
  }

  /**
   * Goes to a place in the recording, in milliseconds. Resolves with the result of the frame there: the one that is known,
   * else a new one; null where another place is asked for meanwhile. Rejects with 'source-not-ready', 'invalid-argument'.
   */
  async seek(milliseconds: number): Promise<R | null> {
    return this.parts.player.seek(milliseconds);
  }

  /** Pauses, and switches the camera off. */
  stop(): void {
    this.parts.source.stop();
  }

  /** Processes one frame more, of a recording the next one. Resolves with its result, null at the end. */
  async step(): Promise<R | null> {
    this.paused = true;
    return (await this.parts.session.current?.step()) ?? null;
  }

  /** Asks for the camera. Only ever called from a click, a key, or the page's own `start()`. */
  async openCamera(which = this.camera ?? ''): Promise<void> {
    await this.parts.source.openCamera(which);
  }

  /** A file from the picker, from drag and drop, or any other source. */
  open(given: Given): void {
    this.parts.source.open(given);
  }

  /** Name of the source that is open: a file's name, a camera's label; empty when there is none. */
  get sourceName(): string {
    return this.parts.feed?.name ?? '';
  }

  /** Device id of the camera that is open, also while it is pulled out: what `camera` takes to open it again. Else null. */
  get cameraId(): string | null {
    return this.parts.source.camera.deviceId;
  }

  /** Address of a video or an image. */
  @property() src: string | null = null;
  /** Offers the camera: present for any, `user`, `environment` or a device id. It starts with a click or `start()`. */
  @property() camera: string | null = null;
  /** Shows the picture mirrored. Coordinates stay those of the source. */
  @property({ type: Boolean, reflect: true }) mirror = false;
  /** At most so many frames a second are processed; the others are counted as throttled. 0: all. */
  @property({ type: Number, attribute: 'max-fps' }) maxFps = 0;
  /** Id of a video, img or canvas elsewhere on the page; the overlay is laid over it. */
  @property({ attribute: 'for' }) htmlFor: string | null = null;
  /** `auto`, `gpu` or `wasm`. */
  @property() backend: 'auto' | 'gpu' | 'wasm' = 'auto';
  /** Folder of the package's files (kernels, worker.js, models/); null: as `setAssetBase` says, else beside the script. */
  @property({ attribute: 'asset-base' }) assetBase: string | null = null;
  /** Does not play; set and removed by the play button. */
  @property({ type: Boolean, reflect: true }) paused = false;
  /** Shows the toolbar. */
  @property({ type: Boolean, reflect: true }) controls = false;
  /** Starts a recording again when it has ended. */
  @property({ type: Boolean, reflect: true }) loop = false;
  /** Any source of the API, or a MediaStream; comes before `src`, `for` and `camera`. */
  @property({ attribute: false }) source: Given | null = null;

  /** `idle`, `loading`, `running`, `paused`, `finished`, `analysing` or `error`. */
  get state(): ElementState {
    return this.parts.state.phase;
  }

  /** The last error, null after the next good source. */
  get error(): FoveolaError | null {
    return this.parts.state.error;
  }

  get running(): boolean {
    return this.state === 'running';
  }

  get tracking(): boolean {
    return this.parts.state.meaning.tracking;
  }

  get blink(): boolean {
    return this.parts.state.meaning.blink;
  }

  get recording(): boolean {
    return this.parts.shown.recording;
  }

  /** Lit renders nothing where an element of the page hides what it asks its document for; that is reported. */
  override connectedCallback(): void {
    if (!this.parts.source.refusesPage()) super.connectedCallback();
  }

  /** @internal */
  adoptedCallback(): void {
    if (this.shadowRoot) this.parts.host.restyle();
  }

  /** Lit's own style sheets belong to the page's document. */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    if (this.ownerDocument === document) return super.createRenderRoot();
    const root = this.shadowRoot ?? this.attachShadow((this.constructor as typeof LitElement).shadowRootOptions);
    this.parts.host.restyle();
    return root;
  }

  protected static override finalize(): void {
    guard(this);
    super.finalize();
  }

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    super.attributeChangedCallback(name, before, after);
    if (name === 'lang') this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    takeGiven(this, changed, this.parts.host.refused);
  }

  protected override render(): TemplateResult {
    return elementView(this.parts);
  }

  protected override firstUpdated(): void {
    this.parts.source.furnished();
  }

  protected override updated(changed: PropertyValues): void {
    this.parts.host.tell('updated', changed);
  }
}

export interface FoveolaElement<R extends AnyResult, Events extends FoveolaEventMap<R> = FoveolaEventMap<R>> {
  addEventListener<K extends keyof Events & string>(
    type: K,
    listener: FoveolaListener<Events[K]>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof Events & string>(
    type: K,
    listener: FoveolaListener<Events[K]>,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
}
