/** The source that an element's attributes request, changes of its settings, and small files that a user chooses. */
import { FoveolaError } from '../../src/index.ts';
import type { Given } from './feed.ts';

interface Asking extends HTMLElement {
  source: Given | null;
  src: string | null;
  htmlFor: string | null;
}

/** Priority: `source`, `src`, `for`, the slot. Null if none of them is set, or only a camera. */
export function requestedSource(element: Asking, slotted: Element | null): { given: Given; slotted?: boolean } | null {
  const { source, src, htmlFor } = element;
  if (source) return { given: source };
  if (src) return { given: src };
  if (!htmlFor) return slotted && { given: slotted as HTMLVideoElement, slotted: true };
  const root = element.getRootNode();
  const found = 'getElementById' in root ? (root as Document | ShadowRoot).getElementById(htmlFor) : null; // not in a page
  if (found) return { given: found as HTMLVideoElement };
  throw new FoveolaError('source-not-ready', `No element has the id "${htmlFor}" (attribute for).`);
}

/** Whether this is a recording, by its name. Others are known once they are open. */
export function isRecording(given: Given): boolean {
  const name = given instanceof File ? given.name : given;
  return typeof name === 'string' && /\.(webm|mp4|m4v|mov|mkv|avi|ogv)$/i.test(name);
}

/** Calls back when opening a source can be retried: it has an image now, or is sending one. */
export function whenReady(given: unknown, again: () => void, signal: AbortSignal): void {
  const listen = (target: EventTarget, name: string) => target.addEventListener(name, again, { signal });
  if (given instanceof HTMLVideoElement) listen(given, 'loadeddata');
  if (given instanceof HTMLImageElement) listen(given, 'load');
  const stream = given instanceof HTMLVideoElement ? given.srcObject : given;
  if (!(stream instanceof MediaStream)) return;
  listen(stream, 'addtrack');
  for (const track of stream.getVideoTracks()) listen(track, 'unmute');
}

/** Calls back when another element has the id in `for`, or no element has it any more. */
export function watchTarget(element: Asking, again: () => void, signal: AbortSignal): void {
  const { htmlFor } = element;
  const root = element.getRootNode();
  if (!htmlFor || !('getElementById' in root)) return;
  const target = () => (root as Document | ShadowRoot).getElementById(htmlFor);
  const before = target();
  const observer = new MutationObserver(() => {
    if (target() !== before) again();
  });
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['id'] });
  signal.addEventListener('abort', () => observer.disconnect());
}

/** Identity of a source. An element with a new URL is another source. */
export function identityOf(given: Given): unknown {
  if (given instanceof HTMLVideoElement) return given.srcObject ?? (given.src || given.currentSrc);
  if (given instanceof HTMLImageElement) return given.src || given.currentSrc;
  return given;
}

/** Boxes are compared by value. NaN, which JSON does not have, equals itself. */
export const sameSetting = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || (a instanceof Object && JSON.stringify(a) === JSON.stringify(b));

/** Detects changes of a tracker's settings. */
export class SettingsWatch {
  #before: Record<string, unknown> | null = null;

  /**
   * Whether the settings have changed since the last call (true for the first call). `removed` has the names of missing
   * ones.
   */
  look(settings: Record<string, unknown>): { changed: boolean; removed: string[] } {
    const before = this.#before;
    this.#before = settings;
    if (!before) return { changed: true, removed: [] };
    const removed = Object.keys(before).filter((name) => !Object.hasOwn(settings, name));
    // NaN, the result of an invalid attribute, equals itself.
    const same = Object.entries(settings).every(([name, value]) => Object.is(value, before[name]));
    return { changed: !same || removed.length > 0, removed };
  }

  /** Whether settings that affect the measurement have changed since the last call, ignoring these names. */
  differs(settings: Record<string, unknown>, unmeasured: readonly string[]): boolean {
    const before = this.#before ?? settings;
    const names = [...new Set([...Object.keys(before), ...Object.keys(settings)])];
    return names.some((name) => !unmeasured.includes(name) && !sameSetting(settings[name], before[name]));
  }
}

/**
 * Reads a text that a user chooses or drops. Its size is checked before.
 * @throws {FoveolaError} (rejects) 'invalid-argument' if the file has more than `most` bytes
 */
export async function smallText(file: File, most: number): Promise<string> {
  if (file.size > most) throw new FoveolaError('invalid-argument', `'${file.name}' is too large.`);
  return file.text();
}
