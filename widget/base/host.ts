/**
 * An element as its parts see it: its attributes, its kind, the shared store, and the channel for messages between
 * parts.
 */
import type { CSSResult, LitElement, ReactiveController } from 'lit';
import type { CsvFormat, FoveolaError, PupilExportOptions, RecordingKey } from '../../src/index.ts';
import { onStrings, stringsFor, type Strings } from '../strings/index.ts';
import type { ElementState, Meaning, AnyResult, ElementKind, Hooks, Settings } from './kind.ts';
import type { aboutNames, RecordedFile } from './page.ts';
import type { Feed, Given } from './feed.ts';
import type { Refused } from './given-values.ts';
import type { Progress } from './engine.ts';
import type { MenuName } from './toolbar.ts';
import type { Outcome } from '../tools/analysis.ts';

/**
 * State of an element in addition to its attributes. Controllers write it, templates read it, and every change is shown
 * with the element's next update.
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

  /** Returns whether anything has changed. */
  set(changes: Partial<State>): boolean {
    const names = Object.keys(changes) as (keyof State)[];
    if (names.every((name) => Object.is(changes[name], this.#state[name]))) return false;
    this.#state = { ...this.#state, ...changes };
    this.#changed();
    return true;
  }
}

/**
 * Main-thread work per frame: reading it, sending it, receiving the result, recording, overlay and chart. All work
 * between two frames counts for the first of them. Diagnostics, used by `npm run bench`.
 */
export interface PageTimeSummary {
  frames: number;
  /** Milliseconds. */
  median: number;
  p95: number;
  max: number;
  /** Mean milliseconds per frame of each part. */
  parts: Record<string, number>;
}

const kept = 1024;

export class PageTime {
  readonly #frames = new Float64Array(kept);
  #count = 0;
  #current = -1;
  #parts = new Map<string, number>();

  /** Starts the next frame. */
  frame(): void {
    if (this.#current >= 0) this.#frames[this.#count++ % kept] = this.#current;
    this.#current = 0;
  }

  /** Runs `work` and adds its time to `part` of the current frame. */
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

/** Members of an element that its parts use. A page may use them too. */
export interface ElementFace extends LitElement, Record<(typeof aboutNames)[number], string | null> {
  src: string | null;
  camera: string | null;
  mirror: boolean;
  maxFps: number;
  htmlFor: string | null;
  backend: 'auto' | 'gpu' | 'wasm';
  assetBase: string | null;
  paused: boolean;
  controls: boolean;
  analysisMode: 'auto' | 'manual' | null;
  loop: boolean;
  stream: string | null;
  frameHeight: string | null;
  readonly now: number;
  source: Given | null;
  settings: Settings;
  settingsOpen: boolean;
  saveRecordings: string | null;
  exports: string | null;
  recordingKey: RecordingKey | null;
  start(): Promise<void>;
  stop(): void;
  step(): Promise<unknown>;
  record(): boolean;
  mark(label: string, timestamp?: number): unknown;
  analyse(): Promise<unknown>;
  snapshot(): Promise<Blob>;
  copySnapshot(): Promise<void>;
  exportFormat: CsvFormat | null;
  exportCsv(): Promise<string>;
  exportCsvJson(): Promise<string>;
  exportJson(): Promise<string>;
}

/** Displayed state of an element in addition to its attributes. */
export interface Shown {
  phase: ElementState;
  failure: FoveolaError | null;
  /** A problem that does not stop the element. It is shown in the place of errors. */
  shortfall: FoveolaError | null;
  /** Meaning of the last result. Null: unknown. */
  meaning: Meaning | null;
  /** Text for screen readers. */
  announced: string;
  feed: Feed | null;
  recording: boolean;
  /** The file that is saved once a question is answered. */
  asking: RecordedFile | null;
  /** Every frame is decoded, or the recording is played through. Null: no analysis is running. */
  analysing: 'decoding' | 'playing' | null;
  progress: Progress | null;
  /** Outcome of the last analysis. Null after another source was opened or the measurement was changed. */
  analysed: Outcome | null;
  /** Outcome of the last incomplete analysis, as text. */
  note: string | null;
  /** Settings were changed during an analysis. They apply after it. */
  settingsWait: boolean;
  /** The image of an analyzed frame covers the video until the video shows a new frame. */
  pictureStands: boolean;
  /** Error of the last loaded settings. */
  problem: FoveolaError | null;
  /** A file is being dragged over the element. */
  dropping: boolean;
  help: boolean;
  /** The open menu of the toolbar. */
  menu: MenuName | null;
  /** A recording is being opened. Its timeline already has its place. */
  awaited: boolean;
  /** Another file is being opened. The open source stays until then. */
  opening: boolean;
  zoomPercent: number;
  /** The image is shown in a floating window, so that it is visible when the element is not. */
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
  analysed: null,
  note: null,
  settingsWait: false,
  pictureStands: false,
  problem: null,
  dropping: false,
  help: false,
  menu: null,
  awaited: false,
  opening: false,
  zoomPercent: 100,
  floating: false,
};

/**
 * A part of an element. Lit reports the element's life cycle to it, other parts report events of the source. Each part
 * releases its resources in `left`.
 */
export type Part<R> = ReactiveController & Hooks<R> & { left(): void };

export class Host<R extends AnyResult> implements ReactiveController {
  readonly element: ElementFace;
  readonly store: Store<Shown>;
  /** Rejected property values. While any exist, no source is opened. */
  readonly refused: Refused = new Map();
  /** Diagnostics: time that the main thread spends per frame. */
  readonly pageTime = new PageTime();
  readonly #kind: () => ElementKind<R>;
  readonly #parts: Part<R>[] = [];
  #words: { from: Strings; to: Strings } | null = null;
  #forgetStrings: (() => void) | null = null;
  /** Styles of the parts that were loaded later. */
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

  /** Options of exports, as set by the page or in the panel. */
  get exportOptions(): PupilExportOptions {
    const { exportFormat } = this.element;
    return { ...(exportFormat && { format: exportFormat }), ...this.kind.exportOptions?.() };
  }

  get shown(): Readonly<Shown> {
    return this.store.state;
  }

  /** All parts, in calling order. */
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

  /** Strings in the language of the element, otherwise of its ancestors, otherwise of the page. */
  get strings(): Strings {
    const language = this.element.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || 'en';
    const from = stringsFor(language);
    if (this.#words?.from !== from) this.#words = { from, to: this.kind.words?.(from) ?? from };
    return this.#words.to;
  }

  /** Null also before the first connection to a page, since Lit renders then. */
  find<E extends HTMLElement>(selector: string): E | null {
    return this.element.shadowRoot?.querySelector<E>(selector) ?? null;
  }

  /** Adds a style sheet to the element's shadow root, once. */
  addStyle(css: string): void {
    if (this.#styles.includes(css)) return;
    this.#styles.push(css);
    this.#adopt([css]);
  }

  /** Style sheets belong to one document. An element that moves to another document needs new ones. */
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
