/** The script that is running. Works even if an element of the page has that name and hides the property. */
function currentScript(): unknown {
  if (typeof document === 'undefined') return null;
  return Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get?.call(document);
}
const script = currentScript();

/**
 * The script tag that is running, for a classic script. Null in a module, a worker and Node. It is available only while
 * the script runs for the first time.
 */
export const scriptTag = script instanceof Object && script instanceof HTMLScriptElement ? script : null;
