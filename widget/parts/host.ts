/**
 * An element as its parts see it: its attributes, what it says of itself, the store that all of them share, and the way to
 * tell each other what happens.
 */
import type { CSSResult, LitElement, ReactiveController } from 'lit';
import type { FoveolaError, RecordingKey } from '../../src/index.ts';
import { onStrings, stringsFor, type Strings } from '../strings/index.ts';
import type { ElementState, Meaning } from './events.ts';
import type { RecordedFile } from './download.ts';
import type { Feed, Given } from './feed.ts';
import type { Refused } from './given-values.ts';
import type { AnyResult, ElementKind, Hooks, Settings } from './kind.ts';
import { PageTime } from './page-time.ts';
import type { Progress } from './progress.ts';
import { Store } from './store.ts';

/** What the parts read and call of an element that a page may read and call too. */
export interface ElementFace extends LitElement {
  src: string | null;
  camera: string | null;
  mirror: boolean;
  maxFps: number;
  htmlFor: string | null;
  backend: 'auto' | 'gpu' | 'wasm';
  assetBase: string | null;
  paused: boolean;
  controls: boolean;
  loop: boolean;
  source: Given | null;
  settings: Settings;
  settingsOpen: boolean;
  keepRecordings: string | null;
  recordingKey: RecordingKey | null;
  start(): Promise<void>;
  stop(): void;
  step(): Promise<unknown>;
  record(): boolean;
  mark(label: string, timestamp?: number): unknown;
  analyse(): Promise<unknown>;
  snapshot(): Promise<Blob>;
  copySnapshot(): Promise<void>;
  exportCsv(): Promise<string>;
  exportJson(): Promise<string>;
}

/** What is known and shown of an element beside its attributes. */
export interface Shown {
  phase: ElementState;
  failure: FoveolaError | null;
  /** Something that the element goes on without; it is shown where failures are. */
  shortfall: FoveolaError | null;
  /** Of the last result; null: nothing is known. */
  meaning: Meaning | null;
  /** Read aloud by screen readers. */
  announced: string;
  feed: Feed | null;
  recording: boolean;
  /** The file that is saved when a question is answered. */
  asking: RecordedFile | null;
  /** Every frame is decoded, or the recording is played through; null: no analysis. */
  analysing: 'decoding' | 'playing' | null;
  progress: Progress | null;
  /** What came of the last analysis that did not run to its end, in words. */
  note: string | null;
  /** Settings were changed while an analysis ran: they count after it. */
  settingsWait: boolean;
  /** The picture of an analysed frame stands over the video, until the video shows a frame of its own again. */
  pictureStands: boolean;
  /** What was wrong with the settings that were loaded last. */
  problem: FoveolaError | null;
  /** A file is held over the element. */
  dropping: boolean;
  help: boolean;
  zoomPercent: number;
  /** The picture is shown in a window of its own, so that it is seen wherever the element is. */
  floating: boolean;
}

const nothingShown: Shown = {
  phase: 'idle',
  failure: null,
  shortfall: null,
  meaning: null,
  announced: '',
  feed: null,
  recording: false,
  asking: null,
  analysing: null,
  progress: null,
  note: null,
  settingsWait: false,
  pictureStands: false,
  problem: null,
  dropping: false,
  help: false,
  zoomPercent: 100,
  floating: false,
};

/**
 * A part of an element: Lit tells it of the element's life, the others of what happens to the source. Each says what it
 * gives back when the element is gone.
 */
export type Part<R> = ReactiveController & Hooks<R> & { left(): void };

export class Host<R extends AnyResult> implements ReactiveController {
  readonly element: ElementFace;
  readonly store: Store<Shown>;
  /** What was given to properties of the element and is none of theirs: no source is opened meanwhile. */
  readonly refused: Refused = new Map();
  /** Diagnostics: the time that the page's thread spends on a frame. */
  readonly pageTime = new PageTime();
  readonly #kind: () => ElementKind<R>;
  readonly #parts: Part<R>[] = [];
  #words: { from: Strings; to: Strings } | null = null;
  #forgetStrings: (() => void) | null = null;
  /** Of the parts that were loaded later. */
  readonly #styles: string[] = [];

  constructor(element: ElementFace, kind: () => ElementKind<R>) {
    this.element = element;
    this.#kind = kind;
    this.store = new Store(nothingShown, () => element.requestUpdate());
    element.addController(this);
  }

  get kind(): ElementKind<R> {
    return this.#kind();
  }

  get shown(): Readonly<Shown> {
    return this.store.state;
  }

  /** All parts, in the order in which they are called. */
  get parts(): readonly Part<R>[] {
    return this.#parts;
  }

  add<P extends Part<R>>(part: P): P {
    this.#parts.push(part);
    this.element.addController(part);
    return part;
  }

  tell<Name extends keyof Hooks<R>>(name: Name, ...news: Parameters<NonNullable<Hooks<R>[Name]>>): void {
    for (const one of [...this.#parts, this.kind] as Hooks<R>[])
      (one[name] as ((...news: unknown[]) => void) | undefined)?.call(one, ...news);
  }

  emit<T>(name: string, detail: T, bubbles = true): void {
    this.element.dispatchEvent(new CustomEvent(`foveola-${name}`, { detail, bubbles, composed: bubbles }));
  }

  /** Words in the language of the element, else of what it stands in, else of the page. */
  get strings(): Strings {
    const language = this.element.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || 'en';
    const from = stringsFor(language);
    if (this.#words?.from !== from) this.#words = { from, to: this.kind.words?.(from) ?? from };
    return this.#words.to;
  }

  /** Null also before the element has stood in a page: Lit makes what is inside then. */
  find<E extends HTMLElement>(selector: string): E | null {
    return this.element.shadowRoot?.querySelector<E>(selector) ?? null;
  }

  /** Adds a style sheet to what is inside the element. */
  addStyle(css: string): void {
    this.#styles.push(css);
    this.#adopt([css]);
  }

  /** Sheets belong to the document that they were made for; one that the element is moved to needs its own. */
  restyle(): void {
    const { elementStyles } = this.element.constructor as typeof LitElement;
    this.#adopt([...elementStyles.map((style) => String((style as CSSResult).cssText)), ...this.#styles]);
  }

  #adopt(styles: readonly string[]): void {
    const { shadowRoot, ownerDocument } = this.element;
    const Sheet = ownerDocument.defaultView?.CSSStyleSheet;
    if (!shadowRoot || !Sheet) return;
    const sheets = styles.map((css) => {
      const sheet = new Sheet();
      sheet.replaceSync(css);
      return sheet;
    });
    shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets, ...sheets];
  }

  focusStage(): void {
    this.find('.stage')?.focus();
  }

  hostConnected(): void {
    this.#forgetStrings ??= onStrings(() => this.element.requestUpdate());
  }

  hostDisconnected(): void {
    this.#forgetStrings?.();
    this.#forgetStrings = null;
  }
}
