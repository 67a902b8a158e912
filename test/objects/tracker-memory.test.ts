/** What the object tracker holds does not grow with the frames it has seen, and nothing is left behind. */
import { expect } from 'chai';
import { ObjectTrackerCore } from '../../src/objects/tracker.ts';
import { renderScene, squareAt } from '../node/objects-scene.mjs';
import { openRuntime } from './memory.ts';

for (const variant of ['default', 'paper'] as const)
  describe(`memory of the object tracker, ${variant}`, () => {
    it('is that of one frame and its targets', async () => {
      const runtime = await openRuntime();
      const before = runtime.arena.blocks;
      const core = new ObjectTrackerCore(runtime, { seed: 2, ...(variant === 'paper' && { variant }) });
      const held: number[] = [];
      for (let t = 0; t < 14; t++) {
        const { width, height, data } = renderScene(t);
        const plane = runtime.plane(width, height, 'u8', data);
        if (t === 0) await core.methods.start(plane, 0, squareAt(0));
        else await core.process(plane, 40 * t);
        plane.dispose();
        held.push(runtime.arena.blocks);
      }
      expect(held[13]).to.equal(held[5]);
      await core.dispose();
      expect(runtime.arena.blocks, 'besides the scratch').to.be.at.most(before + 1);
      runtime.dispose();
    });

    it('does not grow with frames that change their size', async () => {
      const runtime = await openRuntime();
      const core = new ObjectTrackerCore(runtime, { seed: 2, ...(variant === 'paper' && { variant }) });
      const held: number[] = [];
      for (let t = 0; t < 16; t++) {
        const { width, height, data } = renderScene(t);
        const rows = t % 2 ? height - 20 : height;
        const plane = runtime.plane(width, rows, 'u8', data.subarray(0, rows * width));
        if (t === 0) await core.methods.start(plane, 0, squareAt(0));
        else await core.process(plane, 40 * t);
        plane.dispose();
        held.push(runtime.arena.blocks);
      }
      expect(held.slice(14)).to.deep.equal(held.slice(6, 8));
      await core.dispose();
      runtime.dispose();
    });
  });
