/**
 * The inner side of every element: it opens its source, holds an engine, runs a tracker on the frames, and comes and goes
 * with its page.
 */
import type { PropertyValues } from 'lit';
import { query, state } from 'lit/decorators.js';
import { asFoveolaError, type Capabilities, FoveolaError, type FrameTiming } from '../../src/index.ts';
import { CameraControl, cameraNamed } from './camera-control.ts';
import { ElementCore, type Meaning } from './element-core.ts';
import { EngineHold, type ElementEngine, type ElementTracker } from './engine.ts';
import { openFeed, openStream, type Feed, type Given } from './feed.ts';
import { Overlay, type View } from './overlay.ts';
import { PageTime, type PageTimeSummary } from './page-time.ts';
import { Presence } from './presence.ts';
import { Session } from './session.ts';
import { identityOf, SettingsWatch, wantedSource } from './wanted.ts';

const sourceProperties = ['source', 'src', 'htmlFor', 'backend', 'assetBase'] as const;

// It is a SessionHost and a CameraHost, without saying so: what it does for them is not in the published types.
export abstract class SourceElement<R extends { timestamp: number; dropped: number }> extends ElementCore {
  /** What the tracker gets; read again whenever a property changes. */
  protected abstract parameters(): Record<string, unknown>;
  /** A promise where models are loaded first. */
  protected abstract createTracker(
    engine: ElementEngine,
    parameters: Record<string, unknown>,
  ): ElementTracker<R> | Promise<ElementTracker<R>>;
  /** Further properties with which a new tracker begins, and the source anew. */
  protected get reloadOn(): readonly string[] {
    return [];
  }
  /** Null: the result says nothing yet. */
  protected abstract meaningOf(result: R): Meaning | null;
  /** Overlay, chart, readout, recording. */
  protected abstract present(result: R, timing: FrameTiming): void;
  /** A new source is open. */
  protected abstract begin(feed: Feed): void;
  /** The element is gone from the page; what a subclass keeps goes too. */
  protected abstract left(): void;
  protected abstract endRecording(): void;
  abstract mark(label: string): unknown;
  /** What a setting is when it is not given; undefined where only a new tracker knows. */
  protected defaultOf(_name: string): unknown {
    return undefined;
  }
  /** The source is about to be closed: what the user did to it goes with it. */
  protected closing(): void {}
  /** A source is to be opened: as it was given, or its address; null: none. Another one each time a camera is opened. */
  protected sourceChosen(_source: unknown): void {}
  /** The result of the picture that is shown, which the overlay is drawn with; null: nothing is known of it. */
  protected pictured: R | null = null;

  /** Nothing is known of the picture that is shown. A subclass empties its readout. */
  protected forgetFrame(): void {
    this.pictured = null;
    this.overlay?.clear();
    this.setMeaning(null);
    this.silence();
  }

  /** What was measured goes with its source, before the next one is opened. A subclass empties its chart and the like. */
  protected forget(): void {
    this.forgetFrame();
  }

  /** The tracker has other parameters from now on. */
  protected parametersChanged(_parameters: Record<string, unknown>): void {}
  /** Where the picture lies in the stage has changed. */
  protected viewChanged(_view: View, _overlay: HTMLCanvasElement): void {}

  @query('.overlay') private overlayCanvas!: HTMLCanvasElement;
  @query('slot[name=media]') private mediaSlot!: HTMLSlotElement | null;
  @state() protected feed: Feed | null = null;
  protected overlay: Overlay | null = null;
  protected readonly cameraControl = new CameraControl(this);
  /**
   * Diagnostics: the time that the page's thread spends on a frame.
   * @internal
   */
  readonly pageTime = new PageTime();

  #presence: Presence | null = null;
  readonly #engine = new EngineHold((capabilities) => this.emit('ready', capabilities));
  #session: Session<R> | null = null;
  #tracker: ElementTracker<R> | null = null;
  #opening: AbortController | null = null;
  #leaving = 0;
  #away = false;
  readonly #settings = new SettingsWatch();
  #slotted: Element | null = null;

  /** Resolves with what the engine can do here; rejects with the reason why there is none. */
  get ready(): Promise<Capabilities> {
    return this.#engine.take(this.engineOptions).then((engine) => engine.capabilities);
  }

  /** Diagnostics: milliseconds that the page's own thread works for a frame. */
  get pageTimes(): PageTimeSummary {
    return this.pageTime.summary();
  }

  /** Plays; where a camera is asked for and nothing is open, opens it (call it in a click's handler). */
  async start(): Promise<void> {
    this.paused = false;
    if (this.#session) {
      await this.#session.play();
      this.onPlayback();
    } else if (this.camera !== null && !wantedSource(this, this.#slotted)) await this.openCamera();
    else await this.#load();
  }

  /** Pauses, and switches the camera off. */
  stop(): void {
    this.endRecording();
    if (this.cameraControl.open) {
      this.cameraControl.stop();
      this.#close();
      this.setPhase('idle');
    } else this.paused = true;
  }

  /** Processes one frame more, of a recording the next one. Resolves with its result, null at the end. */
  async step(): Promise<R | null> {
    this.paused = true;
    return (await this.#session?.step()) ?? null;
  }

  /** Asks for the camera. Only ever called from a click, a key, or the page's own `start()`. */
  async openCamera(which = this.camera ?? ''): Promise<void> {
    this.#close();
    this.setPhase('loading');
    try {
      await this.cameraControl.start(cameraNamed(which));
    } catch (error) {
      this.onFailure(asFoveolaError(error, 'Opening the camera'));
    }
  }

  /** A file from the picker, from drag and drop, or any other source. */
  open(given: Given): void {
    this.cameraControl.stop();
    this.paused = false;
    if (this.source === given) void this.#load();
    else this.source = given;
  }

  /** The source stands in the slot: it is the page's, but lies in the element's stage. */
  protected get slottedSource(): boolean {
    return this.feed?.element.slot === 'media' && this.feed.element.parentElement === this;
  }

  /** Name of the source that is open: a file's name, a camera's label; empty when there is none. */
  get sourceName(): string {
    return this.feed?.name ?? '';
  }

  protected get session(): Session<R> | null {
    return this.#session;
  }

  protected takeEngine(): Promise<ElementEngine> {
    return this.#engine.take(this.engineOptions);
  }

  protected get capabilities(): Capabilities | null {
    return this.#engine.capabilities;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#leaving) {
      // Only moved: go on where it was. The browser has paused the video.
      clearTimeout(this.#leaving);
      this.#leaving = 0;
      if (this.#session?.active) void this.#session.play();
      return;
    }
    // Early, while the source loads (a failure is shown by #load), but after the script that imports the elements: it may
    // call setAssetBase.
    queueMicrotask(() => {
      if (this.isConnected) this.#engine.take(this.engineOptions).catch(() => {});
    });
    this.#presence = new Presence(() => this.#presenceChanged());
    if (this.hasUpdated) {
      this.#furnish();
      void this.#load();
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A task later, so that an element that is moved (removed and put back) keeps its source, camera and tracker.
    this.#leaving ||= window.setTimeout(() => {
      this.#leaving = 0;
      this.#leave();
    });
  }

  protected override firstUpdated(): void {
    this.#furnish();
    this.mediaSlot!.addEventListener('slotchange', () => {
      if (this.#slotted !== (this.mediaSlot!.assignedElements()[0] ?? null)) void this.#load();
    });
    void this.#load();
  }

  protected override updated(changed: PropertyValues): void {
    if (this.overlay) this.overlay.mirror = this.mirror;
    if (changed.has('feed')) this.#attach();
    if (changed.has('loop') && this.feed?.element instanceof HTMLVideoElement && !this.feed.external)
      this.feed.element.loop = this.loop;
    const parameters = this.parameters();
    const settings = this.#settings.look(parameters);
    const initial = settings === null;
    if ((changed.has('backend') || changed.has('assetBase')) && !initial) this.#engine.release();
    if (!initial && [...sourceProperties, ...this.reloadOn].some((name) => changed.has(name as never)))
      void this.#load();
    else if (settings?.changed) this.#newSettings(parameters, settings.removed);
    if (changed.has('paused') && !initial && this.#session) {
      if (this.paused) this.#session.pause();
      else if (!this.#session.active && !this.#away) void this.#session.play().then(() => this.onPlayback());
      this.onPlayback();
    }
  }

  /** @internal */
  onResult(result: R, timing: FrameTiming): void {
    this.clearFailure();
    if (this.phase === 'error') this.onPlayback();
    this.pictured = result;
    this.setMeaning(this.meaningOf(result));
    this.present(result, timing);
    this.emit('result', result, false);
  }

  /** @internal */
  onFailure(error: FoveolaError): void {
    if (error.code === 'aborted' || error.code === 'disposed') return;
    this.#session?.pause();
    this.setFailure(error);
  }

  /** @internal The frame that is shown could not be processed: what is known of another one is not said of it. */
  onFrameFailure(error: FoveolaError): void {
    if (error.code !== 'aborted' && error.code !== 'disposed') this.forgetFrame();
    this.onFailure(error);
  }

  /** @internal */
  onPlayback(): void {
    const session = this.#session;
    if (!session || this.failure) return;
    if (!session.moving || session.ended) this.setPhase('finished');
    else if (session.running && !this.#away) this.setPhase('running');
    else this.setPhase('paused');
    if (session.ended && !this.loop) this.paused = true;
  }

  /** @internal */
  onStream(stream: MediaStream, name: string): void {
    void this.#load((signal) => openStream(stream, name, 'camera', signal));
  }

  /** @internal */
  onCameraLost(error: FoveolaError): void {
    this.#close();
    this.onFailure(error);
  }

  /** @internal */
  onCameraChanged(): void {
    this.requestUpdate();
  }

  // What stands is processed again, so that a change of the settings is seen also where nothing plays.
  #newSettings(parameters: Record<string, unknown>, removed: readonly string[]): void {
    const defaults = removed.map((name) => [name, this.defaultOf(name)] as const);
    const unknown = defaults.some(([, value]) => value === undefined);
    if (this.failure || unknown) return void this.#load();
    const session = this.#session;
    const all = { ...Object.fromEntries(defaults), ...parameters };
    this.parametersChanged(all);
    this.#tracker?.setParameters(all).then(
      () => session?.refresh(),
      (error) => this.onFailure(asFoveolaError(error, 'Settings')),
    );
  }

  #furnish(): void {
    this.overlay ??= new Overlay(
      this.overlayCanvas,
      this,
      (work) => this.pageTime.measure('overlay', work),
      (view) => this.viewChanged(view, this.overlayCanvas),
    );
    this.#presence?.watch(this);
  }

  #attach(): void {
    const { feed } = this;
    this.overlay?.attach(feed?.element ?? null, feed?.width ?? 0, feed?.height ?? 0, feed?.external ?? false);
    this.#presence?.watch(feed?.external ? feed.element : this);
  }

  async #load(open?: (signal: AbortSignal) => Promise<Feed>): Promise<void> {
    this.#close();
    const opening = (this.#opening = new AbortController());
    const { signal } = opening;
    let feed: Feed | null = null;
    let taken = false;
    try {
      if (!open) {
        this.#slotted = this.mediaSlot?.assignedElements()[0] ?? null;
        const wanted = wantedSource(this, this.#slotted);
        this.sourceChosen(wanted && identityOf(wanted.given));
        if (!wanted) return this.setPhase(this.failure ? 'error' : 'idle');
        open = (abort) => openFeed(wanted.given, abort, wanted.slotted);
        this.cameraControl.stop();
      } else this.sourceChosen(Symbol('camera'));
      this.setPhase('loading');
      this.emit('progress', { done: 0 });
      const engine = this.#engine.take(this.engineOptions);
      engine.catch(() => {}); // whichever fails first is told
      feed = await open(signal);
      const tracker = await this.createTracker(await engine, this.parameters());
      if (signal.aborted) {
        tracker.dispose().catch(() => {});
        throw new FoveolaError('aborted', 'Another source was chosen.');
      }
      this.#tracker = tracker;
      this.#session = new Session(feed, tracker, this);
      this.feed = feed;
      taken = true;
      if (feed.element instanceof HTMLVideoElement && !feed.external) feed.element.loop = this.loop;
      this.clearFailure();
      this.setPhase('paused');
      this.emit('progress', { done: 1 });
      this.pageTime.reset();
      this.begin(feed);
      this.#watchSource(feed.element, signal);
      await this.updateComplete; // the video must stand in the page to present frames
      if (signal.aborted) return;
      this.#away = !this.#seen();
      await this.#session!.open(!this.paused && !this.#away);
      this.onPlayback();
    } catch (error) {
      if (!taken) feed?.dispose();
      if (!signal.aborted) this.onFailure(asFoveolaError(error, 'Opening the source'));
    }
  }

  /** The page may give its own video or image another source. */
  #watchSource(element: Element, signal: AbortSignal): void {
    const changes = element instanceof HTMLVideoElement ? ['emptied'] : ['load', 'error'];
    for (const type of changes) element.addEventListener(type, () => void this.#load(), { signal });
  }

  #close(): void {
    this.closing();
    this.#opening?.abort();
    this.#opening = null;
    this.forget();
    this.endRecording();
    this.#session?.close();
    this.#session = null;
    this.#tracker = null;
    this.feed = null;
  }

  #leave(): void {
    this.cameraControl.stop();
    this.#close();
    this.#engine.release();
    this.#presence?.close();
    this.#presence = null;
    this.overlay?.close();
    this.overlay = null;
    this.setPhase('idle');
    this.left();
  }

  // A recording goes on while the element is scrolled away (a stimulus may cover it), not while the page is hidden.
  #seen(): boolean {
    const presence = this.#presence;
    return !presence || (presence.pageShown && (presence.inView || this.recordingNow));
  }

  #presenceChanged(): void {
    const away = !this.#seen();
    if (away === this.#away || !this.#session) return;
    this.#away = away;
    if (this.recordingNow) this.mark(away ? '[out of sight]' : '[in sight]');
    if (this.paused) return;
    if (away) this.#session.pause();
    else void this.#session.play().then(() => this.onPlayback());
    this.onPlayback();
  }
}
