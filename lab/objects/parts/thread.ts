/** A helper thread of the kernels in a worker of Node. */
import { Kernels } from '../../../src/runtime/wasm/kernels.ts';
import { threadLoop, type ThreadStart } from '../../../src/runtime/wasm/thread-pool.ts';

export const live = (start: ThreadStart): void => threadLoop(start, new Kernels(start.module, start.memory));
