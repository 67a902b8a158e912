/** Runs stages with two threads: only a worker may wait for its helpers. The same script is the helper. */
import '../../src/capabilities.ts';
import '../../src/stages.ts';
import { Kernels } from '../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { stages } from '../../src/runtime/stage.ts';
import { threadLoop, type ThreadStart } from '../../src/runtime/wasm/thread-pool.ts';
import type { ReferenceValue } from '../reference/image.ts';
import type { Params } from './cases.ts';
import { watch, type Reached } from './reached.ts';
import { onSide } from './backends.ts';

export interface Job {
  role: 'run';
  stage: string;
  inputs: ReferenceValue[];
  params: Params;
}
export interface Start {
  role: 'start';
  module: WebAssembly.Module;
}

/** For the names of the kernels that were called. */
export interface Asked {
  role: 'reached';
}

let runtime: Runtime;
let reached: Reached;

const spawn = (start: ThreadStart) =>
  new Promise<Worker>((resolve) => {
    const worker = new Worker(self.location.href, { type: 'module' });
    worker.onmessage = () => resolve(worker);
    worker.postMessage(start);
  });

self.onmessage = async ({ data }: MessageEvent<Asked | Job | Start | ThreadStart>) => {
  if (data.role === 'thread') {
    const kernels = new Kernels(data.module, data.memory);
    postMessage('ready');
    threadLoop(data, kernels);
  } else if (data.role === 'start')
    try {
      runtime = await Runtime.create({ module: data.module, threads: 2, spawn });
      reached = watch(runtime);
      postMessage({ value: [] });
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      postMessage({ error: { code, message } });
    }
  else if (data.role === 'reached') postMessage([...reached.kernels]);
  else postMessage(await onSide(runtime, 'wasm', stages.get(data.stage)!, data.inputs, data.params));
};
