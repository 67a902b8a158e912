/** Images that stay in the engine: every call takes them and gives what it gives of samples; nothing is left behind. */
import { expect } from 'chai';
import { createEngine, type Engine, type EngineImage, type GrayImage } from '../../src/index.ts';
import type { SampleMap, SampleView } from '../../src/results/types.ts';
import type { Host } from '../../src/runtime/engine/host.ts';
import { hardFrame } from '../../lab/eyes/index.ts';
import { shippedOperations } from '../support/dummies.ts';
import { full, itInFull, short } from '../support/full.ts';
import { openCore } from '../support/open-core.ts';
import { failure, noise } from '../frames/made-frames.ts';

const image: GrayImage = { width: 61, height: 43, data: noise(61 * 43) };
const other: GrayImage = { width: 61, height: 43, data: noise(61 * 43).reverse() };
const mask: GrayImage = { width: 61, height: 43, data: new Uint8Array(61 * 43).fill(255, 700, 720) };
const color = new ImageData(new Uint8ClampedArray(noise(4 * 61 * 43)), 61, 43);
const tiny: GrayImage = { width: 9, height: 7, data: noise(63) };
type AnyCall = (...args: unknown[]) => Promise<unknown>;
const bare = (answer: unknown) =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'backend' ? undefined : value)));

for (const backend of ['wasm', 'gpu'] as const)
  for (const worker of [true, false])
    (short && worker !== (backend === 'gpu') ? describe.skip : describe)(
      `images that stay, backend ${backend}, ${worker ? 'worker' : 'page'}`,
      () => {
        let engine: Engine;
        before(async () => (engine = await createEngine({ backend, worker })));
        after(() => engine.dispose());

        it('are taken by every operation, which leaves them as they are', async () => {
          const calls = engine as object as Record<string, AnyCall>;
          const given: Record<string, unknown[]> = { trackPoints: [Float32Array.of(20, 20, 30, 10)] };
          // They need a model: a source is a source.
          const others = ['loadModels', 'landmarks', 'landmarkFits', 'detectFaces', 'load'];
          const taking = shippedOperations().filter(
            ({ name, sources }) => !others.includes(name) && !sources.includes('any'), // maps: test/runtime/images.test.ts
          );
          expect(taking.length).to.be.at.least(16);
          // Each context compiles each program again. On the GPU each place has some of the operations; engine-operations.test.ts
          // runs all of them there.
          const share = backend === 'wasm' || full ? 1 : short ? 4 : 2;
          for (const { name, sources } of taking.filter((_, i) => i % share === Number(worker) % share)) {
            const samples = [image, name === 'inpaint' ? mask : other].slice(0, sources.length);
            const kept = await Promise.all(samples.map((one) => engine.load(one)));
            const expected = await calls[name]!(...samples, ...(given[name] ?? []));
            const answer = await calls[name]!(...kept, ...(given[name] ?? []));
            expect(bare(answer), name).to.deep.equal(bare(expected));
            for (const [i, one] of kept.entries())
              expect(((await one.read()) as GrayImage).data, name).to.deep.equal(samples[i]!.data);
            for (const one of kept) one.dispose();
          }
        });

        it('are what calls give on request, as deep in the result as pictures are', async () => {
          const [kept, loaded] = [await engine.gaussian(image, { keep: true }), await engine.load(image)];
          expect([kept.width, kept.height, kept.format]).to.deep.equal([61, 43, 'gray']);
          expect(['wasm', 'gpu']).to.include(kept.backend);
          expect(((await kept.read()) as GrayImage).data).to.deep.equal((await engine.gaussian(image)).data);
          const levels = await engine.pyramid(loaded, { levels: 2, keep: true });
          loaded.dispose(); // the first level is the same plane
          const own = await engine.pyramid(image, { levels: 2 });
          for (const [i, level] of levels.entries())
            expect(((await level.read()) as GrayImage).data).to.deep.equal(own[i]!.data);
          const { sum } = await engine.integral(image, { keep: true });
          expect(sum.format).to.equal('u32');
          const sums = await engine.integral(image, { sums: 'uint32' });
          expect(((await sum.read()) as { data: Uint32Array }).data).to.deep.equal(sums.sum);
          expect(Float64Array.from(sums.sum)).to.deep.equal((await engine.integral(image)).sum);
          expect((await failure(() => engine.canny(sum))).message).to.match(
            /map of u32 samples is not an image\. Call read/,
          );
          const filled = await engine.inpaint(color, mask, { keep: true });
          expect(filled.format).to.equal('rgba');
          expect(((await filled.read()) as ImageData).data).to.deep.equal((await engine.inpaint(color, mask)).data);
          for (const one of [kept, sum, filled, ...levels]) one.dispose();
        });

        it('in color have a gray form where a call needs it', async () => {
          const kept = await engine.load(color);
          expect(kept.format).to.equal('rgba');
          for (let i = 0; i < 2; i++)
            expect((await engine.median(kept)).data).to.deep.equal((await engine.median(color)).data);
          expect(((await kept.read()) as ImageData).data).to.deep.equal(color.data);
          const gray = await engine.load(color, { format: 'gray' });
          expect(gray.format).to.equal('gray');
          expect((await engine.median(gray)).data).to.deep.equal((await engine.median(color)).data);
          const samples = await engine.load(color, { format: 'gray', keep: false });
          expect((await gray.read()) as GrayImage).to.deep.include({ data: (samples as GrayImage).data });
          for (const one of [kept, gray]) one.dispose();
        });

        it('chains are the calls one after the other', async () => {
          const smooth = await engine.gaussian(image, { size: 5, sigma: 2 });
          const hat = await engine.morphology(smooth, { operation: 'topHat', size: 5 });
          const edges = await engine.canny(hat, { low: 10, high: 30 });
          const chain = engine
            .chain(image)
            .gaussian({ size: 5, sigma: 2 })
            .morphology({ operation: 'topHat', size: 5 })
            .canny({ low: 10, high: 30 });
          expect(bare(await chain.result())).to.deep.equal(bare(edges));
          const lines = await chain.houghLines({ edges: true, threshold: 9, max: 3 }).result();
          expect(bare(lines)).to.deep.equal(
            bare(await engine.houghLines(edges, { edges: true, threshold: 9, max: 3 })),
          );
          expect(lines).to.have.length(3);
          const kept = await chain.result({ keep: true });
          expect(((await kept.read()) as GrayImage).data).to.deep.equal(edges.data);
          kept.dispose();
        });

        for (const colored of [false, true])
          (backend === 'gpu' ? itInFull : it)(`trackers take them${colored ? ', in color' : ''}`, async () => {
            const eye = hardFrame(0, 41);
            const tint = (v: number, i: number) => [v, v >> 1, (i * 7) & 255, 255];
            const pixels = Uint8ClampedArray.from([...eye.data].flatMap(tint));
            const frame = colored ? new ImageData(pixels, eye.width, eye.height) : eye;
            const kept = await engine.load(frame);
            for (const make of [() => engine.createPupilTracker(), () => engine.createObjectTracker({ seed: 1 })]) {
              const answers: unknown[] = [];
              for (const source of [frame, kept]) {
                const tracker = make();
                if ('start' in tracker) await tracker.start(source, { x: 200, y: 150, width: 60, height: 60 });
                for (let i = 0; i < 2; i++) answers.push(bare(await tracker.process(source, { timestamp: 40 * i })));
                await tracker.dispose();
              }
              expect(answers.slice(2)).to.deep.equal(answers.slice(0, 2));
            }
            kept.dispose();
          });
      },
    );

describe('images that stay', () => {
  let core: Host;
  let engine: Engine;
  let blocks: number;
  before(async () => {
    ({ core, engine } = await openCore('wasm'));
    await engine.gaussian(image);
    ({ blocks } = core);
  });
  after(() => engine.dispose());

  it('leave nothing behind when they are disposed of, also in the middle of a call', async () => {
    const kept = await engine.load(color);
    const smooth = await engine.gaussian(kept, { keep: true });
    const levels = await engine.pyramid(smooth, { keep: true });
    expect(core.blocks).to.be.at.least(blocks + 5);
    const running = [engine.canny(kept), engine.chain(smooth).median().canny().result()];
    for (const one of [kept, smooth, ...levels]) one.dispose();
    kept.dispose();
    for (const { data } of (await Promise.all(running)) as GrayImage[]) expect(data).to.have.length(61 * 43);
    await new Promise((resolve) => setTimeout(resolve));
    expect(core.blocks).to.equal(blocks);
  });

  it('leave nothing behind where a call fails', async () => {
    const kept = await engine.load(tiny);
    await failure(() => engine.hessianEigenvalues(kept, { sigma: 20 }));
    await failure(() => engine.chain(kept).gaussian().hessianEigenvalues({ sigma: 20 }).result());
    kept.dispose();
    await new Promise((resolve) => setTimeout(resolve));
    expect(core.blocks).to.equal(blocks);
  });

  it('leave nothing behind where a call that keeps is cancelled', async () => {
    const controller = new AbortController();
    const large = { width: 1024, height: 1024, data: new Uint8Array(1 << 20) };
    const call = engine.bilateral(large, { size: 15, keep: true, signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    expect((await failure(() => call)).code).to.equal('aborted');
    await engine.gaussian(image);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(core.blocks).to.equal(blocks);
  });

  it('are refused where they are disposed of, foreign, or cannot be kept or followed', async () => {
    const kept = await engine.load(image);
    const { engine: foreign } = await openCore('wasm');
    const second = await foreign.load(image);
    const wrong = async (call: Promise<unknown>, code: string, text: RegExp) => {
      const error = await failure(() => call);
      expect([error.code, text.test(error.message) || error.message]).to.deep.equal([code, true]);
    };
    await wrong(engine.canny(second), 'invalid-argument', /another engine\. Load it in this one/);
    await foreign.dispose();
    await wrong(second.read(), 'disposed', /disposed/);
    kept.dispose();
    await wrong(engine.canny(kept), 'disposed', /image was disposed of\. Load it again/);
    await wrong(kept.read(), 'disposed', /Load it again/);
    const any = engine as object as Record<string, AnyCall>;
    await wrong(
      any['houghLines']!(image, { keep: true }),
      'invalid-argument',
      /houghLines: its result is not an image/,
    );
    await wrong(any['canny']!(image, { keep: 1 }), 'invalid-argument', /keep must be true or false/);
    const chain = engine.chain(image);
    await wrong(
      (chain as object as { result(): Promise<unknown> }).result() as Promise<unknown>,
      'invalid-argument',
      /empty/,
    );
    const parts = engine.chain(image).pyramid() as object as { canny(): unknown };
    expect(() => parts.canny()).to.throw(/pyramid returns no image/);
    const ended = chain.components() as object as { canny(): unknown };
    expect(() => ended.canny()).to.throw(/components returns no image/);
    expect(() => chain.canny({ low: -1 })).to.throw(/low/);
    expect(() => (chain.canny as (o: object) => void)({ keep: true })).to.throw(/belong to result\(\)/);
    const left: EngineImage = await engine.load(image);
    expect(((await left.read()) as GrayImage).data).to.deep.equal(image.data);
    left.dispose();
  });
});

describe('the samples of images that stay, in place', () => {
  const wide: GrayImage = { width: 64, height: 43, data: noise(64 * 43) };
  const packed = ({ width, height, data, stride }: SampleView, row = width) =>
    Array.from({ length: height }, (_, y) => [...data.subarray(y * stride, y * stride + row)]).flat();

  it('are the memory of an engine with threads, equal to what read() copies, until the image is disposed of', async () => {
    const engine = await createEngine({ backend: 'wasm', threads: 2 });
    try {
      const loaded = await engine.load(wide);
      const seen = loaded.view()!;
      expect(seen.data.buffer).to.be.instanceOf(SharedArrayBuffer);
      expect(seen).to.deep.equal({ ...wide, stride: 64 });
      const narrow = await engine.load(image);
      expect([narrow.view()!.stride, packed(narrow.view()!)]).to.deep.equal([64, [...image.data]]);
      const { sum } = await engine.integral(loaded, { keep: true });
      expect(packed(sum.view()!)).to.deep.equal([...((await sum.read()) as SampleMap).data]);
      const smooth = await engine.gaussian(loaded, { keep: true });
      const gray = smooth.view() as SampleView & GrayImage;
      expect(gray.data.buffer.byteLength).to.equal(seen.data.buffer.byteLength); // one memory
      expect((await engine.canny(gray)).data).to.deep.equal((await engine.canny(smooth)).data); // a source as any other
      const kept = await engine.load(color);
      expect(packed(kept.view()!, 4 * 61)).to.deep.equal([...color.data]);
      for (const one of [loaded, narrow, sum, smooth, kept]) one.dispose();
      expect((await failure(async () => loaded.view())).code).to.equal('disposed');
    } finally {
      await engine.dispose();
    }
  });

  it('are null where no memory is shared, and for what lies on the GPU', async () => {
    const engines = await Promise.all([
      createEngine({ backend: 'wasm', threads: 1 }),
      createEngine({ backend: 'gpu', threads: 2 }),
    ]);
    const [alone, away] = [await engines[0].load(wide), await engines[1].gaussian(wide, { keep: true })];
    expect([alone.view(), away.backend, away.view()]).to.deep.equal([null, 'gpu', null]);
    await Promise.all(engines.map((engine) => engine.dispose()));
  });
});
