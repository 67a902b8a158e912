/** Which source an element's attributes ask for, and what a change of its settings asks for. */
import { FoveolaError } from '../../src/index.ts';
import type { Given } from './feed.ts';

export interface Asking extends HTMLElement {
  source: Given | null;
  src: string | null;
  htmlFor: string | null;
}

/** `source` comes first, then `src`, `for`, the slot; null where none of them is, or only a camera. */
export function requestedSource(element: Asking, slotted: Element | null): { given: Given; slotted?: boolean } | null {
  const { source, src, htmlFor } = element;
  if (source) return { given: source };
  if (src) return { given: src };
  if (!htmlFor) return slotted && { given: slotted as HTMLVideoElement, slotted: true };
  const root = element.getRootNode();
  const found = 'getElementById' in root ? (root as Document | ShadowRoot).getElementById(htmlFor) : null; // in no page
  if (found) return { given: found as HTMLVideoElement };
  throw new FoveolaError('source-not-ready', `There is no element with the id "${htmlFor}" (attribute for).`);
}

/** What makes a source this one: an element that gets another address is another source. */
export function identityOf(given: Given): unknown {
  if (given instanceof HTMLVideoElement) return given.srcObject ?? (given.src || given.currentSrc);
  if (given instanceof HTMLImageElement) return given.src || given.currentSrc;
  return given;
}

/** Tells what has changed in the settings of a tracker. */
export class SettingsWatch {
  #before: Record<string, unknown> | null = null;

  /**
   * Whether they are others than the last time (the first time they are), and under `removed` the names of those that are no
   * longer there.
   */
  look(settings: Record<string, unknown>): { changed: boolean; removed: string[] } {
    const before = this.#before;
    this.#before = settings;
    if (!before) return { changed: true, removed: [] };
    const removed = Object.keys(before).filter((name) => !Object.hasOwn(settings, name));
    // NaN, which a wrong attribute becomes, is the same as itself.
    const same = Object.entries(settings).every(([name, value]) => Object.is(value, before[name]));
    return { changed: !same || removed.length > 0, removed };
  }
}
