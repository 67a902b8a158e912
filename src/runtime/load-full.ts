/**
 * Loads foveola.cdn.full.js from beside foveola.cdn.js, once, when a page uses an element that only it has. Its tag gets
 * the attributes of ours (`data-worker`, `data-assets`, `nonce`, `crossorigin`).
 */
import { FoveolaError } from './error.ts';
import { handOn, trustedScriptUrl } from './trusted-url.ts';

// Only there while the script is being run for the first time.
const tag = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);
const beside = () => new URL('foveola.cdn.full.js', tag?.src || document.baseURI).href;

let loading: Promise<unknown> | null = null;

/** Resolves with the API of the full build, which also becomes `window.foveola`. Rejects with 'source-unsupported'. */
export function loadFull(): Promise<unknown> {
  return (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    for (const [name, value] of Object.entries(tag?.dataset ?? {})) script.dataset[name] = value;
    if (tag?.nonce) script.nonce = tag.nonce;
    if (tag?.crossOrigin) script.crossOrigin = tag.crossOrigin;
    script.addEventListener('load', () => resolve((globalThis as { foveola?: unknown }).foveola));
    script.addEventListener('error', () => {
      loading = null; // the next one may have better luck
      reject(
        new FoveolaError(
          'source-unsupported',
          `${beside()} could not be loaded. Put foveola.cdn.full.js beside foveola.cdn.js, and allow its address in script-src.`,
        ),
      );
    });
    handOn(script);
    script.src = trustedScriptUrl(beside());
    document.head.append(script);
  }));
}

/** Loads it as soon as one of these elements stands on the page. */
export function watchFor(tags: readonly string[]): void {
  const wanted = tags.join(',');
  const found = () => document.querySelector(wanted) !== null;
  const load = () => {
    loadFull().catch((error: FoveolaError) => {
      for (const element of document.querySelectorAll(wanted))
        element.dispatchEvent(new CustomEvent('foveola-error', { detail: error, bubbles: true, composed: true }));
      console.warn(`foveola: ${error.message}`);
    });
  };
  if (found()) return load();
  const observer = new MutationObserver(() => {
    if (!found()) return;
    observer.disconnect();
    load();
  });
  observer.observe(document, { childList: true, subtree: true });
}
