import { expect } from 'chai';
import { cleanSeries } from '../../src/series/clean.ts';
import { unrest } from '../../src/series/unrest.ts';
import { refused } from './support.ts';

/** Eleven minutes of a sine wave. */
const seriesOf = (
  frequency: number,
  size: number,
  { seconds = 660, rate = 25, lost = (_: number): boolean => false } = {},
) =>
  cleanSeries(
    Array.from({ length: seconds * rate }, (_, i) => {
      const timestamp = (1000 * i) / rate;
      const diameter = 6 + size * Math.sin((2 * Math.PI * frequency * timestamp) / 1000);
      return { timestamp, diameter: lost(timestamp) ? NaN : diameter, eye: 'right' as const };
    }),
  );

describe('the pupillary unrest index', () => {
  it('is the way that a slow wave goes in a minute, in eight windows', () => {
    const [frequency, size] = [0.05, 0.3];
    const { index, windows, lowest, highest, rms, mean, warnings, eye } = unrest(seriesOf(frequency, size));
    expect(windows).to.have.lengthOf(8);
    expect(index).to.be.closeTo(4 * size * frequency * 60, 0.02 * index);
    expect(lowest).to.be.closeTo(0.0122, 1e-4);
    expect(highest).to.be.closeTo(0.78, 0.002);
    expect(rms).to.be.closeTo(size / Math.SQRT2, 0.01);
    expect(mean).to.be.closeTo(6, 0.01);
    expect(warnings).to.deep.equal([]);
    expect(eye).to.equal('right');
  });

  it('is equal at 25 and at 60 frames per second', () => {
    const [slow, fast] = [25, 60].map((rate) => unrest(seriesOf(0.2, 0.2, { rate })).index) as [number, number];
    expect(fast / slow).to.be.closeTo(1, 0.02);
  });

  it('contains no movement above its band', () => {
    const { index } = unrest(seriesOf(3.125, 0.3));
    expect(index).to.be.below(0.2);
  });

  it('leaves out windows with too few samples', () => {
    const { windows, index, warnings } = unrest(
      seriesOf(0.05, 0.3, { lost: (time) => time > 82_000 && time < 150_000 }),
    );
    expect(windows.filter(Number.isNaN)).to.have.lengthOf(1);
    expect(index).to.be.closeTo(3.6, 0.1);
    expect(warnings.join()).to.match(/1 of 8 windows/);
  });

  it('needs one window', () => {
    refused(() => unrest(seriesOf(0.05, 0.3, { seconds: 60 })), /needs 81\.92 s or more/);
    refused(() => unrest(seriesOf(0.05, 0.3), { from: 0, to: 50_000 }), /needs 81\.92 s/);
  });
});
