/** The GPU path through the engine: overlapping calls, changes between them, an end with frames in flight. */
import { expect } from 'chai';
import { createEngine, type Engine } from '../../../src/index.ts';
import { sampleFrame } from '../../../lab/eyes/index.ts';
import { reduce, type Gray } from '../gpu-support.ts';

describe('an engine that prefers the GPU', () => {
  let engine: Engine;
  let images: Gray[];
  before(async function () {
    this.timeout(60_000);
    engine = await createEngine({ backend: 'gpu', worker: false, threads: 1 });
    images = [60, 61, 62, 63, 64, 65].map((i) => reduce(sampleFrame(i), 2));
  });
  after(() => engine.dispose());

  it('answers overlapping calls in order, with the parameters of their time', async function () {
    this.timeout(60_000);
    expect(engine.capabilities.backend).to.equal('gpu');
    const tracker = engine.createPupilTracker({ method: 'starburst', fit: 'ellipse' });
    const order: number[] = [];
    const call = (i: number) =>
      tracker.process(images[i]!, { timestamp: i }).then((result) => {
        order.push(result.timestamp);
        return result.pupils[0]!;
      });
    const first = [0, 1, 2].map(call);
    const changed = tracker.setParameters({ fit: 'circle' });
    const second = [3, 4, 5].map(call);
    const pupils = await Promise.all([...first, ...second]);
    await changed;
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(pupils.every(({ found }) => found)).to.equal(true);
    expect(pupils.map(({ ellipse }) => ellipse !== null)).to.deep.equal([true, true, true, false, false, false]);
    await tracker.dispose();
  });

  it('ends with frames in flight and takes the next tracker', async function () {
    this.timeout(60_000);
    const tracker = engine.createPupilTracker({ method: 'starburst' });
    await tracker.process(images[0]!);
    const flying = [1, 2, 3, 4].map((i) =>
      tracker.process(images[i]!).then(
        ({ pupils }) => pupils[0]!.found,
        (error: { code: string }) => error.code,
      ),
    );
    await tracker.dispose();
    for (const answer of await Promise.all(flying)) expect(answer).to.be.oneOf([true, 'disposed']);
    const next = engine.createPupilTracker({ method: 'starburst' });
    expect((await next.process(images[0]!)).pupils[0]!.found).to.equal(true);
    await next.dispose();
  });
});
