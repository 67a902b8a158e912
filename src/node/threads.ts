/** Helper threads of the engine as worker threads of Node. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { FoveolaError } from '../runtime/error.ts';
import { AUTO_THREADS } from '../runtime/engine/options.ts';
import type { ThreadStart } from '../runtime/wasm/thread-pool.ts';

export const threadsFor = (wanted: 'auto' | number = 'auto'): number =>
  wanted === 'auto' ? Math.min(AUTO_THREADS, availableParallelism()) : wanted;

/** Resolves when the helper waits for jobs. It does not keep the process alive. `failed` is called at its end, whatever it was. */
export function spawnThread(start: ThreadStart, failed: (why: string) => void): Promise<{ terminate(): unknown }> {
  const worker = new Worker(new URL('./node-thread.js', import.meta.url), {
    workerData: start,
    name: `foveola ${start.thread}`,
  });
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(
        new FoveolaError('worker-blocked', `A helper thread did not start: ${String(cause)}. Take threads: 1.`, {
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
