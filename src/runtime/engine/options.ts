/**
 * Checked options. They include the options of createEngine, such as the folder of the package's files. They also
 * include the options that every call accepts in addition to its parameters: a signal to cancel it and a progress
 * callback.
 */
import { checkBuiltIns } from '../built-ins.ts';
import { shown } from '../check.ts';
import { FoveolaError, reading } from '../error.ts';
import { isProfile, type BackendProfileData } from '../backend-profile.ts';
import type { BackendOption, Progress } from './protocol.ts';

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: Progress;
}

/** Keeps images in the engine (see EngineImage). */
export interface KeepOption {
  keep?: boolean;
}

/** Options of calls with sources. */
export interface TransferOption {
  /**
   * true: transfers the sources to the engine. Their samples are not copied, and their buffers are detached
   * (`data.length` is 0) when the call returns. A VideoFrame or an ImageBitmap is closed. Without it the call makes a
   * copy before it returns, so you may change your arrays immediately.
   */
  transfer?: boolean;
}

export const abortedError = (signal: AbortSignal) =>
  new FoveolaError('aborted', 'The call was cancelled.', { cause: signal.reason });

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (!isSignal(signal))
    throw new FoveolaError('invalid-argument', 'signal must be an AbortSignal (new AbortController().signal).');
  if (signal.aborted) throw abortedError(signal);
}

/** A proxy of an AbortSignal is not accepted, because the native getters refuse it. */
function isSignal(signal: unknown): signal is AbortSignal {
  try {
    return signal instanceof AbortSignal && typeof signal.aborted === 'boolean';
  } catch {
    return false;
  }
}

/** Throws 'invalid-argument' unless the value is true, false or missing. */
export function checkFlag(where: string, name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean')
    throw new FoveolaError('invalid-argument', `${where}: ${name} must be true or false.`);
}

/** Own properties of an options object, each read once. Throws 'invalid-argument'. */
export function readOptions(options: unknown, where: string): Record<string, unknown> {
  if (typeof options !== 'object' || options === null)
    throw new FoveolaError('invalid-argument', `${where}: the options must be an object.`);
  return reading(`${where}: the options`, () => ({ ...options }));
}

/**
 * Splits the last argument of an operation into parameters and other options. URLs become text, because a URL object
 * cannot be posted to a worker.
 */
export function splitOptions(
  options: unknown,
  where: string,
): CallOptions & KeepOption & TransferOption & { params: Record<string, unknown> } {
  if (options === undefined) return { params: {} };
  if (typeof options !== 'object' || options === null)
    throw new FoveolaError('invalid-argument', `${where}: the last argument must be an object of parameters.`);
  const { signal, onProgress, keep, transfer, ...params } = readOptions(options, where) as CallOptions &
    KeepOption &
    TransferOption &
    Record<string, unknown>;
  checkFlag(where, 'keep', keep);
  checkFlag(where, 'transfer', transfer);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new FoveolaError('invalid-argument', `${where}: onProgress must be a function.`);
  reading(where, () => {
    for (const [name, value] of Object.entries(params)) if (value instanceof URL) params[name] = value.href;
  });
  return { signal, onProgress, keep, transfer, params };
}

export interface AssetOptions {
  /** Folder of kernels.*.wasm, worker.js and models/. Default: where the bundler or the server put them. */
  assetBase?: string | URL;
  /** A different URL of worker.js, for pages whose CSP allows workers from one place only. */
  workerUrl?: string | URL;
}

let common: string | undefined;

/** Relative URLs are resolved against the page. Node has no page, so URLs must be absolute there. */
export function absolute(url: string | URL, what: string): URL {
  try {
    return new URL(url, typeof document === 'undefined' ? globalThis.location?.href : document.baseURI);
  } catch (cause) {
    throw new FoveolaError('invalid-argument', `${what}: '${String(url)}' is not a complete URL. Use a complete URL.`, {
      cause,
    });
  }
}

function folder(url: string | URL, what: string): string {
  const { href } = absolute(url, what);
  return href.endsWith('/') ? href : `${href}/`;
}

/**
 * Sets the folder of the package's files for new engines and elements: kernels.wasm, worker.js and models/, arranged
 * like in dist/. The URL is relative to the page. `null` restores the default, which is where the bundler or the server
 * put them. `assetBase` of createEngine and the attribute `asset-base` have priority.
 * @throws {FoveolaError} 'invalid-argument' if it is not a valid URL
 */
export function setAssetBase(url: string | URL | null): void {
  if (url !== null && typeof url !== 'string' && !(url instanceof URL))
    throw new FoveolaError('invalid-argument', 'setAssetBase: pass the address of a folder, or null.');
  common = url === null ? undefined : folder(url, 'setAssetBase');
}

/** The folder that the page set, as an absolute URL with a slash at its end. Undefined if the page set none. */
export const assetBase = (options: AssetOptions): string | undefined =>
  options.assetBase === undefined ? common : folder(options.assetBase, 'assetBase');

export interface EngineOptions extends AssetOptions {
  /** 'auto' (default) uses WebGL2 on a hardware GPU and WASM otherwise. With 'gpu' it may be a software GPU. */
  backend?: BackendOption;
  /** Threads of the WASM backend, 1..64. 'auto' (default): as many as the device has, at most 4. */
  threads?: 'auto' | number;
  /**
   * The result of `engine.profile()` from an earlier visit. 'auto' then knows the faster backend of each call from the
   * start. A profile of another device, or null, is ignored.
   */
  profile?: BackendProfileData | null;
  /** false: on the page's thread. true: only in a worker. Default: in a worker if possible. */
  worker?: boolean;
}

/** For benchmarks and tests in Node: kernels that are already compiled. */
export interface InternalOptions extends EngineOptions {
  modules?: { single: WebAssembly.Module; shared?: WebAssembly.Module };
  /** Limit of the arena in bytes. */
  maximum?: number;
}

/** More threads than this only wait for memory at the common image sizes. */
export const AUTO_THREADS = 4;

const known = ['backend', 'threads', 'worker', 'assetBase', 'workerUrl', 'profile', 'modules', 'maximum'];
const bad = (text: string) => new FoveolaError('invalid-argument', `createEngine: ${text}`);

/**
 * The options, each read once. Throws 'invalid-argument', and 'built-in-replaced' for a page that has broken built-ins.
 */
export function checkOptions(given: unknown): InternalOptions {
  checkBuiltIns();
  if (given === undefined) return {};
  const options = readOptions(given, 'createEngine') as InternalOptions;
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw bad(`unknown option '${name}'. Known: ${known.slice(0, 6).join(', ')}.`);
  const { backend, threads, worker, assetBase, workerUrl, profile } = options;
  if (backend !== undefined && !['auto', 'gpu', 'wasm'].includes(backend))
    throw bad(`backend must be 'auto', 'gpu' or 'wasm', not ${shown(backend)}.`);
  if (threads !== undefined && threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1 && threads <= 64))
    throw bad(`threads must be 'auto' or a whole number from 1 to 64, not ${shown(threads)}.`);
  if (worker !== undefined && typeof worker !== 'boolean')
    throw bad(`worker must be true or false, not ${shown(worker)}.`);
  return reading('createEngine: the options', () => {
    if (profile !== undefined && profile !== null) {
      if (!isProfile(profile)) throw bad('profile must be a result of engine.profile(), or null.');
      options.profile = structuredClone(profile);
    }
    for (const [name, value] of Object.entries({ assetBase, workerUrl }))
      if (value !== undefined && typeof value !== 'string' && !(value instanceof URL))
        throw bad(`${name} must be a string or a URL.`);
    return options;
  });
}

/** How many threads to start, and why fewer than requested. */
export function chooseThreads(wanted: 'auto' | number = 'auto'): { threads: number; reasons: string[] } {
  const isolated = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';
  if (wanted === 1) return { threads: 1, reasons: [] };
  if (!isolated)
    return {
      threads: 1,
      reasons: [
        'One thread: the page is not cross-origin isolated (headers COOP and COEP), which shared memory needs.',
      ],
    };
  const cores = navigator.hardwareConcurrency || 1;
  return { threads: wanted === 'auto' ? Math.min(AUTO_THREADS, cores) : wanted, reasons: [] };
}
