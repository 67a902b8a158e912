/** Votes on the GPU against those of the WASM side, whose accumulators are held to the goldens. */
import { expect } from 'chai';
import { accumulatorShape, bestCircle, bestCircleGpu, circlesFit, linesFit, lineVotes } from '../../src/edges/index.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { drive, driveNow, run, type Side } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime } from '../parity/sides.ts';

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

  it('casts the votes of lines: as many, and apart only at rounding borders', async function () {
    if (!runtime.gpu!.capabilities.floatBlend) return this.skip();
    for (const [width, height] of [
      [1, 1],
      [33, 20],
      [120, 67],
    ] as const)
      for (const params of [
        { rho: 1, theta: Math.PI / 180 },
        { rho: 0.7, theta: Math.PI / 50 },
      ]) {
        const data = edges(width, height, 0.05);
        const plane = runtime.plane(width, height, 'u8', data);
        const shape = accumulatorShape(width, height, params);
        expect(linesFit(runtime.gpu!, shape)).to.equal(true);
        const { distances, angles, cosines, sines } = shape;
        const votesOn = async (side: Side) => {
          const [votes] = await run(runtime, lineVotes, [plane], params, { side });
          const samples = await votes.read();
          votes.dispose();
          // Without the zeros around.
          const at = (i: number) => samples[(1 + Math.floor(i / distances)) * (distances + 2) + 1 + (i % distances)]!;
          return Float64Array.from({ length: distances * angles }, (_, i) => at(i));
        };
        const actual = await votesOn('gpu');
        const expected = await votesOn('wasm');
        // What votes within 0.001 of a rounding border may have moved by one bin.
        const loose = new Float64Array(distances * angles);
        for (let i = 0; i < data.length; i++) {
          if (!data[i]) continue;
          for (let n = 0; n < angles; n++) {
            const rho = (i % width) * cosines[n]! + Math.floor(i / width) * sines[n]!;
            const border = Math.floor(rho) + 0.5;
            if (Math.abs(rho - border) > 1e-3) continue;
            const bin = n * distances + Math.floor(border) + (distances - 1) / 2;
            for (const k of [Math.floor(bin), Math.floor(bin) + 1]) if (k >= 0 && k < loose.length) loose[k]!++;
          }
        }
        const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
        expect(sum(actual), 'votes').to.equal(sum(expected));
        actual.forEach((v, i) => {
          if (Math.abs(v - expected[i]!) > loose[i]!)
            throw new Error(`${v} instead of ${expected[i]} at ${i}, ${width}x${height} ${JSON.stringify(params)}`);
        });
        plane.dispose();
      }
  });
});
