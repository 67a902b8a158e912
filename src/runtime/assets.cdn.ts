/**
 * The assets of foveola.cdn.js: kernels and worker are inside the file, so that it makes no request of its own.
 * `data-worker="URL"` on its script tag names a worker file for pages whose CSP forbids blob workers.
 */
import models from 'virtual:models';
import singleThread from 'virtual:kernels.st';
import sharedMemory from 'virtual:kernels.mt';
import workerSource from 'virtual:worker';
import type { AssetOptions } from './assets.ts';
import { inflated } from './inflate.ts';

export type { AssetOptions };

// Only there while the script is being run for the first time.
const tag = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);
const workerUrl = tag?.dataset.worker;
const withSlash = (url: URL) => (url.href.endsWith('/') ? url.href : `${url.href}/`);

/** `data-assets` on the script tag, as an absolute URL; null where there is none. */
export const assetFolder = tag?.dataset.assets ? withSlash(new URL(tag.dataset.assets, document.baseURI)) : null;

/** The folder of models and further chunks. */
export function assetHome(options: AssetOptions): string | undefined {
  if (options.assetBase !== undefined) return withSlash(new URL(options.assetBase, document.baseURI));
  return assetFolder ?? undefined;
}

/** Shipped models, for an engine to inflate: in foveola.cdn.full.js all of them, in foveola.cdn.js none. */
export const insideModels: Readonly<Record<string, string>> = models;

/** Bytes of the kernels, inflated from the script's own text. The two builds differ in the flag of the memory only. */
export async function kernelBytes(build: 'st' | 'mt', _options: AssetOptions): Promise<BufferSource | Response> {
  const bytes = await inflated(singleThread);
  if (build === 'mt') for (const [offset, byte] of sharedMemory) bytes[offset] = byte;
  return bytes;
}

/** A blob worker made of the script's own text; `workerUrl`, or `data-worker` on the script tag, comes first. */
export function workerAddress(options: AssetOptions): { url: string; blob: boolean } {
  const given = options.workerUrl ?? workerUrl;
  if (given === undefined) {
    return { url: URL.createObjectURL(new Blob([workerSource()], { type: 'text/javascript' })), blob: true };
  }
  const url = new URL(given, document.baseURI);
  if (url.origin === location.origin || url.protocol === 'blob:') return { url: url.href, blob: false };
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  return { url: URL.createObjectURL(script), blob: true };
}
