/**
 * The assets of foveola.cdn.js: kernels and worker are inside the file, so that it makes no request of its own.
 * `data-worker="URL"` on its script tag names a worker file for pages whose CSP forbids blob workers.
 */
import singleThread from 'virtual:kernels.st';
import sharedMemory from 'virtual:kernels.mt';
import workerSource from 'virtual:worker';
import type { AssetOptions } from './assets.ts';

export type { AssetOptions };

// Only there while the script is being run for the first time.
const tag = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);
const workerUrl = tag?.dataset.worker;
const assets = tag?.dataset.assets;

/** The folder of models and further chunks: `assetBase`, or `data-assets` on the script tag. */
export function assetHome(options: AssetOptions): string {
  const given = new URL(options.assetBase ?? assets ?? '.', document.baseURI).href;
  return given.endsWith('/') ? given : `${given}/`;
}

/** Bytes of the kernels, inflated from the script's own text. */
export async function kernelBytes(build: 'st' | 'mt', _options: AssetOptions): Promise<BufferSource | Response> {
  const base64 = build === 'st' ? singleThread : sharedMemory;
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();
}

/** A blob worker made of the script's own text; `workerUrl`, or `data-worker` on the script tag, comes first. */
export function workerAddress(options: AssetOptions): { url: string; blob: boolean } {
  const given = options.workerUrl ?? workerUrl;
  if (given === undefined) {
    return { url: URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' })), blob: true };
  }
  const url = new URL(given, document.baseURI);
  if (url.origin === location.origin || url.protocol === 'blob:') return { url: url.href, blob: false };
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  return { url: URL.createObjectURL(script), blob: true };
}
