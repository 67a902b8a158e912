/** One thread and two give equal results. Only a worker may wait for its helpers. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import { hardFrame, sampleFrame } from '../../tools/eyes/index.ts';

describe('pupil tracker on threads', () => {
  it('gives the same with one and with two', async () => {
    const frames = [sampleFrame(0), sampleFrame(3), hardFrame(1), hardFrame(4), hardFrame(6)];
    const play = async (threads: number) => {
      const engine = await createEngine({ worker: true, workerUrl: '/src/worker.ts', backend: 'wasm', threads });
      expect(engine.capabilities.threads).to.equal(threads);
      const results = [];
      for (const params of [
        {},
        { tilesOnDemand: false },
        { smoothing: 'median' },
        { reflections: 'interpolate', outline: true },
      ] as const) {
        const tracker = engine.createPupilTracker(params);
        for (const [i, { width, height, data }] of frames.entries())
          results.push(await tracker.process({ width, height, data: data.slice() }, { timestamp: 16 * i }));
        await tracker.dispose();
      }
      await engine.dispose();
      return results;
    };
    const one = await play(1);
    expect(one[0]!.pupils[0]!.found).to.equal(true);
    expect(await play(2)).to.deep.equal(one);
  });
});
