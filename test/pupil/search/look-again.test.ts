/** What the search of a whole region found, looked at again: the pupil inside of an iris, and the shape of what is no pupil. */
import { expect } from 'chai';
import { LEAD } from '../../../src/pupil/search/search.ts';
import { StarburstMethod } from '../../../src/pupil/starburst/starburst.ts';
import { shippedMethods, PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { hardFrame, shapesFrame } from '../../../lab/eyes/index.ts';
import { atOnce } from '../../../tools/at-once.ts';
import { discs } from '../discs.ts';
import { makeRuntime, once, TestTracker } from '../search-memory.ts';

describe('the second look of pupil searches', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  const eye = (step: number, r: number) =>
    discs(320, 240, 200, [
      { x: 160, y: 120, r: 60, level: 70 + step },
      { x: 164, y: 118, r, level: 70 },
    ]);

  for (const method of ['starburst', 'threshold', 'hough'] as const)
    it(`finds the pupil in an iris that is a clearer circle: ${method}`, () => {
      for (const [step, r] of [
        [16, 22],
        [24, 30],
      ] as const) {
        const tracker = new TestTracker(runtime, { method });
        for (const words of ['first', 'followed']) {
          const found = tracker.process(eye(step, r)).pupils[0]!;
          expect(found.diameter / 2, `${step} levels, ${words}`).to.be.closeTo(r, 0.3);
          expect(Math.hypot(found.x - 164, found.y - 118), `${step} levels, ${words}`).to.be.below(0.3);
        }
        tracker.dispose();
      }
    });

  it('leaves a pupil that has nothing darker inside as it is', () => {
    const found = once(runtime, discs(320, 240, 200, [{ x: 160, y: 120, r: 60, level: 70 }]), {}).pupils[0]!;
    expect(found.diameter).to.be.closeTo(120, 0.5);
  });

  it('mends by consensus the outline that reflections and lashes led astray', () => {
    for (const [index, seed] of [
      [28, 20],
      [33, 7001],
    ] as const) {
      const eye = hardFrame(index, seed);
      const found = once(runtime, eye).pupils[0]!;
      expect(Math.hypot(found.x - eye.truth.ellipse!.x, found.y - eye.truth.ellipse!.y), `frame ${index}`).to.be.below(
        1,
      );
    }
  });

  it('takes the paper’s variant for what it is', () => {
    const found = once(runtime, eye(24, 40), { method: 'starburst', variant: 'paper', minGradient: 60 }).pupils[0]!;
    expect(found.diameter).to.be.closeTo(120, 8);
  });

  it('reports fewer things whose shape is no pupil’s', () => {
    const reported = [1000, LEAD].map((lead) => {
      const starburst = (...[host, values]: Parameters<(typeof shippedMethods)['starburst']>) =>
        new StarburstMethod(host, values, undefined, lead);
      const core = new PupilTrackerCore(runtime, { method: 'starburst' }, { ...shippedMethods, starburst });
      let count = 0;
      for (let i = 0; i < 4; i++) {
        const { width, height, data } = shapesFrame(i, 1004);
        const plane = runtime.plane(width, height, 'u8', data);
        atOnce(core.reset());
        count += Number((core.track(plane, 0) as PupilResult).pupils[0]!.found);
        plane.dispose();
      }
      atOnce(core.dispose());
      return count;
    });
    expect(reported[1]).to.be.below(reported[0]!);
  });
});
