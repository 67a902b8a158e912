/** The whole filling: WASM on one and two threads and the GPU against the reference, patch by patch the same. */
import { expect } from 'chai';
import type { Engine, InpaintProgress } from '../../src/api.ts';
import { createEngine } from '../../src/engine.ts';
import { inpaint } from '../reference/inpaint.ts';
import { contents, picture, rectangle, rectangles } from './pictures.ts';

const engines = {
  'one thread': { backend: 'wasm', threads: 1 },
  'two threads': { backend: 'wasm', threads: 2 },
  gpu: { backend: 'gpu', threads: 1 },
} as const;

const sizes: [number, number, number][] = [
  [31, 23, 5],
  [40, 33, 9],
  [17, 50, 7],
  [64, 19, 3],
  [9, 40, 9],
  [45, 45, 13],
];

for (const [name, { backend, threads }] of Object.entries(engines))
  describe(`inpainting, ${name}`, () => {
    let engine: Engine;
    before(async () => {
      engine = await createEngine({ worker: true, workerUrl: '/src/worker.ts', backend, threads });
      expect(engine.capabilities.backend).to.equal(backend);
      expect(engine.capabilities.threads).to.equal(threads);
    });
    after(() => engine.dispose());

    for (const [i, [width, height, patch]] of sizes.entries())
      it(`fills ${width}x${height} by patches of ${patch} as the reference`, async () => {
        for (const content of [contents[i % 4]!, contents[(i + 1) % 4]!]) {
          const image = picture(width, height, content, i);
          const mask = rectangles(width, height, 2, 10, 10 * i + 1);
          const heard: InpaintProgress[] = [];
          const filled = await engine.inpaint(image, mask, {
            patch,
            variant: 'paper',
            onProgress: (_, detail) => heard.push(detail as InpaintProgress),
          });
          const expected = inpaint(image, mask.data, patch);
          expect(heard.length, 'patches').to.equal(expected.patches);
          expect([...filled.data], content).to.deep.equal([...expected.data]);
        }
      });

    it('tells of every patch', async () => {
      const image = picture(60, 50, 'waves', 3);
      const heard: [number, InpaintProgress][] = [];
      const onProgress = (done: number, detail?: unknown) => heard.push([done, detail as InpaintProgress]);
      await engine.inpaint(image, rectangle(60, 50, 20, 15, 20, 16), { onProgress });
      expect(heard.map(([, { patches }]) => patches)).to.deep.equal(heard.map((_, i) => i + 1));
      heard.forEach(([done, { remaining }], i) => {
        expect(remaining).to.be.below(heard[i - 1]?.[1].remaining ?? 20 * 16 + 1);
        expect(done).to.be.closeTo(1 - remaining / 320, 1e-9);
      });
      expect(heard.at(-1)).to.deep.equal([1, { patches: heard.length, remaining: 0 }]);
    });

    it('takes matches from the window, and from elsewhere where it holds none', async () => {
      // Left and right half have one texture in two colors; the hole lies in the left one.
      const image = picture(96, 40, 'tiles', 1);
      for (let i = 0; i < image.data.length; i += 4) if ((i >> 2) % 96 >= 48) image.data[i] = 255;
      const mask = rectangle(96, 40, 12, 12, 14, 14);
      const near = await engine.inpaint(image, mask, { patch: 5, searchWindow: 40, variant: 'paper' });
      const inHole = [...mask.data.keys()].filter((i) => mask.data[i]);
      expect(inHole.filter((i) => near.data[4 * i] === 255)).to.deep.equal([]);
      const tiny = await engine.inpaint(image, mask, { patch: 5, searchWindow: 1, variant: 'paper' });
      expect(inHole.filter((i) => tiny.data[4 * i + 1] === 0 && image.data[4 * i + 1] !== 0)).to.deep.equal([]);
    });

    it('takes the first of equal matches, in raster order', async () => {
      // Even gray but for one black pixel in the first patch and one white in the last: all patches fit around the hole.
      const image = new ImageData(new Uint8ClampedArray(4 * 30 * 24).fill(100), 30, 24);
      for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
      for (const [x, y, v] of [
        [1, 1, 0],
        [28, 22, 250],
      ] as const)
        image.data.fill(v, 4 * (30 * y + x), 4 * (30 * y + x) + 3);
      const mask = rectangle(30, 24, 15, 12, 1, 1);
      const filled = await engine.inpaint(image, mask, { patch: 3, variant: 'paper' });
      expect([...filled.data.subarray(4 * (30 * 12 + 15), 4 * (30 * 12 + 15) + 4)]).to.deep.equal([0, 0, 0, 255]);
    });

    it('gives the same with seams taken out', async () => {
      const image = picture(70, 60, 'waves', 5);
      const mask = rectangles(70, 60, 3, 20, 8);
      const filled = await engine.inpaint(image, mask);
      const plain = await createEngine({ backend: 'wasm', worker: false });
      const expected = await plain.inpaint(image, mask);
      await plain.dispose();
      expect([...filled.data]).to.deep.equal([...expected.data]);
    });
  });
