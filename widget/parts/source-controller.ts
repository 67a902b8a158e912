/**
 * The source of an element: which one its attributes ask for, opening and closing it, the camera, and whether anybody sees
 * it. It comes and goes with its page.
 */
import type { PropertyValues } from 'lit';
import { asFoveolaError, FoveolaError } from '../../src/index.ts';
import { CameraControl, cameraNamed } from './camera-control.ts';
import { openFeed, openStream, type Feed, type Given } from './feed.ts';
import type { Host } from './host.ts';
import type { AnyResult } from './kind.ts';
import type { PictureController } from './picture-controller.ts';
import { Presence } from './presence.ts';
import { afterInterruption } from './interruption.ts';
import type { SessionController } from './session-controller.ts';
import type { SettingsController } from './settings-controller.ts';
import type { StateController } from './state-controller.ts';
import { identityOf, SettingsWatch, requestedSource } from './requested-source.ts';

const reloading = ['source', 'src', 'htmlFor', 'backend', 'assetBase'] as const;

export class SourceController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #picture: PictureController<R>;
  readonly #settings: SettingsController<R>;
  readonly #session: SessionController<R>;
  readonly camera: CameraControl;
  readonly #watch = new SettingsWatch();
  #updatedOnce = false;
  #refused = 0;
  #presence: Presence | null = null;
  #opening: AbortController | null = null;
  #leaving = 0;
  #slotted: Element | null = null;
  #slot: HTMLSlotElement | null = null;

  constructor(
    host: Host<R>,
    state: StateController<R>,
    picture: PictureController<R>,
    settings: SettingsController<R>,
    session: SessionController<R>,
  ) {
    this.#host = host;
    this.#state = state;
    this.#picture = picture;
    this.#settings = settings;
    this.#session = session;
    this.camera = new CameraControl({
      onStream: (stream, name) => void this.load((signal) => openStream(stream, name, 'camera', signal)),
      onCameraLost: (error) => {
        this.#close();
        session.onFailure(error);
      },
      onCameraChanged: () => host.element.requestUpdate(),
    });
    host.add(this);
  }

  /** Plays; where a camera is asked for and nothing is open, opens it. */
  async start(): Promise<void> {
    const { element } = this.#host;
    element.paused = false;
    const stopped = this.#host.shown.failure?.code === 'engine-stopped';
    if (this.#session.current && !stopped) await this.#session.play();
    else if (element.camera !== null && !requestedSource(element, this.#slotted)) await this.openCamera(element.camera);
    else await this.load();
  }

  /** Pauses, and switches the camera off. */
  stop(): void {
    this.#host.tell('endRecording');
    if (this.camera.open) {
      this.camera.stop();
      this.#close();
      this.#state.setPhase('idle');
    } else this.#host.element.paused = true;
  }

  async openCamera(which: string): Promise<void> {
    this.#close();
    try {
      if (this.#absent)
        throw new FoveolaError(
          'source-not-ready',
          'An element opens the camera when it stands in a page: append it first.',
        );
      this.#state.setPhase('loading');
      await this.camera.start(cameraNamed(which));
    } catch (error) {
      this.#session.onFailure(asFoveolaError(error, 'Opening the camera'));
    }
  }

  open(given: Given): void {
    const { element } = this.#host;
    this.camera.stop();
    element.paused = false;
    if (element.source === given) void this.load();
    else element.source = given;
  }

  /** The source stands in the slot: it is the page's, but lies in the element's stage. */
  get slotted(): boolean {
    const element = this.#host.shown.feed?.element;
    return element?.slot === 'media' && element.parentElement === this.#host.element;
  }

  hostConnected(): void {
    if (this.#leaving) {
      // Only moved: go on where it was. The browser has paused the video.
      clearTimeout(this.#leaving);
      this.#leaving = 0;
      if (this.#session.current?.active) void this.#session.current.play();
      return;
    }
    const { element } = this.#host;
    // Early, while the source loads (a failure is shown by `load`), but after the script that imports the elements: it may
    // call setAssetBase.
    queueMicrotask(() => {
      if (element.isConnected) this.#session.takeEngine().catch(() => {});
    });
    this.#presence = new Presence(() => this.#presenceChanged());
    if (element.hasUpdated) {
      this.#furnish();
      void this.load();
    }
  }

  hostDisconnected(): void {
    // A task later, so that an element that is moved (removed and put back) keeps its source, camera and tracker.
    this.#leaving ||= window.setTimeout(() => {
      this.#leaving = 0;
      this.#leave();
    });
  }

  /** The stage is there. */
  furnished(): void {
    this.#furnish();
    this.#slot = this.#host.find<HTMLSlotElement>('slot[name=media]')!;
    this.#slot.addEventListener('slotchange', () => {
      if (this.#slotted !== this.#assigned) void this.load();
    });
    void this.load();
  }

  updated(changed: PropertyValues): void {
    const { element, kind, shown } = this.#host;
    const { feed } = shown;
    this.#presence?.watch(feed?.external ? feed.element : element);
    if (changed.has('loop') && feed?.element instanceof HTMLVideoElement && !feed.external)
      feed.element.loop = element.loop;
    const first = !this.#updatedOnce;
    this.#updatedOnce = true;
    const { size } = this.#host.refused;
    const refusal = size !== this.#refused;
    this.#refused = size;
    const { parameters } = this.#settings; // may throw, where the page gave what throws when it is read
    const settings = this.#watch.look(parameters);
    if (first) return; // `furnished` loads
    if (changed.has('backend') || changed.has('assetBase')) this.#session.releaseEngine();
    if (refusal || [...reloading, ...(kind.reloadOn ?? [])].some((name) => changed.has(name))) void this.load();
    else if (settings.changed && (shown.failure || !this.#session.change(parameters, settings.removed)))
      void this.load();
    const { current } = this.#session;
    if (!changed.has('paused') || !current) return;
    if (element.paused) current.pause();
    else if (!current.active && !this.#session.away) void this.#session.play();
    this.#session.onPlayback();
  }

  get #assigned(): Element | null {
    return this.#slot?.assignedElements()[0] ?? null;
  }

  #furnish(): void {
    this.#picture.furnish();
    this.#presence?.watch(this.#host.element);
  }

  /** It stands in no page, and is not being moved: nothing is opened, which would never be given back. */
  get #absent(): boolean {
    return !this.#host.element.isConnected && !this.#leaving;
  }

  async load(open?: (signal: AbortSignal) => Promise<Feed>): Promise<void> {
    if (this.#absent) return; // where it comes into a page, it opens what it is asked for then
    const { element, kind } = this.#host;
    this.#close();
    const opening = (this.#opening = new AbortController());
    const { signal } = opening;
    let feed: Feed | null = null;
    let taken = false;
    try {
      for (const error of this.#host.refused.values()) throw error;
      if (!open) {
        this.#slotted = this.#assigned;
        const wanted = requestedSource(element, this.#slotted);
        this.#host.tell('sourceChosen', wanted && identityOf(wanted.given));
        if (!wanted) return this.#state.setPhase(this.#host.shown.failure ? 'error' : 'idle');
        open = (abort) => openFeed(wanted.given, abort, wanted.slotted);
        this.camera.stop();
      } else this.#host.tell('sourceChosen', Symbol('camera'));
      this.#state.setPhase('loading');
      this.#host.emit('progress', { done: 0 });
      const engine = this.#session.takeEngine();
      engine.catch(() => {}); // whichever fails first is reported
      feed = await open(signal);
      this.#host.tell('opened', feed);
      const tracker = await afterInterruption(async () => {
        const started = await engine;
        const { parameters } = this.#settings;
        this.#watch.look(parameters); // the tracker has them from its first frame
        return kind.createTracker(started, parameters, false);
      });
      if (signal.aborted) {
        tracker.dispose().catch(() => {});
        throw new FoveolaError('aborted', 'Another source was chosen.');
      }
      this.#session.open(feed, tracker);
      this.#host.store.set({ feed });
      taken = true;
      if (feed.element instanceof HTMLVideoElement && !feed.external) feed.element.loop = element.loop;
      this.#state.clearFailure();
      this.#state.setPhase('paused');
      this.#host.emit('progress', { done: 1 });
      this.#host.pageTime.reset();
      this.#host.tell('begin', feed);
      this.#watchSource(feed, signal);
      await element.updateComplete; // the video must stand in the page to present frames
      if (signal.aborted) return;
      this.#session.away = !this.#seen;
      await this.#session.current!.open(!element.paused && !this.#session.away);
      this.#session.onPlayback();
    } catch (error) {
      if (!taken) feed?.dispose();
      if (!signal.aborted) this.#session.onFailure(asFoveolaError(error, 'Opening the source'));
    }
  }

  /**
   * The page may give its own video or image another source. An image that was made here may tell of its loading late: one
   * from the browser's memory is complete before that.
   */
  #watchSource({ element, own }: Feed, signal: AbortSignal): void {
    if (own) return;
    const changes = element instanceof HTMLVideoElement ? ['emptied'] : ['load', 'error'];
    for (const type of changes) element.addEventListener(type, () => void this.load(), { signal });
  }

  #close(): void {
    this.#host.tell('closing');
    this.#opening?.abort();
    this.#opening = null;
    this.#host.tell('forgetFrame');
    this.#host.tell('forget');
    this.#host.tell('endRecording');
    this.#session.close();
    this.#host.store.set({ feed: null });
  }

  #leave(): void {
    this.camera.stop();
    this.#close();
    this.#state.setPhase('idle');
    this.#host.tell('left');
  }

  left(): void {
    this.#presence?.close();
    this.#presence = this.#slotted = null;
  }

  // A recording goes on while the element is scrolled away (a stimulus may cover it), not while the page is hidden.
  get #seen(): boolean {
    const presence = this.#presence;
    const { recording, floating } = this.#host.shown;
    return !presence || floating || (presence.pageShown && (presence.inView || recording));
  }

  #presenceChanged(): void {
    const away = !this.#seen;
    const { current } = this.#session;
    if (away === this.#session.away || !current) return;
    this.#session.away = away;
    const { element, shown } = this.#host;
    if (shown.recording) element.mark(away ? '[out of sight]' : '[in sight]');
    if (element.paused) return;
    if (away) current.pause();
    else void this.#session.play();
    this.#session.onPlayback();
  }
}
