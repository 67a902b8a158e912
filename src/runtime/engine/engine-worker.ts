/**
 * The worker's end. One script plays two parts, and its first message says which: 'engine' exposes the engine to the
 * page through Comlink, 'thread' becomes a helper of the engine's thread pool and sleeps until there is work.
 */
import * as Comlink from 'comlink';
import { EngineCore, type EngineReaders } from './engine-core.ts';
import {
  toReply,
  transferables,
  type CheckedParameters,
  type EngineInit,
  type EngineRole,
  type OperationCall,
  type ProcessCall,
  type Progress,
  type Reply,
  type TrackerCall,
} from './engine-protocol.ts';
import { FoveolaError } from '../error.ts';
import { answerLifeline, holdLock } from './lifeline.ts';
import { Kernels } from '../wasm/kernels.ts';
import { threadLoop, type ThreadStart } from '../wasm/thread-pool.ts';
import { trustedScriptUrl } from './trusted-url.ts';

import type { Capabilities } from '../../results/types.ts';
import type { InsideModel } from '../runtime.ts';
import type { SideProfileData } from '../side-profile.ts';

/** How long a helper thread may take to load its script. */
const THREAD_TIMEOUT = 5000;

/** What the page sees through Comlink. Every answer is a Reply, so that errors keep their code. */
export class EngineServer {
  readonly #readers: EngineReaders;
  #core: EngineCore | null = null;

  constructor(readers: EngineReaders) {
    this.#readers = readers;
  }

  async #reply<T>(doing: string, body: () => Promise<T>, spare?: ArrayBuffer): Promise<Reply<T>> {
    let reply: Reply<T>;
    try {
      reply = { value: await body() };
    } catch (error) {
      reply = toReply(error, doing);
    }
    if (spare) reply.spare = spare;
    return Comlink.transfer(reply, transferables(reply, this.#core?.memory));
  }

  start(init: EngineInit, insideModel: InsideModel, life: MessagePort): Promise<Reply<Capabilities>> {
    const failed = answerLifeline(life);
    return this.#reply('Starting the engine', async () => {
      const home = { ...this.#readers, worker: true, spawn: spawnThread, failed, insideModel };
      this.#core = await EngineCore.create(init, home);
      return this.#core.capabilities;
    });
  }

  operation(call: OperationCall, progress?: Progress & Partial<Comlink.ProxyMethods>): Promise<Reply> {
    // Reports go through a channel of their own: the answer waits until the last of them has arrived.
    let sent: Promise<unknown> | undefined;
    const listener =
      progress &&
      ((done: number, detail?: unknown) => void (sent = Promise.resolve(progress(done, detail)).catch(() => {})));
    return this.#reply(call.name, async () => {
      try {
        return await this.#core!.operation(call, listener);
      } finally {
        await sent;
      }
    })
      .then((reply) => {
        const side = this.#core?.capabilities.sides[call.name];
        if (side) reply.sides = { [call.name]: side };
        return reply;
      })
      .finally(() => progress?.[Comlink.releaseProxy]?.());
  }

  createTracker(tracker: number, kind: string, params: CheckedParameters, turn?: number): Promise<Reply> {
    return this.#reply(kind, () => this.#core!.createTracker(tracker, kind, params, turn));
  }

  process(call: ProcessCall): Promise<Reply> {
    const { packet } = call;
    const spare = packet.kind === 'gray' || packet.kind === 'rgba' ? (packet.data.buffer as ArrayBuffer) : undefined;
    return this.#reply('process', () => this.#core!.process(call), spare);
  }

  trackerCall(call: TrackerCall): Promise<Reply> {
    return this.#reply(call.method, () => this.#core!.trackerCall(call));
  }

  skip(tracker: number, turn: number): void {
    this.#core?.skip(tracker, turn);
  }

  abort(call: number): void {
    this.#core?.abort(call);
  }

  profile(): Promise<Reply<SideProfileData | null>> {
    return this.#reply('profile', async () => this.#core?.profile() ?? null);
  }

  drop(image: number): void {
    this.#core?.drop(image);
  }

  dispose(): Promise<Reply> {
    return this.#reply('dispose', () => this.#core?.dispose() ?? Promise.resolve());
  }
}

/** Bundlers may have made a classic script of this module; a module worker has no importScripts. */
function scriptType(): WorkerType {
  try {
    (self as { importScripts?: () => void }).importScripts!();
    return 'classic';
  } catch {
    return 'module';
  }
}

/** A helper thread: this same script again, as a helper. Resolves when it waits for jobs. */
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

/** To be called once, at the top of the worker's script. */
export function startWorker(readers: EngineReaders): void {
  addEventListener(
    'message',
    ({ data }: MessageEvent<EngineRole | ThreadStart>) => {
      if (data.role === 'thread') return becomeThread(data);
      Comlink.expose(new EngineServer(readers));
      holdLock((lock) => postMessage({ lock }));
    },
    { once: true },
  );
}
