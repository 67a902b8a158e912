/** Lines and circles of the WASM side against votes that are cast one by one; one thread against two. */
import { expect } from 'chai';
import { bestCircle, circleCandidates, distinctCircles, linesOf, type CircleSearch } from '../../src/edges/index.ts';
import { createEngine } from '../../src/engine.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import { generator, smallSizes } from '../parity/cases.ts';
import { compiled } from '../parity/backends.ts';
import { plainCircles, plainLines } from '../reference/edges-votes.ts';
import { itInFull } from '../support/full.ts';

const random = generator(20031);
const whole = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));

/** Edges at random, a part of them along a line. */
function edges(width: number, height: number): Uint8Array {
  const share = [0, 0.02, 0.1, 0.6, 1][whole(0, 4)]!;
  const data = Uint8Array.from({ length: width * height }, () => (random() < share ? whole(1, 255) : 0));
  const [y0, slope] = [random() * height, random() - 0.5];
  for (let x = 0; x < width; x++) {
    const y = Math.round(y0 + slope * x);
    if (y >= 0 && y < height) data[y * width + x] = 255;
  }
  return data;
}

describe('votes', () => {
  let runtime: Runtime;
  before(async () => void (runtime = await Runtime.create({ module: await compiled() })));
  after(() => {
    expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
    runtime.dispose();
  });

  const candidates = (edges: Plane, search: CircleSearch, least: number, capacity: number) =>
    driveNow(runtime, (scope) => circleCandidates(scope, edges, search, least, capacity));

  const sizes = [...smallSizes(random), [127, 9], [128, 12], [130, 20], [257, 5]] as [number, number][];

  it('circles are those of the definition', () => {
    for (const [width, height] of sizes) {
      const data = edges(width, height);
      const plane = runtime.plane(width, height, 'u8', data);
      const minRadius = whole(1, 12);
      const degrees = [18, 9, 7, 45, 90, 3.6][whole(0, 5)]!;
      const angleStep = (degrees * Math.PI) / 180;
      const region =
        random() < 0.5
          ? undefined
          : { x: whole(-3, width), y: whole(-3, height), width: whole(0, 40), height: whole(0, 40) };
      const search = { minRadius, maxRadius: minRadius + whole(0, 6), angleStep, region };
      const where = `${width}x${height} ${JSON.stringify(search)}`;
      const image = { width, height, format: 'u8' as const, data };
      const expected = plainCircles(image, minRadius, search.maxRadius, degrees, region);
      const all = candidates(plane, search, 1, width * height);
      expect(all, where).to.deep.equal(expected);
      expect(
        driveNow(runtime, (scope) => bestCircle(scope, plane, search)),
        where,
      ).to.deep.equal(expected[0] ?? null);
      const half = Math.ceil((expected[0]?.votes ?? 0) / 2);
      const some = expected.filter(({ votes }) => votes >= Math.max(1, half));
      expect(candidates(plane, search, half, width * height), where).to.deep.equal(some);
      plane.dispose();
    }
  });

  it('the threshold rises until the list has room', () => {
    const plane = runtime.plane(60, 50, 'u8', new Uint8Array(3000).fill(1));
    const search = { minRadius: 3, maxRadius: 5, angleStep: Math.PI / 10 };
    const all = candidates(plane, search, 1, 3000);
    const most = all[0]!.votes;
    expect(most, 'all directions').to.equal(20);
    // Inner centers have all votes: more of them than there is room for.
    const few = candidates(plane, search, 1, 500);
    for (const r of [3, 4, 5]) {
      const best = all.filter((c) => c.r === r && c.votes === most);
      expect(best.length).to.be.above(500);
      expect(few.filter((c) => c.r === r)).to.deep.equal(best.slice(0, 500));
    }
    // Without a center more than those that have all votes.
    const room = Math.max(...[3, 4, 5].map((r) => all.filter((c) => c.r === r && c.votes === most).length));
    const some = candidates(plane, search, 1, room);
    expect(some).to.deep.equal(all.filter(({ votes }) => votes >= some[some.length - 1]!.votes));
    plane.dispose();
  });

  it('of much the same circles the one with most votes stays', () => {
    const circles = [
      { x: 50, y: 50, r: 20, votes: 30 },
      { x: 52, y: 50, r: 21, votes: 40 },
      { x: 52, y: 50, r: 40, votes: 35 },
      { x: 90, y: 50, r: 20, votes: 10 },
    ];
    expect(distinctCircles(circles, { max: 9, separation: 10 })).to.deep.equal([circles[1], circles[2], circles[3]]);
    expect(distinctCircles(circles, { max: 2, separation: 1 })).to.deep.equal([circles[1], circles[2]]);
  });

  it('lines are those of the definition', () => {
    for (const [width, height] of sizes) {
      const data = edges(width, height);
      const plane = runtime.plane(width, height, 'u8', data);
      const rho = [1, 0.5, 2, 0.7][whole(0, 3)]!;
      const theta = Math.PI / [180, 90, 45, 7][whole(0, 3)]!;
      const threshold = whole(0, 6);
      const expected = plainLines({ width, height, format: 'u8', data }, rho, theta, threshold);
      const params = { rho, theta, threshold, max: 1e5, gap: 10 };
      expect(
        driveNow(runtime, (scope) => linesOf(scope, plane, params)),
        `${width}x${height} ${JSON.stringify(params)}`,
      ).to.deep.equal(expected);
      plane.dispose();
    }
  });

  // Parity compares each stage on one thread and on two.
  itInFull('two threads give what one gives', async () => {
    const [width, height] = [331, 203];
    const data = Uint8Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      return (Math.hypot(x - 140, y - 90) < 50 ? 40 : 150) + whole(0, 30);
    });
    const answers: unknown[] = [];
    for (const threads of [1, 2]) {
      const engine = await createEngine({ backend: 'wasm', threads });
      expect(engine.capabilities.threads).to.equal(threads);
      const image = { width, height, data };
      const auto = { thresholds: 'auto', sigma: 2 } as const;
      const found = await engine.canny(image, auto);
      expect(await engine.houghLines(image, { edges: found, threshold: 40 }), 'edges given').to.deep.equal(
        await engine.houghLines(image, { ...auto, threshold: 40 }),
      );
      answers.push([
        found,
        await engine.canny(image, { ...auto, derivative: 'gaussian', norm: 'L2' }),
        await engine.houghLines(image, { ...auto, threshold: 40, segments: true }),
        await engine.houghCircles(image, { ...auto, minRadius: 20, maxRadius: 80, max: 1 }),
        await engine.houghCircles(image, { ...auto, minRadius: 40, maxRadius: 60, max: 20 }),
      ]);
      await engine.dispose();
    }
    expect(answers[1]).to.deep.equal(answers[0]);
    expect((answers[0] as unknown[][])[3]![0]).to.include({ r: 50 });
  });
});
