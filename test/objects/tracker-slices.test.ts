/** Frames on the WASM side give the thread back: the same boxes in slices, in the order of the frames. */
import { expect } from 'chai';
import type { ObjectResult } from '../../src/results/types.ts';
import { ObjectTrackerCore } from '../../src/objects/tracker.ts';
import { renderScene, squareAt } from '../node/objects-scene.mjs';
import { queued } from '../support/queued.ts';
import { inSlices } from '../support/slices.ts';
import { openRuntime } from './memory.ts';

for (const variant of ['default', 'paper'] as const)
  it(`frames of the object tracker, ${variant}, are the same at once and in slices`, async () => {
    const runtime = await openRuntime();
    const planes = Array.from({ length: 6 }, (_, t) => {
      const { width, height, data } = renderScene(t);
      return runtime.plane(width, height, 'u8', data);
    });
    const start = async () => {
      const core = new ObjectTrackerCore(runtime, { seed: 2, ...(variant === 'paper' && { variant }) });
      await core.methods.start(planes[0]!, 0, squareAt(0));
      return core;
    };
    const atOnce = await start();
    const expected = planes.slice(1).map((plane, i) => atOnce.process(plane, 40 * i));
    await atOnce.dispose();
    const core = await start();
    const { result, pauses } = await inSlices(async (context) => {
      const line = queued(core, context);
      const results: Promise<ObjectResult>[] = [];
      for (const [i, plane] of planes.slice(1).entries()) {
        results.push(line.process(plane, 40 * i));
        if (i === 1) void line.call(() => core.methods.exportModel(1));
      }
      return Promise.all(results);
    });
    expect(result).to.deep.equal(expected);
    expect(pauses).to.be.at.least(planes.length);
    await core.dispose();
    for (const plane of planes) plane.dispose();
    runtime.dispose();
  });
