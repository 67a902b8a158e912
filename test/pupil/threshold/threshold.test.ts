/** Thresholding and labeling: the border of a component, circles of drawn discs, what the guard leaves out, faults. */
import { expect } from 'chai';
import { labelComponents } from '../../../src/image/components.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { DarkComponents, type Component } from '../../../src/pupil/threshold/threshold.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { hardFrame, paperFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import { componentBorder } from '../../image/component-border.ts';
import { discs } from '../discs.ts';
import { reduce } from '../gpu-support.ts';
import { makeRuntime, once, SearchMemory, TestTracker, type Gray } from '../search-memory.ts';
import { itInFull } from '../../support/full.ts';

const method = 'threshold';

describe('thresholding and labeling', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => {
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  /** Border points of every component of the samples up to `level`, in the order of the components. */
  function borders({ width, height, data }: Gray, level: number): { area: number; points: number[] }[] {
    const plane = runtime.plane(width, height, 'u8', data);
    const components = new DarkComponents(runtime, width, height);
    const memory = new SearchMemory(runtime);
    const capacity = (width + 2) * (height + 2);
    memory.set({ px: memory.room(4 * capacity), py: memory.room(4 * capacity) });
    const border = (component: Component, x: number, y: number, most: number) =>
      driveNow(runtime, () => components.border(component, memory.state, x, y, most));
    const list = driveNow(runtime, () => components.label(plane, level)).map((component) => {
      const n = border(component, 0, 0, capacity);
      expect(border(component, 0, 0, n), 'room for all of them is enough').to.equal(n);
      if (n > 0) expect(border(component, 0, 0, n - 1), 'room for less is not').to.equal(-1);
      border(component, 100, 1000, capacity);
      const xs = memory.floats(memory.get('px'), n);
      const ys = memory.floats(memory.get('py'), n);
      return { area: component.area, points: Array.from(xs, (x, i) => (ys[i]! - 1000) * width + x - 100) };
    });
    memory.dispose();
    components.dispose();
    plane.dispose();
    return list;
  }

  it('goes around a component outside, diagonals included', () => {
    // prettier-ignore
    const data = Uint8Array.from([
      9, 9, 9, 9, 9,
      9, 9, 9, 3, 9,
      9, 9, 2, 9, 9,
      9, 9, 9, 9, 9,
      9, 9, 9, 9, 1,
    ]);
    expect(borders({ width: 5, height: 5, data }, 3)).to.deep.equal([
      { area: 2, points: [2, 3, 4, 6, 7, 9, 11, 13, 14, 16, 17, 18] },
      { area: 1, points: [18, 19, 23] },
    ]);
    expect(borders({ width: 5, height: 5, data }, 0)).to.deep.equal([]);
  });

  it('has the components and outer borders of the labeled binary image, over odd sizes', () => {
    for (const [width, height, share] of [
      [1, 1, 1],
      [1, 67, 0.5],
      [67, 1, 0.5],
      [15, 9, 0.5],
      [16, 16, 0.9],
      [17, 31, 0.3],
      [63, 12, 0.6],
      [64, 33, 0.4],
      [65, 47, 0.55],
      [67, 67, 0.1],
    ] as const) {
      const random = generator(width * 100 + height);
      const data = Uint8Array.from({ length: width * height }, () => (random() < share ? 0 : 101) + 100 * random());
      const binary = runtime.plane(
        width,
        height,
        'u8',
        Uint8Array.from(data, (v) => (v <= 100 ? 255 : 0)),
      );
      const labeled = driveNow(runtime, (scope) => labelComponents(scope, binary, { statistics: true }));
      const expected = labeled.statistics.map(({ area }, i) => ({
        area,
        points: [...driveNow(runtime, (scope) => componentBorder(scope, labeled, i, 'outer'))],
      }));
      expect(borders({ width, height, data }, 100), `${width}x${height}`).to.deep.equal(expected);
      labeled.labels.dispose();
      binary.dispose();
    }
  });

  it('measures a disc; the paper’s outer border lies half a pixel outside', () => {
    for (const [x, y, r] of [
      [160, 120, 30],
      [150.4, 110.7, 41.3],
    ] as const) {
      const image = discs(320, 240, 140, [{ x, y, r, level: 15 }]);
      const given = { method, reflections: 'none', outline: true };
      const pupil = once(runtime, image, given).pupils[0]!;
      expect(pupil.found).to.equal(true);
      expect(pupil.confidence).to.be.above(0.9);
      expect(Math.hypot(pupil.x - x, pupil.y - y)).to.be.below(0.05);
      expect(Math.abs(pupil.diameter / 2 - r)).to.be.below(0.1);
      // Half way between the levels, so that the component ends where the disc does.
      const paper = once(runtime, image, { ...given, variant: 'paper', thresholdFrom: 77, thresholdTo: 77 }).pupils[0]!;
      expect(Math.hypot(paper.x - x, paper.y - y)).to.be.below(0.1);
      expect((paper.ellipse!.major + paper.ellipse!.minor) / 4 - r).to.be.within(0.35, 0.65);
      expect(paper.votes).to.equal(paper.points);
      expect(paper.confidence).to.equal(1);
    }
  });

  it('takes the circle with the most votes over all thresholds', () => {
    // The larger disc appears at the third threshold only.
    const image = discs(400, 300, 150, [
      { x: 250, y: 150, r: 70, level: 70 },
      { x: 250, y: 150, r: 25, level: 15 },
    ]);
    const given = { method, variant: 'paper', fit: 'circle', reflections: 'none' };
    const radius = (params: object) => once(runtime, image, { ...given, ...params }).pupils[0]!.circle.r;
    expect(radius({ thresholdTo: 60 })).to.be.within(25, 28);
    expect(radius({})).to.be.within(70, 73);
    // The default takes the more certain outline: the inner one has the pupil's contrast, too.
    expect(once(runtime, image, { method, reflections: 'none' }).pupils[0]!.found).to.equal(true);
  });

  it('leaves out the shadow of the frame and lashes, unless the guard is off', () => {
    const image = discs(320, 240, 150, [{ x: 170, y: 130, r: 24, level: 20 }]);
    for (let i = 0; i < image.data.length; i++) {
      const [x, y] = [i % 320, Math.floor(i / 320)];
      if (y < 14 || x < 6) image.data[i] = 12; // a corner in the dark
      if (y > 60 && y < 64 && x > 60 && x < 300) image.data[i] = 18; // a lash
    }
    const where = (params: object) => once(runtime, image, { method, reflections: 'none', ...params }).pupils[0]!;
    const pupil = where({});
    expect(pupil.found).to.equal(true);
    expect(Math.hypot(pupil.x - 170, pupil.y - 130)).to.be.below(0.3);
    expect(where({ guard: false }).found).to.equal(false);
    const paper = where({ variant: 'paper' });
    expect(Math.hypot(paper.x - 170, paper.y - 130)).to.be.above(20);
  });

  it('leaves out what is larger than the pupil and much longer than wide', () => {
    const image = discs(320, 240, 150, [{ x: 170, y: 130, r: 20, level: 20 }]);
    for (let y = 50; y < 64; y++) image.data.fill(20, 320 * y + 80, 320 * y + 260);
    const pupil = once(runtime, image, { method, reflections: 'none', workingDiagonal: 1000 }).pupils[0]!;
    expect(Math.hypot(pupil.x - 170, pupil.y - 130)).to.be.below(0.3);
  });

  it('finds a pupil that the edge of the picture cuts', () => {
    for (const x of [8, 20, 32]) {
      const image = discs(320, 240, 150, [{ x, y: 120, r: 36, level: 20 }]);
      const pupil = once(runtime, image, { method, reflections: 'none' }).pupils[0]!;
      expect(Math.hypot(pupil.x - x, pupil.y - 120), `center at ${x}`).to.be.below(0.1);
      expect(pupil.diameter / 2, `center at ${x}`).to.be.closeTo(36, 0.1);
    }
  });

  it('works on filled reflections', () => {
    const image = discs(320, 240, 140, [
      { x: 160, y: 120, r: 32, level: 20 },
      { x: 150, y: 112, r: 4, level: 250 },
      { x: 192, y: 120, r: 4, level: 250 }, // on the border
    ]);
    for (const reflections of ['skip', 'interpolate']) {
      const pupil = once(runtime, image, { method, reflections }).pupils[0]!;
      expect(pupil.found, reflections).to.equal(true);
      expect(Math.hypot(pupil.x - 160, pupil.y - 120), reflections).to.be.below(0.3);
      expect(Math.abs(pupil.diameter / 2 - 32), reflections).to.be.below(0.3);
    }
  });

  it('tracks from frame to frame as it finds in single frames, and finds again what jumped away', () => {
    const at = (x: number, y: number) => discs(320, 240, 140, [{ x, y, r: 25, level: 20 }]);
    const tracker = new TestTracker(runtime, { method, reflections: 'none' });
    for (const [x, y] of [
      [100, 100],
      [104, 101],
      [109, 103],
      [250, 180], // a saccade out of the window
      [252, 181],
    ] as const) {
      const pupil = tracker.process(at(x, y)).pupils[0]!;
      expect(pupil.found).to.equal(true);
      expect(Math.hypot(pupil.x - x, pupil.y - y)).to.be.below(0.1);
    }
    expect(tracker.process(discs(320, 240, 140, [])).pupils[0]!.found).to.equal(false);
    expect(tracker.process(at(60, 60)).pupils[0]!.found).to.equal(true);
    tracker.dispose();
  });

  itInFull('finds the pupils of rendered eyes', () => {
    for (const i of [0, 300, 600]) {
      const frame = paperFrame(i);
      const small = reduce(frame, 2);
      const pupil = once(runtime, small, { method }).pupils[0]!;
      const { ellipse } = frame.truth;
      expect(pupil.found).to.equal(true);
      expect(Math.hypot(pupil.x - (ellipse!.x - 0.5) / 2, pupil.y - (ellipse!.y - 0.5) / 2)).to.be.below(1);
    }
    const eyeless = Array.from({ length: 40 }, (_, i) => hardFrame(i)).find(({ meta }) => meta.eyeless)!;
    expect(once(runtime, eyeless, { method }).pupils[0]!.found).to.equal(false);
  });

  it('refuses thresholds the wrong way round, and takes every image', () => {
    expect(() => once(runtime, discs(64, 48, 100, []), { method, thresholdFrom: 90, thresholdTo: 30 })).to.throw(
      /thresholdFrom \(90\) must not be above thresholdTo \(30\)/,
    );
    const random = generator(5);
    for (const variant of ['default', 'paper'])
      for (const [width, height] of [
        [3, 3],
        [8, 5],
        [65, 33],
        [131, 97],
      ] as const) {
        const noise = Uint8Array.from({ length: width * height }, () => 256 * random());
        for (const data of [noise, noise.slice().fill(0), noise.slice().fill(60), noise.slice().fill(255)]) {
          const { pupils } = once(runtime, { width, height, data }, { method, variant, thresholdStep: 5 });
          expect(pupils).to.have.length(1);
          if (variant === 'default') expect(pupils[0]!.found).to.equal(false);
        }
      }
  });
});
