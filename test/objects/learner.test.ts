/** The kernels that learn, against the plain learner, on rendered scenes. */
import { expect } from 'chai';
import { Detector } from '../../src/objects/detector.ts';
import { FERNS, fernTable, Random, ObjectModel, PATCH_FLOATS } from '../../src/objects/model.ts';
import type { SharedFrame } from '../../src/objects/frame.ts';
import { Learner } from '../../src/objects/target.ts';
import { objectParameters } from '../../src/objects/parameters.ts';
import type { Box, GrayImage } from '../../src/results/types.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import type { Call } from '../../src/runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { renderScene, squareAt } from '../node/objects-scene.mjs';
import { nearestWindows } from '../reference/objects-boxes.ts';
import { FernCounts, fernCodes, ReferenceLearner, warpedCodes, type Scene } from '../reference/objects-learner.ts';
import { PatchLists } from '../reference/objects-model-patches.ts';
import { listed } from './lists.ts';
import { frameOf, Memory, now, openRuntime, testing } from './memory.ts';

const values = resolveParameters(objectParameters, {}, 'test');
const SEED = 5;

/** The scene with something that looks much like the target, but for its lower rows, in another place. */
function withTwin(image: GrayImage, { x, y, width, height }: Box, t: number): GrayImage {
  const data = Uint8Array.from(image.data);
  for (let j = 0; j < height; j++)
    for (let i = 0; i < width; i++)
      data[(130 + j) * image.width + 230 + 3 * t + i] =
        j < 26 - t ? image.data[(y + j) * image.width + x + i]! : 90 + 3 * i;
  return { ...image, data };
}

describe('the kernels that learn', () => {
  let runtime: Runtime;
  let memory: Memory;
  let scope: Scope;
  let random: Random;
  before(async () => (runtime = await openRuntime()));
  after(() => runtime.dispose());
  beforeEach(() => {
    memory = new Memory(runtime);
    scope = new Scope(runtime);
    random = new Random(23);
  });
  afterEach(() => {
    memory.free();
    scope.dispose();
  });
  const run = <T>(call: Call<T>): T => now(runtime, call);

  it('counts of the ferns, halved when full, and votes', () => {
    const model = new ObjectModel(scope, [], values, SEED);
    const plain = new FernCounts();
    const same = Array.from({ length: FERNS }, (_, i) => i);
    plain.learn(same, true);
    expect(plain.vote(same)).to.equal(10);
    for (let i = 0; i < 3; i++) plain.learn(same, false);
    expect(plain.vote(same)).to.equal(2.5);
    const write = (codes: readonly number[]) => {
      const bytes = new Uint8Array(32);
      bytes.set(new Uint8Array(Uint16Array.from(codes).buffer));
      return memory.bytes(bytes);
    };
    const count = (codes: readonly number[], positive: boolean) =>
      run(testing(scope).kernels.learnCodes({ model, codes: write(codes), count: 1, positive }));
    const learn = (codes: readonly number[], positive: boolean) => {
      count(codes, positive);
      plain.learn(codes, positive);
    };
    count(same, true);
    for (let i = 0; i < 3; i++) count(same, false);
    for (let i = 0; i < 5000; i++) {
      const codes = same.map(() => random.below(i % 2 ? 3 : 8192));
      learn(i % 3 ? same : codes, random.uniform() < 0.9);
      const vote = run(testing(scope).kernels.voteOfCodes({ model, codes: write(codes) }));
      expect(vote, `example ${i}`).to.equal(plain.vote(codes));
      memory.free();
    }
    expect(model.fernPositives).to.deep.equal(plain.positives);
    expect(model.fernNegatives).to.deep.equal(plain.negatives);
    expect(Math.max(...plain.positives)).to.be.within(2048, 4095);
    const posteriors = runtime.arena.f32.slice(model.posteriors >> 2, (model.posteriors >> 2) + 10 * 8192);
    run(model.restoreFerns());
    expect(runtime.arena.f32.subarray(model.posteriors >> 2, (model.posteriors >> 2) + 10 * 8192)).to.deep.equal(
      posteriors,
    );
  });

  const patch = () => {
    const list = Array.from({ length: 225 }, () => random.uniform() - 0.5);
    const norm = Math.hypot(...list);
    return Array.from(Float32Array.from(list, (v) => v / norm));
  };

  const sameLists = (model: ObjectModel, lists: PatchLists, tolerance: number) => {
    for (const name of ['positives', 'negatives'] as const) {
      const stored = model.patches(name);
      expect(stored.length / PATCH_FLOATS, name).to.equal(lists[name].length);
      lists[name].forEach((one, i) =>
        one.forEach((v, k) => expect(stored[PATCH_FLOATS * i + k], `${name} ${i}, ${k}`).to.be.closeTo(v, tolerance)),
      );
    }
  };

  it('lists of patches: nearest, full lists, forgetting, promoting', () => {
    const most = { positives: 7, negatives: 5 };
    const model = new ObjectModel(scope, [], { ...values, ...most }, SEED);
    const plain = new PatchLists(most, new Random(SEED));
    expect(plain.compare(patch()).relative).to.equal(0);
    for (let i = 0; i < 60; i++) {
      const one = patch();
      const address = memory.f32([...one, ...Array.from({ length: 15 }, () => 0)]);
      const list = i === 0 || random.uniform() < 0.5 ? 'positives' : 'negatives';
      run(testing(scope).kernels.addPatch({ model, patch: address, positive: list === 'positives' }));
      plain.add(one, list);
      if (i === 0) expect(plain.compare(one)).to.deep.include({ relative: 1, conservative: 1 });
      if (i % 11 === 10) {
        const other = plain.positives[2]!;
        const at = memory.f32([...other, ...Array.from({ length: 15 }, () => 0)]);
        run(testing(scope).kernels.forgetPatch({ model, patch: at, same: 0.9 }));
        plain.forget(other, 0.9);
        expect(plain.positives).not.to.include(other);
        run(testing(scope).kernels.addPatch({ model, patch: at, positive: true }));
        plain.add(other, 'positives');
        run(testing(scope).kernels.promotePatch({ model, patch: at }));
        plain.promote();
        expect(plain.positives[0]).to.equal(other);
      }
      const query = patch();
      const at = memory.f32([...query, ...Array.from({ length: 15 }, () => 0)]);
      run(testing(scope).kernels.comparePatch({ model, patch: at }));
      const expected = plain.compare(query);
      for (const key of ['relative', 'conservative', 'nearestPositive', 'nearestNegative'] as const)
        expect(model.record.get(key), `${key}, ${i}`).to.be.closeTo(expected[key], 1e-5);
      sameLists(model, plain, 0);
    }
    expect(plain.positives.length + plain.negatives.length).to.equal(12);
  });

  it('codes: the plain ones of a window of two gray values, and of its warped copies', () => {
    const half = { width: 40, height: 40, data: Uint8Array.from({ length: 1600 }, (_, i) => (i % 40 < 20 ? 200 : 50)) };
    // Left of right in every comparison, then the other way round.
    const table = Array.from({ length: 130 }, (_, c) => (c < 65 ? [0.2, 0.5, 0.8, 0.5] : [0.8, 0.5, 0.2, 0.5])).flat();
    const box = { x: 0, y: 0, width: 40, height: 40 };
    const expected = [...Array.from({ length: 5 }, () => 8191), 0, 0, 0, 0, 0];
    expect(fernCodes(half, box, table)).to.deep.equal(expected);
    const none = { a: 1, b: 0, tx: 0, ty: 0 };
    expect(warpedCodes(half, box, none, table, 5, () => random.bits())).to.deep.equal(expected);
    // Turned by half a turn.
    const turned = warpedCodes(half, box, { ...none, a: -1 }, table, 5, () => random.bits());
    expect(turned).to.deep.equal(expected.map((code) => 8191 - code));
  });

  for (const most of [
    { positives: 100, negatives: 300 },
    { positives: 4, negatives: 3 },
  ])
    it(`a model from its first box, then taught, then corrected; at most ${most.positives} positives`, () => {
      // A low threshold, so that much of the background passes at first.
      const own = { ...values, ...most, firstWarps: 6, warps: 4, fernThreshold: 0.09 };
      const table = fernTable(3);
      const model = new ObjectModel(scope, table, own, SEED);
      const learner = new Learner(scope, model);
      const plain = new ReferenceLearner(new Random(SEED), table, own);
      const sceneOf = (t: number): { frame: SharedFrame; scene: Scene } => {
        const gray = withTwin(renderScene(t), squareAt(t), t);
        const { width, height } = gray;
        const frame = frameOf(runtime, gray, own);
        const { address, stride } = run(frame.blurred());
        const data = new Uint8Array(width * height);
        for (let y = 0; y < height; y++)
          data.set(runtime.arena.u8.subarray(address + y * stride, address + y * stride + width), y * width);
        return { frame, scene: { gray, blurred: { width, height, data } } };
      };
      const compare = () => {
        expect(model.fernPositives).to.deep.equal(plain.ferns.positives);
        expect(model.fernNegatives).to.deep.equal(plain.ferns.negatives);
        for (const key of ['leastVariance', 'fernThreshold', 'nearestThreshold', 'validThreshold'] as const)
          expect(model.record.get(key), key).to.be.closeTo(plain[key], 1e-4);
        sameLists(model, plain.patches, 2e-4);
      };

      const { frame, scene } = sceneOf(0);
      const box: Box = (({ x, y, width, height }) => ({ x: x + 0.3, y, width, height: height - 0.6 }))(squareAt(0));
      const detector = Detector.of(runtime, frame, box, table, own);
      const { grid } = detector.windows;
      // What the learner asks the detector for, it asks as well; before each answer changes.
      const near = (at: Box) => nearestWindows(grid, at, 0.6, 10);
      expect(near(box).length).to.be.greaterThan(3);
      plain.first(scene, box, near(box));
      const rounds: number[] = [];
      const votes = detector.votes.bind(detector);
      detector.votes = function* (...args) {
        yield* votes(...args);
        const candidates = listed(runtime, detector, 'candidates');
        if (rounds.length < 2 && rounds.at(-1) !== 0) rounds.push(plain.far(scene, box, candidates));
        else plain.raise(box, candidates);
      };
      run(learner.begin(frame, detector, memory.box(box)));
      expect(rounds[0]).to.be.greaterThan(10);
      plain.background(scene, box, grid.scales);
      compare();
      expect(plain.ferns.negatives.some((v) => v > 0)).to.equal(true);
      detector.votes = votes;
      frame.dispose();

      let taught = 0;
      for (let t = 1; t < 12; t++) {
        const { frame, scene } = sceneOf(t);
        const { x, y, width, height } = squareAt(t);
        const box = { x: x + 0.25, y: y - 0.5, width, height };
        run(detector.variance(frame, model.record.get('leastVariance')));
        run(detector.votes(frame, model, 3));
        run(detector.compare(frame, model));
        const candidates = listed(runtime, detector, 'candidates');
        const detections = candidates.slice(0, detector.record.get('detectionCount'));
        const address = memory.box(box);
        if (t === 5 || t === 9) {
          const before = t === 9 ? { x: 200, y: 90, width: 40, height: 44 } : null;
          plain.correct(scene, box, near(box), before);
          run(learner.correct(frame, detector, address, before ? memory.box(before) : 0));
        } else if (t === 7) {
          // Flat, or too different: nothing is learned.
          const other = { x: 250, y: 10, width: 30, height: 30 };
          expect(plain.mayLearn(scene, other)).to.equal(false);
          expect(run(learner.learn(frame, detector, memory.box(other)))).to.equal(false);
        } else {
          const may = plain.mayLearn(scene, box);
          if (may) plain.teach(scene, box, near(box), candidates, detections);
          expect(run(learner.learn(frame, detector, address))).to.equal(may);
          taught += Number(may);
        }
        compare();
        frame.dispose();
      }
      expect(taught).to.be.greaterThan(5);
      detector.dispose();
    });
});
