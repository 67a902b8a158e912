/**
 * Circle and ellipse fits against the golden. The kernels take float32 points, so two steps: the plain reference agrees
 * with the golden in double precision within the manifest's tolerance; the kernel agrees with the reference on the
 * rounded points within the rounding of its float32 results, and with the golden itself within what rounding the points
 * does to the fit.
 */
import { expect } from 'chai';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { directEllipse, taubin, type Circle, type EllipseFit, type Point } from '../../reference/pupil-search-fits.ts';
import { makeRuntime, SearchMemory, testing } from '../search-memory.ts';

type Given = Parameters<ReturnType<typeof testing>['kernels']['fitCirclePoints']>[0];

function* fit(scope: Scope, kernel: 'fitCirclePoints' | 'fitEllipsePoints', given: Given) {
  const tests = testing(scope);
  return yield* kernel === 'fitCirclePoints'
    ? tests.kernels.fitCirclePoints(given)
    : tests.kernels.fitEllipsePoints(given);
}

function* fiveOf(scope: Scope, given: Omit<Given, 'n'>) {
  return yield* testing(scope).kernels.ellipseThroughPoints(given);
}

interface Case {
  id: string;
  tolerance: { maxAbs: number; relFloat32?: number };
  points: Point[];
  expected: Circle | EllipseFit | null;
}

const answer = await fetch(new URL('../../golden/pupil/fits.json', import.meta.url));
const cases = (await answer.json()) as Case[];
const of = (group: string) => cases.filter(({ id }) => id.startsWith(group));

/** Rounding of one float32 of this size. */
const ulp = (value: number) => 2 ** (Math.floor(Math.log2(Math.abs(value) || 1)) - 23);
const rounded = (points: readonly Point[]): Point[] => points.map(([x, y]) => [Math.fround(x), Math.fround(y)]);

describe('fits of the pupil kernels', () => {
  let runtime: Runtime;
  let search: SearchMemory;
  before(async () => {
    runtime = await makeRuntime();
    search = new SearchMemory(runtime);
  });
  after(() => {
    search.dispose();
    runtime.dispose();
  });

  const call = (kernel: 'fitCirclePoints' | 'fitEllipsePoints', points: readonly Point[]): boolean => {
    const xs = search.store(Float32Array.from(points, ([x]) => x));
    const ys = search.store(Float32Array.from(points, ([, y]) => y));
    const given = { search: search.state, xs, ys, n: points.length };
    return driveNow(runtime, (scope) => fit(scope, kernel, given)) === 1;
  };
  const circleOf = (points: readonly Point[]): Circle | null =>
    call('fitCirclePoints', points) ? { x: search.get('cx'), y: search.get('cy'), r: search.get('r') } : null;
  const ellipseOf = (points: readonly Point[]): EllipseFit | null => {
    const found = call('fitEllipsePoints', points);
    expect(search.get('ellipse')).to.equal(found ? 1 : 0);
    if (!found) return null;
    return inState();
  };

  /** Center, axes and direction that are in the state. */
  const inState = (): EllipseFit => ({
    x: search.get('ex'),
    y: search.get('ey'),
    a: search.get('ea'),
    b: search.get('eb'),
    angleDeg: ((Math.atan2(search.get('euy'), search.get('eux')) * 180) / Math.PI + 360) % 180,
  });
  const ellipseThrough = (points: readonly Point[]): EllipseFit | null => {
    const xs = search.store(Float32Array.from(points, ([x]) => x));
    const ys = search.store(Float32Array.from(points, ([, y]) => y));
    const found = driveNow(runtime, (scope) => fiveOf(scope, { search: search.state, xs, ys })) === 1;
    expect(search.get('ellipse')).to.equal(found ? 1 : 0);
    return found ? inState() : null;
  };

  function near<T extends object>(actual: T | null, expected: T | null, tolerance: (value: number) => number): void {
    if (!expected || !actual) return void expect(actual).to.equal(expected);
    for (const [name, value] of Object.entries(expected) as [keyof T, number][]) {
      let difference = Math.abs((actual[name] as number) - value);
      if (name === 'angleDeg') difference = Math.min(difference, 180 - difference);
      expect(difference, String(name)).to.be.at.most(tolerance(value));
    }
  }

  it('has all golden cases', () => expect([of('15a').length, of('15b').length]).to.deep.equal([12, 13]));

  for (const { id, tolerance, points, expected } of of('15a'))
    it(id, () => {
      near(taubin(points), expected as Circle | null, () => tolerance.maxAbs);
      const found = circleOf(points);
      near(found, taubin(rounded(points)), (v) => 1e-6 + ulp(v));
      // The manifest's own tolerance for float32.
      near(found, expected as Circle | null, (v) => tolerance.relFloat32! * Math.max(1, Math.abs(v)));
    });

  for (const { id, tolerance, points, expected } of of('15b'))
    it(id, () => {
      near(directEllipse(points), expected as EllipseFit | null, () => tolerance.maxAbs);
      const found = ellipseOf(points);
      near(found, directEllipse(rounded(points)), (v) => 1e-5 + ulp(v));
      // Rounding moves a point by half a float32 step; a short arc makes that up to a hundred times as large.
      const step = Math.max(...points.flat().map(ulp));
      near(found, expected as EllipseFit | null, () => tolerance.maxAbs + 100 * step);
    });

  it('has no circle through fewer than three points, and no ellipse through fewer than five or on a line', () => {
    const line = (n: number): Point[] => Array.from({ length: n }, (_, i) => [10 + i, 20 + 3 * i]);
    const turn = (n: number): Point[] => Array.from({ length: n }, (_, i) => [5 * Math.cos(i), 4 * Math.sin(i)]);
    expect([circleOf(turn(2)), circleOf([]), circleOf(Array.from({ length: 9 }, () => [4, 4]))]).to.deep.equal([
      null,
      null,
      null,
    ]);
    expect([ellipseOf(turn(4)), ellipseOf([]), ellipseOf(line(12))]).to.deep.equal([null, null, null]);
    expect(ellipseOf(Array.from({ length: 9 }, () => [4, 4]))).to.equal(null);
  });

  it('goes through five points where an ellipse does', () => {
    const turned = (t: number, at: number): Point => {
      const [u, v] = [23 * Math.cos(at), 14 * Math.sin(at)];
      return [320 + u * Math.cos(t) - v * Math.sin(t), 240 + u * Math.sin(t) + v * Math.cos(t)];
    };
    for (let degrees = 5; degrees < 180; degrees += 25)
      for (const places of [
        [0.1, 1.3, 2.6, 3.9, 5.2],
        [5.2, 0.1, 3.9, 1.3, 2.6],
        [0, 0.5, 1, 1.5, 2.5],
      ]) {
        const points = places.map((at) => turned((degrees * Math.PI) / 180, at));
        near(ellipseThrough(points), { x: 320, y: 240, a: 23, b: 14, angleDeg: degrees }, () => 2e-3);
      }
    const hyperbola = [-2, -1, 0, 1, 2].map((t): Point => [10 * Math.cosh(t), 10 * Math.sinh(t)]);
    const line = [0, 1, 2, 3, 4].map((t): Point => [t, 2 * t]);
    const twice = [0, 1, 2, 3, 3].map((t): Point => [9 * Math.cos(t), 9 * Math.sin(t)]);
    expect([hyperbola, line, twice].map(ellipseThrough)).to.deep.equal([null, null, null]);
  });

  it('gives axes and directions of ellipses at every angle, also upright ones and circles', () => {
    for (let angle = 0; angle < 180; angle += 15)
      for (const b of [4, 17.5, 20]) {
        const t = (angle * Math.PI) / 180;
        const points = Array.from({ length: 40 }, (_, i): Point => {
          const [u, v] = [20 * Math.cos(i * 0.3), b * Math.sin(i * 0.3)];
          return [300 + u * Math.cos(t) - v * Math.sin(t), 200 + u * Math.sin(t) + v * Math.cos(t)];
        });
        const found = ellipseOf(points)!;
        const expected = { x: 300, y: 200, a: 20, b, ...(b < 20 ? { angleDeg: angle } : {}) };
        near(found, expected as EllipseFit, () => 2e-3);
        expect(Math.hypot(search.get('eux'), search.get('euy'))).to.be.closeTo(1, 1e-6);
      }
  });
});
