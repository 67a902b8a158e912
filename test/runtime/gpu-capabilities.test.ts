/** Devices that lack something: each operation and tracker answers all the same, and says on which side. */
import { expect } from 'chai';
import { createEngine, type Engine } from '../../src/index.ts';
import { rejection } from './gpu-support.ts';
import { everyCall, makePictures, unlike, type Pictures } from '../support/every-call.ts';

type Gl = WebGL2RenderingContext;

/** Takes something away from what this place has; returns how to give it back. */
type Lack = () => () => void;

/** A value in place of a global one. */
const without =
  (name: 'OffscreenCanvas' | 'VideoFrame'): Lack =>
  () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, name)!;
    Object.defineProperty(globalThis, name, { ...own, value: undefined });
    return () => Object.defineProperty(globalThis, name, own);
  };

const extensionsWithout =
  (...missing: string[]): Lack =>
  () => {
    const { prototype } = WebGL2RenderingContext;
    const { getExtension } = prototype;
    prototype.getExtension = function (this: Gl, name: string) {
      return missing.includes(name) ? null : (getExtension as (name: string) => unknown).call(this, name);
    } as typeof getExtension;
    return () => void (prototype.getExtension = getExtension);
  };

const texturesOf =
  (limit: number): Lack =>
  () => {
    const { prototype } = WebGL2RenderingContext;
    const { getParameter } = prototype;
    prototype.getParameter = function (this: Gl, name: number) {
      return name === this.MAX_TEXTURE_SIZE ? limit : (getParameter.call(this, name) as unknown);
    };
    return () => void (prototype.getParameter = getParameter);
  };

const noWebGl: Lack = () => {
  const { getContext } = OffscreenCanvas.prototype;
  const page = HTMLCanvasElement.prototype.getContext;
  OffscreenCanvas.prototype.getContext = function (this: OffscreenCanvas, ...given: [never, never]) {
    return (given[0] as string) === 'webgl2' ? null : getContext.apply(this, given);
  } as typeof getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: [never, never]) {
    return (given[0] as string) === 'webgl2' ? null : page.apply(this, given);
  } as typeof page;
  return () => {
    OffscreenCanvas.prototype.getContext = getContext;
    HTMLCanvasElement.prototype.getContext = page;
  };
};

const float = ['EXT_color_buffer_float', 'EXT_float_blend'];

/** What is lacking, the side that is asked for, whether a context is made, and whether what is small alone fits into it. */
const devices: Readonly<Record<string, { lack: Lack; backend: 'gpu' | 'auto'; gpu: boolean; small?: true }>> = {
  'no float targets': { lack: extensionsWithout(...float), backend: 'gpu', gpu: true },
  'no blending of floats': { lack: extensionsWithout('EXT_float_blend'), backend: 'gpu', gpu: true },
  'textures hardly larger than the pictures': { lack: texturesOf(100), backend: 'gpu', gpu: true },
  'textures smaller than the pictures': { lack: texturesOf(64), backend: 'gpu', gpu: true, small: true },
  'no WebGL2': { lack: noWebGl, backend: 'auto', gpu: false },
  'no OffscreenCanvas': { lack: without('OffscreenCanvas'), backend: 'gpu', gpu: true },
  'no VideoFrame': { lack: without('VideoFrame'), backend: 'gpu', gpu: true },
};

describe('a device', () => {
  let wasm: Engine;
  let pictures: Pictures;
  before(async () => {
    pictures = await makePictures();
    wasm = await createEngine({ backend: 'wasm', worker: false });
  });
  after(() => wasm.dispose());

  for (const [name, { lack, backend, gpu, small }] of Object.entries(devices))
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

      for (const call of everyCall)
        it(call.name, async () => {
          const own = name === 'no VideoFrame' ? { ...pictures, frame: pictures.face as never } : pictures;
          const result = await call.run(engine, own);
          expect(unlike(result, await call.run(wasm, own))).to.equal('');
          for (const one of [result].flat() as ({ side?: string } | null)[])
            if (small) expect(one?.side).not.to.equal('gpu'); // a level of a pyramid may have been
        });
    });

  it('without SIMD says so', async () => {
    const { compile } = WebAssembly;
    WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('invalid value type v128'));
    try {
      const { code, message } = await rejection(createEngine({ worker: false, assetBase: '/dist/' }));
      expect(code).to.equal('asset-missing');
      expect(message).to.include('no WebAssembly SIMD');
    } finally {
      WebAssembly.compile = compile;
    }
  });
});
