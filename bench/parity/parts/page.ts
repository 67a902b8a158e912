/** The page of `bench hardware parity`: every stage on every side, and what happens at the limits of textures. */
import { makeRuntime } from '../../../test/parity/backends.ts';
import { runAll } from './suite.ts';

declare global {
  interface Window {
    __result?: unknown;
  }
}

async function measure(): Promise<unknown> {
  const runtime = await makeRuntime();
  const { renderer, software } = runtime.gpu!.capabilities;
  const machine = { renderer, software };
  runtime.dispose();
  try {
    await import('../../../test/parity/parity.test.ts');
    await import('../../../test/parity/limits.test.ts');
    await import('../../../test/parity/failures.test.ts');
    return { machine, ...(await runAll()) };
  } catch (error) {
    return { machine, error: String((error as Error).stack ?? error) };
  }
}
window.__result = await measure();
