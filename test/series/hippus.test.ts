import { expect } from 'chai';
import { cleanSeries, hippus } from '../../src/series/index.ts';
import { refused, sampled } from './support.ts';

const wave = (hertz: number, height: number, seconds = 60) =>
  cleanSeries(sampled(30, seconds, (t) => 5 + 0.01 * t + height * Math.sin(2 * Math.PI * hertz * t)));

describe('hippus', () => {
  it('is the variance of the waves within the band', () => {
    for (const hertz of [0.1, 0.2, 0.4]) {
      const { power, rms, rmsPercent, peakFrequency, warnings } = hippus(wave(hertz, 0.2));
      expect(power).to.be.closeTo(0.02, 0.0008); // half of 0.2 squared
      expect(rms).to.be.closeTo(0.2 / Math.SQRT2, 0.003);
      expect(rmsPercent).to.be.closeTo((100 * rms) / 5.3, 0.02);
      expect(peakFrequency).to.be.closeTo(hertz, 1 / 60);
      expect(warnings).to.deep.equal([]);
    }
    expect(hippus(wave(1.5, 0.2)).power).to.be.below(0.0002);
    expect(hippus(wave(0.2, 0)).power).to.be.below(1e-6);
  });

  it('takes a stretch of the series, and other bands', () => {
    const series = wave(1.5, 0.2, 90);
    expect(hippus(series, { lowest: 1, highest: 2, from: 10_000, to: 70_000 }).power).to.be.closeTo(0.02, 0.001);
    refused(() => hippus(series, { from: 0, to: 10_000 }), /20 s with pupils or more/);
    refused(() => hippus(series, { lowest: 2, highest: 1 }), /highest must be above/);
  });

  it('says where much was not measured', () => {
    const samples = sampled(30, 60, (t) => 5 + 0.2 * Math.sin(2 * Math.PI * 0.1 * t));
    samples.forEach((one, i) => i % 90 < 12 && (one.diameter = NaN));
    const { power, warnings } = hippus(cleanSeries(samples));
    expect(power).to.be.closeTo(0.02, 0.0015);
    expect(warnings.join()).to.match(/of the samples were measured/);
  });
});
