/** Directions of edges, and circles by the votes of those edges alone that a dark disc has. */
import { expect } from 'chai';
import { bestCircle, edgeOctants, type CircleSearch } from '../../src/edges/index.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime, type Gray } from '../pupil/search-memory.ts';
import { edgeOctants as reference } from '../reference/edges-octants.ts';

describe('edges with directions', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => {
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  function octants({ width, height, data }: Gray, edges: Uint8Array): number[] {
    const image = runtime.plane(width, height, 'u8', data);
    const plane = runtime.plane(width, height, 'u8', edges);
    const out = driveNow(runtime, (scope) => edgeOctants(scope, image, plane));
    const values = [...out.copy()];
    for (const p of [image, plane, out]) p.dispose();
    return values;
  }

  it('says between which eighths of a turn the image gets brighter', () => {
    // prettier-ignore
    const slope = Uint8Array.from([
      10, 20, 30,
      10, 20, 30,
      10, 20, 30,
    ]);
    const all = new Uint8Array(9).fill(255);
    expect(octants({ width: 3, height: 3, data: slope }, all)).to.deep.equal(new Array(9).fill(0b11));
    expect(octants({ width: 3, height: 3, data: slope.slice().reverse() }, all)[4]).to.equal(0b110000);
    expect(octants({ width: 3, height: 3, data: new Uint8Array(9).fill(7) }, all)).to.deep.equal(new Array(9).fill(0));
  });

  it('equals a plain reference over odd sizes', () => {
    for (const [width, height] of [
      [1, 1],
      [2, 67],
      [15, 3],
      [16, 16],
      [17, 31],
      [33, 1],
      [67, 45],
    ] as const) {
      const random = generator(width * 70 + height);
      const data = Uint8Array.from({ length: width * height }, () => (random() < 0.5 ? 4 * random() : 256 * random()));
      const edges = Uint8Array.from({ length: width * height }, () => (random() < 0.7 ? 255 : 0));
      const image = { width, height, data };
      const [expected] = reference([
        { ...image, format: 'u8' },
        { width, height, format: 'u8', data: edges },
      ]);
      expect(octants(image, edges), `${width}x${height}`).to.deep.equal([...expected!.data]);
    }
  });

  it('lets only the edges of dark discs vote', () => {
    const [width, height] = [120, 90];
    const within = (x: number, y: number, r: number) => (_: unknown, i: number) =>
      Math.hypot((i % width) - x, Math.floor(i / width) - y) <= r;
    const ring = (x: number, y: number, r: number) => (_: unknown, i: number) =>
      Math.round(Math.hypot((i % width) - x, Math.floor(i / width) - y)) === r;
    const bright = within(35, 45, 20);
    const dark = within(85, 45, 16);
    const data = Uint8Array.from({ length: width * height }, (_, i) => (bright(_, i) ? 220 : dark(_, i) ? 20 : 120));
    const edges = Uint8Array.from({ length: width * height }, (_, i) =>
      ring(35, 45, 20)(_, i) || ring(85, 45, 16)(_, i) ? 255 : 0,
    );
    const image = runtime.plane(width, height, 'u8', data);
    const plane = runtime.plane(width, height, 'u8', edges);
    const oriented = driveNow(runtime, (scope) => edgeOctants(scope, image, plane));
    const search = { minRadius: 10, maxRadius: 24, angleStep: Math.PI / 30 };
    const bestOf = (edges: Plane, search: CircleSearch) =>
      driveNow(runtime, (scope) => bestCircle(scope, edges, search));
    const plain = (x: number) => bestOf(plane, { ...search, region: { x, y: 0, width: 60, height: 90 } })!;
    expect(plain(0)).to.include({ x: 35, y: 45, r: 20 });
    expect(plain(60)).to.include({ x: 85, y: 45, r: 16 });
    const best = bestOf(oriented, { ...search, oriented: true })!;
    expect(best).to.include({ x: 85, y: 45, r: 16 });
    expect(best.votes).to.be.at.least(0.9 * plain(60).votes);
    const other = { ...search, oriented: true, region: { x: 0, y: 0, width: 60, height: 90 } };
    expect(bestOf(oriented, other)?.votes ?? 0).to.be.below(20);
    for (const p of [image, plane, oriented]) p.dispose();
  });
});
