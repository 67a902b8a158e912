// Full run only: rare faults and limits, up to a minute.
// Own page: it loses WebGL contexts.
/** Engines that start, or start again, while the browser keeps the WebGL context away. */
import { expect } from 'chai';
import './engine-dummies.ts';
import { createEngine, type Engine } from '../../src/index.ts';
import { giveBack } from '../support/context-away.ts';
import { everyCall, makePictures } from '../support/every-call.ts';
import { catchWorkers, type CaughtWorkers } from '../support/mortal-workers.ts';
import { rejection } from './gpu-support.ts';

const image = (value: number) => ({ width: 24, height: 16, data: new Uint8Array(24 * 16).fill(value) });
const away = '/test/runtime/context-away-worker.ts';

describe('an engine that starts while the context is away', () => {
  let workers: CaughtWorkers;
  let engine: Engine;
  before(() => (workers = catchWorkers()));
  after(() => workers.restore());
  beforeEach(() => (workers.script = null));
  afterEach(() => engine?.dispose());

  const open = (workerUrl = '/test/runtime/test-worker.ts') =>
    createEngine({ workerUrl, worker: true, threads: 1, backend: 'gpu' }).then((made) => (engine = made));
  const sideOf = async () => (await engine.gaussian(image(9), { size: 5 })).backend;
  const dies = async () => {
    workers.fail();
    await rejection(engine.gaussian(image(1), { size: 5 })).catch(() => {}); // it may be answered by the next one
  };
  const backOnGpu = async () => {
    giveBack();
    for (let i = 0; i < 200 && (await sideOf()) !== 'gpu'; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await sideOf()).to.equal('gpu');
  };

  it('begins again in WASM where there is no context, and says so', async () => {
    await open();
    expect(await sideOf()).to.equal('gpu');
    workers.script = `${away}?none`;
    await dies();
    expect(await sideOf()).to.equal('wasm');
    expect(engine.capabilities.backend).to.equal('wasm');
    expect(engine.capabilities.reasons.join()).to.include('No GPU backend: WebGL2 is not available');
  });

  it('begins again in WASM where the context goes meanwhile, and is on the GPU when it is back', async () => {
    await open();
    workers.script = away;
    await dies();
    expect(await sideOf()).to.equal('wasm');
    expect(engine.capabilities.reasons.join()).to.include('lost at startup');
    await backOnGpu();
  });

  it('still asks for a context at its first start', async () => {
    const { code } = await rejection(open(`${away}?none`));
    expect(code).to.equal('no-webgl2');
  });

  it('answers every call in WASM, and trackers that began without the context go on with it', async () => {
    await open(away);
    const pictures = await makePictures();
    for (const { name, run } of everyCall) {
      const result = (await run(engine, pictures).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`);
      })) as { backend?: string };
      if (result.backend) expect(result.backend, name).to.equal('wasm');
    }
    const { eye, next, face } = pictures;
    const target = engine.createObjectTracker();
    await target.start(eye, { x: 28, y: 20, width: 32, height: 32 });
    const faces = await engine.createFaceTracker({ model: '/test/media/landmarks.bin' });
    const trackers = [
      { tracker: engine.createPupilTracker({ method: 'starburst' }), sources: [eye, next, eye, next] },
      { tracker: target, sources: [next, eye, next, eye] },
      { tracker: faces, sources: [face, face, face, face] },
    ];
    for (const which of [0, 1, 2, 3]) {
      if (which === 2) await backOnGpu();
      for (const { tracker, sources } of trackers)
        expect((await tracker.process(sources[which]!)).restarted).to.equal(undefined);
    }
    for (const { tracker } of trackers) await tracker.dispose();
    pictures.frame.close();
  });
});
