/** Knudtson's formulas by hand. */
import { expect } from 'chai';
import { equivalent, hubbardEquivalent } from '../../../src/vessels/retina/zone-calibers.ts';

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
  it('by Parr and Hubbard join every vessel of 25 um or more', () => {
    const artery = (a: number, b: number) => Math.sqrt(0.87 * a * a + 1.01 * b * b - 0.22 * a * b - 10.76);
    const vein = (a: number, b: number) => Math.sqrt(0.72 * a * a + 0.91 * b * b + 450.05);
    expect(hubbardEquivalent([60, 100], 'artery')).to.be.closeTo(artery(60, 100), 1e-9);
    expect(hubbardEquivalent([120, 90, 20], 'vein')).to.be.closeTo(vein(90, 120), 1e-9);
    const eight = [110, 105, 100, 95, 60, 55, 50, 45];
    expect(hubbardEquivalent(eight, 'vein')).to.be.above(hubbardEquivalent(eight.slice(0, 6), 'vein'));
    expect(hubbardEquivalent([24], 'artery')).to.be.NaN;
  });
  it('of one vessel are its width, of none are not known', () => {
    expect(equivalent([7], 'artery')).to.equal(7);
    expect(equivalent([], 'artery')).to.be.NaN;
  });
});
