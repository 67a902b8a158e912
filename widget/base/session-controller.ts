/**
 * The session of an element: its engine, the tracker of the open source, and the frames. Handles the results and errors
 * for the element.
 */
import { type Capabilities, FoveolaError, type FrameTiming, asFoveolaError } from '../../src/index.ts';
import { EngineHold, type ElementEngine, type ElementTracker } from './engine.ts';
import type { Feed } from './feed.ts';
import type { Held, SessionHost, SupplyNews } from './session-host.ts';
import type { Host } from './host.ts';
import type { AnyResult, Settings } from './kind.ts';
import type { PictureController } from './picture-controller.ts';
import { Session } from './session.ts';
import type { SettingsController } from '../tools/settings-controller.ts';
import type { StateController } from './state-controller.ts';

/** Markup may come from others than the page's code, so the attribute must stay on the page's origin. */
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
  /** Parameters of the tracker. */
  #parameters: Settings = {};
  #interruption: FoveolaError | null = null;
  /** Reason why the source does not send frames. */
  #unsupplied: FoveolaError | null = null;
  /** The element is not visible, so nothing is processed. */
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

  /** Session of the open source. Null if none is open. */
  get current(): Session<R> | null {
    return this.#current;
  }

  /** Null until an engine is available. */
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

  /** Also rejects if `assetBase` is not on the page's origin. */
  async takeEngine(): Promise<ElementEngine> {
    const { backend, assetBase } = this.#host.element;
    if (assetBase !== null) checkOwnOrigin(assetBase);
    return this.#engine.take({ backend, ...(assetBase !== null && { assetBase }) });
  }

  /** The next source gets another engine. */
  releaseEngine(): void {
    this.#engine.release();
  }

  /** Starts a session with this tracker. `run` sends the first frame. */
  open(feed: Feed, tracker: ElementTracker<R>): void {
    this.#parameters = this.#settings.parameters;
    this.#tracker = tracker;
    this.#current = new Session(feed, tracker, this);
  }

  async play(): Promise<void> {
    await this.#current?.play();
    this.onPlayback();
  }

  close(): void {
    this.#unsupplied = null;
    this.#current?.close();
    this.#current = this.#tracker = null;
  }

  /**
   * Sets other parameters of the tracker. A still frame is processed again, so that the change is visible when nothing
   * plays. False: only a new tracker has the defaults of removed parameters.
   */
  change(parameters: Settings, removed: readonly string[]): boolean {
    const defaults = removed.map((name) => [name, this.#settings.defaultOf(name)] as const);
    if (defaults.some(([, value]) => value === undefined)) return false;
    const session = this.#current;
    const all = { ...Object.fromEntries(defaults), ...parameters };
    const before = this.#parameters;
    this.#parameters = all;
    this.#host.tell('parametersChanged', all);
    this.#tracker?.setParameters(all).then(
      () => session?.refresh(),
      (error) => {
        if (session === this.#current && this.#parameters === all) {
          this.#parameters = before;
          this.#host.tell('parametersChanged', before); // keeps the previous parameters
        }
        this.onFailure(asFoveolaError(error, 'Settings'));
      },
    );
    return true;
  }

  onResult(result: R, timing: FrameTiming, picture: Held | null = null): void {
    if (this.#host.shown.analysing === 'decoding') return; // it was still in flight when the analysis began
    if (!this.#unsupplied) this.#state.clearFailure();
    if (/error|loading/.test(this.#state.phase)) this.onPlayback();
    this.#show(result, picture);
    this.take(result, timing);
  }

  /** Draws a result on its frame. While the video plays, an image of that frame is shown over the video. */
  #show(result: R, picture: Held | null): void {
    const session = this.#current;
    const stands = session?.behind === 0;
    if (picture && !(stands && !session.running) && this.#picture.showFrame(picture, result)) return;
    if (this.#isOn) this.#picture.shows(result);
    else if (!this.#host.shown.pictureStands) this.#picture.leave();
  }

  /**
   * The video still shows the frame of the last result. Without an image of it (a video of the page), one more frame
   * may follow.
   */
  get #isOn(): boolean {
    const session = this.#current;
    return !session?.moving || session.behind <= (session.running ? 1 : 0);
  }

  onPresented(): void {
    const { shown, kind } = this.#host;
    if (!shown.pictureStands && !this.#isOn && !shown.analysing && !kind.covers?.()) this.#picture.leave();
    else if (shown.pictureStands && this.#current?.running === false && !shown.analysing) this.#picture.leave();
  }

  /** Handles a result of this session or of an analysis. */
  take(result: R, timing: FrameTiming): void {
    const { element, kind } = this.#host;
    this.#state.setMeaning(kind.meaningOf(result));
    this.#host.tell('present', result, timing);
    if (this.#picture.result === result) {
      kind.draw();
      this.#picture.paint(); // together with its image, so that neither is visible without the other
    }
    if (result.restarted) element.mark('[tracker restarted]', timing.timestamp);
    // A frame that was in flight when the element was removed is recorded, but its event is not dispatched.
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

  /** Reported once for all frames lost with a worker. Nothing stops. */
  onInterruption(error: FoveolaError): void {
    if (error === this.#interruption) return;
    this.#interruption = error;
    this.#host.emit('error', error);
    const { errors, errorHelp } = this.#host.strings;
    this.#state.announce(`${errors[error.code]}. ${errorHelp[error.code] ?? error.message}`);
  }

  /** The displayed frame could not be processed. The result of another frame must not be shown for it. */
  onFrameFailure(error: FoveolaError): void {
    if (error.code !== 'aborted' && error.code !== 'disposed') this.#host.tell('forgetFrame');
    this.onFailure(error);
  }

  /** A recording ends when its frames stop. The session stays open, since frames may resume. */
  onSupply(news: SupplyNews): void {
    const { shown } = this.#host;
    if (shown.analysing) {
      if (news instanceof FoveolaError) this.#host.tell('unsupplied', news);
      return;
    }
    if (news === 'waiting') {
      if (!shown.failure) this.#state.setPhase('loading');
      return;
    }
    if (shown.failure && shown.failure === this.#unsupplied) this.#state.clearFailure();
    this.#unsupplied = news;
    if (!news) return this.onPlayback();
    this.#host.tell('endRecording');
    this.#host.tell('failed');
    this.#state.fail(news);
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
      if (!session.running && session.behind === 0) store.set({ pictureStands: false });
    }
    this.#host.tell('playback');
  }

  left(): void {
    this.close();
    this.#engine.release();
  }
}
