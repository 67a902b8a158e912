/** The options of createEngine, checked. */
import type { AssetOptions } from './asset-base.ts';
import type { Backend } from './engine-protocol.ts';
import { isProfile, type SideProfileData } from '../side-profile.ts';
import { checkBuiltIns } from '../built-ins.ts';
import { shown } from '../check.ts';
import { FoveolaError, reading } from '../error.ts';
import { readOptions } from './call-options.ts';

export interface EngineOptions extends AssetOptions {
  /** 'auto' (default) takes WebGL2 on graphics hardware and WASM otherwise; a forced 'gpu' may be a software one. */
  backend?: Backend;
  /** Threads of the WASM side, 1..64; 'auto' (default) as many as the device has, at most 4. */
  threads?: 'auto' | number;
  /**
   * What `engine.profile()` of an earlier visit gave: 'auto' then knows the faster side of each call at once. Of another
   * device, or null, it is left aside.
   */
  profile?: SideProfileData | null;
  /** false: on the page's own thread. true: in a worker or not at all. Default: in a worker where possible. */
  worker?: boolean;
}

/** For benches and tests in Node: kernels that are compiled already. */
export interface InternalOptions extends EngineOptions {
  modules?: { single: WebAssembly.Module; shared?: WebAssembly.Module };
  /** Limit of the arena in bytes. */
  maximum?: number;
}

/** More threads than this only wait for memory on the image sizes that are in use. */
export const AUTO_THREADS = 4;

const known = ['backend', 'threads', 'worker', 'assetBase', 'workerUrl', 'profile', 'modules', 'maximum'];
const bad = (text: string) => new FoveolaError('invalid-argument', `createEngine: ${text}`);

/** The options, each read once. Throws 'invalid-argument', and 'built-in-replaced' for a page on which nothing would work. */
export function checkOptions(given: unknown): InternalOptions {
  checkBuiltIns();
  if (given === undefined) return {};
  const options = readOptions(given, 'createEngine') as InternalOptions;
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw bad(`there is no option '${name}'; known: ${known.slice(0, 6).join(', ')}.`);
  const { backend, threads, worker, assetBase, workerUrl, profile } = options;
  if (backend !== undefined && !['auto', 'gpu', 'wasm'].includes(backend))
    throw bad(`backend must be 'auto', 'gpu' or 'wasm', not ${shown(backend)}.`);
  if (threads !== undefined && threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1 && threads <= 64))
    throw bad(`threads must be 'auto' or a whole number from 1 to 64, not ${shown(threads)}.`);
  if (worker !== undefined && typeof worker !== 'boolean')
    throw bad(`worker must be true or false, not ${shown(worker)}.`);
  return reading('createEngine: the options', () => {
    if (profile !== undefined && profile !== null) {
      if (!isProfile(profile)) throw bad('profile must be what engine.profile() gave, or null.');
      options.profile = structuredClone(profile);
    }
    for (const [name, value] of Object.entries({ assetBase, workerUrl }))
      if (value !== undefined && typeof value !== 'string' && !(value instanceof URL))
        throw bad(`${name} must be a string or a URL.`);
    return options;
  });
}

/** How many threads to start, and why not more when more were asked for. */
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
