/** The engine without promises: the same results as the other, as views that hold until the next call. */
import { expect } from 'chai';
import { createEngine, createEngineSync, type Engine, type EngineSync, type GrayImage } from '../../src/index.ts';
import { hardFrame } from '../../lab/eyes/index.ts';
import { shippedOperations } from '../support/dummies.ts';
import { failure, noise } from '../frames/made-frames.ts';

// Rows without gaps (64 is a multiple of 16), and with gaps.
const images = [64, 61].map((width): GrayImage => ({ width, height: 43, data: noise(width * 43) }));
const plain = (answer: unknown): unknown => {
  if (!(answer instanceof ImageData)) return answer;
  const { width, height, data, colorSpace } = answer;
  return { width, height, data, colorSpace };
};
const bare = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(plain(answer), (key, value: unknown) => (key === 'backend' ? undefined : value)));
type AnyCall = (...args: unknown[]) => unknown;

describe('the engine without promises', () => {
  let sync: EngineSync;
  let engine: Engine;
  before(async () => {
    engine = await createEngine({ backend: 'wasm', worker: false });
    sync = await createEngineSync();
  });
  after(async () => {
    await engine.dispose();
    sync.dispose();
    sync.dispose();
  });

  it('needs no more memory for many calls than for a few', () => {
    const image = { width: 512, height: 512, data: noise(512 * 512) };
    const bytes = () => sync.gaussian(image).data.buffer.byteLength; // the views look at the engine's own memory
    for (let i = 0; i < 4; i++) bytes();
    const few = bytes();
    for (let i = 0; i < 300; i++) bytes(); // of 256 KiB each
    expect(bytes()).to.equal(few);
  });

  it('gives what the other gives, for every operation without a model, of samples and of images that stay', async () => {
    const [calls, others] = [sync, engine] as object[] as Record<string, AnyCall>[];
    let count = 0;
    for (const { name, sources, models, keeps } of shippedOperations()) {
      // Those of maps: test/runtime/images.test.ts.
      if (sources.includes('any')) continue;
      if (models || !sources.length || keeps === 'always') continue;
      for (const image of images) {
        const { width, height } = image;
        const mask = { width, height, data: new Uint8Array(width * height).fill(255, 700, 720) };
        const second = name === 'inpaint' ? mask : { ...image, data: image.data.slice().reverse() };
        const given = [image, second].slice(0, sources.length);
        const rest =
          name === 'trackPoints'
            ? [Float32Array.of(20, 20, 30, 10)]
            : name === 'vessels' // by default a network, which this engine cannot wait for
              ? [{ variant: 'lines' }]
              : [];
        const expected = bare(await others![name]!(...given, ...rest));
        const answer = calls![name]!(...given, ...rest);
        expect(bare(answer), name).to.deep.equal(expected);
        if (name === 'integral') expect((answer as { sum: unknown }).sum).to.be.instanceOf(Float64Array);
        const kept = given.map((one) => sync.load(one));
        expect(bare(calls![name]!(...kept, ...rest)), `${name}, kept`).to.deep.equal(expected);
        for (const [i, one] of kept.entries()) {
          expect(one.data, name).to.deep.equal(given[i]!.data);
          one.dispose();
        }
        count++;
      }
    }
    expect(count).to.be.at.least(32);
  });

  it('takes the picture that the last call gave, without a copy', async () => {
    for (const image of images) {
      const smooth = await engine.gaussian(image, { size: 5, sigma: 2 });
      const edges = await engine.canny(smooth, { low: 5, high: 15 });
      const own = sync.canny(sync.gaussian(image, { size: 5, sigma: 2 }), { low: 5, high: 15 });
      expect(own.data).to.deep.equal(edges.data);
      const stays = sync.gaussian(image, { size: 5, sigma: 2, keep: true });
      sync.median(image);
      expect(stays.data).to.deep.equal(smooth.data);
      stays.dispose();
    }
  });

  it('runs a chain as one call, of samples, of color and of images that stay', async () => {
    const [other, own] = [engine, sync];
    const color = new ImageData(new Uint8ClampedArray(noise(4 * 61 * 43)), 61, 43);
    for (const image of [...images, color]) {
      const smooth = await other.chain(image).gaussian({ size: 5, sigma: 2 }).median({ size: 3 }).result();
      const lines = await other
        .chain(image)
        .gaussian()
        .canny({ low: 20, high: 60 })
        .houghLines({ threshold: 10 })
        .result();
      expect(own.chain(image).gaussian({ size: 5, sigma: 2 }).median({ size: 3 }).result().data).to.deep.equal(
        smooth.data,
      );
      expect(lines).to.have.length.above(0);
      const kept = own.load(image);
      const chain = own.chain(kept).gaussian();
      expect(bare(chain.canny({ low: 20, high: 60 }).houghLines({ threshold: 10 }).result())).to.deep.equal(
        bare(lines),
      );
      const stays = own.chain(kept).gaussian({ size: 5, sigma: 2 }).median({ size: 3 }).result({ keep: true });
      own.canny(image);
      expect(stays.data).to.deep.equal(smooth.data);
      expect(kept.data).to.have.length(image.data.length); // the chain leaves its source
      stays.dispose();
      kept.dispose();
    }
    const few = own.chain(images[0]!).gaussian().median().result().data.buffer.byteLength;
    for (let i = 0; i < 300; i++) own.chain(images[0]!).gaussian().median().result();
    expect(own.chain(images[0]!).gaussian().median().result().data.buffer.byteLength).to.equal(few);
    const code = (call: () => unknown) => failure(call).then((error) => error.code);
    expect(await code(() => own.chain(images[0]!).result())).to.equal('invalid-argument');
    expect(await code(() => own.chain(images[0]!).canny({ low: -1 }))).to.equal('invalid-argument');
    expect(await code(() => (own.chain(images[0]!).houghLines() as never as typeof own).canny(images[0]!))).to.equal(
      'invalid-argument',
    );
  });

  it('takes color', async () => {
    const color = new ImageData(new Uint8ClampedArray(noise(4 * 64 * 43)), 64, 43);
    expect(sync.median(color).data).to.deep.equal((await engine.median(color)).data);
    const kept = sync.load(color);
    expect(sync.median(kept).data).to.deep.equal((await engine.median(color)).data);
    kept.dispose();
  });

  it('tracks pupils and objects at once', async () => {
    const eye = hardFrame(0, 41);
    const tint = (v: number, i: number) => [v, v >> 1, (i * 7) & 255, 255];
    const frame = new ImageData(Uint8ClampedArray.from([...eye.data].flatMap(tint)), eye.width, eye.height);
    for (const name of ['createPupilTracker', 'createObjectTracker'] as const) {
      const own = await sync[name]();
      const other = engine[name]();
      for (let i = 0; i < 2; i++) {
        if (i === 0 && 'start' in own) own.start(frame, { x: 200, y: 150, width: 60, height: 60 });
        if (i === 0 && 'start' in other) await other.start(frame, { x: 200, y: 150, width: 60, height: 60 });
        const result = own.process(frame, { timestamp: 40 * i });
        expect(bare(result)).to.deep.equal(bare(await other.process(frame, { timestamp: 40 * i })));
      }
      own.dispose();
      await other.dispose();
    }
  });

  it('refuses what takes time, what is disposed of, and what belongs to another', async () => {
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext('2d');
    const code = (call: () => unknown) => failure(call).then((error) => error.code);
    expect(await code(() => sync.canny(canvas))).to.equal('source-unsupported');
    const kept = sync.load(images[0]!);
    const second = await createEngineSync();
    expect(await code(() => second.canny(kept))).to.equal('invalid-argument');
    kept.dispose();
    expect(await code(() => sync.canny(kept))).to.equal('disposed');
    second.dispose();
    expect(await code(() => second.canny(images[0]!))).to.equal('disposed');
    expect(await code(() => sync.canny(images[0]!, { low: -1 }))).to.equal('invalid-argument');
    expect(sync.canny(images[0]!).data).to.have.length(64 * 43);
  });
});
