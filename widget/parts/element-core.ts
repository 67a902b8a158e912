/** The outer side of every element: common attributes, state attributes for CSS, events, language, announcements. */
import { LitElement, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { FoveolaError } from '../../src/index.ts';
import { onStrings, stringsFor, type Strings } from '../strings/index.ts';
import type { ElementEngineOptions } from './engine.ts';
import type { Given } from './feed.ts';
import { givenValue } from './given-values.ts';
import { version } from '../../src/index.ts';

export type ElementState = 'idle' | 'loading' | 'running' | 'paused' | 'finished' | 'analysing' | 'error';

/** What a result means for the state attributes. */
export interface Meaning {
  tracking: boolean;
  blink: boolean;
}

export interface StateDetail extends Meaning {
  state: ElementState;
  recording: boolean;
}

const announceAfter = 1200;

export abstract class ElementCore extends LitElement {
  static readonly version = version;

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

  @state() protected phase: ElementState = 'idle';
  @state() protected failure: FoveolaError | null = null;
  /** Something that the element goes on without; it is shown where failures are. */
  @state() protected shortfall: FoveolaError | null = null;
  @state() protected recordingNow = false;
  @state() protected announced = '';
  #meaning: Meaning = { tracking: false, blink: false };
  #announceTimer = 0;
  #forgetStrings: (() => void) | null = null;

  /** An element of each class as it is at first; it never comes into a page. */
  static readonly #untouched = new WeakMap<object, ElementCore>();

  #initial(name: PropertyKey): unknown {
    const made = this.constructor as new () => ElementCore;
    let element = ElementCore.#untouched.get(made);
    if (!element) ElementCore.#untouched.set(made, (element = new made()));
    return element[name as keyof this & keyof ElementCore];
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { elementProperties } = this.constructor as typeof LitElement;
    const own = this as unknown as Record<PropertyKey, unknown>;
    for (const name of changed.keys()) {
      const declaration = elementProperties.get(name);
      if (!declaration || declaration.state) continue;
      const value = givenValue(own[name], declaration, () => this.#initial(name));
      if (!Object.is(value, own[name])) own[name] = value;
    }
  }

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    super.attributeChangedCallback(name, before, after);
    if (name === 'lang') this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#forgetStrings ??= onStrings(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forgetStrings?.();
    this.#forgetStrings = null;
    clearTimeout(this.#announceTimer);
  }

  /** Of the element, else of what it stands in, else of the page. */
  protected get strings(): Strings {
    return stringsFor(this.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || 'en');
  }

  protected get engineOptions(): ElementEngineOptions {
    return { backend: this.backend, ...(this.assetBase !== null && { assetBase: this.assetBase }) };
  }

  /** `idle`, `loading`, `running`, `paused`, `finished`, `analysing` or `error`. */
  get state(): ElementState {
    return this.phase;
  }

  /** The last error, null after the next good source. */
  get error(): FoveolaError | null {
    return this.failure ?? this.shortfall;
  }

  get running(): boolean {
    return this.phase === 'running';
  }

  get tracking(): boolean {
    return this.#meaning.tracking;
  }

  get blink(): boolean {
    return this.#meaning.blink;
  }

  get recording(): boolean {
    return this.recordingNow;
  }

  protected emit<T>(name: string, detail: T, bubbles = true): void {
    this.dispatchEvent(new CustomEvent(`foveola-${name}`, { detail, bubbles, composed: bubbles }));
  }

  protected setPhase(phase: ElementState): void {
    if (phase === this.phase) return;
    this.phase = phase;
    this.toggleAttribute('running', phase === 'running');
    this.toggleAttribute('analysing', phase === 'analysing');
    if (phase === 'idle' || phase === 'loading' || phase === 'error') this.setMeaning(null);
    this.#stateChanged();
  }

  /** Called for each result: attributes are touched only when something has changed. Null: nothing is known. */
  protected setMeaning(meaning: Meaning | null): void {
    const { tracking, blink } = meaning ?? { tracking: false, blink: false };
    const lost = meaning !== null && !tracking && !blink;
    const before = this.#meaning;
    if (tracking === before.tracking && blink === before.blink && lost === this.hasAttribute('lost')) return;
    this.#meaning = { tracking, blink };
    this.toggleAttribute('tracking', tracking);
    this.toggleAttribute('blink', blink);
    this.toggleAttribute('lost', lost);
    this.requestUpdate();
    this.#stateChanged();
  }

  protected setRecording(on: boolean): void {
    if (on === this.recordingNow) return;
    this.recordingNow = on;
    this.toggleAttribute('recording', on);
    this.#stateChanged();
  }

  /** Shows an error and tells it; `aborted` and `disposed` are the element's own doing and nobody's business. */
  protected setFailure(error: FoveolaError): void {
    if (error.code === 'aborted' || error.code === 'disposed') return;
    const repeated = this.failure?.code === error.code && this.failure.message === error.message;
    this.failure = error;
    this.setAttribute('error', error.code);
    this.setPhase('error');
    if (!repeated) this.emit('error', error);
  }

  protected clearFailure(): void {
    if (!this.failure) return;
    this.failure = null;
    this.#showCode();
  }

  /** Shows and tells what is missing while everything else goes on; null: it is there now, or nobody wants it. */
  protected setShortfall(error: FoveolaError | null): void {
    if (error?.code === 'aborted' || error?.code === 'disposed') return;
    this.shortfall = error;
    this.#showCode();
    if (error) this.emit('error', error);
  }

  #showCode(): void {
    const { error } = this;
    if (error) this.setAttribute('error', error.code);
    else this.removeAttribute('error');
  }

  /** Words for the badge and for the announcement. */
  protected stateText(): string {
    const words = this.strings.states;
    if (this.phase !== 'running' && this.phase !== 'paused' && this.phase !== 'finished') return words[this.phase];
    if (this.blink) return words.blink;
    if (this.tracking) return this.phase === 'running' ? words.tracking : `${words[this.phase]}`;
    return this.hasAttribute('lost') ? words.lost : words[this.phase];
  }

  /** Read aloud by screen readers. */
  protected announce(text: string): void {
    clearTimeout(this.#announceTimer);
    this.announced = text;
  }

  /** What was announced last is no longer so. */
  protected silence(): void {
    this.announced = '';
  }

  #stateChanged(): void {
    const { phase: state, recordingNow: recording } = this;
    this.emit<StateDetail>('state', { state, recording, ...this.#meaning });
    clearTimeout(this.#announceTimer);
    // A blink is no news; what lasts is.
    this.#announceTimer = window.setTimeout(() => (this.announced = this.stateText()), announceAfter);
  }
}
