/**
 * The assets of the CDN scripts. The worker is embedded in the file, so it needs no separate request. Kernels, models
 * and parts are loaded from the script's folder, each pinned by the hash of its file. The kernels load as soon as the
 * script runs, the others when they are needed. Parts contain a separate copy of FoveolaError, and their errors are converted
 * to ours. Attributes of the script tag:
 * `data-assets="URL/"` sets another folder. `data-worker="URL"` sets a worker script, for pages whose policy allows
 * workers from one place only.
 */
import models from 'virtual:models';
import pins from 'virtual:pins';
import kernels from 'virtual:kernels';
import workerSource from 'virtual:worker';
import { absolute, assetBase, type AssetOptions } from './options.ts';
import { engineParts } from '../engine-parts.ts';
import type { KernelBytes, loadPart as Load, PartPlace } from './assets.ts';
import { FoveolaError } from '../error.ts';
import { BLIND_PATIENCE, isSilence, networkFault, PATIENCE, silence, within } from '../patience.ts';
import type { ModelPlace } from '../runtime.ts';
import { sourceInPolicy, trustedScriptUrl, watchPolicy } from './policy.ts';
import { blobWorker, workerAt, type WorkerAttempt } from './loading.ts';

/** The script that is running. Works even if an element of the page has that name and hides the property. */
function currentScript(): unknown {
  if (typeof document === 'undefined') return null;
  return Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get?.call(document);
}
const running = currentScript();

/**
 * The script tag that is running, for a classic script. Null in a module, a worker and Node. It is available only while
 * the script runs for the first time.
 */
const scriptTag = running instanceof Object && running instanceof HTMLScriptElement ? running : null;

export type { AssetOptions };

const { worker: namedWorker, assets: namedFolder } = scriptTag?.dataset ?? {};
const script = scriptTag?.src ? new URL(scriptTag.src) : null;

/** Read on use, because setAssetBase may be called after this script has run. */
function partFolder(options: AssetOptions = {}): string {
  const base = assetBase(options);
  if (base !== undefined) return base;
  if (namedFolder !== undefined) {
    const { href } = absolute(namedFolder, 'data-assets');
    return href.endsWith('/') ? href : `${href}/`;
  }
  return new URL('./', script ?? document.baseURI).href;
}

/** worker.js is checked against its hash. A script with another name is a copy of this one. */
const pinned = (url: URL) => workerAt(url, url.pathname.endsWith('/worker.js') ? pins['worker.js'] : undefined);

/**
 * Ways to start the worker, in this order: the worker that the page names. This script, if it has the page's origin,
 * because a strict policy allows workers from 'self' and reports blobs. A blob of the script's text, if there is no
 * other way or the other way fails.
 */
export function workerAttempts(options: AssetOptions): WorkerAttempt[] {
  const named = options.workerUrl ?? (assetBase(options) === undefined ? namedWorker : undefined);
  if (named !== undefined) return [pinned(absolute(named, 'workerUrl'))];
  const inside = blobWorker(workerSource);
  const own = script && /^https?:$/.test(script.protocol) && script.origin === self.origin;
  return own ? [workerAt(script), inside] : [inside];
}

/** URLs of the shipped models and the engine's parts, each with the hash that its file must have. */
export const modelPlaces = (options: AssetOptions): Record<string, ModelPlace> =>
  Object.fromEntries([
    ...Object.entries(models).map(([name, integrity]) => [
      name,
      { url: new URL(`models/${name}.bin`, partFolder(options)).href, integrity },
    ]),
    ...engineParts().map((file) => [file, { url: new URL(file, partFolder(options)).href, integrity: pins[file] }]),
  ]);

/** The CDN scripts contain no models. */
export const insideModel = (name: string): Promise<Uint8Array> =>
  Promise.reject(new FoveolaError('model-load', `Model '${name}' is not included.`));

/** A file with the kernels that this script calls. */
interface Kernels {
  default(): Promise<KernelBytes['bytes']>;
}

const loaded = new Map<string, Promise<unknown>>();

/**
 * Loads a module whose hash must be `integrity`. import() accepts no hash, so a script element fetches the module
 * first.
 */
async function pinnedModule(url: string, integrity: string): Promise<unknown> {
  const script = document.createElement('script');
  script.type = 'module';
  script.crossOrigin = scriptTag?.crossOrigin ?? 'anonymous';
  if (scriptTag?.nonce) script.nonce = scriptTag.nonce;
  script.integrity = integrity;
  try {
    await new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve());
      script.addEventListener('error', () => reject(new Error('not found, forbidden, or of another version')));
      script.src = trustedScriptUrl(url);
      document.head.append(script);
    });
  } finally {
    script.remove();
  }
  return import(/* @vite-ignore */ url); // the file that the script element fetched
}

/** Loads a part once. A failed attempt is not remembered. */
async function loadFrom<T>(
  folder: string,
  file: string,
  need: string,
  instead: string,
  seconds = PATIENCE,
): Promise<T> {
  const url = new URL(file, folder);
  const policy = watchPolicy();
  let module = loaded.get(url.href) as Promise<T> | undefined;
  if (!module) {
    module = within(pinnedModule(url.href, pins[file]!) as Promise<T>, () => silence(seconds), seconds);
    loaded.set(url.href, module);
    module.catch(() => loaded.delete(url.href));
  }
  try {
    return await module;
  } catch (cause) {
    const directive = await policy.blocked(url);
    if (isSilence(cause))
      throw new FoveolaError(
        'asset-blocked',
        `${need}: ${url.href} did not load: ${networkFault(cause, seconds)}. Check the network and try again, or ${instead}.`,
        { cause },
      );
    throw directive
      ? new FoveolaError(
          'asset-blocked',
          `${need}: the page's Content-Security-Policy does not allow ${url.href}. Add ${sourceInPolicy(url)} to script-src, or ${instead}.`,
          { cause },
        )
      : new FoveolaError(
          'asset-missing',
          `${need}: ${url.href} is missing, incomplete or of another version. Put this version's ${file} next to the script, name its folder with data-assets on the script tag, or ${instead}.${sandboxed()}`,
          { cause },
        );
  } finally {
    policy.end();
  }
}

/** In a sandboxed frame, files of the same server count as files of another origin. A page from the disk has no origin either. */
const sandboxed = () =>
  origin === 'null' && /^(http|about)/.test(location.protocol)
    ? ' This frame is sandboxed: add allow-same-origin, or send Access-Control-Allow-Origin with these files.'
    : '';

export const loadPart: typeof Load = (file, _load, need, instead) => loadFrom(partFolder(), file, need, instead);

const loadKernels = (folder: string): Promise<Kernels> =>
  loadFrom(folder, kernels, 'The engine', "call foveola.setAssetBase('/folder/')", BLIND_PATIENCE);

/** Begins with the script, while the worker and the source of an element load. */
let besideScript: string | undefined;
const begun = scriptTag && (async () => loadKernels((besideScript = partFolder())))();
begun?.catch(() => {}); // reported to those who ask for the kernels

/** If the page sets another folder afterwards, it is asked only if the first one does not have the file. */
export async function kernelBytes(options: AssetOptions): Promise<KernelBytes> {
  const folder = partFolder(options);
  const again = () => loadKernels(folder);
  const { default: bytes } = await (begun && folder !== besideScript ? begun.catch(again) : again());
  return { bytes: await bytes() };
}

export const partPlace = (file: string): PartPlace => ({ trusted: trustedScriptUrl, integrity: pins[file] });
