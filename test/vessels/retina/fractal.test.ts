import { expect } from 'chai';
import { fractalDimension } from '../../../src/vessels/retina/shape-measures.ts';
import { arc, filled, koch } from './curves.ts';

describe('fractal dimension', () => {
  for (const [name, points, truth] of [
    ['a straight line', arc(1e-6, 7e8), 1],
    ["Koch's curve", koch(6, 700), Math.log(4) / Math.log(3)],
    ['a filled square', filled(560, 1), 2],
  ] as const)
    it(`of ${name} is ${truth.toFixed(2)} within 0.1`, () => {
      const found = fractalDimension([points], 800)!;
      expect(found.dimension).to.be.closeTo(truth, 0.1);
      expect(found.residual).to.be.below(0.08);
      expect(found.counts[0]).to.be.above(found.counts.at(-1)!);
    });
  it('orders them, and does not go with the size', () => {
    const curve = koch(6, 700);
    const one = fractalDimension([curve], 800)!;
    const double = fractalDimension([curve.map((v) => 2 * v)], 1600)!;
    expect(double.dimension).to.be.closeTo(one.dimension, 0.02);
  });
  it('of nothing is not known', () => {
    expect(fractalDimension([], 500)).to.equal(null);
  });
});
