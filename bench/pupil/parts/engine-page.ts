/** Through the public API: an engine in its worker, gray frames handed over one after the other. */
import { createEngine } from '../../../src/index.ts';
import { paperSequence } from '../../../lab/eyes/index.ts';

const frames: { width: number; height: number; data: Uint8Array; timestamp: number }[] = [];

export function render(count: number): void {
  for (const { width, height, data, meta } of paperSequence(count))
    frames.push({ width, height, data, timestamp: meta.time });
}

/** Milliseconds a frame of `rounds` rounds, the answer awaited before the next frame; and where it ran. */
export async function run(threads: number, params: Record<string, unknown>, rounds: number) {
  const engine = await createEngine({ threads, backend: 'wasm', worker: true, assetBase: '/isolated/dist/' });
  const tracker = engine.createPupilTracker(params);
  const means: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await tracker.reset();
    const start = performance.now();
    for (const { timestamp, ...image } of frames) await tracker.process(image, { timestamp });
    if (round) means.push((performance.now() - start) / frames.length);
  }
  const { capabilities } = engine;
  await engine.dispose();
  return { means, capabilities };
}
