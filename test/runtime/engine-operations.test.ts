import { expect } from 'chai';
import { createEngine, frames, type Engine, type GrayImage } from '../../src/index.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import { shippedOperations } from '../support/dummies.ts';
import { noise } from '../frames/made-frames.ts';

// Each operation through the whole engine; the stages themselves are compared in test/parity.
const image: GrayImage = { width: 61, height: 43, data: noise(61 * 43) };

for (const backend of ['wasm', 'gpu'] as const)
  for (const worker of [true, false])
    describe(`operations, backend ${backend}, ${worker ? 'worker' : 'page'}`, () => {
      let engine: Engine;
      before(async () => (engine = await createEngine({ backend, worker })));
      after(() => engine.dispose());

      it('run on the side that was asked for', () => {
        expect(engine.capabilities.backend).to.equal(backend);
        expect(engine.capabilities.worker).to.equal(worker);
        if (backend === 'gpu') expect(engine.capabilities.gpu).to.be.a('string');
      });

      it('gaussian, median, morphology, threshold', async () => {
        const smooth = await engine.gaussian(image, { size: 5, sigma: 2 });
        expect([smooth.width, smooth.height]).to.deep.equal([61, 43]);
        const eroded = await engine.morphology(image, { operation: 'erode', size: 3 });
        expect(eroded.data[0]).to.equal(Math.min(image.data[0]!, image.data[1]!, image.data[61]!, image.data[62]!));
        const grown = await engine.morphology(image, { operation: 'dilate', size: 3 });
        expect(grown.data[0]).to.equal(Math.max(image.data[0]!, image.data[1]!, image.data[61]!, image.data[62]!));
        const hat = await engine.morphology(image, { operation: 'topHat', size: 61 });
        const least = Math.min(...image.data);
        expect(Math.max(...hat.data)).to.be.at.most(255 - least);
        const middle = await engine.median(image, { size: 3 });
        const window = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => image.data[61 * y + x]!)).sort((a, b) => a - b);
        expect(middle.data[62]).to.equal(window[4]);
        const binary = await engine.threshold(image, { level: 100 });
        expect([...binary.data]).to.deep.equal([...image.data].map((v) => (v > 100 ? 255 : 0)));
        const split = await engine.threshold(
          { width: 4, height: 1, data: Uint8Array.of(9, 10, 200, 201) },
          { level: 'auto' },
        );
        expect([...split.data]).to.deep.equal([0, 0, 255, 255]);
      });

      it('what says that it gives an image gives one, of one source and its defaults', async () => {
        const filters = shippedOperations().filter(({ gives }) => gives === 'image');
        expect(filters.map(({ name }) => name)).to.include.members(['gaussian', 'median', 'morphology', 'threshold']);
        const calls = engine as object as Record<string, (source: GrayImage) => Promise<GrayImage>>;
        for (const { name, sources, data } of filters) {
          expect([sources.length, data], name).to.deep.equal([1, undefined]);
          const made = await calls[name]!(image);
          expect([made.width, made.height, made.data.length], name).to.deep.equal([61, 43, 61 * 43]);
          expect(made.data, name).to.be.an.instanceof(Uint8Array);
        }
      });

      it('components', async () => {
        const data = Uint8Array.from('1001100100000001', Number);
        const { count, labels, components, width, height } = await engine.components({ width: 8, height: 2, data });
        expect([count, width, height, labels.length]).to.deep.equal([3, 8, 2, 16]);
        expect(components.map(({ area }) => area)).to.deep.equal([1, 2, 2]);
      });

      it('integral with a row and a column more', async () => {
        const { width, height, sum } = await engine.integral(image);
        expect([width, height, sum.length]).to.deep.equal([62, 44, 62 * 44]);
        expect(sum[sum.length - 1]).to.equal(image.data.reduce((a, b) => a + b, 0));
        expect(sum[0]).to.equal(0);
      });

      it('pyramid', async () => {
        const levels = await engine.pyramid(image, { levels: 12 });
        expect(levels.slice(0, 3).map((l) => [l.width, l.height])).to.deep.equal([
          [61, 43],
          [31, 22],
          [16, 11],
        ]);
        const last = levels[levels.length - 1]!;
        expect([last.width, last.height]).to.deep.equal([1, 1]);
      });

      it('takes one pixel', async () => {
        const dot = { width: 1, height: 1, data: Uint8Array.of(7) };
        expect([...(await engine.gaussian(dot)).data]).to.deep.equal([7]);
        expect([...(await engine.median(dot)).data]).to.deep.equal([7]);
        expect([...(await engine.integral(dot)).sum]).to.deep.equal([0, 0, 0, 7]);
        expect((await engine.pyramid(dot)).length).to.equal(1);
      });

      it('tracks the sample clip', async () => {
        const { frames: truth } = (await (await fetch('/demo/media/sample.truth.json')).json()) as {
          frames: number[][];
        };
        const tracker = engine.createPupilTracker();
        let n = 0;
        let worst = 0;
        for await (const { frame, timestamp } of frames('/demo/media/sample.webm', { everyFrame: true })) {
          const [x, y, , , , , state] = truth[n]!;
          const result = await tracker.process(frame, { timestamp });
          expect([result.width, result.height, result.timestamp]).to.deep.equal([640, 480, timestamp]);
          if (state === 0 && result.pupils[0]!.found)
            worst = Math.max(worst, Math.hypot(result.pupils[0]!.x - x!, result.pupils[0]!.y - y!));
          if (n === 0) expect(result.pupils[0]!.found).to.equal(true);
          if (++n === 12) break;
        }
        expect(worst).to.be.below(2);
        await tracker.dispose();
      });
    });

describe('parameters', () => {
  it('of names that every object has are refused like others that there are not', async () => {
    const engine = await createEngine({ backend: 'wasm' });
    try {
      for (const name of ['constructor', '__proto__', 'toString']) {
        const options = JSON.parse(`{"${name}":"face.bin"}`) as object;
        for (const call of [
          () => engine.threshold(image, options),
          async () => engine.createPupilTracker(options),
          () => engine.createPupilTracker().setParameters(options),
          () => engine.preload(options),
        ]) {
          const error = await (call() as Promise<unknown>).then(
            () => null,
            (reason: FoveolaError) => reason,
          );
          expect([error?.code, error?.message], `${name} ${call.toString()}`).to.satisfy(
            ([code, message]: string[]) => code === 'invalid-argument' && message!.includes(name),
          );
        }
      }
    } finally {
      await engine.dispose();
    }
  });
});

describe('a bad call', () => {
  it('leaves the engine as it was', async () => {
    const engine = await createEngine({ backend: 'wasm' });
    const codes: string[] = [];
    for (const bad of [
      () => engine.gaussian(image, { size: 4 }),
      () => engine.gaussian(image, { sigma: NaN }),
      () => engine.median(image, { color: 1 } as object),
      () => engine.threshold({ width: 20000, height: 20000, data: new Uint8Array(1) }),
      () => engine.integral('x' as never),
      async () => engine.createPupilTracker({ rays: 1 }),
    ])
      await bad().then(
        () => codes.push('none'),
        (error: unknown) => codes.push(error instanceof FoveolaError ? error.code : String(error)),
      );
    expect(codes).to.deep.equal([
      'invalid-argument',
      'invalid-argument',
      'invalid-argument',
      'image-too-large',
      'invalid-argument',
      'invalid-argument',
    ]);
    expect((await engine.threshold(image, { level: 254 })).data.length).to.equal(61 * 43);
    await engine.dispose();
  });
});
