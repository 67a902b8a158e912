/**
 * Where the kernels, the worker and the models come from. The ESM builds load them from beside the module (or
 * `assetBase`); the CDN build replaces this module by one that carries them inside.
 */
import { readFile } from './files.ts';

export interface AssetOptions {
  /** Folder of kernels.*.wasm, worker.js and models/; default: that of the module. */
  assetBase?: string | URL;
  /** Another address of worker.js, for pages whose CSP allows workers from one place only. */
  workerUrl?: string | URL;
}

// Read once: a bundler's replacement for import.meta may only work while the module runs for the first time.
const here = import.meta.url;
const fromSources = here.endsWith('/src/runtime/assets.ts');
const home = fromSources ? '../../dist/' : here.includes('/chunks/') ? '../' : './';

const page = () => (typeof document === 'undefined' ? here : document.baseURI);

/** The folder of assets as an absolute URL that ends with a slash. */
export function assetHome(options: AssetOptions): string {
  if (options.assetBase === undefined) return new URL(home, here).href;
  const given = new URL(options.assetBase, page()).href;
  return given.endsWith('/') ? given : `${given}/`;
}

/** Shipped models that are inside the build (src/runtime/inflate.ts reads them): none. */
export const insideModels: Readonly<Record<string, string>> = {};

/** Bytes of the kernels, or a response to compile. */
export async function kernelBytes(build: 'st' | 'mt', options: AssetOptions): Promise<BufferSource | Response> {
  const url = new URL(`kernels.${build}.wasm`, assetHome(options));
  return url.protocol === 'file:' ? readFile(url) : fetch(url);
}

/**
 * A URL for `new Worker(url, { type: 'module' })`; `blob` tells that it was made here and is to be revoked. A worker
 * from another origin is not allowed by browsers, so there the script is imported by a small blob worker.
 */
export function workerAddress(options: AssetOptions): { url: string; blob: boolean } {
  const sources = fromSources && options.assetBase === undefined;
  const url = options.workerUrl
    ? new URL(options.workerUrl, page())
    : new URL(sources ? '../worker.ts' : 'worker.js', sources ? here : assetHome(options));
  if (url.origin === location.origin || url.protocol === 'blob:') return { url: url.href, blob: false };
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  return { url: URL.createObjectURL(script), blob: true };
}
