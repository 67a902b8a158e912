import { expect } from 'chai';
import { cleanSeries } from '../../src/series/clean.ts';
import { darkAdaptation, nearResponse } from '../../src/series/dark-and-near.ts';
import { refused } from './support.ts';

const seriesOf = (diameter: (t: number) => number, seconds = 120) =>
  cleanSeries(
    Array.from({ length: 30 * seconds }, (_, i) => {
      const timestamp = (1000 * i) / 30;
      return { timestamp, diameter: diameter(timestamp), eye: 'left' as const };
    }),
  );

describe('dark adaptation', () => {
  const dark = { onset: 10_000, offset: 110_000 };
  const constant = 8000;
  const widened = (t: number) => (t < dark.onset ? 3 : 3 + 3.5 * (1 - Math.exp(-(t - dark.onset) / constant)));

  it('has the sizes and the times of a dilation in closed form', () => {
    const found = darkAdaptation(seriesOf(widened), dark);
    expect(found.light).to.be.closeTo(3, 1e-6);
    expect(found.dark).to.be.closeTo(6.5, 0.01);
    expect(found.dilation).to.be.closeTo(3.5, 0.01);
    expect(found.dilationPercent).to.be.closeTo(116.7, 0.5);
    expect(found.t50).to.be.closeTo(constant * Math.LN2, 150);
    expect(found.t90).to.be.closeTo(constant * Math.LN10, 250);
    expect(found.eye).to.equal('left');
    expect(found.warnings).to.deep.equal([]);
  });

  it('has no times where the pupil does not widen, and no values without samples', () => {
    const still = darkAdaptation(
      seriesOf(() => 5),
      dark,
    );
    expect(still.t50).to.deep.equal(NaN);
    expect(still.warnings).to.deep.equal(['The pupil is not larger in the dark.']);
    const none = darkAdaptation(
      seriesOf((t) => (t < dark.onset ? NaN : 5)),
      dark,
    );
    expect(none.dilation).to.deep.equal(NaN);
    expect(none.warnings.join()).to.match(/Too few samples/);
    refused(() => darkAdaptation(seriesOf(widened), { onset: 5, offset: 4 }), /after the onset/);
  });
});

describe('the near response', () => {
  const near = { onset: 8000, offset: 14_000 };

  it('is the difference of both sizes', () => {
    const diameter = (t: number) => (t < near.onset ? 5 : 5 - 1.2 * (1 - Math.exp(-(t - near.onset) / 400)));
    const found = nearResponse(seriesOf(diameter, 20), near);
    expect(found.far).to.be.closeTo(5, 1e-6);
    expect(found.near).to.be.closeTo(3.8, 0.005);
    expect(found.constriction).to.be.closeTo(1.2, 0.005);
    expect(found.constrictionPercent).to.be.closeTo(24, 0.1);
    expect(found.warnings).to.deep.equal([]);
  });

  it('is unknown without samples', () => {
    const found = nearResponse(
      seriesOf((t) => (t > near.onset ? NaN : 5), 20),
      near,
    );
    expect(found.constriction).to.deep.equal(NaN);
    expect(found.warnings.join()).to.match(/Too few samples/);
  });
});
