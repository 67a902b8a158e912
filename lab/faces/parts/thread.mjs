// A helper thread of the WASM side in Node.
import { parentPort, workerData } from 'node:worker_threads';
import { importTs } from '../../../tools/import-ts.mjs';

const { Kernels, threadLoop } = await importTs('bench/faces/parts/library.ts');
const kernels = new Kernels(workerData.module, workerData.memory);
parentPort.postMessage('ready');
threadLoop(workerData, kernels);
