/**
 * The assets of the CDN scripts: kernels and worker are inside the file, so that it makes no request of its own. What is
 * rarely needed (models, demuxer, readers of image files) comes from the script's own folder when it is asked for.
 * Attributes of the script tag: `data-assets="URL/"` names another folder, `data-worker="URL"` a worker's script for pages
 * whose policy allows workers from one place only.
 */
import models from 'virtual:models';
import pins from 'virtual:pins';
import kernels from 'virtual:kernels';
import workerSource from 'virtual:worker';
import { absolute, assetBase, type AssetOptions } from './asset-base.ts';
import { GPU_PART } from './engine-gpu.ts';
import type { KernelBytes } from './assets.ts';
import { FoveolaError } from '../error.ts';
import { inflated } from '../inflate.ts';
import type { ModelPlace } from '../runtime.ts';
import { scriptTag } from './script-tag.ts';
import { joinStreams } from '../wasm/wasm-streams.ts';
import { blobWorker, workerAt, type WorkerAttempt } from './worker-attempts.ts';

export type { AssetOptions };

const { worker: namedWorker, assets: namedFolder } = scriptTag?.dataset ?? {};
const script = scriptTag?.src ? new URL(scriptTag.src) : null;

/** Read when it is needed, since setAssetBase may come later than this script. */
export function chunkFolder(options: AssetOptions = {}): string {
  const base = assetBase(options);
  if (base !== undefined) return base;
  if (namedFolder !== undefined) {
    const { href } = absolute(namedFolder, 'data-assets');
    return href.endsWith('/') ? href : `${href}/`;
  }
  return new URL('./', script ?? document.baseURI).href;
}

/** Bytes of the kernels, inflated from the script's own text. */
export const kernelBytes = async (_options: AssetOptions): Promise<KernelBytes> => ({
  bytes: joinStreams(await inflated(kernels)),
});

/** worker.js is checked against its hash; a script of another name is a copy of this one. */
const pinned = (url: URL) => workerAt(url, url.pathname.endsWith('/worker.js') ? pins['worker.js'] : undefined);

/**
 * The worker that the page names; else this script itself, if it is of the page's origin, since a strict policy allows
 * workers from 'self' and reports blobs; else, or if that fails, a blob of the script's own text.
 */
export function workerAttempts(options: AssetOptions): WorkerAttempt[] {
  const named = options.workerUrl ?? (assetBase(options) === undefined ? namedWorker : undefined);
  if (named !== undefined) return [pinned(absolute(named, 'workerUrl'))];
  const inside = blobWorker(workerSource);
  const own = script && /^https?:$/.test(script.protocol) && script.origin === self.origin;
  return own ? [workerAt(script), inside] : [inside];
}

/** Where the shipped models and the GPU half are, each with the hash that its file must have. */
export const modelPlaces = (options: AssetOptions): Record<string, ModelPlace> =>
  Object.fromEntries([
    ...Object.entries(models).map(([name, integrity]) => [
      name,
      { url: new URL(`models/${name}.bin`, chunkFolder(options)).href, integrity },
    ]),
    [GPU_PART, { url: new URL(GPU_PART, chunkFolder(options)).href, integrity: pins[GPU_PART] }],
  ]);

/** The CDN scripts have no model inside. */
export const insideModel = (name: string): Promise<Uint8Array> =>
  Promise.reject(new FoveolaError('model-load', `There is no model '${name}' inside.`));
