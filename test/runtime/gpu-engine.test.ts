/** The whole engine with its GPU side forced, in a worker and on the page, against the engine without one. */
import { expect } from 'chai';
import type { Engine } from '../../src/api.ts';
import { createEngine } from '../../src/engine.ts';
import type { GrayImage } from '../../src/results/types.ts';
import { randomBytes } from './gpu-support.ts';

const gray = (width: number, height: number, seed: number): GrayImage => ({
  width,
  height,
  data: randomBytes(width * height, seed),
});

/** The same but for the side that each names, or each entry of a list. */
function same(onGpu: unknown, onWasm: unknown): void {
  if (Array.isArray(onWasm)) {
    expect(onGpu).to.have.length(onWasm.length);
    return onWasm.forEach((entry, i) => same((onGpu as unknown[])[i], entry));
  }
  expect(onGpu).to.deep.equal({ ...(onWasm as object), backend: 'gpu' });
  expect(onWasm).to.have.property('backend', 'wasm');
}

describe('an engine without a GPU side', () => {
  it("is what 'auto' gives where shaders run on the CPU, with the reason", async () => {
    const engine = await createEngine();
    const { softwareGpu, backend, reasons } = engine.capabilities;
    if (softwareGpu) {
      expect(backend).to.equal('wasm');
      expect(reasons.join(' ')).to.include('software');
    }
    await engine.dispose();
  });
});

for (const worker of [true, false])
  describe(`an engine with its GPU side forced, ${worker ? 'in a worker' : 'on the page'}`, () => {
    let gpu: Engine;
    let wasm: Engine;
    before(async () => {
      gpu = await createEngine({ backend: 'gpu', worker });
      wasm = await createEngine({ backend: 'wasm', worker });
    });
    after(async () => {
      await gpu.dispose();
      await wasm.dispose();
    });

    it('says so', () => {
      expect(gpu.capabilities.backend).to.equal('gpu');
      expect(gpu.capabilities.gpu).to.be.a('string');
      expect(gpu.capabilities.worker).to.equal(worker);
      expect(wasm.capabilities.backend).to.equal('wasm');
    });

    it('gives the same bytes', async () => {
      const image = gray(61, 43, 5);
      const calls: ((engine: Engine) => Promise<unknown>)[] = [
        (engine) => engine.gaussian(image, { size: 9, sigma: 1.7 }),
        (engine) => engine.median(image, { size: 7 }),
        (engine) => engine.morphology(image, { operation: 'topHat', size: 13 }),
        (engine) => engine.threshold(image, { level: 90 }),
        (engine) => engine.pyramid(image, {}),
        (engine) => engine.integral(image),
      ];
      for (const call of calls) same(await call(gpu), await call(wasm));
    });

    it('takes color pictures and bitmaps', async () => {
      const width = 33;
      const height = 21;
      const data = new Uint8ClampedArray(randomBytes(4 * width * height, 8)).map((v, i) => (i % 4 === 3 ? 255 : v));
      const picture = new ImageData(data, width, height);
      const bitmap = await createImageBitmap(picture, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
      const expected = await wasm.gaussian(picture, { size: 5 });
      same(await gpu.gaussian(picture, { size: 5 }), expected);
      same(await gpu.gaussian(bitmap, { size: 5 }), expected);
      bitmap.close();
    });

    it('keeps overlapping calls apart', async () => {
      const images = Array.from({ length: 6 }, (_, i) => gray(30 + i, 20, i + 1));
      const blurred = await Promise.all(images.map((image) => gpu.gaussian(image, { size: 5 })));
      for (const [i, image] of images.entries()) same(blurred[i], await wasm.gaussian(image, { size: 5 }));
    });
  });
