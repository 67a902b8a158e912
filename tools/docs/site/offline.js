// Has the browser store the site for use without a network. Pages from a disk have no service workers.
/* global addEventListener */
const trusted = globalThis.trustedTypes?.createPolicy('foveola-offline', { createScriptURL: (address) => address });

/** @param script address of a script of the site next to the service worker, whatever the path of the site is */
export function startOffline(script) {
  const address = new URL('service-worker.js', script).href;
  // Without it, the site works as any other.
  const start = () => navigator.serviceWorker?.register(trusted?.createScriptURL(address) ?? address).catch(() => {});
  addEventListener('load', start); // after the page itself
}
