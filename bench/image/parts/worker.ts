/** A worker with one thread or two: there Atomics.wait is allowed. The same script is the helper thread. */
import { Kernels } from '../../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { threadLoop, type ThreadStart } from '../../../src/runtime/wasm/thread-pool.ts';
import { imageOperations, largeData, largeOperations, timeOf, type Operations } from './operations.ts';

interface Call {
  id: number;
  role: 'open' | 'large' | 'time';
  threads: number;
  image: string;
  width: number;
  height: number;
  name: string;
  budget: number;
}

let runtime: Runtime;
let operations: Operations = {};

function spawn(start: ThreadStart): Promise<{ terminate(): unknown }> {
  const worker = new Worker(self.location.href);
  worker.postMessage(start);
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(worker);
    worker.onerror = (event) => reject(new Error(event.message));
  });
}

async function open(threads: number): Promise<void> {
  runtime = await Runtime.create({
    module: await compileKernels(fetch('/dist/kernels.wasm'), threads > 1),
    threads,
    spawn,
  });
}

async function answer({ role, threads, image, width, height, name, budget }: Call): Promise<unknown> {
  if (role === 'time') return timeOf(operations[name]!, budget);
  await open(threads);
  if (role === 'large') operations = largeOperations(runtime, largeData());
  else {
    const gray = new Uint8Array(await (await fetch(image)).arrayBuffer());
    operations = imageOperations(runtime, gray, width, height);
  }
  return Object.keys(operations);
}

self.onmessage = async ({ data }: MessageEvent<Call | ThreadStart>) => {
  if (data.role === 'thread') {
    const kernels = new Kernels(data.module, data.memory);
    postMessage('ready');
    threadLoop(data, kernels);
    return;
  }
  try {
    postMessage({ id: data.id, value: await answer(data) });
  } catch (error) {
    postMessage({ id: data.id, error: String(error) });
  }
};
