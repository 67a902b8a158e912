/** Maps that stay in the engine: eigenvalues, features, flow, vessels, labels; read, taken by calls, lost, disposed of. */
import { expect } from 'chai';
import { createEngine, createEngineSync, type Engine, type EngineImage, type GrayImage } from '../../src/index.ts';
import type { SampleMap } from '../../src/results/types.ts';
import { itInFull } from '../support/full.ts';
import { openCore } from '../support/open-core.ts';
import { makePictures, type Pictures } from '../support/every-call.ts';
import { failure } from '../frames/made-frames.ts';

const samples = async (image: EngineImage) => ((await image.read()) as SampleMap).data;
const isImage = (value: unknown): value is EngineImage =>
  typeof value === 'object' && value !== null && 'read' in value;

/** The kept parts of a result as what they would be without `keep`. */
async function readParts(result: object): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = { ...result };
  for (const [name, value] of Object.entries(result)) {
    if (!isImage(value)) continue;
    const { width, height, data } = (await value.read()) as GrayImage;
    read[name] = pictures.includes(name) ? { width, height, data } : data;
    value.dispose();
  }
  return read;
}
const pictures = ['mask', 'fieldOfView', 'skeleton'];

/** Every call that has maps, the same kept and as samples. */
const calls: Record<string, (engine: Engine, keep: boolean, p: Pictures) => Promise<object>> = {
  hessianEigenvalues: (engine, keep, { eye }) => engine.hessianEigenvalues(eye, { sigma: 1.5, keep: keep as true }),
  'hessianEigenvalues, sobel': (engine, keep, { eye }) =>
    engine.hessianEigenvalues(eye, { derivative: 'sobel', keep: keep as true }),
  ridgeFeature: (engine, keep, { eye }) => engine.ridgeFeature(eye, { feature: 'bright-blob', keep: keep as true }),
  vesselness: (engine, keep, { eye }) => engine.vesselness(eye, { bestSigma: true, keep: keep as true }),
  'vesselness alone': (engine, keep, { eye }) => engine.vesselness(eye, { sigmas: [2], keep: keep as true }),
  opticalFlow: (engine, keep, { eye, next }) => engine.opticalFlow(eye, next, { window: 9, keep: keep as true }),
  'opticalFlow, both ways': (engine, keep, { eye, next }) =>
    engine.opticalFlow(eye, next, { window: 9, levels: 2, maxForwardBackward: 0.5, keep: keep as true }),
  components: (engine, keep, { eye }) => engine.components(maskOf(eye), { keep: keep as true }),
  vessels: (engine, keep, { fundus }) => engine.vessels(fundus, { scales: 'all', measures: true, keep: keep as true }),
  vesselMeasures: (engine, keep, { fundus, eye }) => engine.vesselMeasures(fundus, maskOf(eye), { keep: keep as true }),
};
const maskOf = (image: GrayImage): GrayImage => ({ ...image, data: image.data.map((v) => (v < 40 ? 255 : 0)) });

for (const backend of ['wasm', 'gpu'] as const)
  describe(`maps that stay, backend ${backend}`, () => {
    let engine: Engine;
    let p: Pictures;
    before(async () => {
      engine = await createEngine({ backend });
      p = await makePictures();
    });
    after(() => engine.dispose());

    for (const [i, [name, call]] of Object.entries(calls).entries())
      (backend === 'wasm' || i % 3 === 0 ? it : itInFull)(
        `are what ${name} gives on request, with the samples that it gives without`,
        async () => {
          const [kept, given] = [
            await call(engine, true, p),
            (await call(engine, false, p)) as Record<string, unknown>,
          ];
          expect(Object.values(kept).some(isImage)).to.equal(true);
          expect(Object.keys(kept).sort()).to.deep.equal(Object.keys(given).sort());
          expect(Object.values(kept).some(ArrayBuffer.isView), 'samples of pixels beside maps').to.equal(false);
          const read = await readParts(kept);
          for (const [part, value] of Object.entries(read)) {
            if (part === 'backend') continue;
            const [a, b] = [value, given[part]];
            // The GPU makes maps in passes of their own: other roundings.
            if (a instanceof Float32Array && backend === 'gpu')
              for (let i = 0; i < a.length; i++) {
                const expected = (b as Float32Array)[i]!;
                if (!Object.is(a[i], expected)) expect(a[i], `${part} ${i}`).to.be.closeTo(expected, 1e-6);
              }
            else expect(JSON.stringify(a) === JSON.stringify(b), part).to.equal(true);
          }
        },
      );

    it('say which side made them', async () => {
      const { lambda1, backend } = await engine.hessianEigenvalues(p.eye, { keep: true });
      expect([lambda1.backend, backend, lambda1.format]).to.deep.equal([backend, backend, 'f32']);
      lambda1.dispose();
    });

    (backend === 'wasm' ? it : itInFull)(
      'are taken by calls on maps, of which masks go on to calls on pictures',
      async () => {
        const { lambda1, lambda2 } = await engine.hessianEigenvalues(p.eye, { sigma: 2, keep: true });
        for (const feature of ['dark-line', 'bright-line', 'dark-blob'] as const) {
          const { response } = await engine.featureOfEigenvalues(lambda1, lambda2, { feature, sigma: 2 });
          const expected = await engine.ridgeFeature(p.eye, { feature, sigma: 2 });
          for (let i = 0; i < response.length; i++) expect(response[i]).to.be.closeTo(expected.response[i]!, 1e-5);
          expect(
            response.some((v) => v > 0.01),
            feature,
          ).to.equal(true);
        }
        const { response } = await engine.featureOfEigenvalues(lambda1, lambda2, { sigma: 2, keep: true });
        const mask = await engine.thresholdMap(response, { mapLevel: 0.05, keep: true });
        const strengths = await samples(response);
        const expected = { width: 96, height: 72, data: Uint8Array.from(strengths, (v) => (v > 0.05 ? 255 : 0)) };
        expect(mask.format).to.equal('gray');
        expect(((await mask.read()) as GrayImage).data).to.deep.equal(expected.data);
        expect(expected.data.includes(255)).to.equal(true);
        const options = { edges: true, threshold: 10, max: 4 } as const;
        expect(await engine.houghLines(mask, options)).to.deep.equal(await engine.houghLines(expected, options));
        expect(await engine.inpaint(p.fundus, mask, { patch: 5 })).to.deep.equal(
          await engine.inpaint(p.fundus, expected, { patch: 5 }),
        );
        const lines = await engine.chain(response).thresholdMap({ mapLevel: 0.05 }).houghLines(options).result();
        expect(lines).to.deep.equal(await engine.houghLines(expected, options));
        for (const one of [lambda1, lambda2, response, mask]) one.dispose();
      },
    );

    it('are refused as pictures, and pictures as maps', async () => {
      const { lambda1, lambda2 } = await engine.hessianEigenvalues(p.eye, { keep: true });
      const gray = await engine.load(p.eye);
      const wrong = async (call: () => unknown, text: RegExp) => {
        const error = await failure(call);
        expect([error.code, text.test(error.message) || error.message]).to.deep.equal(['invalid-argument', true]);
      };
      await wrong(() => engine.canny(lambda1), /map of f32 samples is not an image\. Call read\(\)/);
      await wrong(() => engine.vessels(lambda2), /not an image/);
      await wrong(() => engine.load(lambda2), /not an image/);
      await wrong(() => engine.thresholdMap(gray), /needs a map of format 'f32'/);
      await wrong(() => engine.thresholdMap(p.eye as object as EngineImage), /needs a map of format 'f32'/);
      await wrong(() => engine.featureOfEigenvalues(gray, lambda2), /lambda1 and lambda2 of one call/);
      const small = await engine.ridgeFeature({ width: 9, height: 7, data: new Uint8Array(63) }, { keep: true });
      await wrong(() => engine.featureOfEigenvalues(small.response, lambda2), /lambda1 and lambda2 of one call/);
      const labels = await engine.components(maskOf(p.eye), { keep: true });
      expect(labels.labels.format).to.equal('u32');
      await wrong(() => engine.thresholdMap(labels.labels), /needs a map/);
      for (const one of [lambda1, lambda2, gray, small.response, labels.labels]) one.dispose();
    });
  });

describe('maps that stay', () => {
  itInFull('leave nothing behind on either side, also where a call fails', async () => {
    const p = await makePictures();
    for (const backend of ['wasm', 'gpu'] as const) {
      const { core, engine } = await openCore(backend);
      await engine.vessels(p.fundus, { measures: true });
      const [blocks, textures] = [core.blocks, core.textures];
      for (const call of Object.values(calls)) {
        const kept = await call(engine, true, p);
        for (const value of Object.values(kept)) if (isImage(value)) value.dispose();
      }
      await failure(() => engine.hessianEigenvalues(p.eye, { sigma: 97, keep: true }));
      await failure(() => engine.opticalFlow(p.eye, { ...p.eye, width: 72, height: 96 }, { keep: true }));
      await new Promise((resolve) => setTimeout(resolve));
      expect([core.blocks, core.textures], backend).to.deep.equal([blocks, textures]);
      await engine.dispose();
    }
  });

  it('are refused where they are disposed of or foreign', async () => {
    const { eye } = await makePictures();
    const [one, other] = [await openCore('wasm'), await openCore('wasm')];
    const { lambda1, lambda2 } = await one.engine.hessianEigenvalues(eye, { keep: true });
    const foreign = await failure(() => other.engine.featureOfEigenvalues(lambda1, lambda2));
    expect([foreign.code, foreign.message]).to.deep.equal([
      'invalid-argument',
      'The image belongs to another engine. Load it in this one.',
    ]);
    lambda2.dispose();
    expect((await failure(() => one.engine.featureOfEigenvalues(lambda1, lambda2))).code).to.equal('disposed');
    expect((await failure(() => lambda2.read())).code).to.equal('disposed');
    expect(await samples(lambda1)).to.have.length(96 * 72);
    lambda1.dispose();
    for (const { engine } of [one, other]) await engine.dispose();
  });

  it('come back from the copy on the arena after the context was lost, else say what was lost', async () => {
    const { eye } = await makePictures();
    const contexts: WebGL2RenderingContext[] = [];
    const own = OffscreenCanvas.prototype.getContext;
    OffscreenCanvas.prototype.getContext = function (this: OffscreenCanvas, ...args: [never]) {
      const context = own.apply(this, args) as RenderingContext | null;
      if (context instanceof WebGL2RenderingContext) contexts.push(context);
      return context;
    } as typeof own;
    const { engine } = await openCore('gpu');
    OffscreenCanvas.prototype.getContext = own;
    const { lambda1, lambda2 } = await engine.hessianEigenvalues(eye, { keep: true });
    const before = await samples(lambda1); // now it lies on the arena, too
    const lose = contexts.at(-1)!.getExtension('WEBGL_lose_context')!;
    const lost = new Promise((resolve) => contexts.at(-1)!.canvas.addEventListener('webglcontextlost', resolve));
    lose.loseContext();
    await lost;
    expect(await samples(lambda1)).to.deep.equal(before);
    const error = await failure(() => lambda2.read());
    expect([error.code, error.message]).to.deep.equal([
      'context-lost',
      'The image was only on the GPU and was lost with the WebGL context. Load or compute it again.',
    ]);
    // The call itself goes on in WASM.
    const again = await engine.hessianEigenvalues(eye, { keep: true });
    expect([again.lambda1.backend, again.backend]).to.deep.equal(['wasm', 'wasm']);
    const mask = await engine.thresholdMap(again.lambda2, { mapLevel: 0.01 });
    expect(mask.data.includes(255)).to.equal(true);
    for (const one of [lambda1, lambda2, again.lambda1, again.lambda2]) one.dispose();
    await engine.dispose();
  });

  it('are those of the engine without promises, too', async () => {
    const { eye, fundus } = await makePictures();
    const [sync, engine] = [await createEngineSync(), await createEngine({ backend: 'wasm', worker: false })];
    const { lambda1, lambda2 } = sync.hessianEigenvalues(eye, { sigma: 2, keep: true });
    sync.gaussian(eye); // views of a result would hold no more
    expect(lambda1.data).to.deep.equal((await engine.hessianEigenvalues(eye, { sigma: 2 })).lambda1);
    const { response } = sync.featureOfEigenvalues(lambda1, lambda2, { sigma: 2, keep: true });
    const mask = sync.thresholdMap(response, { mapLevel: 0.05, keep: true });
    const expected = (await engine.ridgeFeature(eye, { sigma: 2 })).response;
    expect(mask.data).to.deep.equal(Uint8Array.from(expected, (v) => (v > 0.05 ? 255 : 0)));
    const found = sync.vessels(fundus, { keep: true });
    const lines = await engine.vessels(fundus, { variant: 'lines' });
    expect(found.mask.data).to.deep.equal(lines.mask.data);
    expect([found.warnings.length - lines.warnings.length, found.warnings[0]]).to.deep.equal([
      1,
      'The learned network could not be used, so the vessels are from line filters.',
    ]);
    for (const one of [lambda1, lambda2, response, mask, found.mask, found.response, found.fieldOfView]) one.dispose();
    expect((await failure(() => lambda1.data)).code).to.equal('disposed');
    sync.dispose();
    await engine.dispose();
  });
});
