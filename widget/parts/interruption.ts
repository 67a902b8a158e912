/** Calls that went with the engine's worker. */
import type { FoveolaError } from '../../src/index.ts';

/** Whether the call went with the engine's worker, which is started again by itself. */
export const isInterruption = (error: unknown): error is FoveolaError =>
  (error as FoveolaError | null)?.code === 'worker-lost';

/** Does it again where it went with a worker: the engine says when it has died too often. */
export async function afterInterruption<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
}
