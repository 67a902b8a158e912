/** The object tracker by itself, for benchmarks: no engine between. */
import { ObjectTrackerCore } from '../../../src/objects/tracker.ts';
import type { GrayImage } from '../../../src/results/types.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';

export async function openTracker(
  kernels: BufferSource,
  first: GrayImage,
  box: { x: number; y: number; width: number; height: number },
  parameters: Record<string, unknown> = {},
) {
  const runtime = await Runtime.create({ module: await WebAssembly.compile(kernels) });
  const core = new ObjectTrackerCore(runtime, parameters);
  const withPlane = <T>({ width, height, data }: GrayImage, use: (plane: ReturnType<Runtime['plane']>) => T): T => {
    const plane = runtime.plane(width, height, 'u8', data);
    try {
      return use(plane);
    } finally {
      plane.dispose();
    }
  };
  withPlane(first, (plane) => core.start(plane, box));
  return {
    process: (frame: GrayImage, timestamp: number) => withPlane(frame, (plane) => core.process(plane, timestamp)),
    add: (other: typeof box) => core.add(other),
    arenaBytes: () => runtime.arena.used,
  };
}
