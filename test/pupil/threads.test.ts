/** One thread and two give equal results. Only a worker may wait for its helpers. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import { pupilParameters } from '../../src/pupil/parameters.ts';
import { hardFrame, sampleFrame } from '../../lab/eyes/index.ts';
import { full, itInFull } from '../support/full.ts';
import type { Gray } from './search-memory.ts';

/** The halves meet in the middle of a tile, so both eyes need it. */
const ODD = { x: 0, y: 0, width: 617, height: 480 };

/** The middles of two frames. */
function beside(left: Gray, right: Gray): Gray {
  const { width, height } = left;
  const data = new Uint8Array(width * height);
  const [half, from] = [width >> 1, width >> 2];
  for (let y = 0; y < height; y++)
    for (const [k, image] of [left, right].entries())
      data.set(image.data.subarray(y * width + from, y * width + from + half), y * width + k * half);
  return { width, height, data };
}

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

  itInFull('gives the same for two eyes, which are searched side by side on two', async () => {
    const two = [60, 61, 62, 0, 61].map((i) => beside(sampleFrame(i), sampleFrame(i + 1)));
    const play = async (threads: number) => {
      const engine = await createEngine({ worker: true, workerUrl: '/src/worker.ts', backend: 'wasm', threads });
      const results = [];
      const variants = [{}, { tracking: false }, { variant: 'paper' }, { reflections: 'interpolate' }] as const;
      // Without --full each method has two of them, by turns.
      for (const [k, method] of pupilParameters.method.values.entries())
        for (const given of variants.filter((_, i) => full || (i + k) % 2 === 0)) {
          const tracker = engine.createPupilTracker({ method, eyes: 2, roi: ODD, ...given });
          for (const [i, { width, height, data }] of two.entries())
            results.push(await tracker.process({ width, height, data: data.slice() }, { timestamp: 16 * i }));
          await tracker.dispose();
        }
      await engine.dispose();
      return results;
    };
    const one = await play(1);
    expect(one[0]!.pupils.map(({ found }) => found)).to.deep.equal([true, true]);
    for (let again = 0; again < (full ? 2 : 1); again++) expect(await play(2)).to.deep.equal(one);
  }).timeout(60_000);
});
