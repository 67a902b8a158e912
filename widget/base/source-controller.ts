/**
 * The source of an element: selects it from the attributes, opens and closes it, handles the camera and the visibility.
 * It follows the element's connection to the page.
 */
import type { PropertyValues } from 'lit';
import { FoveolaError, asFoveolaError } from '../../src/index.ts';
import { CameraControl, cameraNamed } from '../tools/camera-control.ts';
import { hiddenProperty } from './clean-page.ts';
import { openFeed, openStream, type Feed, type Given } from './feed.ts';
import type { Host } from './host.ts';
import type { AnyResult } from './kind.ts';
import type { PictureController } from './picture-controller.ts';
import { Presence } from './page.ts';
import { afterInterruption } from './engine.ts';
import type { SessionController } from './session-controller.ts';
import type { SettingsController } from '../tools/settings-controller.ts';
import type { StateController } from './state-controller.ts';
import { identityOf, isRecording, SettingsWatch, requestedSource, watchTarget, whenReady } from './requested-source.ts';

const sources = ['source', 'src', 'htmlFor'] as const;
const reloading = [...sources, 'backend', 'assetBase'] as const;

/** @throws {FoveolaError} 'invalid-argument' */
function checkPage(page: Document): void {
  const name = hiddenProperty(page);
  if (!name) return;
  throw new FoveolaError(
    'invalid-argument',
    `An element of the page has the name or id "${name}" and hides document.${name}. Rename it.`,
  );
}

export class SourceController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #picture: PictureController<R>;
  readonly #settings: SettingsController<R>;
  readonly #session: SessionController<R>;
  readonly camera: CameraControl;
  readonly #watch = new SettingsWatch();
  /** Properties that changed during an analysis. */
  readonly #later = new Set<string>();
  #updatedOnce = false;
  #refused = 0;
  #presence: Presence | null = null;
  #opening: AbortController | null = null;
  /** A file that is being opened while another source is open, and one that was opened this way. */
  #trying: AbortController | null = null;
  #opened: { readonly file: File; readonly feed: Feed } | null = null;
  #refusal: FoveolaError | null = null;
  #leaving = 0;
  /** The document in which the source was opened, and the source itself if no attribute names it. */
  #home: Document | null = null;
  #reopen: ((signal: AbortSignal) => Promise<Feed>) | undefined;
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
      onStream: (stream, name) =>
        void this.load((signal) => openStream(stream, name, 'camera', signal, host.element.ownerDocument)),
      onCameraLost: (error) => {
        this.#close();
        session.onFailure(error);
      },
      onCameraChanged: () => host.element.requestUpdate(),
    });
    host.add(this);
  }

  /** Whether the page prevents the element from rendering, which is reported. */
  refusesPage(): boolean {
    try {
      checkPage(this.#host.element.ownerDocument);
      return false;
    } catch (error) {
      this.#session.onFailure(error as FoveolaError);
      return true;
    }
  }

  /** Plays. If `camera` is set and no source is open, opens the camera. */
  async start(): Promise<void> {
    const { element } = this.#host;
    element.paused = false;
    const dead = /^(engine-stopped|network-failed)$/.test(this.#host.shown.failure?.code ?? '');
    if (this.#session.current && !dead) await this.#session.play();
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
          'The element is not in a page. Append it before you open the camera.',
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

  /** Opens a file of the user. The open source stays if the file cannot be opened. */
  async openFile(file: File): Promise<void> {
    const { element, kind, shown, store } = this.#host;
    if (!shown.feed) return this.open(file);
    this.#trying?.abort();
    const { signal } = (this.#trying = new AbortController());
    this.#forgive();
    store.set({ opening: true });
    try {
      const feed = await openFeed(file, signal, { stacks: !kind.notAnalysable, home: element.ownerDocument });
      if (signal.aborted) return feed.dispose();
      this.#trying = null;
      this.#opened = { file, feed };
      this.open(file);
    } catch (error) {
      if (!signal.aborted) this.#state.setShortfall((this.#refusal = asFoveolaError(error, 'Opening the file')));
    }
    if (!signal.aborted) store.set({ opening: false });
  }

  /** The problem of the last file is no longer shown. */
  #forgive(): void {
    if (this.#refusal && this.#refusal === this.#host.shown.shortfall) this.#state.setShortfall(null);
    this.#refusal = null;
  }

  /** The source is in the slot: it belongs to the page, but is displayed in the element's stage. */
  get slotted(): boolean {
    const element = this.#host.shown.feed?.element;
    return element?.slot === 'media' && element.parentElement === this.#host.element;
  }

  hostConnected(): void {
    if (this.#leaving) {
      // The element was only moved, so it continues. The browser has paused the video, and reloads it in another
      // document.
      clearTimeout(this.#leaving);
      this.#leaving = 0;
      if (this.#home !== this.#host.element.ownerDocument) void this.load(this.#reopen);
      else if (this.#session.current?.active) void this.#session.current.play();
      return;
    }
    const { element } = this.#host;
    // Early, while the source loads (`load` shows a failure). But it must follow the script that imports the elements,
    // since that may call setAssetBase.
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
    // One task later, so that an element that is moved (removed and inserted) keeps its source, camera and tracker.
    this.#leaving ||= window.setTimeout(() => {
      this.#leaving = 0;
      this.#leave();
    });
  }

  /** The stage has been rendered. */
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
    this.#presence?.watch(feed?.external ? feed.element : this.#whole);
    if (changed.has('loop') && feed?.element instanceof HTMLVideoElement && !feed.external)
      feed.element.loop = element.loop;
    const first = !this.#updatedOnce;
    this.#updatedOnce = true;
    const { size } = this.#host.refused;
    const refusal = size !== this.#refused;
    this.#refused = size;
    const reload = [...reloading, ...(kind.reloadOn ?? [])].filter(
      (name) => changed.has(name) || this.#later.has(name),
    );
    const another = refusal || sources.some((name) => changed.has(name));
    if (shown.analysing && !another) this.#putOff(reload);
    else this.#apply(reload, another, first);
    const { current } = this.#session;
    if (!changed.has('paused') || !current) return;
    if (element.paused) current.pause();
    else if (!current.active && !this.#session.away) void this.#session.play();
    this.#session.onPlayback();
  }

  /** A running analysis finishes with the settings that it started with: one file has one set of settings. */
  #putOff(reload: readonly string[]): void {
    const { kind, store } = this.#host;
    for (const name of reload) this.#later.add(name);
    const settingsWait = this.#later.size > 0 || this.#watch.differs(this.#settings.parameters, kind.unmeasured ?? []);
    if (store.set({ settingsWait }) && settingsWait) this.#state.announce(this.#host.strings.settingsLater);
  }

  #apply(reload: readonly string[], another: boolean, first: boolean): void {
    this.#later.clear();
    const { parameters } = this.#settings;
    const settings = this.#watch.look(parameters);
    if (first) return; // `furnished` loads
    if (reload.includes('backend') || reload.includes('assetBase')) this.#session.releaseEngine();
    if (another || reload.length) void this.load();
    else if (settings.changed && (this.#host.shown.failure || !this.#session.change(parameters, settings.removed)))
      void this.load();
  }

  get #assigned(): Element | null {
    return this.#slot?.assignedElements()[0] ?? null;
  }

  /** The element, or the one of ours that it is a part of: a pupil test continues below its image. */
  get #whole(): Element {
    const { element } = this.#host;
    const { host } = element.getRootNode() as ShadowRoot;
    return host?.localName.startsWith('foveola-') ? host : element;
  }

  #furnish(): void {
    this.#presence?.watch(this.#whole);
  }

  /** The element is not in a page and is not being moved. Nothing is opened, since it would never be released. */
  get #absent(): boolean {
    return !this.#host.element.isConnected && !this.#leaving;
  }

  async load(open?: (signal: AbortSignal) => Promise<Feed>): Promise<void> {
    if (this.#absent) return; // when it is inserted into a page, it opens the source that is requested then
    const { element, kind } = this.#host;
    this.#close();
    this.#home = element.ownerDocument;
    const opening = (this.#opening = new AbortController());
    const { signal } = opening;
    this.#reopen = open;
    let given: Given | null = null;
    let feed: Feed | null = null;
    let taken = false;
    const opened = !open && this.#opened?.file === element.source ? this.#opened : null;
    if (!opened) this.#opened?.feed.dispose();
    this.#opened = null;
    this.#forgive();
    try {
      for (const error of this.#host.refused.values()) throw error;
      checkPage(element.ownerDocument);
      if (!element.ownerDocument.defaultView)
        throw new FoveolaError(
          'source-not-ready',
          'The element is in a document without a window. Append it to a page.',
        );
      this.#picture.furnish(); // throws if there is nothing to draw on
      if (!open) {
        this.#slotted = this.#assigned;
        if (!element.source && !element.src) watchTarget(element, () => void this.load(), signal);
        const wanted = requestedSource(element, this.#slotted);
        this.#host.tell('sourceChosen', wanted && identityOf(wanted.given));
        if (!wanted) return this.#state.setPhase(this.#host.shown.failure ? 'error' : 'idle');
        ({ given } = wanted);
        this.#host.store.set({ awaited: isRecording(given) });
        const how = { slotted: wanted.slotted, stacks: !kind.notAnalysable, home: element.ownerDocument };
        open = (abort) => (opened ? Promise.resolve(opened.feed) : openFeed(wanted.given, abort, how));
        this.camera.stop();
      } else this.#host.tell('sourceChosen', Symbol('camera'));
      this.#state.setPhase('loading');
      this.#host.emit('progress', { done: 0 });
      const engine = this.#session.takeEngine();
      engine.catch(() => {}); // the first error is reported
      feed = await open(signal);
      if (element.exports === 'no-file-names') feed = { ...feed, name: feed.kind };
      this.#host.tell('opened', feed);
      const tracker = await afterInterruption(async () => {
        const started = await engine;
        const { parameters } = this.#settings;
        this.#watch.look(parameters); // the tracker uses them from its first frame
        return kind.createTracker(started, parameters, false);
      });
      if (signal.aborted) {
        tracker.dispose().catch(() => {});
        throw new FoveolaError('aborted', 'Another source was chosen.');
      }
      this.#session.open(feed, tracker);
      this.#host.store.set({ feed, awaited: false });
      taken = true;
      if (feed.element instanceof HTMLVideoElement && !feed.external) feed.element.loop = element.loop;
      this.#state.clearFailure();
      this.#state.setPhase('paused');
      this.#host.emit('progress', { done: 1 });
      this.#host.pageTime.reset();
      this.#host.tell('begin', feed);
      this.#watchSource(feed, signal);
      await element.updateComplete; // the video must be in the page to present frames
      if (signal.aborted) return;
      this.#session.away = !this.#seen;
      await this.#session.current!.open(!element.paused && !this.#session.away);
      this.#session.onPlayback();
    } catch (error) {
      if (!taken) (feed ?? opened?.feed)?.dispose();
      if (signal.aborted) return;
      this.#host.store.set({ awaited: false });
      this.#session.onFailure(asFoveolaError(error, 'Opening the source'));
      if (!taken) whenReady(given, () => void this.load(), signal);
    }
  }

  /**
   * The page may set another source on its video or image. An image created here may report its loading late: if the
   * browser has it cached, it is complete before that.
   */
  #watchSource({ element, own }: Feed, signal: AbortSignal): void {
    if (own) return;
    const changes = element instanceof HTMLVideoElement ? ['emptied'] : ['load', 'error'];
    for (const type of changes) element.addEventListener(type, () => void this.load(), { signal });
  }

  #close(): void {
    this.#host.tell('closing');
    this.#opening?.abort();
    this.#trying?.abort();
    this.#opening = this.#trying = null;
    this.#host.store.set({ opening: false, awaited: false });
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

  // A recording continues while the element is scrolled away (a stimulus may cover it), but not while the page is
  // hidden.
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
