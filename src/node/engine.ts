/** The engine in Node: kernels on the caller's thread, with helper threads, and sources from files. */
import { operations, resolveOptions, trackerMethods } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AUTO_THREADS, checkOptions, type EngineOptions } from '../runtime/engine/options.ts';
import type { ThreadStart } from '../runtime/wasm/thread-pool.ts';
import type { Engine } from '../api.ts';
import { engineOn } from '../engine.ts';
import { readers } from '../engine-home.ts';
import { checkSize } from '../frames/size.ts';
import { toPacket } from '../frames/to-packet.ts';
import type { Source } from '../results/types.ts';
import { Connection } from '../runtime/engine/connection.ts';
import { startHere } from '../runtime/engine/start.ts';
import type { ReadablePacket } from '../runtime/engine/protocol.ts';
import { DecodedFrame } from './decoded-frame.ts';
import { readImage } from './image.ts';

// The parameters of an engine method, available without an engine.

/**
 * Fills in defaults and checks every value.
 * @param method of the engine: 'vessels', 'createPupilTracker'
 * @throws {FoveolaError} 'invalid-argument': the message names the parameter and its range
 */
export function methodParameters(method: string, given: Record<string, unknown>): Record<string, unknown> {
  const of = operations.get(method) ?? trackerMethods.get(method);
  if (!of) throw new FoveolaError('invalid-argument', `The engine has no method '${method}'.`);
  return { ...resolveOptions(of, given) };
}

// The engine's helper threads are Node worker threads.

const threadsFor = (wanted: 'auto' | number = 'auto'): number =>
  wanted === 'auto' ? Math.min(AUTO_THREADS, availableParallelism()) : wanted;

/**
 * Resolves when the helper waits for jobs. It does not keep the process alive. `failed` is called when it ends for any
 * reason.
 */
function spawnThread(start: ThreadStart, failed: (why: string) => void): Promise<{ terminate(): unknown }> {
  const worker = new Worker(new URL('./node-thread.js', import.meta.url), {
    workerData: start,
    name: `foveola ${start.thread}`,
  });
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(
        new FoveolaError('worker-blocked', `A helper thread did not start: ${String(cause)}. Set threads: 1.`, {
          cause,
        }),
      );
    worker.once('error', fail);
    worker.once('exit', (code) => fail(`it ended with ${code}`));
    worker.once('message', () => {
      worker.removeAllListeners();
      worker.once('error', (cause) => failed(String(cause)));
      worker.once('exit', (code) => failed(`it ended with ${code}`));
      worker.unref();
      resolve(worker);
    });
  });
}

/** Paths, URLs and Blobs are image files. Decoded frames use the same code as VideoFrames on a page. */
function toNodePacket(source: Source | string | URL, signal?: AbortSignal): ReadablePacket | Promise<ReadablePacket> {
  if (source instanceof DecodedFrame) return ofFrame(source);
  if (!(typeof source === 'string' || source instanceof URL || source instanceof Blob)) return toPacket(source, signal);
  return readImage(source, { signal }).then(({ image }) => toPacket(image));
}

function ofFrame(source: DecodedFrame): ReadablePacket {
  checkSize(source.displayWidth, source.displayHeight, 'frame was closed or is empty');
  return { kind: 'frame', frame: source.clone() as unknown as VideoFrame };
}

/**
 * An engine on WASM. Sources are images of `readImage`, frames of `frames`, Blobs, { width, height, data } arrays, and
 * paths of image files. If a helper thread crashes, calls in flight reject with 'worker-lost' and the engine restarts.
 * @param options `threads`: 1 to 64, or 'auto' (number of cores, at most 4), which is the default. Results do not
 * depend on it
 * @throws {FoveolaError} (rejects) 'invalid-argument', 'worker-blocked' (a helper did not start, or `worker: true`),
 * 'no-webgl2' (with `backend: 'gpu'`), 'asset-missing', 'out-of-memory'
 */
export async function createEngine(
  options?: Pick<EngineOptions, 'threads' | 'assetBase' | 'backend'>,
): Promise<Engine> {
  const checked = checkOptions(options);
  if (checked.worker)
    throw new FoveolaError(
      'worker-blocked',
      'The engine of foveola/node runs on the calling thread, without worker: true. To keep your thread free, call createEngine in a worker_threads Worker.',
    );
  const threads = threadsFor(checked.threads);
  const start = (images: number) => startHere({ ...checked, images }, { ...readers, spawn: spawnThread }, [], threads);
  return engineOn(await Connection.open(start, toNodePacket as typeof toPacket));
}
