/**
 * Base class of all elements: their common attributes and methods. The parts (element-parts.ts) implement them. `kind`
 * defines what an element tracks, draws and shows.
 */
import { LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import {
  type Capabilities,
  type CsvFormat,
  type CsvOptions,
  type FoveolaError,
  type Marker,
  type PupilExportOptions,
  type RecordingKey,
  version,
} from '../../src/index.ts';
import type { AnalysisResult } from '../tools/analysis.ts';
import { guard, takeGiven } from './given-values.ts';
import { ElementParts, elementView } from './element-parts.ts';
import type { ElementState, FoveolaEventMap, FoveolaListener, AnyResult, ElementKind, Settings } from './kind.ts';
import type { Given } from './feed.ts';
import type { FileResult } from '../tools/batch/several-files.ts';
import type { KeptRecording } from '../tools/storage/keeping.ts';
import type { VideoOptions } from '../tools/player/exporting.ts';
import type { Strings } from '../strings/index.ts';
import { commonStyles } from './styles.ts';
import type { PageTime, PageTimeSummary } from './host.ts';

// The interface of the same name, below, adds the events of the map to its listeners, without any code.
/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-unused-vars */
export abstract class FoveolaElement<
  R extends AnyResult,
  Events extends FoveolaEventMap<R> = FoveolaEventMap<R>,
> extends LitElement {
  /* eslint-enable */
  static readonly version = version;
  static override styles = commonStyles;

  /** @internal Defines what this element tracks, draws and shows. */
  protected abstract readonly kind: ElementKind<R>;
  /** @internal */
  protected readonly parts: ElementParts<R> = new ElementParts<R>(this, () => this.kind);

  /** Strings in the element's language. */
  protected get strings(): Strings {
    return this.parts.strings;
  }

  /** Current time in milliseconds on the clock of the results. `mark` uses this clock. */
  get now(): number {
    return this.parts.analysis.now();
  }

  /** Starts a recording, or ends the current one. Returns whether a recording is running. */
  record(): boolean {
    return this.parts.recorder.toggle();
  }

  /** Exports the last recording as CSV. If nothing was recorded, exports the open image. */
  exportCsv(options?: PupilExportOptions): Promise<string> {
    return this.parts.recorder.text('csv', options);
  }

  /** Exports as JSON, see `exportCsv()`. */
  exportJson(options?: PupilExportOptions): Promise<string> {
    return this.parts.recorder.text('json', options);
  }

  /** Describes the table of `exportCsv()` as JSON: source, settings, version, and its columns with units. */
  exportCsvJson(options?: PupilExportOptions): Promise<string> {
    return this.parts.recorder.text('csv.json', options);
  }

  /** Exports blinks, closures, losses and markers as CSV, one row per event. */
  exportEvents(options?: CsvOptions): Promise<string> {
    return this.parts.recorder.text('events.csv', options);
  }

  /** Format of the CSV: `plain` (the default), `comments`, `excel` or `pupilext`. */
  @property({ attribute: 'export-format' }) exportFormat: CsvFormat | null = null;

  /**
   * Name of the source that `exportCsv()` and `exportJson()` export. It can differ from the open source. Empty if there
   * is nothing to export.
   */
  get exportedName(): string {
    return this.parts.recorder.exportedName;
  }

  /** Returns the image with the overlay as PNG. */
  async snapshot(): Promise<Blob> {
    return this.parts.picture.snapshot();
  }

  /** Copies the image with the overlay to the clipboard. Rejects with 'source-not-ready', 'clipboard-refused'. */
  copySnapshot(): Promise<void> {
    return this.parts.picture.copy();
  }

  /**
   * Exports the recording with its overlay as MP4 or WebM. Every frame keeps its own time, and uses its known result or
   * a new one. Rejects with 'source-not-ready', 'source-unsupported' (no encoder), 'aborted'.
   */
  exportVideo(options?: VideoOptions): Promise<Blob> {
    return this.parts.player.exportVideo(options);
  }

  /**
   * Analyzes every frame of the open recording from its beginning, as fast as possible. Resolves at its end, after
   * `cancelAnalysis()`, and after an error: `error` then names the position, and the rows before it are kept. Rejects
   * with 'source-not-ready' if no recording is open.
   */
  async analyse(): Promise<AnalysisResult> {
    return this.parts.analysis.start();
  }

  /**
   * Opens images and recordings one after the other and analyzes each: every frame of a recording, an image once.
   * Numbered images are separate images, sorted by number. The element lists them with their exports. Resolves with one
   * result per file. If a file fails, its result has the error, and the others continue. Rejects if the list cannot be
   * loaded.
   */
  async analyseFiles(files: readonly File[]): Promise<readonly FileResult[]> {
    return this.parts.files.analyse(files);
  }

  /**
   * Opens images as one recording, sorted by the numbers in their names, with `rate` images per second. They are
   * written to a video in memory that preserves their gray values. Resolves when that video is open. `analyse()`,
   * timeline and exports then work as for any recording. Rejects with 'invalid-argument' if the images differ in size,
   * and with 'source-unsupported' if this browser does not support lossless VP9 encoding.
   */
  async openPictures(files: readonly File[], rate = 30): Promise<void> {
    return this.parts.files.openPictures(files, rate);
  }

  /** Cancels the running analysis. Results so far are kept. */
  cancelAnalysis(): void {
    this.parts.analysis.cancel();
  }

  /**
   * Saves recordings on the device while they run, once the user has agreed in the element. `agreed`: the user has
   * agreed on the page. Null: nothing is stored.
   */
  @property({ attribute: 'save-recordings' }) saveRecordings: string | null = null;
  /** Encrypts saved recordings: a Web Crypto key for AES-GCM, or a function that returns one. The key is not stored. */
  @property({ attribute: false }) recordingKey: RecordingKey | null = null;

  /** Recordings of this element saved on the device, newest first. Empty without `save-recordings`. */
  savedRecordings(): Promise<readonly KeptRecording[]> {
    return this.parts.keep.list();
  }

  /** 'no-file-names': exports, downloads, reports and saved recordings name the kind of the source, not its file. */
  @property() exports: string | null = null;

  /** The subject, for file names, tables and reports. It is only stored in a settings file. */
  @property() subject: string | null = null;
  /** Session of a study, like `subject`. */
  @property() session: string | null = null;
  /** Trial of a study, like `subject`. */
  @property() trial: string | null = null;
  /** A note for tables and reports. */
  @property() note: string | null = null;

  /** Parameters by their names in the table, in addition to those with an attribute. */
  @property({ attribute: false }) settings: Settings = {};
  /** Shows the settings. */
  @property({ type: Boolean, reflect: true, attribute: 'settings-open' }) settingsOpen = false;

  /** Undoes the last change. Returns false if there is none. */
  undo(): boolean {
    return this.parts.settings.undo();
  }

  redo(): boolean {
    return this.parts.settings.redo();
  }

  /** Returns the settings as JSON, for `loadSettings` on this or another page. */
  exportSettings(): string {
    return this.parts.settings.export();
  }

  /** Loads settings from `exportSettings`. Missing ones are reset to their defaults. Throws 'invalid-argument'. */
  loadSettings(json: string): void {
    this.parts.settings.import(json);
  }

  /**
   * Sets a marker (a stimulus, an event) in the current recording and on the chart. Returns the marker as recorded, or
   * null if no recording is running.
   * @param timestamp milliseconds on the clock of the results, default: now
   */
  mark(label: string, timestamp?: number): Marker | null {
    return this.parts.recorder.mark(label, timestamp);
  }

  /** Resolves with the engine's capabilities. Rejects with the reason if no engine is available. */
  get ready(): Promise<Capabilities> {
    return this.parts.session.takeEngine().then((engine) => engine.capabilities);
  }

  /**
   * Diagnostics: time that the main thread spends per frame.
   * @internal
   */
  get pageTime(): PageTime {
    return this.parts.host.pageTime;
  }

  /** Diagnostics: milliseconds of main-thread work per frame. */
  get pageTimes(): PageTimeSummary {
    return this.pageTime.summary();
  }

  /** Plays. If `camera` is set and no source is open, opens the camera (call it in a click handler). */
  async start(): Promise<void> {
    await this.parts.source.start();
  }

  /** Focuses the image, where all keys work. */
  override focus(): void {
    this.parts.host.focusStage();
  }

  /** See `start()`. */
  play(): Promise<void> {
    return this.start();
  }

  /** Pauses at the current position. A camera stays on. */
  pause(): void {
    this.paused = true;
  }

  /** Position in the recording in seconds. Setting it seeks. 0 if no recording is open. */
  get currentTime(): number {
    return this.parts.player.video?.currentTime ?? 0;
  }

  set currentTime(seconds: number) {
    this.seek(typeof seconds === 'number' ? 1000 * seconds : NaN).catch(() => {}); // without an open source, nothing happens
  }

  /** Duration of the recording in seconds. NaN if none is open or it is unknown. */
  get duration(): number {
    return this.parts.player.duration;
  }

  /** Playback speed of recordings, 0.0625 to 16. Throws 'invalid-argument'. */
  get playbackRate(): number {
    return this.parts.player.rate;
  }

  set playbackRate(rate: number) {
    this.parts.player.rate = rate;
  }

  /**
   * Seeks to a position in the recording, in milliseconds. Resolves with the frame's known result, or a new one. Null
   * if another seek follows. Rejects with 'source-not-ready', 'invalid-argument'.
   */
  async seek(milliseconds: number): Promise<R | null> {
    return this.parts.player.seek(milliseconds);
  }

  /** Pauses, and switches the camera off. */
  stop(): void {
    this.parts.source.stop();
  }

  /** Processes one more frame, for a recording the next one. Resolves with its result, or null at the end. */
  async step(): Promise<R | null> {
    this.paused = true;
    return (await this.parts.session.current?.step()) ?? null;
  }

  /** Requests the camera. Only called from a click, a key, or the page's `start()`. */
  async openCamera(which = this.camera ?? ''): Promise<void> {
    await this.parts.source.openCamera(which);
  }

  /** Opens a file from the picker or from drag and drop, or any other source. */
  open(given: Given): void {
    this.parts.source.open(given);
  }

  /** Name of the open source: a file name or a camera label. Empty if none is open. */
  get sourceName(): string {
    return this.parts.feed?.name ?? '';
  }

  /**
   * Device id of the open camera, even while it is unplugged. Set `camera` to it to reopen this camera. Otherwise null.
   */
  get cameraId(): string | null {
    return this.parts.source.camera.deviceId;
  }

  /** URL of a video or an image. */
  @property() src: string | null = null;
  /**
   * Offers a camera: empty for any camera, `user`, `environment` or a device id. It starts with a click or `start()`.
   */
  @property() camera: string | null = null;
  /** Shows the image mirrored. Coordinates still refer to the source. */
  @property({ type: Boolean, reflect: true }) mirror = false;
  /** Maximum frame rate. Extra frames are counted as throttled. 0: no limit. */
  @property({ type: Number, attribute: 'max-fps' }) maxFps = 0;
  /**
   * `auto`: a recording is analyzed as soon as it is open. `manual`: it plays, and the analysis starts with its button.
   * Null: `auto` for files that the user opens in the element, `manual` for `src` and `source`.
   */
  @property({ attribute: 'analyse' }) analysisMode: 'auto' | 'manual' | null = null;
  /** Id of a video, img or canvas elsewhere on the page. The overlay is placed over it. */
  @property({ attribute: 'for' }) htmlFor: string | null = null;
  /** Compute backend: `auto`, `gpu` or `wasm`. */
  @property() backend: 'auto' | 'gpu' | 'wasm' = 'auto';
  /**
   * Folder of the package's files (kernels, worker.js, models/). Null: the folder set by `setAssetBase`, otherwise the
   * script's folder.
   */
  @property({ attribute: 'asset-base' }) assetBase: string | null = null;
  /** Playback is paused. The play button sets and removes it. */
  @property({ type: Boolean, reflect: true }) paused = false;
  /** Shows the toolbar. */
  @property({ type: Boolean, reflect: true }) controls = false;
  /** Restarts a recording when it has ended. */
  @property({ type: Boolean, reflect: true }) loop = false;
  /** Sends every row, and markers, to `npx foveola lsl`: `ws://127.0.0.1:8765`. */
  @property() stream: string | null = null;
  /** In a frame: origin of the page around it, which then receives the height of the document. Empty: this origin. */
  @property({ attribute: 'frame-height' }) frameHeight: string | null = null;
  /** Any source of the API, or a MediaStream. Takes precedence over `src`, `for` and `camera`. */
  @property({ attribute: false }) source: Given | null = null;

  /** Current state: `idle`, `loading`, `running`, `paused`, `finished`, `analysing` or `error`. */
  get state(): ElementState {
    return this.parts.state.phase;
  }

  /** The last error. Null after the next valid source. */
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

  /** Lit renders nothing if an element of the page hides a document property that it needs. That is reported. */
  override connectedCallback(): void {
    if (!this.parts.source.refusesPage()) super.connectedCallback();
  }

  /** @internal */
  adoptedCallback(): void {
    if (this.shadowRoot) this.parts.host.restyle();
  }

  /** Lit's style sheets belong to the page's document. */
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
