/** Time that the GPU itself spends, for the benchmarks; null where the device does not tell or was interrupted. */
import type { GpuContext } from './gpu-context.ts';

const TIME_ELAPSED = 0x88bf;
const DISJOINT = 0x8fbb;

/** Milliseconds that the commands enqueued by `body` take. One measurement at a time. */
export async function gpuTime(
  context: GpuContext,
  body: () => void,
  fence: () => Promise<void>,
): Promise<number | null> {
  const { gl, capabilities } = context;
  const query = capabilities.timer ? gl.createQuery() : null;
  if (query) gl.beginQuery(TIME_ELAPSED, query);
  try {
    body();
  } finally {
    if (query) gl.endQuery(TIME_ELAPSED);
  }
  await fence();
  if (!query) return null;
  for (let i = 0; i < 100 && !context.lost; i++) {
    if (gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)) {
      // The GPU was shared or slowed down in between: the number means nothing.
      const disjoint = gl.getParameter(DISJOINT) as boolean;
      const nanoseconds = gl.getQueryParameter(query, gl.QUERY_RESULT) as number;
      gl.deleteQuery(query);
      return disjoint ? null : nanoseconds / 1e6;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return null;
}
