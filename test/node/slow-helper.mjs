// A helper thread of the pool that rests before each band, as one on a busy machine does.
import { parentPort, workerData } from 'node:worker_threads';
import { importTs } from '../../tools/import-ts.mjs';

const { rest, start } = workerData;
const { Kernels } = await importTs('src/runtime/wasm/kernels.ts');
const { threadLoop } = await importTs('src/runtime/wasm/thread-pool.ts');
const kernels = new Kernels(start.module, start.memory);
const own = new Int32Array(new SharedArrayBuffer(4));
const slow = {
  function:
    (index) =>
    (...args) => {
      Atomics.wait(own, 0, 0, rest);
      return kernels.function(index)(...args);
    },
};
parentPort.postMessage('ready');
threadLoop(start, slow);
