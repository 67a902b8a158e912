/**
 * The script tag that is being run, for a classic script; null in a module, a worker and Node. Only there while the script
 * runs for the first time. `document.currentScript` can be shadowed by an element of that name in the page's markup: then
 * it is no script.
 */
export const scriptTag: HTMLScriptElement | null =
  typeof document !== 'undefined' && document.currentScript instanceof HTMLScriptElement
    ? document.currentScript
    : null;
