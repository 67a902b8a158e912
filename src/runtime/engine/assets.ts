/**
 * Where the kernels, the worker, the models and the parts that load on demand come from in the ESM builds: from the folder that
 * the page names, else from where the bundler or the server put them, else (a bundler that does not carry files along) from a
 * module that has them inside. The CDN build has assets.cdn.ts in its place, the only module of which there are two.
 */
import { absolute, assetBase, type AssetOptions } from './options.ts';
import { assetFiles } from './asset-files.ts';
import { GPU_PART } from './backends.ts';
import { FoveolaError } from '../error.ts';
import { isSilence, networkFault, within } from '../patience.ts';
import type { ModelPlace } from '../runtime.ts';
import { trustedScriptUrl } from './policy.ts';
import { blobWorker, fetchWasm, workerAt, type WorkerAttempt } from './loading.ts';

export type { AssetOptions };

export interface KernelBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** A fallback that was taken, for `capabilities.reasons`. */
  reason?: string;
}

const leftOut = "the bundler left out the package's files";

/**
 * @throws {FoveolaError} (rejects) 'asset-missing', 'asset-blocked'; only where the page names the folder or the package
 * has no copy inside
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

/** The worker's script in a package that lies as it was built (no bundler renamed its files), else undefined. */
function besideKernels(): URL | undefined {
  const kernels = absolute(assetFiles.kernels(), 'kernels.wasm');
  return kernels.pathname.endsWith('/kernels.wasm') ? new URL('worker.js', kernels) : undefined;
}

/** Ways to start the worker, the best first; each is tried when the one before it failed. */
export function workerAttempts(options: AssetOptions): WorkerAttempt[] {
  if (options.workerUrl !== undefined) return [workerAt(absolute(options.workerUrl, 'workerUrl'))];
  const base = assetBase(options);
  const { carried, hashes, inside, startWorker } = assetFiles;
  if (base !== undefined) return [workerAt(new URL('worker.js', base), hashes['worker.js'])];
  const attempts: WorkerAttempt[] = [];
  if (carried()) {
    const beside = besideKernels();
    attempts.push({ url: beside, open: () => ({ worker: startWorker(trustedScriptUrl) }) });
    // Browsers refuse a script of another origin; then it is named by address.
    if (beside) attempts.push({ ...workerAt(beside, hashes['worker.js']), afterThrow: true });
  }
  if (inside) attempts.push(blobWorker(() => inside.worker()));
  return attempts;
}

/** Where each file is that an engine loads when it needs it: shipped models, and the GPU half. Without an address it comes from `insideModel`. */
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

/** Reads a model that is inside the package, on the page, for an engine that may live in a worker. */
export const insideModel = (name: string): Promise<Uint8Array> =>
  assetFiles.inside?.model(name) ??
  Promise.reject(
    new FoveolaError(
      'model-load',
      `The model '${name}' was left out by the bundler. Copy the package's folder dist to your server and name it with setAssetBase('URL/') or the attribute asset-base.`,
    ),
  );

/** What a part of the package needs to know to start a worker from its own file. */
export interface PartPlace {
  /** Whether the package's files lie where its modules say; always where nothing is said of it. */
  carried?(): boolean;
  /** An address as the Worker constructor takes it. */
  trusted(url: string): string;
  /** Of a CDN script: the hash of the file, which its worker must have too. */
  integrity?: string;
}

export const partPlace = (_file: string): PartPlace => ({
  carried: () => assetFiles.carried(),
  trusted: trustedScriptUrl,
});

/**
 * Loads a part of the library when it is first needed.
 * @param file its name in the package
 * @param load imports it; the CDN build leaves this out and loads the file
 * @param need what cannot be done without the part
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
