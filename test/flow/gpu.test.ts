/** The GPU passes of dense flow, on software WebGL, against the WASM side: textures, a real pair, odd sizes, faults. */
import { expect } from 'chai';
import type { Engine, OpticalFlowResult } from '../../src/api.ts';
import { createEngine } from '../../src/engine.ts';
import { hasShared } from '../support/shared.ts';
import { endpointErrors, readPair } from './middlebury.ts';
import { movedPhotographs } from './photographs.ts';
import { texture } from './texture.ts';
import { itInFull } from '../support/full.ts';

describe('dense flow on the GPU', () => {
  let wasm: Engine;
  let gpu: Engine;
  before(async () => {
    wasm = await createEngine({ worker: false, backend: 'wasm' });
    gpu = await createEngine({ worker: false, backend: 'gpu' });
  });
  after(async () => {
    await wasm.dispose();
    await gpu.dispose();
  });

  /** Share of the pixels where both sides agree: validity, flow to 0.01 px, confidence to 0.01. */
  function agreement(a: OpticalFlowResult, b: OpticalFlowResult): number {
    let equal = 0;
    for (let i = 0; i < a.u.length; i++)
      if (
        a.valid[i] === b.valid[i] &&
        Math.hypot(a.u[i]! - b.u[i]!, a.v[i]! - b.v[i]!) < 0.01 &&
        Math.abs(a.confidence[i]! - b.confidence[i]!) < 0.01
      )
        equal++;
    return equal / a.u.length;
  }

  it('equals the WASM side over odd sizes', async () => {
    const sizes = [[2, 2], [3, 67], [67, 2], [22, 23], [45, 44], [64, 47], [97, 67]] as const; // prettier-ignore
    for (const [i, [width, height]] of sizes.entries()) {
      const [a, b] = [texture(width, height, i), texture(width, height, i, 9 * i, -7 * i)];
      const params = { window: [21, 5, 3, 9, 15, 7, 21][i]!, iterations: 1 + (i % 4) };
      const [one, other] = [await wasm.opticalFlow(a, b, params), await gpu.opticalFlow(a, b, params)];
      expect([other.width, other.height]).to.deep.equal([width, height]);
      expect(agreement(one, other), `${width}x${height} ${JSON.stringify(params)}`).to.be.at.least(0.999);
    }
  });

  for (const [name, given, least] of [
    ['refined', { refine: true }, 0.99],
    ['by windows of their own', { variant: 'paper' }, 0.999],
    ['by windows of their own, refined', { variant: 'paper', refine: true }, 0.99],
  ] as const)
    it(`equals the WASM side ${name}, and says that it is the GPU's`, async () => {
      for (const [i, [width, height]] of (
        [
          [2, 2],
          [31, 40],
          [64, 47],
        ] as const
      ).entries()) {
        // prettier-ignore
        const [a, b] = [texture(width, height, i), texture(width, height, i, 9 * i, -7 * i)];
        const params = { window: [3, 9, 7][i]!, iterations: 5, ...given };
        const [one, other] = [await wasm.opticalFlow(a, b, params), await gpu.opticalFlow(a, b, params)];
        expect([(one as { backend?: string }).backend, (other as { backend?: string }).backend]).to.deep.equal([
          'wasm',
          'gpu',
        ]);
        expect(agreement(one, other), `${width}x${height} ${JSON.stringify(params)}`).to.be.at.least(least);
      }
    });

  it('stops a refinement and windows of their own between two draws', async () => {
    for (const given of [{ refine: true }, { variant: 'paper' }] as const) {
      const abort = new AbortController();
      const [a, b] = [texture(60, 50, 1), texture(60, 50, 1, 5, 5)];
      let heard = 0;
      const onProgress = (done: number) => {
        expect(done).to.be.within(heard, 1);
        heard = done;
        if (done > 0.5) abort.abort();
      };
      const error = await gpu
        .opticalFlow(a, b, { window: 5, ...given, signal: abort.signal, onProgress })
        .then(() => null, (e: { code: string }) => e.code); // prettier-ignore
      expect(error).to.equal('aborted');
    }
  });

  it('checks forward and backward as the WASM side does', async () => {
    const [a, b] = [texture(80, 60, 4), texture(80, 60, 4, 30, -20)];
    const params = { window: 9, iterations: 4, maxForwardBackward: 0.3 };
    const [one, other] = [await wasm.opticalFlow(a, b, params), await gpu.opticalFlow(a, b, params)];
    expect(agreement(one, other)).to.be.at.least(0.99);
    const far = one.forwardBackward!.filter((d, i) => {
      const e = other.forwardBackward![i]!;
      return d !== e && !(Math.abs(d - e) < 0.02);
    });
    expect(far.length / one.u.length).to.be.below(0.01);
  });

  it('says nothing about flat frames, refuses what it cannot do, and goes on', async () => {
    const flat = { width: 40, height: 30, data: new Uint8Array(1200).fill(50) };
    const { u, v, valid, confidence } = await gpu.opticalFlow(flat, flat);
    for (const plane of [u, v, valid, confidence]) expect(plane.every((x) => x === 0)).to.equal(true);
    const code = (work: Promise<unknown>) => work.then(() => 'none', (error: { code: string }) => error.code); // prettier-ignore
    expect(await code(gpu.opticalFlow(flat, texture(30, 40, 1)))).to.equal('invalid-argument');
    const abort = new AbortController();
    const work = gpu.opticalFlow(texture(120, 90, 1), texture(120, 90, 1), {
      signal: abort.signal,
      onProgress: () => abort.abort(),
      iterations: 100,
    });
    expect(await code(work)).to.equal('aborted');
    expect((await gpu.opticalFlow(flat, flat, { iterations: 1 })).valid).to.have.length(1200);
  });

  itInFull('measures moved photographs, and a Middlebury pair where there is one, as the WASM side does', async () => {
    const pairs = [await movedPhotographs()];
    if (hasShared) pairs.push(await readPair('Venus'));
    for (const { previous, next, truth } of pairs) {
      const params = { iterations: 3 };
      const [one, other] = [
        await wasm.opticalFlow(previous, next, params),
        await gpu.opticalFlow(previous, next, params),
      ];
      expect(agreement(one, other)).to.be.at.least(0.995);
      expect(endpointErrors(other, truth).all).to.be.closeTo(endpointErrors(one, truth).all, 0.002);
    }
  });
});
