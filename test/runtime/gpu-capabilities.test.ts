// Full run only: rare faults and limits, up to a minute.
// Own page: it is one of the longest, and starts first.
/** Devices that lack something: each operation and tracker answers all the same, and says on which side. */
import { expect } from 'chai';
import { createEngine, type Engine } from '../../src/index.ts';
import { rejection } from './gpu-support.ts';
import { full } from '../support/full.ts';
import { lacks, texturesOf, type Lack } from '../support/lacking-devices.ts';
import { everyCall, makePictures, unlike, type Pictures } from '../support/every-call.ts';

/** What is lacking, the side that is asked for, whether a context is made, and whether what is small alone fits into it. */
const devices: Readonly<Record<string, { lack: Lack; backend: 'gpu' | 'auto'; gpu: boolean; small?: true }>> = {
  'no float targets': { lack: lacks['no float targets'], backend: 'gpu', gpu: true },
  'no blending of floats': { lack: lacks['no blending of floats'], backend: 'gpu', gpu: true },
  'textures hardly larger than the pictures': { lack: texturesOf(100), backend: 'gpu', gpu: true },
  'textures smaller than the pictures': {
    lack: lacks['textures smaller than the pictures'],
    backend: 'gpu',
    gpu: true,
    small: true,
  },
  'no WebGL2': { lack: lacks['no WebGL2'], backend: 'auto', gpu: false },
  'no OffscreenCanvas': { lack: lacks['no OffscreenCanvas'], backend: 'gpu', gpu: true },
  'no VideoFrame': { lack: lacks['no VideoFrame'], backend: 'gpu', gpu: true },
};

describe('a device', () => {
  let wasm: Engine;
  let pictures: Pictures;
  before(async () => {
    pictures = await makePictures();
    wasm = await createEngine({ backend: 'wasm', worker: false });
  });
  after(() => wasm.dispose());

  for (const [index, [name, { lack, backend, gpu, small }]] of Object.entries(devices).entries())
    describe(`with ${name}`, () => {
      let engine: Engine;
      let giveBack: () => void;
      before(async () => {
        giveBack = lack();
        engine = await createEngine({ backend, worker: false });
      });
      after(async () => {
        await engine.dispose();
        giveBack();
      });

      it('says which side it has', () => expect(engine.capabilities.backend).to.equal(gpu ? 'gpu' : 'wasm'));

      // Each device compiles every program again. Without --full, each call lacks one feature.
      for (const call of everyCall.filter((_, i) => full || i % 6 === index % 6))
        it(call.name, async () => {
          const own = name === 'no VideoFrame' ? { ...pictures, frame: pictures.face as never } : pictures;
          const result = await call.run(engine, own);
          expect(unlike(result, await call.run(wasm, own))).to.equal('');
          for (const one of [result].flat() as ({ backend?: string } | null)[])
            if (small) expect(one?.backend).not.to.equal('gpu'); // a level of a pyramid may have been
        });
    });

  it('without SIMD says so', async () => {
    const giveBack = lacks['no SIMD']();
    try {
      const { code, message } = await rejection(createEngine({ worker: false, assetBase: '/dist/' }));
      expect(code).to.equal('asset-missing');
      expect(message).to.include('no WebAssembly SIMD');
    } finally {
      giveBack();
    }
  });
});
