/** The script of a helper thread: reports that it has started, then sleeps until there is work. */
import { parentPort, workerData } from 'node:worker_threads';
import { Kernels } from '../runtime/wasm/kernels.ts';
import { threadLoop, type ThreadStart } from '../runtime/wasm/thread-pool.ts';

const start = workerData as ThreadStart;
const kernels = new Kernels(start.module, start.memory);
parentPort!.postMessage('ready');
threadLoop(start, kernels);
