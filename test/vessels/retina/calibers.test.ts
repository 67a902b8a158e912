/** Knudtson's formulas by hand. */
import { expect } from 'chai';
import { equivalent } from '../../../src/vessels/retina/zone-calibers.ts';

describe('equivalents of the six largest vessels', () => {
  it('are those of six alike', () => {
    // Three of 0.88 sqrt(2), two of which are joined, then that with the third.
    const one = 0.88 * Math.SQRT2;
    const two = 0.88 * Math.SQRT2 * one;
    expect(equivalent([10, 10, 10, 10, 10, 10], 'artery')).to.be.closeTo(8.8 * Math.hypot(two, one), 1e-9);
  });
  it('join the largest with the smallest, the next with the next, and keep the middle one of three', () => {
    const join = (a: number, b: number) => 0.95 * Math.hypot(a, b);
    const [a, b, c] = [join(15, 8), join(14, 9), join(12, 10)].sort((x, y) => y - x) as [number, number, number];
    expect(equivalent([9, 15, 12, 8, 14, 10], 'vein')).to.be.closeTo(join(...([join(a, c), b] as const)), 1e-9);
  });
  it('leave out what is smaller than the six', () => {
    expect(equivalent([10, 9, 8, 7, 6, 5, 4, 3], 'vein')).to.equal(equivalent([10, 9, 8, 7, 6, 5], 'vein'));
  });
  it('of one vessel are its width, of none are not known', () => {
    expect(equivalent([7], 'artery')).to.equal(7);
    expect(equivalent([], 'artery')).to.be.NaN;
  });
});
