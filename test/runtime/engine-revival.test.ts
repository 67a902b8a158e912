// Own page: it ends workers.
/** The death of an engine's worker, announced or silent, and what comes back. */
import { expect } from 'chai';
import './engine-dummies.ts';
import { createEngine } from '../../src/engine.ts';
import type { EngineBase } from '../../src/runtime/engine/engine.ts';
import type { EngineImage, GrayImage, Source } from '../../src/results/types.ts';
import { itInFull } from '../support/full.ts';
import { catchWorkers, type CaughtWorkers } from '../support/mortal-workers.ts';
import { rejection } from './gpu-support.ts';

interface Tracker {
  process(source: Source, options?: object): Promise<{ frame: number; mean: number; restarted?: true }>;
  setParameters(some: object): Promise<void>;
  dispose(): Promise<void>;
}
type Engine = EngineBase & {
  createDummyTracker(options?: object): Tracker;
  invert(source: Source, options?: object): Promise<GrayImage>;
  toil(source: Source, options?: object): Promise<{ steps: number }>;
  hang(source: Source): Promise<void>;
  load(source: Source): Promise<EngineImage>;
  loseThread(source: Source): Promise<GrayImage>;
};

const image = (value: number): GrayImage => ({ width: 8, height: 4, data: new Uint8Array(32).fill(value) });

const open = async (threads = 1) =>
  (await createEngine({
    workerUrl: '/test/runtime/test-worker.ts',
    worker: true,
    backend: 'wasm',
    threads,
  })) as unknown as Engine;

describe('an engine whose worker dies', () => {
  let engine: Engine;
  let workers: CaughtWorkers;
  before(() => (workers = catchWorkers()));
  after(() => workers.restore());
  beforeEach(async () => (engine = await open()));
  afterEach(() => engine.dispose());

  /** Work of a minute that has begun. */
  const begun = async (): Promise<{ work: Promise<unknown> }> => {
    const signs: (() => void)[] = [];
    const sign = new Promise<void>((resolve) => signs.push(resolve));
    const work = engine.toil(image(1), { milliseconds: 60000, onProgress: () => signs[0]!() });
    work.catch(() => {});
    await sign;
    return { work };
  };
  const lost = async (call: Promise<unknown>) => expect((await rejection(call)).code).to.equal('worker-lost');

  it('rejects what is pending when the worker is ended, and answers the next call', async () => {
    const { work } = await begun();
    workers.kill();
    await lost(work);
    expect((await engine.invert(image(7))).data[0]).to.equal(248);
    expect(engine.capabilities.reasons.join()).to.include('lost and started again (1 times');
  });

  for (const word of ['after', 'before'])
    itInFull(`starts in another worker where the first one dies ${word} its first word`, async () => {
      const { Worker } = globalThis;
      let started = 0;
      globalThis.Worker = class extends Worker {
        constructor(...given: ConstructorParameters<typeof Worker>) {
          super(...given);
          if (started++) return;
          if (word === 'before') this.terminate();
          else this.addEventListener('message', () => this.terminate(), { once: true });
        }
      };
      try {
        const other = await open(); // a silent one is not waited for until the whole start is given up
        expect(other.capabilities.worker).to.equal(true);
        expect(started).to.equal(2);
        expect((await other.invert(image(7))).data[0]).to.equal(248);
        await other.dispose();
      } finally {
        globalThis.Worker = Worker;
      }
    });

  itInFull('rejects what is pending after an uncaught error, with its text', async () => {
    const { work } = await begun();
    workers.fail();
    const { code, message } = await rejection(work);
    expect(code).to.equal('worker-lost');
    expect(message).to.include('as asked for');
    expect((await engine.invert(image(7))).data[0]).to.equal(248);
  });

  itInFull('rejects what is pending when an answer cannot be read', async () => {
    const { work } = await begun();
    workers.garble();
    await lost(work);
    expect((await engine.invert(image(7))).data[0]).to.equal(248);
  });

  itInFull('notices a worker that hangs', async () => {
    const hung = engine.hang(image(1));
    const waits = engine.invert(image(1));
    await Promise.all([lost(hung), lost(waits)]);
    expect((await engine.invert(image(7))).data[0]).to.equal(248);
  });

  itInFull('does not take long work in slices for a hang', async () => {
    expect((await engine.toil(image(1), { milliseconds: 9500 })).steps).to.be.above(1);
    expect(engine.capabilities.reasons.join()).to.not.include('started again');
  });

  itInFull('has images that say that they are gone', async () => {
    const kept = await engine.load(image(5));
    expect((await engine.invert(kept)).data[0]).to.equal(250);
    const { work } = await begun();
    workers.kill();
    await lost(work);
    const other = await engine.load(image(6));
    const { code, message } = await rejection(engine.invert(kept));
    expect(code).to.equal('worker-lost');
    expect(message).to.include('Load it again');
    expect((await engine.invert(other)).data[0]).to.equal(249);
    kept.dispose();
    expect((await engine.invert(other)).data[0]).to.equal(249);
  });

  it('has trackers that go on from their parameters and say so', async () => {
    const tracker = engine.createDummyTracker({ offset: 2 });
    const other = engine.createDummyTracker({ wait: 1000 });
    expect((await tracker.process(image(1))).frame).to.equal(0);
    await tracker.setParameters({ offset: 5 });
    expect((await tracker.process(image(1))).frame).to.equal(1);
    const canvas = new OffscreenCanvas(300, 200);
    canvas.getContext('2d')!.fillRect(0, 0, 300, 200);
    const slow = await canvas.convertToBlob();
    const dying = [other.process(image(1)), other.process(image(2))];
    await engine.invert(image(1)); // frames of `other` have arrived
    const reading = tracker.process(slow); // keeps its place over the death
    const behind = tracker.process(image(3)).catch(() => {}); // posted to the dying worker
    await Promise.resolve(); // both are on their way
    workers.fail();
    await Promise.all([behind, ...dying.map(lost)]);
    const during = tracker.process(image(4));
    const [read, later] = await Promise.all([reading, during]);
    expect(read.restarted).to.equal(true);
    expect([read.frame, read.mean]).to.deep.equal([0, 5]);
    expect([later.mean, later.restarted]).to.deep.equal([9, undefined]);
    expect((await other.process(image(3))).restarted).to.equal(true);
    await tracker.dispose();
    await other.dispose();
    expect((await rejection(tracker.process(image(1)))).code).to.equal('disposed');
  });

  itInFull('gives trackers their parameters even if the worker dies over it', async () => {
    const tracker = engine.createDummyTracker({ wait: 1000 });
    const frame = tracker.process(image(1)); // the call behind it waits
    const heard = tracker.setParameters({ offset: 3 });
    await engine.invert(image(1));
    workers.fail();
    await lost(frame);
    await heard;
    expect((await tracker.process(image(1))).mean).to.equal(4);
    await tracker.dispose();
  });

  itInFull('makes a tracker once that was asked for while it came back', async () => {
    const { work } = await begun();
    workers.kill();
    await lost(work);
    const tracker = engine.createDummyTracker({ offset: 1 });
    expect((await tracker.process(image(1))).mean).to.equal(2);
    expect((await tracker.process(image(2))).frame).to.equal(1);
  });

  it('stops after three deaths within a minute, with a message', async () => {
    const tracker = engine.createDummyTracker();
    for (let i = 0; i < 3; i++) {
      await tracker.process(image(1));
      const { work } = await begun();
      workers.kill();
      await lost(work);
    }
    const { code, message } = await rejection(engine.invert(image(1)));
    expect(code).to.equal('engine-stopped');
    expect(message).to.include('three times within a minute');
    expect((await rejection(tracker.process(image(1)))).code).to.equal('engine-stopped');
    await engine.dispose();
    expect((await rejection(engine.invert(image(1)))).code).to.equal('disposed');
  });

  itInFull('can be disposed of while it comes back', async () => {
    const { work } = await begun();
    workers.kill();
    await lost(work);
    await engine.dispose();
    expect((await rejection(engine.invert(image(1)))).code).to.equal('disposed');
  });

  itInFull('starts again when a helper thread is lost in the middle of its work', async () => {
    const threaded = await open(2);
    await lost(threaded.loseThread(image(1)));
    expect((await threaded.invert(image(7))).data[0]).to.equal(248);
    expect(threaded.capabilities.reasons.join()).to.include('a helper thread does not answer');
    await threaded.dispose();
  });
});
