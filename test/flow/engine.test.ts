/** Flow through the engine: threads, sizes that do not match, cancel, the next good call. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import { texture } from './texture.ts';

const grid = (count: number, width: number, height: number) =>
  Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? (i * 37) % height : (i * 53) % width));

describe('flow through the engine', () => {
  it('trackPoints gives the same on one thread and on two', async () => {
    const play = async (threads: number) => {
      const engine = await createEngine({ worker: true, workerUrl: '/src/worker.ts', backend: 'wasm', threads });
      try {
        expect(engine.capabilities.threads).to.equal(threads);
        const [a, b] = [texture(320, 240, 2), texture(320, 240, 2, 40, -25)];
        return await engine.trackPoints(a, b, grid(600, 320, 240), { forwardBackward: true });
      } finally {
        await engine.dispose();
      }
    };
    const one = await play(1);
    expect(one.status.reduce((sum, s) => sum + s, 0)).to.be.above(500);
    expect(await play(2)).to.deep.equal(one);
  });

  it('answers bad calls and goes on', async () => {
    const engine = await createEngine({ worker: false, backend: 'wasm' });
    const frame = texture(64, 48, 1);
    const points = Float32Array.of(20, 20);
    const code = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (error: { code: string }) => error.code,
      );
    try {
      expect(await code(engine.trackPoints(frame, texture(48, 64, 1), points))).to.equal('invalid-argument');
      expect(await code(engine.trackPoints(frame, frame, [20, 20] as never))).to.equal('invalid-argument');
      expect(await code(engine.trackPoints(frame, frame, points, { levels: -1 }))).to.equal('invalid-argument');
      const abort = new AbortController();
      abort.abort();
      expect(await code(engine.trackPoints(frame, frame, points, { signal: abort.signal }))).to.equal('aborted');
      expect((await engine.trackPoints(frame, frame, new Float32Array(0))).points).to.have.length(0);
      expect((await engine.trackPoints(texture(1, 1, 1), texture(1, 1, 1), Float32Array.of(0, 0))).status[0]).to.equal(
        0,
      );
      const { points: found, status } = await engine.trackPoints(frame, frame, points);
      expect([...found, ...status]).to.deep.equal([20, 20, 1]);
    } finally {
      await engine.dispose();
    }
  });
});
