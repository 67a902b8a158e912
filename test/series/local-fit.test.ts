import { expect } from 'chai';
import { indexAt, localFit, leastSquares, solve } from '../../src/series/statistics.ts';

// A cubic at uneven times.
const t = Array.from({ length: 80 }, (_, i) => 16 * i + 5 * Math.sin(i));
const v = t.map((x) => 5 + 0.002 * x - 3e-6 * x * x + 2e-9 * x ** 3);

describe('localFit', () => {
  it('gives value, slope and curvature of a cubic exactly, at any time', () => {
    for (const at of [300.5, 640, 911]) {
      const { value, slope, curvature } = localFit(t, v, at, 100, 3);
      expect(value).to.be.closeTo(5 + 0.002 * at - 3e-6 * at * at + 2e-9 * at ** 3, 1e-9);
      expect(slope).to.be.closeTo(0.002 - 6e-6 * at + 6e-9 * at * at, 1e-10);
      expect(curvature).to.be.closeTo(-6e-6 + 12e-9 * at, 1e-10);
    }
  });

  it('takes in more where samples are few, and says nothing at ends and beside gaps', () => {
    expect(localFit(t, v, 640, 30, 3).slope).to.be.closeTo(0.002 - 6e-6 * 640 + 6e-9 * 640 * 640, 1e-9);
    expect(localFit(t, v, 0, 100, 2).value).to.be.NaN;
    expect(localFit(t, v, 2000, 100, 2).value).to.be.NaN;
    const parted = t.map((_, i) => i).filter((i) => i < 30 || i > 50);
    const [pt, pv] = [parted.map((i) => t[i]!), parted.map((i) => v[i]!)];
    expect(localFit(pt, pv, 500, 100, 2).value).to.be.NaN;
    expect(localFit([], [], 0, 100, 2).value).to.be.NaN;
  });

  it('finds times', () => {
    expect([-1, 0, 1, 2, 5].map((x) => indexAt([0, 2, 4], x))).to.deep.equal([0, 0, 1, 1, 3]);
  });
});

describe('leastSquares', () => {
  it('solves, weighs, and refuses what has no one answer', () => {
    const row = (i: number, into: Float64Array) => into.set([1, i]);
    const { coefficients, rest } = leastSquares(4, 2, row, (i) => [1, 3, 5, 8][i]!)!;
    expect([...coefficients].map((c) => Number(c.toFixed(9)))).to.deep.equal([0.8, 2.3]); // normal equations by hand
    expect(rest).to.be.closeTo(0.3, 1e-9);
    const without = leastSquares(
      4,
      2,
      row,
      (i) => [1, 3, 5, 8][i]!,
      (i) => (i < 3 ? 1 : 0),
    )!;
    expect([...without.coefficients].map((c) => Number(c.toFixed(9)))).to.deep.equal([1, 2]);
    expect(leastSquares(1, 2, row, () => 1)).to.equal(null);
    expect(solve([Float64Array.of(1, 1), Float64Array.of(1, 1)], [1, 2])).to.equal(null);
  });
});
