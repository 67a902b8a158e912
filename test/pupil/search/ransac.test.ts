/** The RANSAC table and the circle with the most votes, against a plain reference in double precision. */
import { expect } from 'chai';
import { ransacTable } from '../../../src/pupil/search/search.ts';
import type { Plan } from '../../../src/runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { generator } from '../../parity/cases.ts';
import type { Point } from '../../reference/pupil-search-fits.ts';
import { membersOf, ransacCandidates } from '../../reference/pupil-search-ransac.ts';
import { makeRuntime, SearchMemory } from '../search-memory.ts';

/** How far float32 arithmetic may move a circle of a well spread set. */
const SLACK = 0.01;

function* ransac(scope: Scope, { state }: SearchMemory): Plan<number> {
  return yield* scope.kernels.ransacPoints({ search: state });
}

describe('RANSAC of the pupil kernels', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  it('draws the same table everywhere', () => {
    const table = ransacTable(1024);
    expect(table.length).to.equal(5120);
    // xorshift32 from 2463534242 (Marsaglia 2003): the states as published, their upper 24 bits as fractions.
    const states = [723471715, 2497366906, 2064144800, 2008045182, 3532304609];
    expect(membersOf(table, 0)).to.deep.equal(states.map((state) => (state >>> 8) / 2 ** 24));
    expect(Math.max(...table)).to.be.below(1);
    expect(Math.min(...table)).to.be.at.least(0);
    expect(ransacTable(64)).to.deep.equal(table.slice(0, 320));
    expect(table.reduce((a, b) => a + b) / table.length).to.be.closeTo(0.5, 0.01);
    // No number times a count may reach the count, else a set would read past the list.
    const greatest = Math.fround(1 - 2 ** -24);
    for (let n = 5; n <= 1152; n++) expect(Math.fround(greatest * n)).to.be.below(n);
  });

  function run(points: readonly Point[], sets: number, minRadius = 2, maxRadius = 200, distance = 2) {
    const search = new SearchMemory(runtime);
    const pad = 4;
    const list = (k: 0 | 1) => search.store(Float32Array.from([...points.map((p) => p[k]), ...Array(pad).fill(0)]));
    search.set({
      px: list(0),
      py: list(1),
      points: points.length,
      table: search.store(ransacTable(sets)),
      sets,
      voteDistance: distance,
      minRadius,
      maxRadius,
    });
    const found = driveNow(runtime, (scope) => ransac(scope, search)) === 1;
    const [x, y, r, votes] = (['cx', 'cy', 'r', 'votes'] as const).map((name) => search.get(name)) as [
      number,
      number,
      number,
      number,
    ];
    search.dispose();
    return { found, circle: { x, y, r }, votes };
  }

  for (const [name, count, noise, outliers] of [
    ['a clean circle', 100, 0, 0],
    ['noise', 101, 0.7, 0],
    ['noise and a third of outliers', 102, 0.5, 0.33],
    ['two thirds of outliers', 118, 0.5, 0.66],
    ['few points', 7, 0.3, 0.2],
    ['as many points as there can be', 1152, 1, 0.4],
  ] as const)
    it(`picks the set that the reference picks: ${name}`, () => {
      const random = generator(count);
      const points = Array.from({ length: count }, (): Point => {
        if (random() < outliers) return [Math.fround(640 * random()), Math.fround(480 * random())];
        const t = 2 * Math.PI * random();
        const r = 41 + noise * 2 * (random() - 0.5);
        return [Math.fround(310 + r * Math.cos(t)), Math.fround(222 + r * Math.sin(t))];
      });
      const sets = count > 1000 ? 128 : 512;
      const { found, circle, votes } = run(points, sets);
      const rules = { distance: 2, minRadius: 2, maxRadius: 200, slack: SLACK };
      const candidates = ransacCandidates(points, ransacTable(sets), sets, rules);
      const top = Math.max(...candidates.map((c) => c?.least ?? 0));
      expect(found).to.equal(true);
      // The winner is one of the reference's circles, and none has certainly more votes.
      const same = candidates.filter(
        (c) => c && Math.hypot(c.circle.x - circle.x, c.circle.y - circle.y, c.circle.r - circle.r) < 2 * SLACK,
      );
      expect(same.length).to.be.above(0);
      expect(same.some((c) => votes >= c!.least && votes <= c!.most)).to.equal(true);
      expect(votes).to.be.at.least(top);
    });

  it('takes the earliest of equally good sets', () => {
    // Points of one exact circle: all sets get all votes, so the circle is that of set 0.
    const points = Array.from({ length: 20 }, (_, i): Point => [
      Math.fround(100 + 30 * Math.cos(i)),
      Math.fround(90 + 30 * Math.sin(i)),
    ]);
    const all = run(points, 1024);
    const first = run(points, 64);
    expect(all.votes).to.equal(20);
    expect(all.circle).to.deep.equal(first.circle);
  });

  it('needs five points, a spread and a size within the limits', () => {
    const turn = (n: number): Point[] =>
      Array.from({ length: n }, (_, i) => [50 + 9 * Math.cos(i), 50 + 9 * Math.sin(i)]);
    expect(run(turn(4), 64)).to.include({ found: false, votes: 0 });
    expect(run([], 64).found).to.equal(false);
    expect(run(turn(12), 64).found).to.equal(true);
    expect(run(turn(12), 64, 9.5).found).to.equal(false);
    expect(run(turn(12), 64, 2, 8.5).found).to.equal(false);
    expect(
      run(
        Array.from({ length: 12 }, (): Point => [7, 7]),
        64,
      ).found,
    ).to.equal(false);
    expect(
      run(
        Array.from({ length: 12 }, (_, i): Point => [3 * i, 5 * i]),
        1024,
      ).found,
    ).to.equal(false);
  });

  it('counts votes strictly within the distance', () => {
    const ring = (r: number, n: number): Point[] =>
      Array.from({ length: n }, (_, i) => [60 + r * Math.cos(0.4 + i), 60 + r * Math.sin(0.4 + i)]);
    const points = [...ring(20, 60), ...ring(21.9, 3), ...ring(18.1, 3), ...ring(23, 2), ...ring(17, 2)];
    const { votes, circle } = run(points, 1024);
    expect(circle.r).to.be.closeTo(20, 0.5);
    expect(votes).to.be.within(60, 68);
    expect(run(points, 1024, 2, 200, 10).votes).to.equal(70);
  });
});
