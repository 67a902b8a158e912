import { expect } from 'chai';
import './engine-dummies.ts';
import { createEngine } from '../../src/engine.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import type { EngineOptions } from '../../src/runtime/engine/options.ts';
import type { EngineBase } from '../../src/runtime/engine/engine.ts';
import type { GrayImage, Source } from '../../src/results/types.ts';

interface Tracker {
  process(source: Source, options?: object): Promise<Record<string, unknown> & { first: Uint8Array }>;
  double(x: number): Promise<number>;
  reset(): Promise<void>;
  setParameters(some: object): Promise<void>;
  dispose(): Promise<void>;
}
type Engine = EngineBase & {
  createDummyTracker(options?: object): Tracker;
  invert(source: Source, options?: object): Promise<GrayImage>;
  weigh(a: Source, b: Source, points: Float32Array, o?: object): Promise<{ color: Uint8Array; points: Float32Array }>;
  toil(source: Source, options?: object): Promise<{ steps: number }>;
  trap(source: Source): Promise<void>;
  bandGray(source: Source): Promise<GrayImage>;
};

const workerUrl = '/test/runtime/test-worker.ts';
const open = async (options: EngineOptions) => (await createEngine({ workerUrl, ...options })) as unknown as Engine;
const image = (value: number, width = 8, height = 4): GrayImage => ({
  width,
  height,
  data: new Uint8Array(width * height).fill(value),
});
const failure = async (work: Promise<unknown> | (() => unknown)): Promise<FoveolaError> => {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    expect(error).to.be.instanceOf(FoveolaError);
    return error as FoveolaError;
  }
  throw new Error('this should have failed');
};

const homes: Record<string, EngineOptions> = {
  'in a worker': { worker: true, backend: 'wasm', threads: 1 },
  'in a worker with two threads': { worker: true, backend: 'wasm', threads: 2 },
  "on the page's own thread": { worker: false, backend: 'wasm' },
};

for (const [home, options] of Object.entries(homes))
  describe(`engine ${home}`, () => {
    let engine: Engine;
    before(async () => (engine = await open(options)));
    after(() => engine.dispose());

    it('says what it is', () => {
      const { worker, threads, backend, simd } = engine.capabilities;
      expect({ worker, threads, backend, simd }).to.deep.equal({
        worker: options.worker,
        threads: options.threads ?? 1,
        backend: 'wasm',
        simd: true,
      });
    });

    it('runs an operation and leaves the source alone', async () => {
      const source = image(10);
      const result = await engine.invert(source);
      expect([...result.data]).to.deep.equal(new Array(32).fill(245));
      expect(source.data.length).to.equal(32);
    });

    it('passes several sources and further arguments', async () => {
      const points = Float32Array.of(1, 2);
      const color = new ImageData(2, 1);
      color.data.set([1, 2, 3, 4, 5, 6, 7, 8]);
      const result = await engine.weigh(image(1), color, points, { factor: 3 });
      expect([...result.points]).to.deep.equal([3, 6]);
      expect([...result.color]).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
      expect([...points]).to.deep.equal([1, 2]);
    });

    it('takes the pixels at the moment of the call', async () => {
      const tracker = engine.createDummyTracker({ wait: 20 });
      const source = image(0);
      const results = [];
      for (let i = 0; i < 6; i++) {
        source.data.fill(i);
        results.push(tracker.process(source, { timestamp: i }));
      }
      source.data.fill(99);
      expect((await Promise.all(results)).map((r) => r.mean)).to.deep.equal([0, 1, 2, 3, 4, 5]);
      await tracker.dispose();
    });

    it('takes a view of a larger buffer', async () => {
      const data = Uint8Array.from({ length: 100 }, (_, i) => i).subarray(50, 54);
      expect([...(await engine.invert({ width: 2, height: 2, data })).data]).to.deep.equal([205, 204, 203, 202]);
    });

    it('keeps overlapping calls in order', async () => {
      const tracker = engine.createDummyTracker({ wait: 30 });
      const order: number[] = [];
      const calls = Array.from({ length: 20 }, (_, i) =>
        tracker.process(image(i), { timestamp: 10 * i }).then((r) => {
          order.push(r.frame as number);
          return r;
        }),
      );
      const results = await Promise.all(calls);
      expect(order).to.deep.equal(Array.from({ length: 20 }, (_, i) => i));
      results.forEach((r, i) => expect([r.mean, r.timestamp, r.first[0]]).to.deep.equal([i, 10 * i, i]));
      await tracker.dispose();
    });

    it('runs own methods, parameters and resets in that order, too', async () => {
      const tracker = engine.createDummyTracker({ wait: 20 });
      const first = tracker.process(image(1));
      const changed = tracker.setParameters({ offset: 5 });
      const second = tracker.process(image(1), { dropped: 3 });
      const reset = tracker.reset();
      const third = tracker.process(image(1));
      await Promise.all([changed, reset]);
      expect(await tracker.double(21)).to.equal(42);
      expect([(await first).mean, (await second).mean, (await third).mean]).to.deep.equal([1, 6, 6]);
      expect([(await first).frame, (await second).frame, (await third).frame]).to.deep.equal([0, 1, 0]);
      expect((await second).dropped).to.equal(3);
      await tracker.dispose();
    });

    it('keeps the place of a source that takes long to read, and none for one that cannot be read', async () => {
      const tracker = engine.createDummyTracker();
      const picture = new OffscreenCanvas(300, 200);
      picture.getContext('2d')!.fillRect(0, 0, 300, 200);
      const file = await picture.convertToBlob();
      const results = [
        tracker.process(file),
        tracker.process(image(1)),
        tracker.process(new Blob(['no picture'])),
        tracker.process(image(2)),
        tracker.process(image(3), { signal: AbortSignal.abort() }),
        tracker.process(image(4)),
      ].map((result) => result.then(({ frame }) => frame as number).catch(({ code }: { code: string }) => code));
      expect(await Promise.all(results)).to.deep.equal([0, 1, 'decode-failed', 2, 'aborted', 3]);
      await tracker.dispose();
    });

    it('refuses bad parameters by name and range', async () => {
      let error = await failure(() => engine.createDummyTracker({ offset: 11 }));
      expect([error.code, error.message]).to.deep.equal([
        'invalid-argument',
        'dummy: offset must be from -10 to 10, not 11.',
      ]);
      error = await failure(engine.weigh(image(1), image(1), new Float32Array(2), { factor: NaN }));
      expect(error.message).to.match(/^weigh: factor must be a finite number from 0 to 9/);
      const tracker = engine.createDummyTracker();
      expect((await failure(tracker.setParameters({ offset: 'x' }))).code).to.equal('invalid-argument');
      expect((await failure(tracker.process(image(1), { timestamp: NaN }))).code).to.equal('invalid-argument');
      expect((await tracker.process(image(7))).mean).to.equal(7);
      await tracker.dispose();
    });

    it('survives a failing tracker, a trap and a bad source', async () => {
      const tracker = engine.createDummyTracker({ fail: true });
      const error = await failure(tracker.process(image(1)));
      expect([error.code, error.message]).to.deep.equal(['internal', 'process failed: as asked for']);
      await tracker.setParameters({ fail: false });
      expect((await tracker.process(image(1))).mean).to.equal(1);
      expect((await failure(engine.trap(image(1)))).code).to.equal('internal');
      expect((await failure(engine.invert(null as unknown as Source))).code).to.equal('invalid-argument');
      expect((await engine.invert(image(1))).data[0]).to.equal(254);
      await tracker.dispose();
    });

    it('cancels long work within 50 ms, with what was reached', async () => {
      const controller = new AbortController();
      const progress: number[] = [];
      const work = engine.toil(image(1), {
        milliseconds: 20000,
        signal: controller.signal,
        onProgress: (done: number) => progress.push(done),
      });
      for (let i = 0; i < 500 && !progress.length; i++) await new Promise((resolve) => setTimeout(resolve, 20));
      const before = performance.now();
      controller.abort();
      const error = await failure(work);
      expect(performance.now() - before).to.be.below(2000); // the bound of 50 ms is for a machine that is not shared
      expect(error.code).to.equal('aborted');
      const partial = error.partial as { steps: number; image: Uint8Array };
      expect(partial.steps).to.be.above(0);
      expect(partial.image.length).to.equal(partial.steps);
      expect(progress.length).to.be.above(0);
      expect((await engine.invert(image(1))).data[0]).to.equal(254);
    });

    it('does not start what is cancelled already', async () => {
      const error = await failure(engine.invert(image(1), { signal: AbortSignal.abort('never mind') }));
      expect([error.code, error.cause]).to.deep.equal(['aborted', 'never mind']);
      expect((await failure(engine.invert(image(1), { signal: {} }))).code).to.equal('invalid-argument');
    });

    it('lets frames pass in front of long work', async () => {
      const work = engine.toil(image(1), { milliseconds: 600 });
      const tracker = engine.createDummyTracker();
      let finished = false;
      void work.then(() => (finished = true));
      for (let i = 0; i < 5; i++) await tracker.process(image(i));
      expect(finished).to.equal(false);
      expect((await work).steps).to.be.above(1);
      await tracker.dispose();
    });

    it('computes the same bytes in bands', async () => {
      const source = new ImageData(61, 47);
      let seed = 1;
      for (let i = 0; i < source.data.length; i++) source.data[i] = (seed = (seed * 48271) % 2147483647) >> 8;
      const { data } = await engine.bandGray(source);
      const expected = Array.from({ length: 61 * 47 }, (_, i) => {
        const [r, g, b] = source.data.subarray(4 * i);
        return (9798 * r! + 19235 * g! + 3735 * b! + 16384) >> 15;
      });
      expect([...data]).to.deep.equal(expected);
    });

    it('ends a tracker without harm to the others', async () => {
      const [one, two] = [engine.createDummyTracker({ wait: 30 }), engine.createDummyTracker()];
      const late = failure(one.process(image(1)).then(() => one.process(image(1))));
      const gone = one.dispose();
      expect((await failure(one.process(image(1)))).code).to.equal('disposed');
      expect((await late).code).to.equal('disposed');
      await gone;
      await one.dispose();
      expect((await two.process(image(2))).mean).to.equal(2);
      await two.dispose();
    });
  });

describe('disposal of an engine', () => {
  for (const worker of [true, false])
    it(worker ? 'in a worker' : "on the page's own thread", async () => {
      const engine = await open({ worker, threads: 1, backend: 'wasm' });
      const tracker = engine.createDummyTracker({ wait: 500 });
      const pending = failure(tracker.process(image(1)));
      const work = failure(engine.toil(image(1), { milliseconds: 30000 }));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const disposals = [engine.dispose(), engine.dispose()];
      expect([(await pending).code, (await work).code]).to.deep.equal(['disposed', 'disposed']);
      await Promise.all(disposals);
      await engine.dispose();
      expect((await failure(engine.invert(image(1)))).code).to.equal('disposed');
      expect((await failure(tracker.process(image(1)))).code).to.equal('disposed');
      expect((await failure(tracker.setParameters({}))).code).to.equal('disposed');
      expect((await failure(() => engine.createDummyTracker())).code).to.equal('disposed');
      await tracker.dispose();
    });
});

describe('createEngine', () => {
  it('refuses bad options by name', async () => {
    for (const options of [{ threads: 0 }, { threads: 1.5 }, { backend: 'cuda' }, { worker: 1 }, { color: 1 }, 7, null])
      expect((await failure(createEngine(options as EngineOptions))).code).to.equal('invalid-argument');
  });

  it('falls back from a worker that is not there, and says so', async () => {
    const engine = await open({ workerUrl: '/no-such-worker.js', backend: 'wasm' });
    expect(engine.capabilities.worker).to.equal(false);
    expect(engine.capabilities.reasons.join()).to.match(/main thread.*no-such-worker\.js: HTTP 404/);
    expect((await engine.invert(image(1))).data[0]).to.equal(254);
    await engine.dispose();
    expect((await failure(open({ workerUrl: '/no-such-worker.js', worker: true }))).code).to.equal('asset-missing');
  });

  it('names kernels that are missing, and works afterwards', async () => {
    const error = await failure(open({ assetBase: '/nowhere/', worker: false }));
    expect(error.code).to.equal('asset-missing');
    expect(error.message).to.match(/kernels\.wasm was not found at .*\/nowhere\/kernels\.wasm: HTTP 404.*setAssetBase/);
    await (await open({ worker: false, backend: 'wasm' })).dispose();
  });
});
