/**
 * The worker's end. One script has two roles, set by its first message: 'engine' answers the page's calls, 'thread'
 * becomes a helper of the engine's thread pool and sleeps until there is work.
 */
import { FoveolaError } from '../error.ts';
import { Kernels } from '../wasm/kernels.ts';
import { threadLoop, type ThreadStart } from '../wasm/thread-pool.ts';
import { Host } from './host.ts';
import type { EngineReaders } from './images.ts';
import { trustedScriptUrl } from './policy.ts';
import { holdLock, Port, type Link } from './port.ts';
import type { EngineInit, EngineRole } from './protocol.ts';

/** Time limit for a helper thread to load its script, ms. */
const THREAD_TIMEOUT = 5000;

/** The requests that the page answers: models embedded in the package, and whether it has lost its worker. */
export type PageHandlers = {
  insideModel(name: string): Promise<Uint8Array>;
  lost(why: string): void;
};

/** The engine's end of a link to the page. The engine starts with the first call. */
export function serveEngine(link: Link, readers: EngineReaders): Port<PageHandlers> {
  const start = async (init: EngineInit) => {
    const host = await Host.create(init, {
      ...readers,
      worker: true,
      spawn: spawnThread,
      failed: (why) => port.tell('lost', why),
      insideModel: (name) => port.request('insideModel', name),
    });
    port.handlers = host.handlers;
    port.memory = () => host.memory;
    return host.capabilities;
  };
  const port = new Port<PageHandlers>(link, { start });
  return port;
}

/** Bundlers may have converted this module to a classic script. A module worker has no importScripts. */
function scriptType(): WorkerType {
  try {
    (self as { importScripts?: () => void }).importScripts!();
    return 'classic';
  } catch {
    return 'module';
  }
}

/** Starts a helper thread with this same script. Resolves when it waits for jobs. */
function spawnThread(start: ThreadStart, failed: (why: string) => void): Promise<{ terminate(): unknown }> {
  const worker = new Worker(trustedScriptUrl(self.location.href), {
    type: scriptType(),
    name: `foveola thread ${start.thread}`,
  });
  return new Promise((resolve, reject) => {
    const fail = (text: string) => {
      clearTimeout(timer);
      worker.terminate();
      reject(new FoveolaError('worker-blocked', `A helper thread did not start: ${text}.`));
    };
    const timer = setTimeout(() => fail('no answer'), THREAD_TIMEOUT);
    worker.onerror = (event) => fail(event.message || 'its script was blocked');
    worker.onmessage = ({ data }: MessageEvent<{ ready: boolean; error?: string }>) => {
      if (!data.ready) return fail(data.error ?? 'unknown');
      clearTimeout(timer);
      worker.onmessage = null;
      worker.onerror = (event) => failed(event.message);
      resolve(worker);
    };
    worker.postMessage(start);
  });
}

function becomeThread(start: ThreadStart): void {
  try {
    const kernels = new Kernels(start.module, start.memory);
    postMessage({ ready: true });
    threadLoop(start, kernels);
  } catch (error) {
    postMessage({ ready: false, error: String(error) });
  }
}

/** Call this once, at the top of the worker script. */
export function startWorker(readers: EngineReaders): void {
  addEventListener(
    'message',
    ({ data }: MessageEvent<EngineRole | ThreadStart>) => {
      if (data.role === 'thread') return becomeThread(data);
      const port = serveEngine(globalThis as unknown as Link, readers);
      addEventListener('messageerror', () => port.tell('lost', 'a call could not be read'));
      holdLock((lock) => postMessage({ lock }));
    },
    { once: true },
  );
}
