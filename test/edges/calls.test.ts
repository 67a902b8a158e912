/** The engine's calls for edges, lines and circles on both sides: small images with known answers, and faults. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import type { Engine, GrayImage } from '../../src/index.ts';
import { withoutBackend } from '../support/without-backend.ts';

for (const backend of ['wasm', 'gpu'] as const)
  describe(`the calls for edges, ${backend}`, () => {
    let engine: Engine;
    before(async () => void (engine = await createEngine({ backend, worker: false })));
    after(() => engine.dispose());

    const image = (width: number, height: number, at: (x: number, y: number) => number): GrayImage => ({
      width,
      height,
      data: Uint8Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width))),
    });
    const scene = image(200, 150, (x, y) =>
      Math.hypot(x - 90, y - 70) < 30 ? 30 : Math.abs(0.6 * x + 0.8 * y - 150) < 3 ? 220 : 140,
    );
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => expect.fail('an error was expected'),
        (error: { code: string; message: string }) => error,
      );

    it('a step gives the edge on the side of the first maximum', async () => {
      const { data } = await engine.canny(image(6, 3, (x) => (x < 3 ? 0 : 100)));
      expect([...data]).to.deep.equal([0, 0, 255, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 0, 0, 0]);
    });

    it('thresholds in the wrong order change places', async () => {
      const right = await engine.canny(scene, { low: 60, high: 180 });
      expect(await engine.canny(scene, { low: 180, high: 60 })).to.deep.equal(right);
    });

    it('takes sides of 1 and images without an edge', async () => {
      for (const [width, height] of [
        [1, 1],
        [1, 9],
        [9, 1],
        [40, 40],
      ] as const) {
        const flat = image(width, height, () => 77);
        expect([...(await engine.canny(flat, { thresholds: 'auto', sigma: 3, size: 31 })).data]).to.deep.equal(
          new Array(width * height).fill(0),
        );
        expect(await engine.houghLines(flat)).to.deep.equal([]);
        expect(await engine.houghCircles(flat)).to.deep.equal([]);
      }
    });

    it('a gradient as large as the lower threshold is no edge, one level above it is', async () => {
      // The step is 50 levels above and 25 below: gradients of 200 and of 100.
      const steps = image(40, 40, (x, y) => (x < 20 ? 80 : y < 20 ? 130 : 105));
      const last = async (low: number) =>
        Math.floor((await engine.canny(steps, { low, high: 150 })).data.lastIndexOf(255) / 40);
      expect(await last(99)).to.be.above(36);
      expect(await last(100)).to.be.within(18, 22);
    });

    it('finds the line, and the piece of it that edges lie on', async () => {
      const half = image(120, 90, (x, y) => (y >= 40 && x >= 20 && x < 90 ? 200 : 50));
      const [line] = await engine.houghLines(half, { threshold: 40, max: 1, segments: true });
      expect(line!.backend).to.equal(backend);
      expect(line!.theta).to.be.closeTo(Math.PI / 2, 1e-6);
      expect(line!.rho).to.be.within(39, 40);
      expect(line!.x1).to.be.within(18, 22);
      expect(line!.x2).to.be.within(87, 91);
      expect(line!.y1).to.be.closeTo(line!.rho, 1e-3);
    });

    it('finds the circle', async () => {
      const [circle] = await engine.houghCircles(scene, { minRadius: 20, maxRadius: 40, max: 1 });
      expect(Math.hypot(circle!.x - 90, circle!.y - 70)).to.be.at.most(1);
      expect(circle!.r).to.be.within(29, 31);
      expect(circle!.votes).to.be.above(30);
      const several = await engine.houghCircles(scene, { minRadius: 20, maxRadius: 40, max: 5 });
      expect(withoutBackend(several)[0]).to.deep.equal(withoutBackend([circle!])[0]);
    });

    it('takes edges that are there already', async () => {
      const edges = await engine.canny(scene);
      const lines = await engine.houghLines(scene, { threshold: 60 });
      expect(lines).to.have.length.above(1);
      expect(await engine.houghLines(scene, { threshold: 60, edges })).to.deep.equal(lines);
      expect(await engine.houghLines(edges, { threshold: 60, edges: true })).to.deep.equal(lines);
    });

    it('counts votes on either side', async () => {
      for (const voting of ['wasm', 'gpu'] as const) {
        const [line] = await engine.houghLines(scene, { threshold: 60, voting });
        expect(line!.votes, voting).to.be.above(100);
        const [circle] = await engine.houghCircles(scene, { minRadius: 20, maxRadius: 40, max: 1, voting });
        expect(circle, voting).to.include({ x: 90, y: 70, r: 30 });
      }
    });

    it('says what is wrong, and goes on', async () => {
      const small = { width: 3, height: 3, data: new Uint8Array(9) };
      for (const [call, word] of [
        [engine.houghLines(scene, { edges: small }), 'Both must have the same size'],
        [engine.houghLines(scene, { edges: { ...small, width: 4 } }), 'edges must be'],
        [engine.houghLines(scene, { rho: 0 }), 'rho'],
        [engine.canny(scene, { low: -1 }), 'low'],
        [engine.canny(scene, { norm: 'L3' as 'L1' }), 'norm'],
        [engine.houghCircles(scene, { minRadius: 50, maxRadius: 40 }), 'minRadius'],
        [engine.houghCircles(scene, { angleStep: 0.01 }), 'angleStep'],
      ] as const) {
        const { code, message } = await refused(call);
        expect(code, message).to.equal('invalid-argument');
        expect(message).to.include(word);
      }
      expect((await engine.canny(scene)).data.some(Boolean)).to.equal(true);
    });

    it('finds circles in noise, where almost each has votes enough', async () => {
      const side = 64;
      const data = Uint8Array.from({ length: side * side }, (_, i) => ((i * 2654435761) >>> 13) & 255);
      const options = { low: 0, minSupport: 0.02, minRadius: 5, maxRadius: 60, max: 3 };
      expect(await engine.houghCircles({ width: side, height: side, data }, options)).to.have.length(3);
    });

    it('stops between two slices of a long search', async () => {
      const controller = new AbortController();
      const noise = image(640, 480, (x, y) => (x * 7919 + y * 104729 + x * y) % 251);
      const call = engine.houghCircles(noise, { minRadius: 5, maxRadius: 400, signal: controller.signal });
      setTimeout(() => controller.abort(), 30);
      expect((await refused(call)).code).to.equal('aborted');
    });
  });
