/** The page around an element: its keys, whether it is visible, downloads, registration. */
import type { About } from '../../src/index.ts';
import { patientFetch } from '../../src/internal.ts';

/**
 * Keyboard actions of the elements. They work while the focus is inside the element, except in a field that needs the
 * key.
 */
export type Action =
  | 'toggle'
  | 'step'
  | 'back'
  | 'record'
  | 'snapshot'
  | 'copy'
  | 'mark'
  | 'points'
  | 'settings'
  | 'analyse'
  | 'undo'
  | 'redo'
  | 'help'
  | 'csv'
  | 'json'
  | 'escape';

const actions: Record<string, Action> = {
  ' ': 'toggle',
  '.': 'step',
  ArrowRight: 'step',
  ',': 'back',
  ArrowLeft: 'back',
  r: 'record',
  s: 'snapshot',
  m: 'mark',
  p: 'points',
  o: 'settings',
  a: 'analyse',
  '?': 'help',
  Escape: 'escape',
};

/** Whether the focus is in a field that needs its keys. */
export function inField(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|select|textarea)$/.test(target.localName))
  );
}

/** Action of a key. Null if the browser or the focused control handles it. */
export function actionFor(event: KeyboardEvent): Action | null {
  if (event.altKey || event.defaultPrevented) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey) return edits(key, event.shiftKey, target);
  const action = actions[key] ?? null;
  if (!(target instanceof HTMLElement)) return action;
  if (inField(event)) return action === 'escape' ? action : null;
  // The space bar presses a focused button or link.
  if (key === ' ' && /^(button|a|summary)$/.test(target.localName)) return null;
  return action;
}

// Text fields have their own undo and copy.
function edits(key: string, shift: boolean, target: EventTarget | undefined): Action | null {
  if (target instanceof HTMLElement && target.matches('textarea, input[type=text], input[type=number]')) return null;
  if (key === 'c') return getSelection()?.isCollapsed === false ? null : 'copy'; // the browser copies selected text
  if (key === 'z') return shift ? 'redo' : 'undo';
  return key === 'y' ? 'redo' : null;
}

/** Reports when an element becomes visible or invisible: scrolled away, hidden, in a background tab. */
export class Presence {
  readonly #observer: IntersectionObserver;
  readonly #events = new AbortController();
  readonly #changed: () => void;
  #target: Element | null = null;
  #inView = true;

  constructor(changed: () => void) {
    this.#changed = changed;
    this.#observer = new IntersectionObserver((entries) => {
      const inView = entries[entries.length - 1]!.isIntersecting;
      if (inView === this.#inView) return;
      this.#inView = inView;
      changed();
    });
    document.addEventListener('visibilitychange', () => this.#changed(), { signal: this.#events.signal });
  }

  /** Whether the page is visible at all. */
  get pageShown(): boolean {
    return document.visibilityState !== 'hidden';
  }

  get inView(): boolean {
    return this.#inView;
  }

  watch(target: Element): void {
    if (target === this.#target) return;
    this.#observer.disconnect();
    this.#target = target;
    this.#observer.observe(target);
  }

  close(): void {
    this.#observer.disconnect();
    this.#events.abort();
  }
}

/**
 * Registers an element. Two versions of the package on one page must not break each other: the first one is used, the
 * second one logs a warning. A server logs nothing, since it may import the package several times and does not show the
 * elements.
 */
export function define(tag: string, element: CustomElementConstructor & { version?: string }): void {
  const known = customElements.get(tag) as typeof element | undefined;
  if (known === undefined) customElements.define(tag, element);
  else if (known !== element && typeof document !== 'undefined')
    console.warn(
      `foveola: <${tag}> is already defined by version ${known.version ?? 'unknown'}. Version ${element.version} is ` +
        'not used. Load the package once.',
    );
}

/** Creates elements as DOM nodes, for lazily loaded code without Lit. */
type Child = Node | string | null;

export function make<K extends keyof HTMLElementTagNameMap>(name: K, kind: string, ...children: Child[]) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children.filter((child) => child !== null));
  return element;
}

// SHA-256 of a source's bytes, so that an export identifies the file that it was made from.

/** Hex digits. Null if the page is not secure, the bytes cannot be read, or the file is too large. */
export async function sha256(bytes: Blob | string | undefined): Promise<string | null> {
  const largest = 2 ** 30; // digest() needs all bytes at once
  if (bytes === undefined || !globalThis.crypto?.subtle) return null;
  try {
    // The browser has just played it, so the file may still be in its cache.
    const blob = typeof bytes === 'string' ? await (await patientFetch(bytes, { cache: 'force-cache' })).blob() : bytes;
    if (blob.size > largest) return null;
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}

/** Downloads a generated file. */
export function download(content: Blob | string, name: string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // the download must have started
}

export const aboutNames = ['subject', 'session', 'trial', 'note'] as const;

/** The properties of an element for subject, session, trial and note. */
export type AboutProperties = { readonly [K in keyof About]: string | null };

/** The given texts as part of a header. */
export function aboutOf(of: AboutProperties): { about?: About } {
  const given = aboutNames.flatMap((name) => (of[name] ? [[name, String(of[name])]] : []));
  return given.length ? { about: Object.fromEntries(given) } : {};
}

/** Returns `sample-20260131-120000.csv`, or with `what` `sample-mask-20260131-120000.png`. */
export function fileName(
  source: string,
  extension: string,
  what = '',
  { subject, eye, session, trial }: AboutProperties & { eye?: unknown } = {},
): string {
  const stem =
    [subject, eye === 'unknown' ? '' : eye, session, trial, source.replace(/\.[^.]*$/, '')]
      .map((part) => `${part ?? ''}`.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, ''))
      .filter(Boolean)
      .join('-') || 'foveola';
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `${stem}${what && `-${what}`}-${stamp}.${extension}`;
}

/** Downloads a file that is named after the open source. */
export function saveFile(
  { shown: { feed }, element }: { shown: { feed: { name: string } | null }; element: AboutProperties },
  content: string | Blob,
  extension: string,
  type?: string,
  what?: string,
): void {
  download(content, fileName(feed?.name ?? '', extension, what, element), type);
}

/** A file with recorded data. */
export interface RecordedFile {
  readonly extension: string;
  readonly type: string;
  /** Part of the file name between source and time. */
  readonly what?: string;
  make(): string | Promise<string>;
  /** The JSON file next to it, with `.json` after its name. */
  beside?(): Promise<string>;
  /** Writes the file another way. False: the user cancels. Null: it is not needed. */
  save?(): Promise<boolean | null>;
  /** `make` can also export the open image. */
  readonly ofPicture?: true;
}
