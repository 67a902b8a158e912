/** Canny and the Hough transform as a pupil method: drawn discs, rendered eyes, tracking, faults. */
import { expect } from 'chai';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { hardFrame, paperFrame, variedFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import { discs } from '../discs.ts';
import { reduce } from '../gpu-support.ts';
import { makeRuntime, once, SearchMemory, TestTracker } from '../search-memory.ts';
import { itInFull } from '../../support/full.ts';

type Given = Parameters<Scope['kernels']['circleEdges']>[0];

function* gather(scope: Scope, given: Given) {
  yield* scope.kernels.circleEdges(given);
}

const method = 'hough';
const plain = { method, reflections: 'none' };

describe('Canny and Hough', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => {
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  it('gathers the edges at a circle, whole rows of vectors and their ends alike', () => {
    for (const [width, height, x, y, r] of [
      [40, 30, 18.3, 14.6, 9],
      [67, 45, 60, 40, 20], // beyond two sides
      [16, 16, 8, 8, 1], // all of the middle
      [9, 7, -3, -2, 8],
    ] as const) {
      const random = generator(width);
      const edges = Uint8Array.from({ length: width * height }, () => (random() < 0.6 ? 255 : 0));
      const near = Array.from(edges, (edge, i) => {
        const d = Math.hypot((i % width) - x, Math.floor(i / width) - y);
        return edge && d < r + 2 && (r <= 2 || d > r - 2) && d > 0 ? i : -1;
      }).filter((i) => i >= 0);
      const memory = new SearchMemory(runtime);
      const plane = runtime.plane(width, height, 'u8', edges);
      const capacity = width * height;
      memory.set({ px: memory.room(4 * capacity), py: memory.room(4 * capacity) });
      memory.set({ cx: x + 7, cy: y + 5, r, voteDistance: 2 });
      const call = (most: number) =>
        driveNow(runtime, (scope) =>
          gather(scope, { search: memory.state, edges: plane, width, height, originX: 7, originY: 5, capacity: most }),
        );
      call(capacity);
      const n = memory.get('points');
      const [xs, ys] = [memory.floats(memory.get('px'), n), memory.floats(memory.get('py'), n)];
      expect(Array.from(xs, (v, i) => (ys[i]! - 5) * width + v - 7)).to.deep.equal(near);
      expect(memory.get('votes')).to.equal(n);
      call(3);
      expect(memory.get('points')).to.equal(Math.min(3, n));
      plane.dispose();
      memory.dispose();
    }
  });

  it('measures a disc', () => {
    for (const [x, y, r] of [
      [160, 120, 30],
      [150.4, 110.7, 41.3],
    ] as const) {
      const image = discs(320, 240, 140, [{ x, y, r, level: 15 }]);
      for (const directions of [20, 60, 100]) {
        const angleStep = (2 * Math.PI) / directions;
        const pupil = once(runtime, image, { ...plain, angleStep }).pupils[0]!;
        expect(pupil.found).to.equal(true);
        expect(pupil.confidence).to.be.above(0.9);
        expect(pupil.points).to.equal(directions);
        expect(Math.hypot(pupil.x - x, pupil.y - y)).to.be.below(0.1);
        expect(Math.abs(pupil.diameter / 2 - r)).to.be.below(0.15);
        // The paper's circle is one of whole pixels.
        const given = { ...plain, variant: 'paper', angleStep };
        const { circle, votes, confidence } = once(runtime, image, { ...given, fit: 'circle' }).pupils[0]!;
        for (const value of Object.values(circle)) expect(value).to.equal(Math.round(value));
        expect(Math.hypot(circle.x - x, circle.y - y)).to.be.below(2);
        expect(Math.abs(circle.r - r)).to.be.below(2);
        expect(confidence).to.be.closeTo(votes / directions, 1e-9);
        const ellipse = once(runtime, image, given).pupils[0]!;
        expect(Math.hypot(ellipse.x - x, ellipse.y - y)).to.be.below(0.5);
      }
    }
  });

  it('votes on a smaller image when asked to, with the same outline', () => {
    const image = discs(640, 480, 140, [{ x: 320.3, y: 230.6, r: 61.2, level: 15 }]);
    const whole = once(runtime, image, { ...plain, houghSide: 480 }).pupils[0]!;
    for (const houghSide of [240, 120]) {
      const pupil = once(runtime, image, { ...plain, houghSide }).pupils[0]!;
      expect(pupil.found).to.equal(true);
      expect(Math.hypot(pupil.x - whole.x, pupil.y - whole.y)).to.be.below(0.05);
      expect(Math.abs(pupil.diameter - whole.diameter)).to.be.below(0.1);
    }
  });

  it('finds a large pupil whose circle has fewer votes than small ones by chance', () => {
    const frame = variedFrame(56, 2111);
    const { x, y } = frame.truth.ellipse!;
    const pupil = once(runtime, frame, { method }).pupils[0]!;
    expect(Math.hypot(pupil.x - x, pupil.y - y)).to.be.below(0.5);
  });

  it('tracks from frame to frame, and finds again what jumped away', () => {
    const at = (x: number, y: number, r = 25) => discs(320, 240, 140, [{ x, y, r, level: 20 }]);
    const tracker = new TestTracker(runtime, plain);
    for (const [x, y, r] of [
      [100, 100, 25],
      [104, 101, 25.5],
      [109, 103, 26],
      [250, 180, 26], // a saccade out of the window
      [252, 181, 40], // wider than it can have become
    ] as const) {
      const pupil = tracker.process(at(x, y, r)).pupils[0]!;
      expect(pupil.found).to.equal(true);
      expect(Math.hypot(pupil.x - x, pupil.y - y)).to.be.below(0.2);
      expect(Math.abs(pupil.diameter / 2 - r)).to.be.below(0.3);
    }
    expect(tracker.process(discs(320, 240, 140, [])).pupils[0]!.found).to.equal(false);
    expect(tracker.process(at(60, 60)).pupils[0]!.found).to.equal(true);
    tracker.dispose();
  });

  itInFull('finds the pupils of rendered eyes, and nothing without one', () => {
    for (const i of [0, 300, 600]) {
      const frame = paperFrame(i);
      const pupil = once(runtime, reduce(frame, 2), { method }).pupils[0]!;
      const { ellipse } = frame.truth;
      expect(pupil.found).to.equal(true);
      expect(Math.hypot(pupil.x - (ellipse!.x - 0.5) / 2, pupil.y - (ellipse!.y - 0.5) / 2)).to.be.below(1);
    }
    let eyeless = hardFrame(0);
    for (let i = 1; !eyeless.meta.eyeless; i++) eyeless = hardFrame(i);
    expect(once(runtime, eyeless, { method }).pupils[0]!.found).to.equal(false);
  });

  it('takes every image', () => {
    const random = generator(5);
    for (const variant of ['default', 'paper'])
      for (const [width, height] of [
        [3, 3],
        [8, 5],
        [65, 33],
        [131, 97],
      ] as const) {
        const noise = Uint8Array.from({ length: width * height }, () => 256 * random());
        for (const data of [noise, noise.slice().fill(0), noise.slice().fill(255)]) {
          const { pupils } = once(runtime, { width, height, data }, { method, variant });
          expect(pupils).to.have.length(1);
          if (variant === 'default') expect(pupils[0]!.found).to.equal(false);
        }
      }
  });
});
