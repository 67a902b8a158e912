// The intervals that the benchmarks print beside their shares.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bootstrap,
  ofCounts,
  ofGroups,
  poisson,
  range,
  rangeOfPercent,
  rangeOfRate,
  rangeOfShare,
  share,
  widest,
  widestOf,
  wilson,
} from '../../bench/parts/intervals.mjs';

const near = (found, wanted, by) =>
  found.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) <= by, `${found} is not ${wanted}`));

describe('intervals of benchmarks', () => {
  it('of shares are Wilson’s', () => {
    // Newcombe 1998, Statistics in Medicine 17, table I, method 3.
    near(wilson(81, 263), [25.53, 36.62], 0.01);
    near(wilson(15, 148), [6.24, 16.05], 0.01);
    near(wilson(0, 20), [0, 16.11], 0.01);
    near(wilson(1, 29), [0.61, 17.18], 0.01);
    assert.deepEqual(wilson(0, 0), [NaN, NaN]);
  });

  it('of counted events are exact', () => {
    // Garwood 1936, as every table of the Poisson distribution has it.
    near(poisson(0), [0, 3.689], 0.001);
    near(poisson(1), [0.025, 5.572], 0.001);
    near(poisson(10), [4.795, 18.39], 0.001);
    near(poisson(100), [81.36, 121.63], 0.01);
  });

  it('of means over groups are the bootstrap’s, the same in every run', () => {
    const groups = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const found = bootstrap(groups);
    assert.deepEqual(bootstrap(groups), found);
    // Normal: 5.5 +- 1.96 * 2.872 / sqrt(10).
    near(found, [3.72, 7.28], 0.15);
    assert.deepEqual(bootstrap([0.5, 0.5, 0.5]), [0.5, 0.5]);
  });

  it('draw whole groups, and leave out draws without a figure', () => {
    const groups = [
      { silent: 9, absent: 10 },
      { silent: 0, absent: 0 },
    ];
    const sum = (list, key) => list.reduce((all, one) => all + one[key], 0);
    const silence = (list) => (sum(list, 'absent') ? sum(list, 'silent') / sum(list, 'absent') : NaN);
    assert.deepEqual(bootstrap(groups, silence), [0.9, 0.9]);
    assert.deepEqual(bootstrap([groups[0]], silence), [NaN, NaN]);
    assert.deepEqual(bootstrap([groups[1], groups[1]], silence), [NaN, NaN]);
  });

  it('of groups that are all alike are not of no width', () => {
    near(ofGroups([100, 100, 100, 100]), [51.01, 100], 0.01);
    near(ofGroups([0, 0, 0, 0]), [0, 48.99], 0.01);
    near(ofGroups([1, 1, 1, 1], 1), [0.5101, 1], 0.0001);
    assert.deepEqual(ofGroups([50, 50, 50]), [50, 50]);
    assert.deepEqual(ofGroups([0, 50, 100, 100]), bootstrap([0, 50, 100, 100]));
    assert.deepEqual(ofGroups([]), [NaN, NaN]);
  });

  it('of what groups count together weigh a group by its count', () => {
    const groups = [[9, 10], [0, 10], [90, 100], [0, 0]]; // prettier-ignore
    const found = ofCounts(groups);
    assert.deepEqual(found, ofCounts(groups.slice(0, 3)));
    assert.deepEqual(found, [0, 90]);
    near(ofCounts([[10, 10], [3, 3], [0, 0]]), [34.24, 100], 0.01); // prettier-ignore
    near(ofCounts([[0, 10], [0, 3]]), [0, 65.76], 0.01); // prettier-ignore
    assert.deepEqual(ofCounts([[0, 0]]), [NaN, NaN]);
  });

  it('are written with what they belong to', () => {
    assert.equal(range([0.125, 0.5], 2), '0.13 to 0.50');
    assert.equal(range([NaN, NaN]), '-');
    assert.equal(rangeOfShare(28, 30), '0.79 to 0.98');
    assert.equal(rangeOfRate(0, 30), '0.00 to 0.12');
    assert.equal(rangeOfRate(10, 100, 3), '0.048 to 0.184');
    assert.equal(rangeOfRate(0, 0), '-');
    assert.equal(rangeOfPercent(97.5, 40), '87.1 to 99.6');
    assert.equal(rangeOfPercent(NaN, 0), '-');
    assert.equal(share(39, 40), '97.5 (87.1 to 99.6)');
    assert.equal(share(0, 185), '0.0 (0.0 to 2.0)');
    assert.equal(share(0, 0), '-');
  });

  it('of a table of many are described by the widest', () => {
    assert.equal(
      widest([[40, 40], [36, 40], [0, 0], [NaN, 5]]), // prettier-ignore
      'Wilson’s 95 % interval is widest for 36 of 40, 90.0 %: 76.9 to 96.0 (half of it: 9.5 points).',
    );
    assert.equal(
      widestOf([['a', [0.5, 0.6]], ['b', [0.2, 0.9]], ['c', [NaN, NaN]]], 2), // prettier-ignore
      'b: 0.20 to 0.90 (half of it: 0.35)',
    );
    assert.equal(widestOf([]), 'Too few groups for an interval.');
  });
});
