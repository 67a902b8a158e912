/** Runs stages with two threads: only a worker may wait for its helpers. The same script is the helper. */
import '../../src/edges/index.ts';
import '../../src/faces/variance-map.ts';
import '../../src/image/index.ts';
import '../../src/inpaint/index.ts';
import '../../src/vessels/index.ts';
import { Kernels } from '../../src/runtime/kernels.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { run, stages } from '../../src/runtime/stage.ts';
import { threadLoop, type ThreadStart } from '../../src/runtime/thread-pool.ts';
import type { ReferenceImage } from '../reference/image.ts';
import type { Params } from './cases.ts';

export interface Job {
  role: 'run';
  stage: string;
  inputs: ReferenceImage[];
  params: Params;
}
export interface Start {
  role: 'start';
  module: WebAssembly.Module;
}

let runtime: Runtime;

const spawn = (start: ThreadStart) =>
  new Promise<Worker>((resolve) => {
    const worker = new Worker(self.location.href, { type: 'module' });
    worker.onmessage = () => resolve(worker);
    worker.postMessage(start);
  });

async function answer({ stage: name, inputs, params }: Job): Promise<ReferenceImage[]> {
  const planes = inputs.map(({ width, height, format, data }) => runtime.plane(width, height, format, data));
  const outputs = await run(runtime, stages.get(name)!, planes, params as never, { side: 'wasm' });
  const results = outputs.map((plane) => ({
    width: plane.width,
    height: plane.height,
    format: plane.format,
    data: plane.copy(),
  }));
  for (const plane of [...planes, ...outputs]) plane.dispose();
  return results;
}

self.onmessage = async ({ data }: MessageEvent<Job | Start | ThreadStart>) => {
  if (data.role === 'thread') {
    const kernels = new Kernels(data.module, data.memory);
    postMessage('ready');
    threadLoop(data, kernels);
  } else
    try {
      if (data.role === 'start') {
        runtime = await Runtime.create({ module: data.module, threads: 2, spawn });
        postMessage({ value: [] });
      } else postMessage({ value: await answer(data) });
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      postMessage({ error: { code, message } });
    }
};
