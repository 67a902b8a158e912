// Full run only: many rendered frames, up to a minute.
/** Frames on the WASM side give the thread back: the same results in slices, in the order of the frames. */
import { expect } from 'chai';
import type { PupilResult } from '../../../src/results/types.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { hardFrame } from '../../../lab/eyes/index.ts';
import { queued } from '../../support/queued.ts';
import { inSlices } from '../../support/slices.ts';
import { makeRuntime } from '../search-memory.ts';

for (const method of ['robust', 'starburst', 'threshold', 'hough'])
  it(`frames of ${method} are the same at once and in slices, two given at a time`, async () => {
    const runtime = await makeRuntime();
    const frames = Array.from({ length: 6 }, (_, i) => hardFrame(i, 41));
    const planes = frames.map(({ width, height, data }) => runtime.plane(width, height, 'u8', data));
    const atOnce = new PupilTrackerCore(runtime, { method });
    const expected = planes.map((plane, i) => atOnce.process(plane, 40 * i));
    await atOnce.dispose();
    const core = new PupilTrackerCore(runtime, { method });
    const { result, pauses } = await inSlices(async (context) => {
      const line = queued(core, context);
      const results: Promise<PupilResult>[] = [];
      for (const [i, plane] of planes.entries()) {
        results.push(line.process(plane, 40 * i));
        if (i % 2) await Promise.all(results);
      }
      return Promise.all(results);
    });
    expect(result).to.deep.equal(expected);
    expect(pauses).to.be.at.least(frames.length);
    // A cancel does not tear a frame apart.
    const refuses = { pauses: { pause: () => Promise.reject(new Error('cancelled')) } };
    expect((await core.process(planes[0]!, 400, refuses)).pupils).to.have.length(1);
    await core.dispose();
    for (const plane of planes) plane.dispose();
    expect(runtime.arena.blocks, 'besides the scratch').to.be.at.most(1);
    runtime.dispose();
  });
