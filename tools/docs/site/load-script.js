const loading = new Map();
// Scripts of the site alone: the policy of its pages asks for a type that says so.
const addresses = globalThis.trustedTypes?.createPolicy('foveola-site', { createScriptURL: (address) => address });

/** Loads a script of the site, once. */
export function loadScript(address, data = {}) {
  if (!loading.has(address))
    loading.set(
      address,
      new Promise((resolve, reject) => {
        const script = document.createElement('script');
        Object.assign(script.dataset, data);
        script.addEventListener('load', () => resolve());
        script.addEventListener('error', () => reject(new Error(`${address} could not be loaded.`)));
        script.src = addresses ? addresses.createScriptURL(address) : address;
        document.head.append(script);
      }),
    );
  return loading.get(address);
}
