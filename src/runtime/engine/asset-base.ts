/** The folder of the package's files where the page names one: for one engine, or once for all. */
import { FoveolaError } from '../error.ts';

export interface AssetOptions {
  /** Folder of kernels.*.wasm, worker.js and models/; default: where the bundler or the server put them. */
  assetBase?: string | URL;
  /** Another address of worker.js, for pages whose CSP allows workers from one place only. */
  workerUrl?: string | URL;
}

let common: string | undefined;

/** Relative addresses are those of the page; in Node there is no page, and they must be complete. */
export function absolute(url: string | URL, what: string): URL {
  try {
    return new URL(url, typeof document === 'undefined' ? globalThis.location?.href : document.baseURI);
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `${what}: '${String(url)}' is no address here; give a complete one.`, {
      cause,
    });
  }
}

function folder(url: string | URL, what: string): string {
  const { href } = absolute(url, what);
  return href.endsWith('/') ? href : `${href}/`;
}

/**
 * Names the folder from which engines and elements that start from now on take the package's files: kernels.wasm, worker.js and models/, as they lie in dist/. Relative to the page. `null`: back to the default, which is
 * where the bundler or the server put them. `assetBase` of createEngine and the attribute `asset-base` come before it.
 * @throws {FoveolaError} 'invalid-argument' when it is no address
 */
export function setAssetBase(url: string | URL | null): void {
  if (url !== null && typeof url !== 'string' && !(url instanceof URL))
    throw new FoveolaError('invalid-argument', 'setAssetBase: give the address of a folder, or null.');
  common = url === null ? undefined : folder(url, 'setAssetBase');
}

/** The folder that the page named, as an absolute URL that ends with a slash; undefined where it named none. */
export const assetBase = (options: AssetOptions): string | undefined =>
  options.assetBase === undefined ? common : folder(options.assetBase, 'assetBase');
