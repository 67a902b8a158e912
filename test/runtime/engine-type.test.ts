// The type of the engine is made of what is registered: nothing of it is missing, and nothing beside it is there.
import { expect } from 'chai';
import type { Engine } from '../../src/api.ts';
import type { Operations, Trackers } from '../../src/capabilities.ts';
import { createEngine } from '../../src/engine.ts';
import { operations, trackerMethods } from '../../src/runtime/capability.ts';

// What there was stays: a name that the type has no more does not compile. What is added is found by itself.
const named = {
  gaussian: true,
  median: true,
  morphology: true,
  threshold: true,
  components: true,
  pyramid: true,
  integral: true,
  canny: true,
  houghLines: true,
  houghCircles: true,
  opticalFlow: true,
  trackPoints: true,
  inpaint: true,
  hessianEigenvalues: true,
  ridgeFeature: true,
  vesselness: true,
  vessels: true,
  detectFaces: true,
  landmarks: true,
} satisfies Partial<Record<keyof Operations, true>>;
const makers: Record<keyof Trackers, true> = {
  createFaceTracker: true,
  createPupilTracker: true,
  createObjectTracker: true,
};

describe('the type of the engine', () => {
  let engine: Engine;
  before(async () => (engine = await createEngine({ worker: false, threads: 1, backend: 'wasm' })));
  after(() => engine.dispose());

  it('has every operation and every tracker that is registered', () => {
    const registered = [...operations.keys()].filter((name) => name !== 'loadModels');
    expect(registered).to.include.members(Object.keys(named));
    expect(Object.keys(makers).sort()).to.deep.equal([...trackerMethods.keys()].sort());
    for (const name of [...registered, ...trackerMethods.keys()])
      expect((engine as object as Record<string, unknown>)[name], name).to.be.a('function');
  });

  it('refuses what a table does not hold', () => {
    const image = { width: 1, height: 1, data: new Uint8Array(1) };
    const refused = () => [
      // @ts-expect-error no such choice
      engine.canny(image, { norm: 'L3' }),
      // @ts-expect-error no such parameter
      engine.gaussian(image, { width: 3 }),
      // @ts-expect-error this one cannot be left to the call
      engine.canny(image, { low: 'auto' }),
      // @ts-expect-error boxes are needed
      engine.landmarks(image),
      // @ts-expect-error points are needed
      engine.trackPoints(image, image),
      // @ts-expect-error no such method
      engine.loadModels(),
    ];
    const taken = () => [
      engine.threshold(image, { level: 'auto' }).then(({ data }) => data.length),
      engine.vesselness(image, { sigmas: [1, 2], bestSigma: true }).then(({ bestSigma }) => bestSigma?.length),
      engine.houghLines(image, { edges: true, signal: new AbortController().signal }).then((lines) => lines[0]?.x1),
      engine.detectFaces(image, { cascade: 'frontalface_alt', verifier: null }).then(([face]) => face?.neighbors),
      engine.createFaceTracker({ step: 'auto', model: new Uint8Array() }).then((tracker) => tracker.setModel(null)),
      engine.landmarks(image, []).then(([shape]) => shape?.length),
      engine.createPupilTracker({ roi: null, millimetresPerPixel: null }).reset(),
    ];
    expect([refused, taken].every((of) => typeof of === 'function')).to.equal(true); // the compiler is the test
  });
});
