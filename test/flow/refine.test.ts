/** The refinement: against the plain reference, at a border of motion, on real pairs, on threads. */
import { expect } from 'chai';
import type { Engine, OpticalFlowResult } from '../../src/api.ts';
import { createEngine } from '../../src/engine.ts';
import { refineConstants } from '../../src/flow/refine.ts';
import { denseFlow } from '../reference/dense-flow.ts';
import { refineLevel } from '../reference/refine-flow.ts';
import { describeShared } from '../support/shared.ts';
import { endpointErrors, readPair } from './middlebury.ts';
import { movedPhotographs } from './photographs.ts';
import { texture, type Texture } from './texture.ts';
import { itInFull } from '../support/full.ts';

/** A square of another texture and another brightness moves over a ground that moves the other way. */
function twoMotions(width: number, height: number): [Texture, Texture] {
  const frame = (t: number): Texture => {
    const ground = texture(width, height, 1, 24 * t, 0);
    const square = texture(width, height, 2, -24 * t, 0);
    const left = width / 4 + 1.5 * t;
    const data = ground.data.map((level, i) => {
      const x = i % width;
      const y = Math.floor(i / width);
      const share = Math.min(1, Math.max(0, x - left + 0.5), Math.max(0, left + width / 2 - x + 0.5));
      const inSquare = y >= height / 4 && y < (3 * height) / 4 ? share : 0;
      return (level >> 1) * (1 - inSquare) + ((square.data[i]! >> 1) + 120) * inSquare;
    });
    return { width, height, data };
  };
  return [frame(0), frame(1)];
}

describe('refined flow', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm' })));
  after(() => engine.dispose());

  it('equals the plain reference over odd sizes', async () => {
    for (const [i, [width, height]] of (
      [
        [2, 2],
        [3, 37],
        [41, 5],
        [22, 23],
        [67, 40],
      ] as const
    ).entries()) {
      const [a, b] = [texture(width, height, i), texture(width, height, i, 12, -9)];
      // No halvings: one level, as the reference.
      const params = { window: 5, levels: 0, iterations: 2, minEigenvalue: 1e-4 };
      const { u, v, valid } = await engine.opticalFlow(a, b, { ...params, refine: true });
      const [from, to] = [a, b].map((image) => ({ ...image, format: 'u8' as const }));
      const flow = denseFlow(from!, to!, params);
      refineLevel(from!, to!, flow.u, flow.v, refineConstants);
      let far = 0;
      for (let k = 0; k < u.length; k++) if (!(Math.hypot(u[k]! - flow.u[k]!, v[k]! - flow.v[k]!) < 0.01)) far++;
      expect(far / u.length, `${width}x${height}`).to.be.at.most(0.002);
      valid.forEach((good, k) => {
        const [x, y] = [(k % width) + u[k]!, Math.floor(k / width) + v[k]!];
        expect(good).to.equal(x >= 0 && x <= width - 1 && y >= 0 && y <= height - 1 ? 1 : 0);
      });
    }
  });

  it('keeps the border between two motions where windows mix them', async () => {
    const [width, height] = [128, 96];
    const [a, b] = twoMotions(width, height);
    const error = ({ u, v }: OpticalFlowResult) => {
      let sum = 0;
      let count = 0;
      for (let y = 34; y < 62; y++)
        for (let x = 20; x < 108; x++, count++)
          sum += Math.hypot(u[y * width + x]! - (x >= 32 && x < 96 ? 1.5 : -1.5), v[y * width + x]!);
      return sum / count;
    };
    const plain = error(await engine.opticalFlow(a, b));
    const refined = error(await engine.opticalFlow(a, b, { refine: true }));
    expect(plain).to.be.above(0.15);
    expect(refined).to.be.below(0.5 * plain);
  });

  it('fills flat frames with nothing, and leaves finite numbers', async () => {
    const flat = { width: 60, height: 50, data: new Uint8Array(3000).fill(77) };
    const { u, v, valid, confidence } = await engine.opticalFlow(flat, flat, { refine: true });
    expect([u, v, confidence].every((plane) => plane.every((x) => x === 0))).to.equal(true);
    expect(valid.every((good) => good === 1)).to.equal(true);
    const other = texture(60, 50, 3);
    const wild = await engine.opticalFlow(flat, other, { refine: true });
    expect([wild.u, wild.v, wild.confidence].every((plane) => plane.every(Number.isFinite))).to.equal(true);
  });

  // Parity compares each stage on one thread and on two.
  itInFull('gives the same on one thread and on two', async () => {
    const [a, b] = [texture(203, 150, 2), texture(203, 150, 2, 40, -25)];
    const play = async (threads: number) => {
      const other = await createEngine({ worker: true, workerUrl: '/src/worker.ts', backend: 'wasm', threads });
      try {
        return await other.opticalFlow(a, b, { refine: true });
      } finally {
        await other.dispose();
      }
    };
    expect(await play(2)).to.deep.equal(await play(1));
  });

  it('brings moved photographs nearer to the truth', async () => {
    const { previous, next, truth } = await movedPhotographs();
    const plain = endpointErrors(await engine.opticalFlow(previous, next), truth).all;
    const refined = endpointErrors(await engine.opticalFlow(previous, next, { refine: true }), truth).all;
    // 0.155 of 0.615 px: more than on Middlebury's pairs, as the object has a sharp border.
    expect(refined).to.be.below(0.3 * plain);
  });

  describeShared('over ../shared', () => {
    itInFull('comes near DenseRLOF on the Middlebury pairs', async () => {
      let sum = 0;
      for (const name of ['RubberWhale', 'Dimetrodon', 'Venus', 'Grove2']) {
        const { previous, next, truth } = await readPair(name);
        sum += endpointErrors(await engine.opticalFlow(previous, next, { refine: true }), truth).all / 4;
      }
      expect(sum).to.be.below(0.22);
    });
  });
});
