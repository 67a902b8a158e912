// Full run only: rare faults and limits, up to a minute.
// Own page: it is one of the longest, and starts first.
/** Stages at the device's texture limit and at sizes of millions: the GPU against WASM, which has no such limits. */
import { expect } from 'chai';
import '../../src/capabilities.ts';
import '../../src/stages.ts';
import { type Runtime, backendOf, type Backend } from '../../src/runtime/runtime.ts';
import { stages } from '../../src/runtime/stage.ts';
import { full } from '../support/full.ts';
import { generator, inputsOf, parameters, seedOf } from './cases.ts';
import { borderline, makers, settled } from './makers.ts';
import { difference, makeRuntime, onSide } from './backends.ts';

describe('stages at the limits of textures', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  async function compare(name: string, width: number, height: number): Promise<string> {
    const stage = stages.get(name)!;
    const random = generator(seedOf(`${name} ${width}x${height}`));
    const sampled = parameters(stage.params, 0, random);
    const params = settled[name]?.(sampled, 0) ?? sampled;
    const inputs = inputsOf(stage, makers, [width, height], 0, random);
    const gpu = await onSide(runtime, 'gpu', stage, inputs, params);
    const wasm = await onSide(runtime, 'wasm', stage, inputs, params);
    // What does not go at all is refused by both.
    const code = 'error' in wasm ? wasm.error.code : '';
    if ('error' in gpu) return gpu.error.code === code ? 'agrees' : (gpu.error.code ?? gpu.error.message);
    if ('error' in wasm) throw new Error(wasm.error.message);
    wasm.value.forEach((image, k) =>
      expect(difference(gpu.value[k]!, image, stage.tolerance, borderline[name])).to.equal(''),
    );
    return 'agrees';
  }

  for (const stage of [...stages.values()].filter(({ gpu }) => gpu))
    // What a stage says itself does not fit goes to the other side.
    it(`${stage.name} works up to the limit and says 'image-too-large' past it`, async () => {
      const limit = runtime.gpu!.capabilities.maxTextureSize;
      // An integral image is one larger than its source.
      const grows = stage.name.startsWith('image/integral') ? 1 : 0;
      for (const size of full ? [limit - 1, limit, limit + 1] : [limit, limit + 1]) {
        const expected = size + grows > limit && !stage.fits ? 'image-too-large' : 'agrees';
        expect(await compare(stage.name, size, 2), `${size}x2`).to.equal(expected);
        expect(await compare(stage.name, 1, size), `1x${size}`).to.equal(expected);
      }
      expect(runtime.gpu!.textures.lent).to.equal(0);
      expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
    });

  it('run() takes the other side for what textures cannot hold, unless it is forced', () => {
    const limit = runtime.gpu!.capabilities.maxTextureSize;
    const stage = stages.get('image/integral')!;
    const side = (width: number, forced?: Backend) => {
      const plane = runtime.plane(width, 1, 'u8', new Uint8Array(width));
      const taken = backendOf(runtime, stage, [plane], forced);
      plane.dispose();
      return taken;
    };
    expect(side(8)).to.equal('wasm');
    runtime.preferred = 'gpu';
    expect([side(8), side(limit - 1), side(limit), side(limit, 'gpu'), side(8, 'wasm')]).to.deep.equal([
      'gpu',
      'gpu',
      'wasm',
      'gpu',
      'wasm',
    ]);
    runtime.preferred = 'wasm';
  });

  // SwiftShader needs seconds for 10^7 samples, which are one level more of the same passes.
  for (const name of ['scan', 'compact', 'reduce'])
    (full ? it : it.skip)(`image/${name} agrees at 10^7 samples`, async () => {
      expect(await compare(`image/${name}`, 4096, 2442)).to.equal('agrees');
    });
  for (const name of ['scan', 'compact', 'reduce', 'scan-32', 'reduce-32', 'histogram', 'integral', 'integral-squares'])
    it(`image/${name} agrees at a million samples`, async () => {
      expect(await compare(`image/${name}`, 4096, 257)).to.equal('agrees');
    });
});
