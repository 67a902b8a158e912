/** The script that is being run, also where an element of the page's markup has that name and hides it. */
function currentScript(): unknown {
  if (typeof document === 'undefined') return null;
  return Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get?.call(document);
}
const script = currentScript();

/**
 * The script tag that is being run, for a classic script; null in a module, a worker and Node. Only there while the script
 * runs for the first time.
 */
export const scriptTag = script instanceof Object && script instanceof HTMLScriptElement ? script : null;
