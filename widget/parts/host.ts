/**
 * An element as its parts see it: its attributes, what it says of itself, the store that all of them share, and the way to
 * tell each other what happens.
 */
import type { CSSResult, LitElement, ReactiveController } from 'lit';
import type { FoveolaError, RecordingKey } from '../../src/index.ts';
import { onStrings, stringsFor, type Strings } from '../strings/index.ts';
import type { ElementState, Meaning, AnyResult, ElementKind, Hooks, Settings } from './kind.ts';
import type { RecordedFile } from './download.ts';
import type { Feed, Given } from './feed.ts';
import type { Refused } from './given-values.ts';
import type { Progress } from './progress.ts';

/**
 * What an element knows and shows beside its attributes, in one place: its controllers write it, its templates read it, and
 * whatever is written is shown with the element's next update.
 */
export class Store<State extends object> {
  #state: State;
  readonly #changed: () => void;

  constructor(initial: State, changed: () => void) {
    this.#state = initial;
    this.#changed = changed;
  }

  get state(): Readonly<State> {
    return this.#state;
  }

  /** Returns whether anything is other than before. */
  set(changes: Partial<State>): boolean {
    const names = Object.keys(changes) as (keyof State)[];
    if (names.every((name) => Object.is(changes[name], this.#state[name]))) return false;
    this.#state = { ...this.#state, ...changes };
    this.#changed();
    return true;
  }
}

/**
 * How long the page's own thread works for a frame: taking it, sending it, receiving the result, recording, overlay and
 * chart. Everything done between two frames counts for the first of them. Diagnostics, read by `npm run bench`.
 */
export interface PageTimeSummary {
  frames: number;
  /** Milliseconds. */
  median: number;
  p95: number;
  max: number;
  /** Mean milliseconds a frame of each part. */
  parts: Record<string, number>;
}

const kept = 1024;

export class PageTime {
  readonly #frames = new Float64Array(kept);
  #count = 0;
  #current = -1;
  #parts = new Map<string, number>();

  /** Begins the next frame. */
  frame(): void {
    if (this.#current >= 0) this.#frames[this.#count++ % kept] = this.#current;
    this.#current = 0;
  }

  /** Runs `work` and counts its time for the current frame under `part`. */
  measure<T>(part: string, work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      const spent = performance.now() - start;
      if (this.#current >= 0) this.#current += spent;
      this.#parts.set(part, (this.#parts.get(part) ?? 0) + spent);
    }
  }

  reset(): void {
    this.#count = 0;
    this.#current = -1;
    this.#parts.clear();
  }

  summary(): PageTimeSummary {
    const frames = Math.min(this.#count, kept);
    const sorted = this.#frames.slice(0, frames).sort();
    const at = (share: number) => (frames ? sorted[Math.min(frames - 1, Math.floor(share * frames))]! : NaN);
    const parts = Object.fromEntries([...this.#parts].map(([name, sum]) => [name, sum / Math.max(1, this.#count)]));
    return { frames, median: at(0.5), p95: at(0.95), max: at(1), parts };
  }
}

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

  /** Adds a style sheet to what is inside the element, once. */
  addStyle(css: string): void {
    if (this.#styles.includes(css)) return;
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
