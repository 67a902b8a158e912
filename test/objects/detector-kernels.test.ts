/** The kernels of the object tracker that measure, list and sort, against plain references on random input. */
import { expect } from 'chai';
import { boxOf, Detector } from '../../src/objects/detector.ts';
import { fernTable, Random } from '../../src/objects/model.ts';
import { scanningGrid, batchSize, layoutOf } from '../../src/objects/windows.ts';
import { objectParameters } from '../../src/objects/parameters.ts';
import { RecordView } from '../../src/runtime/wasm/record.ts';
import { BoxMotionRecord, GroupRecord } from '../../src/runtime/wasm/records.ts';
import type { Box, GrayImage } from '../../src/results/types.ts';
import type { Call } from '../../src/runtime/wasm/kernel-step.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import { Scope } from '../../src/runtime/scope.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import * as plain from '../reference/objects-boxes.ts';
import { medianFlow, type TrackedPoint } from '../reference/objects-median-flow.ts';
import { boxPatch, boxVariance } from '../reference/objects-model-patches.ts';
import { listed } from './lists.ts';
import { frameOf, Memory, noise, now, openRuntime, someDetections, testing } from './memory.ts';

const values = resolveParameters(objectParameters, {}, 'test');

describe('the kernels of the object tracker', () => {
  let runtime: Runtime;
  let memory: Memory;
  let random: Random;
  const uniform = () => random.uniform();
  before(async () => {
    runtime = await openRuntime();
    runtime.pool.scratch(100_000); // more than any of these kernels needs
  });
  after(() => runtime.dispose());
  beforeEach(() => {
    memory = new Memory(runtime);
    random = new Random(11);
  });
  let used = 0;
  beforeEach(() => (used = runtime.arena.used));
  afterEach(() => {
    memory.free();
    expect(runtime.arena.used, 'memory in use').to.equal(used);
  });

  const run = <T>(body: (scope: Scope) => Call<T>): T => now(runtime, body(new Scope(runtime)));
  const frame = (image: GrayImage) => frameOf(runtime, image, values);

  const detectorOf = (target: { width: number; height: number }, grid: 'paper' | 'release') =>
    Detector.of(runtime, { width: 150, height: 110 }, target, fernTable(1), { ...values, grid });

  const near = (actual: Box, expected: Box, tolerance = 1e-9) => {
    for (const key of ['x', 'y', 'width', 'height'] as const)
      expect(actual[key], key).to.be.closeTo(expected[key], tolerance);
  };

  it('medians: of random values, of few and of equal ones', () => {
    expect(plain.median([5, 1, 4, 2, 3])).to.equal(3);
    expect(plain.median([4, 1, 2, 3])).to.equal(2.5);
    for (let n = 0; n < 200; n++) {
      const list = Array.from({ length: n }, () => (n % 3 ? uniform() : random.below(4)));
      const found = run((scope) => testing(scope).kernels.medianOfValues({ values: memory.f64(list), count: n }));
      expect(found, `${n} values`).to.deep.equal(plain.median(list));
    }
  });

  it('batches of windows are sized for the threads that take them, and hold each window once, in order', () => {
    expect(batchSize(300_000, 1)).to.equal(2048);
    expect(batchSize(300_000, 8)).to.equal(2048);
    expect(batchSize(60_000, 8)).to.equal(625);
    expect(batchSize(20_000, 8)).to.equal(256);
    expect(batchSize(3_000_000, 8), 'rows of a texture').to.equal(2930);
    const frame = { width: 480, height: 270 };
    for (const [target, grid] of [
      [{ width: 40, height: 26 }, scanningGrid('paper', { width: 40, height: 26 }, frame, 20)],
      [{ width: 90, height: 110 }, scanningGrid('release', { width: 90, height: 110 }, frame, 20)],
    ] as const) {
      const one = layoutOf(grid);
      expect(layoutOf(grid, 1)).to.equal(one);
      for (const threads of [2, 8, 64]) {
        const layout = layoutOf(grid, threads);
        const what = `${target.width}x${target.height}, ${threads} threads`;
        const windows = ({ batchCount, widest, texels }: typeof one, own = texels.call(layout)) =>
          Array.from({ length: batchCount * widest }, (_, i) => own.slice(4 * i, 4 * i + 3).join()).filter(
            (text) => !text.startsWith('65535,65535'),
          );
        expect(windows(layout), what).to.deep.equal(windows(one, one.texels()));
        const pair = Math.max(...grid.scales.map(({ lefts }) => lefts.length));
        expect(layout.widest, what).to.be.at.most(Math.max(layout.batch, pair));
        expect(layout.batchCount, what).to.be.at.least(Math.min(2 * threads, grid.count / 512));
      }
    }
  });

  it('groups of detections', () => {
    const box = (x: number, relative: number) => ({ x, y: 0, width: 10, height: 10, relative, conservative: x });
    // Overlaps of 7 / 13 chain up; 4 / 16 does not.
    const chain = plain.groups([box(0, 0.5), box(30, 0.9), box(3, 0.7), box(6, 0.6), box(36, 0.1)], 0.2);
    expect(chain.map(({ members }) => members)).to.deep.equal([[0, 2, 3], [1]]);
    expect(chain[0]).to.include({ x: 3, relative: 0.7, conservative: 3 });
    for (let count = 0; count < 60; count++) {
      const found = someDetections(count, uniform);
      const least = count % 2 ? 0.3 : -1;
      const target = memory.take((GroupRecord.bytes + 4) * count + 16);
      const detections = memory.detections(found);
      run((scope) => testing(scope).kernels.groupsOf({ detections, count, least, target }));
      const expected = plain.groups(found, least);
      const at = (i: number) => new RecordView(runtime.arena, GroupRecord, target + GroupRecord.bytes * i);
      const places = Array.from({ length: count }, (_, i) => i).filter((i) => at(i).get('members'));
      expect(places).to.deep.equal(expected.map(({ members }) => members[0]));
      expected.forEach((group, g) => {
        const view = at(places[g]!);
        expect(view.get('members')).to.equal(group.members.length);
        for (const key of ['x', 'y', 'width', 'height', 'relative', 'conservative'] as const)
          expect(view.get(key), key).to.be.closeTo(group[key], 1e-9);
      });
    }
  });

  for (const grid of ['paper', 'release'] as const)
    it(`the windows nearest to a box, ${grid}`, () => {
      const detector = detectorOf({ width: 30, height: 24 }, grid);
      const { windows } = detector;
      const some = plain.windowsOf(windows.grid)[777]!;
      expect(plain.nearestWindows(windows.grid, some, 0.6, 10)[0]).to.deep.equal(some);
      expect(plain.overlap({ x: 0, y: 0, width: 2, height: 2 }, { x: 1, y: 0, width: 2, height: 2 })).to.equal(1 / 3);
      for (let i = 0; i < 150; i++) {
        const side = 12 + 50 * uniform();
        const box = {
          x: 140 * uniform() - 10,
          y: 100 * uniform() - 10,
          width: side,
          height: side * (0.7 + uniform() / 4),
        };
        const most = 1 + (i % 10);
        const at = memory.box(i % 9 ? box : some);
        run((scope) => scope.kernels.nearestWindows({ search: detector, box: at, least: 0.6, mostNearest: most }));
        const found = listed(runtime, detector, 'nearest').map(({ vote: _, ...window }) => window);
        expect(found).to.deep.equal(plain.nearestWindows(windows.grid, i % 9 ? box : some, 0.6, most));
      }
      detector.dispose();
    });

  for (const grid of ['paper', 'release'] as const)
    it(`candidates: what the votes let through, sorted, ${grid}`, () => {
      const detector = detectorOf({ width: 24, height: 24 }, grid);
      const { record, windows } = detector;
      const all = plain.windowsOf(windows.grid);
      const counts = Array.from({ length: windows.pairCount }, () => 0);
      const passed: (plain.GridWindow & { vote: number })[] = [];
      // A pair is a row of a scale; a third of its windows pass, many with equal votes.
      let window = 0;
      let pair = 0;
      for (const { lefts, tops } of windows.grid.scales)
        for (let row = 0; row < tops.length; row++, pair++) {
          const first = window;
          for (let column = 0; column < lefts.length; column++, window++) {
            if (uniform() < 2 / 3) continue;
            const vote = random.below(20) / 2;
            const at = first + counts[pair]!++;
            runtime.arena.u8.set([column & 255, column >> 8], record.get('accepted') + 2 * at);
            runtime.arena.f32[(record.get('votes') >> 2) + at] = vote;
            passed.push({ ...all[window]!, vote });
          }
        }
      runtime.arena.i32.set(counts, record.get('counts') >> 2);
      for (const [least, most] of [
        [5, 8192],
        [9.5, 8192],
        [11, 8192],
        [0, 100],
      ] as const) {
        record.set({ mostCandidates: most });
        run((scope) => scope.kernels.fernGather({ search: detector, least }));
        const expected = passed
          .filter(({ vote }) => vote >= least)
          .slice(0, most)
          .sort((a, b) => b.vote - a.vote || a.number - b.number);
        expect(listed(runtime, detector, 'candidates')).to.deep.equal(expected);
      }
      expect(passed.length).to.be.greaterThan(1000);
      detector.dispose();
    });

  it('a grid of points inside a box', () => {
    const box = { x: 10, y: 20, width: 41, height: 31 };
    const points = memory.take(8 * 9);
    run((scope) => scope.kernels.gridPoints({ box: memory.box(box), across: 3, points }));
    // 5 pixels from the edges; the last pixel of the box is width - 1 from its first.
    const expected = [25, 35, 45].flatMap((y) => [15, 30, 45].flatMap((x) => [x, y]));
    expect(Array.from(runtime.arena.f32.subarray(points >> 2, (points >> 2) + 18))).to.deep.equal(expected);
  });

  const flowOf = (box: Box, points: readonly TrackedPoint[]) => {
    const motion = memory.record(BoxMotionRecord).set({
      count: points.length,
      points: memory.f32(points.flatMap(({ from }) => from)),
      moved: memory.f32(points.flatMap(({ to }) => to)),
      valid: memory.bytes(points.map(({ valid }) => Number(valid))),
      errors: memory.f32(points.map(({ error }) => error)),
      correlations: memory.f32(points.map(({ correlation }) => correlation)),
    });
    run((scope) => testing(scope).kernels.medianFlow({ box: memory.box(box), motion }));
    return motion;
  };

  it('median flow: shift and growth of a box', () => {
    const box = { x: 20, y: 30, width: 41, height: 31 };
    const grown = Array.from({ length: 25 }, (_, i) => {
      const from = [24 + 8 * (i % 5), 33 + 6 * Math.floor(i / 5)] as const;
      const to = [40 + 1.5 * (from[0] - 40) + 7, 45 + 1.5 * (from[1] - 45) - 3] as const;
      return { from, to, valid: true, error: 0, correlation: 1 };
    });
    // Points around the box's middle move with it and away from it.
    near(medianFlow(box, grown)!.box, { x: 20 + 7 - 10, y: 30 - 3 - 7.5, width: 61, height: 46 });
    near(boxOf(flowOf(box, grown)), medianFlow(box, grown)!.box);
    for (let i = 0; i < 120; i++) {
      const points = Array.from({ length: i }, () => {
        const from = [Math.fround(100 * uniform()), Math.fround(80 * uniform())] as const;
        const to = [Math.fround(from[0] + 9 * uniform()), Math.fround(from[1] - 7 * uniform())] as const;
        const error = uniform() < [0.1, 0.6, 1][i % 3]! ? NaN : Math.fround(uniform());
        return { from, to, valid: uniform() < 0.8, error, correlation: Math.fround(uniform()) };
      });
      const expected = medianFlow(box, points);
      const motion = flowOf(box, points);
      expect(motion.get('found') === 1, `${i} points`).to.equal(expected !== null);
      if (!expected) continue;
      near(boxOf(motion), expected.box);
      expect(motion.get('residual')).to.be.closeTo(expected.residual, 1e-9);
      expect(motion.get('error')).to.equal(expected.error);
      expect(motion.get('kept')).to.equal(expected.kept);
    }
  });

  it('variances and patches of boxes, also across the edges', () => {
    const checkers = {
      width: 8,
      height: 8,
      data: Uint8Array.from({ length: 64 }, (_, i) => 10 * ((i + (i >> 3)) & 1)),
    };
    expect(boxVariance(checkers, { x: 0, y: 0, width: 8, height: 8 })).to.equal(25);
    const ramp = { width: 15, height: 15, data: Uint8Array.from({ length: 225 }, (_, i) => i % 15) };
    const line = boxPatch(ramp, { x: 0, y: 0, width: 15, height: 15 });
    // Mean 7, sum of squares 15 times 280.
    line.forEach((v, i) => expect(v).to.be.closeTo(((i % 15) - 7) / Math.sqrt(15 * 280), 1e-12));
    const image = noise(83, 61, uniform);
    for (const integrals of [false, true]) {
      const made = frame(image);
      now(runtime, made.sums());
      if (integrals) now(runtime, made.squares());
      for (let i = 0; i < 60; i++) {
        const box = { x: 100 * uniform() - 20, y: 80 * uniform() - 20, width: 70 * uniform(), height: 50 * uniform() };
        const address = memory.box(box);
        const variance = run((scope) => testing(scope).kernels.varianceOfBox({ frame: made, box: address }));
        expect(variance).to.be.closeTo(boxVariance(image, box), 1e-6);
        const out = memory.take(960);
        run((scope) => testing(scope).kernels.boxPatch({ frame: made, box: address, target: out }));
        const found = runtime.arena.f32.subarray(out >> 2, (out >> 2) + 240);
        boxPatch(image, box).forEach((v, k) => expect(found[k], `box ${i}, ${k}`).to.be.closeTo(v, 2e-4));
        expect(Array.from(found.subarray(225))).to.deep.equal(Array.from({ length: 15 }, () => 0));
      }
      made.dispose();
    }
  });
});
