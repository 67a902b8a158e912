/**
 * Locations from which the ESM builds load kernels, worker, models and on-demand parts. First choice: the folder that
 * the page sets. Second: the location where the bundler or the server put them. If a bundler does not copy files, a
 * module that contains them is used. The CDN build replaces this module with assets.cdn.ts. No other module has two
 * versions.
 */
import { absolute, assetBase, type AssetOptions } from './options.ts';
import { assetFiles } from './asset-files.ts';
import { GPU_PART } from '../engine-parts.ts';
import { FoveolaError } from '../error.ts';
import { isSilence, networkFault, within } from '../patience.ts';
import type { ModelPlace } from '../runtime.ts';
import { trustedScriptUrl } from './policy.ts';
import { blobWorker, fetchWasm, workerAt, type WorkerAttempt } from './loading.ts';

export type { AssetOptions };

export interface KernelBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** A fallback that was used, for `capabilities.reasons`. */
  reason?: string;
}

const leftOut = "the bundler left out the package's files";

/**
 * @throws {FoveolaError} (rejects) 'asset-missing', 'asset-blocked', only if the page sets the folder or the package
 * contains no embedded copy
 */
export async function kernelBytes(options: AssetOptions): Promise<KernelBytes> {
  const name = 'kernels.wasm';
  const base = assetBase(options);
  const { carried, hashes, inside, kernels } = assetFiles;
  if (base !== undefined) return { bytes: await fetchWasm(name, new URL(name, base), hashes[name]) };
  let why = leftOut;
  if (carried())
    try {
      return { bytes: await fetchWasm(name, absolute(kernels(), name), hashes[name]) };
    } catch (error) {
      if (!inside || !(error instanceof FoveolaError)) throw error;
      why = error.message;
    }
  return {
    bytes: await inside!.kernels(),
    reason: `The copy of ${name} inside the package is used: ${why}.`,
  };
}

/**
 * The worker script, if the package is unchanged since its build (no bundler renamed its files). Otherwise undefined.
 */
function besideKernels(): URL | undefined {
  const kernels = absolute(assetFiles.kernels(), 'kernels.wasm');
  return kernels.pathname.endsWith('/kernels.wasm') ? new URL('worker.js', kernels) : undefined;
}

/** Ways to start the worker, best first. Each is tried when the previous one has failed. */
export function workerAttempts(options: AssetOptions): WorkerAttempt[] {
  if (options.workerUrl !== undefined) return [workerAt(absolute(options.workerUrl, 'workerUrl'))];
  const base = assetBase(options);
  const { carried, hashes, inside, startWorker } = assetFiles;
  if (base !== undefined) return [workerAt(new URL('worker.js', base), hashes['worker.js'])];
  const attempts: WorkerAttempt[] = [];
  if (carried()) {
    const beside = besideKernels();
    attempts.push({ url: beside, open: () => ({ worker: startWorker(trustedScriptUrl) }) });
    // Browsers reject a script from another origin. It is then named by its URL.
    if (beside) attempts.push({ ...workerAt(beside, hashes['worker.js']), afterThrow: true });
  }
  if (inside) attempts.push(blobWorker(() => inside.worker()));
  return attempts;
}

/**
 * URL of each file that an engine loads on demand: shipped models and the GPU code. A file without a URL is loaded with
 * `insideModel`.
 */
export function modelPlaces(options: AssetOptions): Record<string, ModelPlace> {
  const base = assetBase(options);
  const known = base !== undefined || assetFiles.carried();
  const { hashes } = assetFiles;
  const place = (name: string): ModelPlace => ({
    url: base === undefined ? absolute(assetFiles.model(name), name).href : new URL(`models/${name}.bin`, base).href,
    integrity: hashes[`${name}.bin`],
  });
  const asBuilt = base !== undefined || besideKernels() !== undefined;
  const gpu = base === undefined ? assetFiles.gpu() : new URL(GPU_PART, base).href;
  return {
    ...Object.fromEntries(assetFiles.models.map((name) => [name, known ? place(name) : {}])),
    // A bundler may have minified it.
    [GPU_PART]:
      known && gpu ? { url: absolute(gpu, GPU_PART).href, integrity: asBuilt ? hashes[GPU_PART] : undefined } : {},
  };
}

/** Reads a model embedded in the package. This runs on the page, for an engine that may run in a worker. */
export const insideModel = (name: string): Promise<Uint8Array> =>
  assetFiles.inside?.model(name) ??
  Promise.reject(
    new FoveolaError(
      'model-load',
      `The model '${name}' was left out by the bundler. Copy the package's folder dist to your server and name it with setAssetBase('URL/') or the attribute asset-base.`,
    ),
  );

/** Everything a part of the package needs to start a worker from its file. */
export interface PartPlace {
  /** Whether the package's files are where its modules expect them. Assumed true if this is missing. */
  carried?(): boolean;
  /** Converts a URL to the type that the Worker constructor accepts. */
  trusted(url: string): string;
  /** For a CDN script: the hash of the file, which its worker must also have. */
  integrity?: string;
}

export const partPlace = (_file: string): PartPlace => ({
  carried: () => assetFiles.carried(),
  trusted: trustedScriptUrl,
});

/**
 * Loads a part of the library on first use.
 * @param file its name in the package
 * @param load imports it. The CDN build ignores this and loads the file
 * @param need what does not work without the part
 * @param instead what to do without it
 * @throws {FoveolaError} (rejects) 'asset-missing', 'asset-blocked'
 */
export const loadPart = <T>(_file: string, load: () => Promise<T>, need: string, instead: string): Promise<T> =>
  within(load()).catch((cause: Error) => {
    throw isSilence(cause)
      ? new FoveolaError(
          'asset-blocked',
          `${need}: a file of the package did not load: ${networkFault(cause)}. Check the network and try again, or ${instead}.`,
          { cause },
        )
      : new FoveolaError(
          'asset-missing',
          `${need}: a file of the package is missing or from another version (${cause.message}). Serve all files of one version, or ${instead}.`,
          { cause },
        );
  });
