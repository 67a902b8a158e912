import { expect } from 'chai';
import { cleanSeries, epochs } from '../../src/series/index.ts';
import { nothing, refused, sampled } from './support.ts';

// Rises by a line; at each event it is event / 1000 + 3.
const series = cleanSeries(
  sampled(100, 10, (t) => 3 + t),
  nothing,
);
const window = { before: 200, after: 500 };

describe('epochs', () => {
  it('lie on one grid, with a baseline each', () => {
    const { time, epochs: all, mean, standardError, count } = epochs(series, [2000, 5003], window);
    expect([time[0], time.at(-1), time.length]).to.deep.equal([-200, 500, 71]);
    expect(all[0]!.baseline).to.be.closeTo(4.9, 1e-9); // median of 4.8 to 5.0
    expect(all[0]!.diameter[20]).to.be.closeTo(0.1, 1e-9);
    expect(all[0]!.diameter[70]).to.be.closeTo(0.6, 1e-9);
    expect(mean[70]).to.be.closeTo((all[0]!.diameter[70]! + all[1]!.diameter[70]!) / 2, 1e-12);
    expect(standardError[70]).to.be.closeTo(Math.abs(all[0]!.diameter[70]! - all[1]!.diameter[70]!) / 2, 1e-12);
    expect(count[70]).to.equal(2);
  });

  it('are given in per cent, or as they are', () => {
    const percent = epochs(series, [2000], { ...window, baseline: 'percent' });
    expect(percent.mean[70]).to.be.closeTo(60 / 4.9, 1e-9);
    expect(epochs(series, [2000], { ...window, baseline: 'none' }).mean[70]).to.be.closeTo(5.5, 1e-9);
    expect(percent.standardError[70]).to.be.NaN;
  });

  it('are left out where little was measured', () => {
    const { epochs: all, count } = epochs(series, [5000, 9900, 0], window);
    expect(all.map((one) => one.kept)).to.deep.equal([true, false, true]);
    expect(all[1]!.validShare).to.be.closeTo(31 / 71, 1e-9);
    expect([count[0], count[70]]).to.deep.equal([1, 2]);
    expect(all[2]!.diameter[0]).to.be.NaN;
  });

  it('refuse what makes no epoch', () => {
    refused(() => epochs(series, []), /at least one time/);
    refused(() => epochs(series, [NaN]), /finite/);
    refused(() => epochs(series, [1], { baselineFrom: 10, baselineTo: 0 }), /after baselineFrom/);
    refused(() => epochs(series, [1], { after: 0 }), /after must be from 1/);
  });
});
