/** What histograms and lists are summarized to, on literal numbers. */
import { expect } from 'chai';
import { otsu } from '../../src/image/histogram.ts';
import { median, quantileBin, roundEven } from '../../src/image/numbers.ts';

const counts = (entries: Record<number, number>): Uint32Array => {
  const list = new Uint32Array(256);
  for (const [level, count] of Object.entries(entries)) list[Number(level)] = count;
  return list;
};

describe('numbers', () => {
  it('the level of Otsu is the lowest of those that part two modes alike', () => {
    expect(otsu(counts({ 10: 50, 200: 50 }))).to.equal(10);
    expect(otsu(counts({ 10: 40, 12: 40, 200: 5, 210: 5 }))).to.equal(12);
    expect(otsu(counts({ 90: 7 }))).to.equal(0);
    expect(otsu(counts({}))).to.equal(0);
  });

  it('halves go to the even neighbor', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, 2.49, 2.51].map(roundEven)).to.deep.equal([0, 2, 2, 0, -2, 2, 3]);
  });

  it('the median is the upper of two, the quantile the first bin that reaches the share', () => {
    expect(median([5, 1, 3])).to.equal(3);
    expect(median([4, 1, 3, 2])).to.equal(3);
    expect(median([])).to.be.NaN;
    const list = counts({ 3: 10, 5: 80, 9: 10 });
    expect([0.05, 0.1, 0.11, 0.9, 0.91, 1].map((share) => quantileBin(list, 100, share))).to.deep.equal([
      3, 3, 5, 5, 9, 9,
    ]);
  });
});
