/** Votes on the GPU against those of the WASM side, whose accumulators are held to the goldens. */
import { expect } from 'chai';
import {
  accumulatorShape,
  bestCircle,
  bestCircleGpu,
  circlesFit,
  linesFit,
  linesOf,
  lineVotes,
} from '../../src/edges/index.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { drive, driveNow, run, type Backend } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime } from '../parity/backends.ts';
import { itInFull } from '../support/full.ts';

describe('votes on the GPU', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => {
    expect(runtime.gpu!.textures.lent, 'textures').to.equal(0);
    expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
    expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
    runtime.dispose();
  });

  const random = generator(4711);
  /** Edges at random, and some on a circle. */
  function edges(width: number, height: number, share: number): Uint8Array {
    const data = Uint8Array.from({ length: width * height }, () => (random() < share ? 255 : 0));
    const [cx, cy, r] = [random() * width, random() * height, 4 + random() * 12];
    for (let t = 0; t < 6.28; t += 0.05) {
      const [x, y] = [Math.round(cx + r * Math.cos(t)), Math.round(cy + r * Math.sin(t))];
      if (x >= 0 && y >= 0 && x < width && y < height) data[y * width + x] = 255;
    }
    return data;
  }

  it('finds the same circle', async () => {
    for (const [width, height] of [
      [1, 1],
      [7, 5],
      [127, 40],
      [128, 33],
      [129, 70],
      [200, 90],
    ] as const)
      for (const angleStep of [18, 7, 3.6].map((degrees) => (degrees * Math.PI) / 180)) {
        const plane = runtime.plane(width, height, 'u8', edges(width, height, 0.04));
        const region = random() < 0.5 ? undefined : { x: 3, y: 2, width: width - 5, height: height + 9 };
        const search = { minRadius: 2, maxRadius: 2 + Math.floor(random() * 15), angleStep, region };
        expect(circlesFit(runtime.gpu!, plane, search)).to.equal(true);
        const expected = driveNow(runtime, (scope) => bestCircle(scope, plane, search));
        const found = await drive(runtime, (scope) => bestCircleGpu(scope, plane, search));
        expect(found, `${width}x${height} ${JSON.stringify(search)}`).to.deep.equal(expected);
        plane.dispose();
      }
  });

  it('finds the same circle of oriented edges', async () => {
    for (const [width, height] of [
      [1, 1],
      [7, 5],
      [129, 70],
    ] as const) {
      const octants = edges(width, height, 0.3).map((edge) => (edge ? 256 * random() : 0));
      const plane = runtime.plane(width, height, 'u8', octants);
      const search = { minRadius: 3, maxRadius: 12, angleStep: (7 * Math.PI) / 180, oriented: true };
      expect(circlesFit(runtime.gpu!, plane, search)).to.equal(true);
      const found = await drive(runtime, (scope) => bestCircleGpu(scope, plane, search));
      expect(found, `${width}x${height}`).to.deep.equal(driveNow(runtime, (scope) => bestCircle(scope, plane, search)));
      plane.dispose();
    }
  });

  it('counts the votes of lines to the last bit, without float targets and blending', async () => {
    const { context } = runtime.gpu!;
    const capabilities = { ...context.capabilities, floatTargets: false, floatBlend: false };
    Object.defineProperty(context, 'capabilities', { configurable: true, value: capabilities });
    for (const [width, height, share] of [
      [1, 1, 1],
      [33, 20, 0.05],
      [65, 31, 1],
      [120, 67, 0.05],
      [300, 200, 0.02],
    ] as const)
      for (const params of [
        { rho: 1, theta: Math.PI / 180 },
        { rho: 0.7, theta: Math.PI / 50 },
        // Counters of many pixels, and of a tenth of one.
        { rho: 40, theta: Math.PI / 30 },
        { rho: 0.13, theta: Math.PI / 6 },
      ]) {
        const plane = runtime.plane(width, height, 'u8', edges(width, height, share));
        expect(linesFit(runtime.gpu!, plane, accumulatorShape(width, height, params))).to.equal(true);
        const votesOn = async (backend: Backend) => {
          const [votes] = await run(runtime, lineVotes, [plane], params, { backend });
          expect(votes.on, backend).to.equal(backend === 'gpu' ? 'gpu' : 'arena');
          const samples = await votes.read();
          votes.dispose();
          return samples;
        };
        const expected = await votesOn('wasm');
        expect(await votesOn('gpu'), `${width}x${height} ${JSON.stringify(params)}`).to.deep.equal(expected);
        plane.dispose();
      }
    delete (context as unknown as { capabilities?: unknown }).capabilities;
  });

  it('finds the lines of the WASM side, and reads little', async () => {
    const plane = runtime.plane(160, 120, 'u8', edges(160, 120, 0.1));
    const read: number[] = [];
    const gpu = runtime.gpu!;
    const [texture, download] = [gpu.read.bind(gpu), gpu.download.bind(gpu)];
    gpu.read = async (...args) => {
      const bytes = await texture(...args);
      read.push(bytes.length);
      return bytes;
    };
    gpu.download = async (...args) => {
      const bytes = await download(...args);
      read.push(bytes.length);
      return bytes;
    };
    for (const [threshold, max] of [
      [20, 100],
      [0, 5],
      [0, 100000],
      [1000, 9],
    ] as const) {
      const params = { rho: 1, theta: Math.PI / 180, threshold, max, gap: 10 };
      const expected = await drive(runtime, (scope) => linesOf(scope, plane, params, 'wasm'));
      read.length = 0;
      const found = await drive(runtime, (scope) => linesOf(scope, plane, params, 'gpu'));
      expect(found, `threshold ${threshold}, ${max}`).to.deep.equal(expected);
      const bytes = read.reduce((a, b) => a + b, 0);
      expect(bytes).to.be.within(4, 4 * 4 + 3 * 1024 + 2 * 256 * 8 + 8 * (1024 + 256 + found.length));
    }
    Object.assign(gpu, { read: texture, download });
    plane.dispose();
  });

  itInFull('leaves lines that textures cannot hold to the WASM side', async () => {
    const plane = runtime.plane(600, 500, 'u8', edges(600, 500, 0.01));
    const gpu = runtime.gpu!;
    const params = { rho: 1, theta: Math.PI / 180, threshold: 30, max: 10, gap: 10 };
    const backends = new Set<Backend>();
    const linesAt = async (limit: number) => {
      Object.defineProperty(gpu, 'fits', {
        configurable: true,
        value: (w: number, h: number) => Math.max(w, h) <= limit,
      });
      backends.clear();
      const options = { backend: 'gpu' as const, took: (backend: Backend) => void backends.add(backend) };
      const lines = await drive(runtime, (scope) => linesOf(scope, plane, params), options);
      return lines;
    };
    const small = await linesAt(2048); // 2203 counters of one angle
    expect([...backends]).to.deep.equal(['wasm']);
    const large = await linesAt(4096);
    expect([...backends]).to.deep.equal(['gpu']);
    expect(large).to.deep.equal(small);
    delete (gpu as unknown as { fits?: unknown }).fits;
    plane.dispose();
  });
});
