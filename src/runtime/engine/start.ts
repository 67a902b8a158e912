/**
 * Starts an engine in a worker, or on the page's thread if that is not possible (also in Node), with the shared-memory
 * or the single-thread kernels. Kernels are compiled here while the worker loads its script. A compiled module can be
 * posted, so only the page's policy has to allow 'wasm-unsafe-eval'. The elements of a page share one engine.
 */
import type { Capabilities } from '../../results/types.ts';
import { engineParts, GPU_PART, loadEnginePart } from '../engine-parts.ts';
import { FoveolaError } from '../error.ts';
import { Runtime } from '../runtime.ts';
import { compileKernels } from '../wasm/kernels.ts';
import { insideModel, kernelBytes, modelPlaces, workerAttempts } from './assets.ts';
import { Connection, disposedError, type SourceReader, type StartedEngine } from './connection.ts';
import { Host, type EngineHandlers } from './host.ts';
import type { EngineHome, EngineReaders } from './images.ts';
import { whyNoWorker, type OpenedWorker, type WorkerAttempt } from './loading.ts';
import {
  assetBase,
  checkOptions,
  chooseThreads,
  type AssetOptions,
  type EngineOptions,
  type InternalOptions,
} from './options.ts';
import { watchPolicy, type PolicyWatch } from './policy.ts';
import { Port, SILENT_LOOKS, WorkerPort } from './port.ts';
import type { EngineInit } from './protocol.ts';

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

/** The compiled kernels, once per page and URL. A failed attempt is not remembered. */
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

/** A worker that is lost within this many milliseconds of its start has crashed and did not hang. */
const SOON = 10_000;

const workersExist = () => typeof Worker !== 'undefined' && typeof document !== 'undefined';

/** An engine that restarts when its worker crashes. */
export const startEngine = (
  options: InternalOptions,
  readers: EngineReaders,
  readSource: SourceReader,
): Promise<Connection> => Connection.open((images) => startOnce({ ...options, images }, readers), readSource);

async function startOnce(options: StartOptions, readers: EngineReaders): Promise<StartedEngine> {
  const reasons: string[] = [];
  if (options.worker !== false) {
    if (workersExist()) {
      try {
        return await startInWorker(options);
      } catch (error) {
        // Other failures (WASM blocked, no memory) would be the same on the page's thread.
        const elsewhere =
          error instanceof FoveolaError && ['worker-blocked', 'asset-missing', 'no-webgl2'].includes(error.code);
        if (options.worker === true || !elsewhere) throw error;
        reasons.push(`On the page's main thread: ${error.message}`);
      }
    } else if (options.worker === true)
      throw new FoveolaError('worker-blocked', 'Web workers are not available. Omit worker: true.');
    else reasons.push('On the calling thread: web workers are not available.');
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
    // Threads of the worker may be blocked even if the worker is not. A new worker then continues without threads. The
    // same applies to a worker that replaces a crashed one.
    if (code === 'no-webgl2' || (threads === 1 && !died)) throw error;
    if (threads > 1) reasons.push(`One thread: ${message}`);
    const single = await kernels(false, options);
    return startRemote(await bootWorker(options), initOf(options, single, { threads: 1, reasons }));
  }
}

/** A runtime for calls without promises: WASM, one thread (the caller's). */
export async function startSync(options: InternalOptions): Promise<Runtime> {
  const { module } = await kernels(false, options);
  const parts = engineParts().filter((file) => file !== GPU_PART);
  const places = parts.length ? { models: modelPlaces(options) } : {};
  const runtime = await Runtime.create({ module, maximum: options.maximum, places });
  await Promise.allSettled(parts.map((file) => loadEnginePart(runtime, file))); // calls cannot wait for them
  return runtime;
}

/**
 * Starts on the caller's thread. It uses several threads if this thread may block for others (Node). `home.spawn`
 * starts them.
 */
export async function startHere(
  options: StartOptions,
  home: EngineReaders & Pick<EngineHome, 'spawn'>,
  reasons: string[],
  threads = 1,
): Promise<StartedEngine> {
  if (!home.spawn && typeof options.threads === 'number' && options.threads > 1)
    reasons.push('One thread: the main thread cannot wait. Threads need the worker.');
  const init = initOf(options, await kernels(threads > 1, options), { threads, reasons });
  const handlers = {} as EngineHandlers; // until the engine exists
  const port = Port.here(handlers);
  let over = false;
  const failed = (why: string): void => {
    if (over) return; // disposal has ended the threads that end now
    const text = `The engine was lost, and this call failed: ${why}. It restarts automatically. Call again.`;
    port.lose(new FoveolaError('worker-lost', text));
    // When the current call has ended. This thread could continue, but a helper that is lost inside a kernel leaves
    // half-written memory.
    setTimeout(() => void end().catch(() => {}));
  };
  const end = (): Promise<void> => {
    over = true;
    return port.request('dispose', null);
  };
  const host = await Host.create(init, { ...home, worker: false, insideModel, failed });
  Object.assign(handlers, host.handlers);
  return { port, capabilities: host.capabilities, end };
}

/** An error event reports a blocked script immediately. After this many milliseconds of silence it will not load. */
const START_TIMEOUT = 15000;
/**
 * A worker that crashes before its first message leaves no trace. After this many milliseconds of silence, another one
 * is started in parallel, a limited number of times.
 */
const DOUBT = 3000;
const MOST_DOUBTS = 2;
/** Checks without an answer for a worker that starts. It may wait for a graphics driver. */
const START_LOOKS = 30;
/** A worker that hangs is ended after this many milliseconds. */
const DISPOSE_TIMEOUT = 500;

/** A worker that runs our script and answered as 'engine'. `release` revokes a blob URL. */
export interface BootedWorker {
  worker: Worker;
  /** The lock that it holds until it ends. */
  lock: string | null;
  /** The problem, for `capabilities.reasons`. */
  reason?: string;
  release(): void;
}

/** The browser's error message when the worker failed, and whether it failed immediately. */
class WorkerFailure {
  constructor(
    readonly text: string,
    readonly thrown: boolean,
    readonly cause?: unknown,
  ) {}
}

/** Tries one way to start the worker script and uses the first worker that answers. Rejects with a WorkerFailure. */
async function boot(attempt: WorkerAttempt, policy: PolicyWatch, doubts = MOST_DOUBTS): Promise<BootedWorker> {
  let opened: OpenedWorker;
  try {
    opened = await attempt.open(policy, AbortSignal.timeout(START_TIMEOUT));
  } catch (cause) {
    throw new WorkerFailure((cause as Error).message, true, cause); // browsers throw no other errors here
  }
  const { worker, blob, reason } = opened;
  const release = () => blob && URL.revokeObjectURL(blob);
  const own: BootedWorker = { worker, lock: null, reason, release };
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (unused?: BootedWorker) => {
      over = true;
      clearTimeout(timer);
      clearTimeout(doubt);
      unused?.worker.terminate();
      unused?.release();
    };
    const fail = (text: string) => {
      end(own);
      reject(new WorkerFailure(text, false));
    };
    const timer = setTimeout(() => fail(`no answer within ${START_TIMEOUT / 1000} s`), START_TIMEOUT);
    const another = (booted: BootedWorker) => {
      end(over ? booted : own);
      resolve(booted);
    };
    const doubt = setTimeout(() => void (doubts && boot(attempt, policy, doubts - 1).then(another, () => {})), DOUBT);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || 'its script was blocked or could not be loaded');
    };
    worker.onmessage = ({ data }: MessageEvent<{ lock?: string | null }>) => {
      end();
      worker.onmessage = worker.onerror = null;
      own.lock = data.lock ?? null;
      resolve(own);
    };
    worker.postMessage({ role: 'engine' });
  });
}

/**
 * Starts the worker script in the first way that works.
 * @throws {FoveolaError} (rejects) 'worker-blocked' (a policy, or the MIME type of the script), 'asset-missing'
 */
export async function bootWorker(options: AssetOptions): Promise<BootedWorker> {
  const policy = watchPolicy();
  const failures: [WorkerAttempt, WorkerFailure][] = [];
  try {
    for (const attempt of workerAttempts(options)) {
      const before = failures.at(-1)?.[1];
      if (attempt.afterThrow && !before?.thrown) continue;
      try {
        return await boot(attempt, policy);
      } catch (failure) {
        if (!(failure instanceof WorkerFailure)) throw failure;
        failures.push([attempt, failure]);
      }
    }
    const [attempt, { text, cause }] = failures[0]!;
    throw await whyNoWorker(attempt.url, policy, text, cause);
  } finally {
    policy.end();
  }
}

/** The requests that the worker answers before the engine exists. */
type StartHandlers = EngineHandlers & { start(init: EngineInit): Promise<Capabilities> };

/** Starts the engine in a booted worker. The worker is ended if that fails. */
export async function startRemote({ worker, lock, release }: BootedWorker, init: EngineInit): Promise<StartedEngine> {
  const port = new WorkerPort<StartHandlers>(worker, lock, { insideModel });
  try {
    port.looks = START_LOOKS;
    const capabilities = await port.request('start', init);
    port.looks = SILENT_LOOKS;
    const end = async () => {
      await Promise.race([port.request('dispose', null), new Promise((done) => setTimeout(done, DISPOSE_TIMEOUT))]);
      port.end(disposedError());
    };
    return { port, capabilities, end };
  } catch (error) {
    port.end(disposedError());
    if (error instanceof FoveolaError && error.code === 'worker-lost')
      throw new FoveolaError('worker-blocked', `The worker did not start. ${error.message}`, { cause: error });
    throw error;
  } finally {
    release(); // its helper threads have started by now
  }
}

export interface SharedEngine<E> {
  readonly engine: Promise<E>;
  /** Releases it. Idempotent. `broken`: it no longer works and must not be shared again. */
  release(broken?: boolean): void;
}

interface Entry<E> {
  engine: Promise<E>;
  users: number;
}

/** `create` makes an engine from options. Equal options share one engine. */
export function engineSharing<E extends { dispose(): Promise<void> }>(
  create: (options: EngineOptions) => Promise<E>,
): (options?: EngineOptions) => SharedEngine<E> {
  const entries = new Map<string, Entry<E>>();
  return (given) => {
    let options: EngineOptions;
    let key: string;
    try {
      options = checkOptions(given);
      const { backend = 'auto', threads = 'auto', worker, workerUrl } = options;
      key = JSON.stringify([backend, threads, worker, assetBase(options), String(workerUrl)]);
    } catch (error) {
      const engine = Promise.reject(error);
      engine.catch(() => {}); // reported to the callers that wait for it
      return { engine, release() {} };
    }
    const forget = (entry: Entry<E>) => entries.get(key) === entry && entries.delete(key);
    let entry = entries.get(key);
    if (!entry) {
      const made: Entry<E> = (entry = { engine: create(options), users: 0 });
      made.engine.catch(() => forget(made)); // the next user tries again
      entries.set(key, made);
    }
    const { engine } = entry;
    const mine = entry;
    let held = true;
    mine.users++;
    return {
      engine,
      release(broken = false) {
        if (!held) return;
        held = false;
        if (broken) forget(mine);
        if (--mine.users > 0) return;
        setTimeout(() => {
          if (mine.users > 0) return;
          forget(mine);
          engine.then((made) => made.dispose()).catch(() => {});
        });
      },
    };
  };
}
