/**
 * The session of an element: its engine, the tracker of the source that is open, the frames between them, and what their
 * results and failures mean for the element.
 */
import { asFoveolaError, type Capabilities, FoveolaError, type FrameTiming } from '../../src/index.ts';
import { EngineHold, type ElementEngine, type ElementTracker } from './engine.ts';
import type { Feed } from './feed.ts';
import type { Host } from './host.ts';
import type { AnyResult, Settings } from './kind.ts';
import type { PictureController } from './picture-controller.ts';
import { Session } from './session.ts';
import type { SessionHost } from './session-host.ts';
import type { SettingsController } from './settings-controller.ts';
import type { StateController } from './state-controller.ts';

/** Markup may come from elsewhere than the page's code, so the attribute names no other origin. */
function checkOwnOrigin(assetBase: string): void {
  if (new URL(assetBase, document.baseURI).origin !== new URL(location.href).origin)
    throw new FoveolaError(
      'invalid-argument',
      `asset-base: '${assetBase}' is on another origin than the page. Call setAssetBase('${assetBase}') in your page's script instead.`,
    );
}

export class SessionController<R extends AnyResult> implements SessionHost<R> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #picture: PictureController<R>;
  readonly #settings: SettingsController<R>;
  readonly #engine: EngineHold;
  #current: Session<R> | null = null;
  #tracker: ElementTracker<R> | null = null;
  #interruption: FoveolaError | null = null;
  /** Out of sight: nothing is processed. */
  away = false;

  constructor(
    host: Host<R>,
    state: StateController<R>,
    picture: PictureController<R>,
    settings: SettingsController<R>,
  ) {
    this.#host = host;
    this.#state = state;
    this.#picture = picture;
    this.#settings = settings;
    this.#engine = new EngineHold((capabilities) => host.emit('ready', capabilities));
    host.add(this);
  }

  /** Of the source that is open; null where none is. */
  get current(): Session<R> | null {
    return this.#current;
  }

  /** Null until there is an engine. */
  get capabilities(): Capabilities | null {
    return this.#engine.capabilities;
  }

  get maxFps(): number {
    return this.#host.element.maxFps;
  }

  get standingOnly(): boolean {
    return this.#host.kind.standingOnly?.() ?? false;
  }

  get turns() {
    return this.#engine.turns;
  }

  get pageTime() {
    return this.#host.pageTime;
  }

  /** Rejects also if `assetBase` is not an address of the page's origin. */
  async takeEngine(): Promise<ElementEngine> {
    const { backend, assetBase } = this.#host.element;
    if (assetBase !== null) checkOwnOrigin(assetBase);
    return this.#engine.take({ backend, ...(assetBase !== null && { assetBase }) });
  }

  /** The next source gets another engine. */
  releaseEngine(): void {
    this.#engine.release();
  }

  /** Begins with this tracker; its first frame comes with `run`. */
  open(feed: Feed, tracker: ElementTracker<R>): void {
    this.#tracker = tracker;
    this.#current = new Session(feed, tracker, this);
  }

  async play(): Promise<void> {
    await this.#current?.play();
    this.onPlayback();
  }

  close(): void {
    this.#current?.close();
    this.#current = this.#tracker = null;
  }

  /**
   * The tracker gets other settings; what stands is processed again, so that their change is seen also where nothing plays.
   * False: only a new tracker knows what those are that are no longer given.
   */
  change(parameters: Settings, removed: readonly string[]): boolean {
    const defaults = removed.map((name) => [name, this.#settings.defaultOf(name)] as const);
    if (defaults.some(([, value]) => value === undefined)) return false;
    const session = this.#current;
    const all = { ...Object.fromEntries(defaults), ...parameters };
    this.#host.tell('parametersChanged', all);
    this.#tracker?.setParameters(all).then(
      () => session?.refresh(),
      (error) => this.onFailure(asFoveolaError(error, 'Settings')),
    );
    return true;
  }

  onResult(result: R, timing: FrameTiming): void {
    if (this.#host.shown.analysing === 'decoding') return; // was still under way when the analysis began
    this.#state.clearFailure();
    if (this.#state.phase === 'error') this.onPlayback();
    this.#picture.shows(result);
    this.take(result, timing);
  }

  /** A result of this session or of an analysis. */
  take(result: R, timing: FrameTiming): void {
    const { element, kind } = this.#host;
    this.#state.setMeaning(kind.meaningOf(result));
    this.#host.tell('present', result, timing);
    if (this.#picture.result === result) kind.draw();
    if (result.restarted) element.mark('[tracker restarted]', timing.timestamp);
    // One that was under way when the element was taken away is in its recording, but there is no event any more.
    if (element.isConnected) this.#host.emit('result', result, false);
    this.#host.tell('published', result);
  }

  onFailure(error: FoveolaError): void {
    if (error.code === 'aborted' || error.code === 'disposed') return;
    this.#host.tell('failed');
    if (error.code === 'engine-stopped') this.#engine.release(true); // the next source gets another one
    this.#current?.pause();
    this.#state.fail(error);
  }

  /** Reported once for all frames that went with a worker; nothing stops. */
  onInterruption(error: FoveolaError): void {
    if (error === this.#interruption) return;
    this.#interruption = error;
    this.#host.emit('error', error);
    this.#state.announce(`${this.#host.strings.errors[error.code]}. ${this.#host.strings.errorHelp[error.code]}`);
  }

  /** The frame that is shown could not be processed: what is known of another one is not said of it. */
  onFrameFailure(error: FoveolaError): void {
    if (error.code !== 'aborted' && error.code !== 'disposed') this.#host.tell('forgetFrame');
    this.onFailure(error);
  }

  onPlayback(): void {
    const session = this.#current;
    const { element, shown, store } = this.#host;
    if (shown.analysing) return;
    if (session?.running) store.set({ pictureStands: false });
    if (session && !shown.failure) {
      if (!session.moving || session.ended) this.#state.setPhase('finished');
      else if (session.running && !this.away) this.#state.setPhase('running');
      else this.#state.setPhase('paused');
      if (session.ended && !element.loop) element.paused = true;
    }
    this.#host.tell('playback');
  }

  left(): void {
    this.close();
    this.#engine.release();
  }
}
