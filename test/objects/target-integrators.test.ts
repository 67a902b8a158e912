/** Both integrators, against the plain ones. */
import { expect } from 'chai';
import { boxOf, Detector } from '../../src/objects/detector.ts';
import { fernTable, Random, ObjectModel } from '../../src/objects/model.ts';
import { FilterIntegrator } from '../../src/objects/filter-integrator.ts';
import { objectParameters } from '../../src/objects/parameters.ts';
import { BeliefRecord, BoxMotionRecord, WindowSearchRecord } from '../../src/runtime/wasm/records.ts';
import type { Box } from '../../src/results/types.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import type { Call } from '../../src/runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { appearanceOf } from '../node/objects-parts.ts';
import { renderScene, squareAt } from '../node/objects-scene.mjs';
import type { Found } from '../reference/objects-boxes.ts';
import { integrate, type Belief } from '../reference/objects-target-integrator.ts';
import { ReferenceFilterIntegrator, type Filters } from '../reference/objects-filter-integrator.ts';
import { frameOf, Memory, now, openRuntime, someDetections } from './memory.ts';

const values = resolveParameters(objectParameters, {}, 'test');
const FOUND_BY = ['none', 'tracker', 'detector', 'both'] as const;

describe('the integrators', () => {
  let runtime: Runtime;
  let memory: Memory;
  let scope: Scope;
  let random: Random;
  const uniform = () => random.uniform();
  before(async () => (runtime = await openRuntime()));
  after(() => runtime.dispose());
  beforeEach(() => {
    memory = new Memory(runtime);
    scope = new Scope(runtime);
    random = new Random(31);
  });
  afterEach(() => {
    memory.free();
    scope.dispose();
  });
  const run = <T>(call: Call<T>): T => now(runtime, call);

  const near = (actual: Box, expected: Box, what: string) => {
    for (const key of ['x', 'y', 'width', 'height'] as const)
      expect(actual[key], `${what}: ${key}`).to.be.closeTo(expected[key], 1e-6);
  };

  it('the published one', () => {
    const at = (x: number): Box => ({ x, y: 0, width: 10, height: 10 });
    const tracked: Belief = { box: at(0), confidence: 0.5, valid: true };
    const seen = (x: number, conservative: number): Found => ({ ...at(x), relative: 0.9, conservative });
    expect(integrate(tracked, [], 0.6)).to.deep.equal({ belief: tracked, by: 'tracker' });
    expect(integrate(tracked, [seen(1, 0)], 0.6).belief).to.deep.equal({ ...tracked, box: at(1 / 11) });
    expect(integrate(tracked, [seen(50, 0.6)], 0.6).belief).to.deep.include({ box: at(50), confidence: 0.6 });
    expect(integrate(tracked, [seen(50, 0.4)], 0.6).by).to.equal('tracker');
    expect(integrate(null, [seen(50, 0.6), seen(90, 0.6)], 0.6)).to.deep.equal({ belief: null, by: 'none' });

    const model = new ObjectModel(scope, [], values, 1);
    const counts: Record<string, number> = {};
    for (let i = 0; i < 400; i++) {
      const detections = someDetections(i % 12, uniform);
      const threshold = 0.5 + 0.4 * uniform();
      model.record.set({ nearestThreshold: threshold });
      const first = detections[0];
      const box = first && i % 2 ? { ...boxOfFound(first), x: first.x + 3 * uniform() } : at(100 * uniform());
      const tracked = i % 4 < 3 ? { box, confidence: uniform(), valid: uniform() < 0.5 } : null;
      const before = memory.record(BeliefRecord).set({ found: tracked !== null });
      if (tracked) before.set({ ...tracked.box, confidence: tracked.confidence, valid: tracked.valid });
      const search = memory.record(WindowSearchRecord).set({
        detections: memory.detections(detections),
        detectionCount: detections.length,
        mostDetections: detections.length,
      });
      // What was believed before says nothing.
      const belief = memory.record(BeliefRecord).set({ found: true, valid: true, by: 3, confidence: 0.7 });
      run(scope.kernels.integrate({ model, search, tracked: before, belief }));
      const expected = integrate(tracked, detections, threshold);
      expect(FOUND_BY[belief.get('by')], `${i}`).to.equal(expected.by);
      expect(belief.get('found') === 1).to.equal(expected.belief !== null);
      expect(belief.get('valid') === 1).to.equal(expected.belief?.valid ?? false);
      expect(belief.get('confidence')).to.be.closeTo(expected.belief?.confidence ?? 0, 1e-9);
      if (expected.belief) near(boxOf(belief), expected.belief.box, `${i}`);
      counts[expected.by] = (counts[expected.by] ?? 0) + 1;
    }
    for (const by of FOUND_BY) expect(counts[by], by).to.be.greaterThan(10);
  });

  /** The plain integrator by itself: filters that see what they are given. */
  it('the rules of the plain integrator', () => {
    const size = { width: 100, height: 80 };
    const box = { x: 20, y: 20, width: 30, height: 30 };
    const rule = { minConfidence: 0.5, learning: true, nearestThreshold: 0.65 };
    let value = 0.5;
    let rivalry = 0.15;
    let only: number | null = null; // where alone something is seen
    const at = (box: Box) => ({ box, value: only === null || box.x === only ? value : 0.05, rivalry });
    const done: string[] = [];
    const filters: Filters = {
      ...{ follow: at, remember: at, recognize: at },
      ...{ learn: () => done.push('learn'), trust: () => done.push('trust'), restore: () => done.push('restore') },
      ...{ prepare: () => done.push('prepare'), keep: () => done.push('keep') },
    };
    const integrator = new ReferenceFilterIntegrator();
    integrator.teach(filters, box, 1);
    expect(done.splice(0)).to.deep.equal(['learn', 'trust', 'prepare', 'keep']);
    const step = (found: readonly Found[] = []) =>
      integrator.decide(filters, size, integrator.follow(filters, size, null), found, rule);
    expect(step()).to.deep.equal({ box, confidence: 1, shown: true, by: 'tracker', teaches: false });
    step();
    expect(step()!.teaches).to.equal(true);
    rivalry = 0.95; // it still fits, but no better than elsewhere
    expect(step()).to.deep.include({ shown: true, teaches: true });
    const doubtful = Array.from({ length: 9 }, () => step()!);
    expect(doubtful.at(-1)).to.deep.include({ shown: false, by: 'none', teaches: false });
    expect(integrator.chain).to.equal(true);
    rivalry = 0.15;
    for (let t = 0; t < 9; t++) step();
    expect(step()).to.deep.include({ shown: true, by: 'tracker', teaches: true });
    expect(step()!.confidence).to.be.closeTo(0.5 + 1.85 * (0.43 - integrator.rivalry), 1e-9);
    value = 0.1; // the chain breaks
    expect(step()).to.deep.include({ shown: false, by: 'none', teaches: false });
    expect(step()!.confidence).to.equal(0.99 * rule.minConfidence);
    value = 0.5; // found again where it was, on probation
    expect(step()).to.deep.include({ shown: true, by: 'tracker', teaches: false });
    expect(done).to.include('restore');
    integrator.lose();
    value = 0.1;
    expect(step()).to.equal(null);
    value = 0.5; // it is seen at a place that no detection names
    expect(step()).to.deep.include({ shown: true, by: 'detector' });
    integrator.lose();
    value = 0.1;
    for (let t = 0; t < 3; t++) step();
    value = 0.42; // with less evidence it has to hold first, and is said by nobody until then
    const shown = Array.from({ length: 9 }, () => step()!);
    expect(shown.map((one) => one.shown)).to.deep.equal([...Array<boolean>(8).fill(false), true]);
    expect(shown[0]).to.deep.include({ by: 'none', teaches: false });
    expect(shown[0]!.confidence).to.be.closeTo(0.99 * 0.5, 1e-9);
    const imported = new ReferenceFilterIntegrator(); // what never had a place has none to prove
    expect(imported.decide(filters, size, null, [], rule)).to.deep.include({ shown: true, by: 'detector' });
    integrator.lose();
    value = 0.5;
    only = 60;
    const elsewhere = { x: 60, y: 10, width: 30, height: 30, relative: 0.9, conservative: 0.9 };
    expect(step([elsewhere])).to.deep.include({ box: boxOfFound(elsewhere), by: 'detector' });
  });

  for (const seed of [1, 2, 3])
    it(`the integrator over a scene with an occlusion, seed ${seed}`, () => {
      random = new Random(seed);
      const size = squareAt(0);
      const integrator = new FilterIntegrator(scope, size);
      const twin = appearanceOf(runtime, size);
      const plain = new ReferenceFilterIntegrator();
      // No evidence is strong enough to be shown at once.
      if (seed === 2) integrator.record.set({ sure: (plain.sure = 2) });
      const model = new ObjectModel(scope, [], values, 1);
      model.record.set({ nearestThreshold: 0.65 });
      let detector: Detector | null = null;
      const belief = memory.record(BeliefRecord);
      const motion = memory.record(BoxMotionRecord);
      const seen: Record<string, number> = {};
      for (let t = 0; t < 90; t++) {
        const frame = frameOf(runtime, renderScene(t), values);
        detector ??= Detector.of(runtime, frame, size, fernTable(1), values);
        const filters: Filters = {
          follow: (box) => twin.follow(frame, box),
          remember: (box) => twin.remember(frame, box),
          recognize: (box) => twin.recognize(frame, box),
          learn: (box, rate) => twin.learn(frame, box, rate),
          trust: twin.trust,
          restore: twin.restore,
          prepare: (box) => twin.prepare(frame, box),
          keep: twin.keep,
        };
        const truth = boxOfFound(squareAt(t));
        if (t === 0 || (t === 75 && seed === 2)) {
          const box = memory.box(truth);
          run(t ? integrator.correct(frame, box) : integrator.begin(frame, box));
          plain.teach(filters, truth, t ? 0.5 : 1);
        }
        if (t === 50 && seed === 3) {
          run(integrator.lose());
          plain.lose();
        }
        const jitter = (most: number) => (2 * uniform() - 1) * most;
        // The flow fails now and then, and where the target comes back; and it says too much of the size.
        const flown =
          uniform() < 0.2 || (t >= 40 && t < 66)
            ? null
            : { ...truth, x: truth.x + jitter(3), width: truth.width * (1 + jitter(0.2)) };
        motion.set({ found: flown !== null, ...flown });
        run(
          integrator.follow(frame, function* () {
            yield* [];
            return motion;
          }),
        );
        const followed = plain.follow(filters, frame, flown);
        // Detections where it is, where it was, and anywhere.
        const detections = Array.from({ length: random.below(9) }, (): Found => {
          const at = [truth, plain.box ?? truth, { ...truth, x: 280 * uniform(), y: 160 * uniform() }][
            random.below(3)
          ]!;
          return {
            ...{ x: at.x + jitter(2), y: at.y + jitter(2), width: at.width * (1 + jitter(0.1)), height: at.height },
            relative: uniform(),
            conservative: uniform(),
          };
        });
        memory.detections(detections, detector.record.get('detections'));
        detector.record.set({ detectionCount: detections.length });
        const rule = {
          minConfidence: (seed === 2 ? 0.9 : 0.7) * uniform(),
          learning: uniform() < 0.9,
          nearestThreshold: 0.65,
        };
        const kept = run(integrator.decide(frame, model, detector, belief, rule));
        const expected = plain.decide(filters, frame, followed, detections, rule);
        const what = `frame ${t}`;
        expect(kept, what).to.equal(expected !== null);
        if (plain.unproven) seen.unproven = (seen.unproven ?? 0) + 1;
        if (expected) {
          near(boxOf(belief), expected.box, what);
          expect(belief.get('confidence'), what).to.be.closeTo(expected.confidence, 1e-6);
          expect(FOUND_BY[belief.get('by')], what).to.equal(expected.by);
          expect(belief.get('shown') === 1, what).to.equal(expected.shown);
          expect(belief.get('valid') === 1, what).to.equal(expected.teaches);
          seen[expected.by] = (seen[expected.by] ?? 0) + 1;
          if (expected.teaches) seen.teaches = (seen.teaches ?? 0) + 1;
        } else seen.nothing = (seen.nothing ?? 0) + 1;
        expect(integrator.usual, what).to.be.closeTo(plain.usual, 1e-6);
        expect(integrator.appearance.viewCount, what).to.equal(twin.viewCount);
        frame.dispose();
      }
      // What is not shown is found by nobody.
      for (const what of ['tracker', 'both', 'none', 'teaches', seed === 2 ? 'unproven' : 'detector'])
        expect(seen[what], what).to.be.greaterThan(0);
      if (seed === 3) expect(seen.nothing).to.be.greaterThan(0);
      detector!.dispose();
      twin.dispose();
    });
});

function boxOfFound({ x, y, width, height }: Box): Box {
  return { x, y, width, height };
}
