/**
 * Brings an engine to life: in a worker, else on the page's own thread (also in Node), with the shared-memory kernels
 * or the single-thread ones. Kernels are compiled here while the worker loads its script: a compiled module can be
 * posted, and so only the page's own policy has to allow 'wasm-unsafe-eval'.
 */
import { assetBase } from './asset-base.ts';
import { insideModel, kernelBytes, modelPlaces } from './assets.ts';
import { EngineCore, type EngineHome, type EngineReaders } from './engine-core.ts';
import { chooseThreads, type InternalOptions } from './engine-options.ts';
import type { EngineInit, StartedEngine } from './engine-protocol.ts';
import { bootWorker, startRemote } from './engine-remote.ts';
import { RevivingPort } from './engine-revival.ts';
import { FoveolaError } from '../error.ts';
import { Runtime } from '../runtime.ts';
import { compileKernels } from '../wasm/kernels.ts';

interface CompiledKernels {
  module: WebAssembly.Module;
  reasons: string[];
}

interface StartOptions extends InternalOptions {
  images?: number;
}

const compiled = new Map<string, Promise<CompiledKernels>>();

async function compile(shared: boolean, options: InternalOptions): Promise<CompiledKernels> {
  const { bytes, reason } = await kernelBytes(options);
  return { module: await compileKernels(bytes, shared), reasons: reason === undefined ? [] : [reason] };
}

/** The compiled kernels; once a page and address. A failed attempt is not remembered. */
function kernels(shared: boolean, options: InternalOptions): Promise<CompiledKernels> {
  const given = options.modules?.[shared ? 'shared' : 'single'];
  if (given) return Promise.resolve({ module: given, reasons: [] });
  const key = `${shared} ${assetBase(options) ?? ''}`;
  let module = compiled.get(key);
  if (!module) {
    module = compile(shared, options);
    module.catch(() => compiled.delete(key));
    compiled.set(key, module);
  }
  return module;
}

/** A worker that is lost within so many milliseconds of its start has died, and did not hang. */
const SOON = 10_000;

const workersExist = () => typeof Worker !== 'undefined' && typeof document !== 'undefined';

/** An engine that is started again when its worker dies. */
export const startEngine = (options: InternalOptions, readers: EngineReaders): Promise<StartedEngine> =>
  RevivingPort.start((images) => startOnce({ ...options, images }, readers));

async function startOnce(options: StartOptions, readers: EngineReaders): Promise<StartedEngine> {
  const reasons: string[] = [];
  if (options.worker !== false) {
    if (workersExist()) {
      try {
        return await startInWorker(options);
      } catch (error) {
        // Other failures (WASM blocked, no memory) would be the same on the page's own thread.
        const elsewhere =
          error instanceof FoveolaError && ['worker-blocked', 'asset-missing', 'no-webgl2'].includes(error.code);
        if (options.worker === true || !elsewhere) throw error;
        reasons.push(`On the page's own thread: ${error.message}`);
      }
    } else if (options.worker === true)
      throw new FoveolaError('worker-blocked', 'There are no web workers here; leave out worker: true.');
    else reasons.push("On the caller's own thread: there are no web workers here.");
  }
  return startHere(options, readers, reasons);
}

const initOf = (
  options: StartOptions,
  { module, reasons }: CompiledKernels,
  rest: Pick<EngineInit, 'threads' | 'reasons'>,
): EngineInit => ({
  backend: options.backend ?? 'auto',
  places: {
    models: modelPlaces(options),
    page: typeof document === 'undefined' ? undefined : document.baseURI,
  },
  maximum: options.maximum,
  images: options.images,
  module,
  threads: rest.threads,
  profile: options.profile ?? undefined,
  reasons: [...rest.reasons, ...reasons],
});

async function startInWorker(options: StartOptions): Promise<StartedEngine> {
  const { threads, reasons } = chooseThreads(options.threads);
  const compiling = kernels(threads > 1, options);
  compiling.catch(() => {}); // awaited below, after the worker
  const worker = await bootWorker(options);
  if (worker.reason) reasons.push(worker.reason);
  const began = performance.now();
  let module: CompiledKernels;
  try {
    module = await compiling;
  } catch (error) {
    worker.worker.terminate();
    worker.release();
    throw error;
  }
  try {
    return await startRemote(worker, initOf(options, module, { threads, reasons }));
  } catch (error) {
    const { code, cause, message = String(error) } = error as Partial<FoveolaError>;
    const died =
      (cause as Partial<FoveolaError> | undefined)?.code === 'worker-lost' && performance.now() - began < SOON;
    // Threads of the worker may be blocked where the worker is not; a new worker goes on without them. So does one after one that died.
    if (code === 'no-webgl2' || (threads === 1 && !died)) throw error;
    if (threads > 1) reasons.push(`One thread: ${message}`);
    const single = await kernels(false, options);
    return startRemote(await bootWorker(options), initOf(options, single, { threads: 1, reasons }));
  }
}

/** A runtime for calls without promises: WASM, one thread, this one. */
export async function startSync(options: InternalOptions): Promise<Runtime> {
  const { module } = await kernels(false, options);
  return Runtime.create({ module, maximum: options.maximum });
}

/** On the caller's own thread; more than one where that may wait for others (Node): `home.spawn` starts them. */
export async function startHere(
  options: StartOptions,
  home: EngineReaders & Pick<EngineHome, 'spawn' | 'failed'>,
  reasons: string[],
  threads = 1,
): Promise<StartedEngine> {
  if (!home.spawn && typeof options.threads === 'number' && options.threads > 1)
    reasons.push("One thread: the page's own thread may not wait for others; threads need the worker.");
  const init = initOf(options, await kernels(threads > 1, options), { threads, reasons });
  const core = await EngineCore.create(init, { ...home, worker: false, insideModel });
  return { port: core, capabilities: core.capabilities };
}
