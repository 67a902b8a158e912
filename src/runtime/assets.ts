/**
 * Where the kernels and the worker come from. The ESM builds load them from beside the module (or `assetBase`); the
 * CDN build replaces this module by one that carries them inside.
 */
export interface AssetOptions {
  assetBase?: string | URL;
  workerUrl?: string | URL;
}

const here = import.meta.url;

const base = (options: AssetOptions): URL => {
  const given = options.assetBase === undefined ? here : String(options.assetBase);
  const page = typeof document === 'undefined' ? here : document.baseURI;
  return new URL(given, page);
};

/** Bytes of the kernels: a response to compile. */
export async function kernelBytes(build: 'st' | 'mt', options: AssetOptions): Promise<BufferSource | Promise<Response>> {
  return fetch(new URL(`kernels.${build}.wasm`, base(options)));
}

/**
 * A URL for `new Worker(url, { type: 'module' })`; `blob` tells that it was made here and is to be revoked. A worker
 * from another origin is not allowed by browsers, so there the script is imported by a small blob worker.
 */
export function workerAddress(options: AssetOptions): { url: string; blob: boolean } {
  const url = new URL(options.workerUrl ?? 'worker.js', options.workerUrl ? document.baseURI : base(options));
  if (url.origin === location.origin || url.protocol === 'blob:') return { url: url.href, blob: false };
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  return { url: URL.createObjectURL(script), blob: true };
}
