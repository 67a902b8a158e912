import { expect } from 'chai';
import { highestCutoff, lowPass } from '../../src/series/interpolation.ts';

const wave = (hertz: number, rate: number, seconds: number) =>
  Float64Array.from({ length: rate * seconds }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / rate));

describe('lowPass', () => {
  it('passes 1 / sqrt 2 at its cutoff, without phase', () => {
    for (const [rate, cutoff] of [
      [60, 4],
      [120, 10],
      [1000, 4],
    ] as const) {
      const out = lowPass(wave(cutoff, rate, 12), cutoff, rate);
      const middle = [...out.keys()].slice(4 * rate, 8 * rate);
      const sine = middle.reduce((sum, i) => sum + out[i]! * Math.sin((2 * Math.PI * cutoff * i) / rate), 0);
      const cosine = middle.reduce((sum, i) => sum + out[i]! * Math.cos((2 * Math.PI * cutoff * i) / rate), 0);
      expect((2 * sine) / middle.length).to.be.closeTo(Math.SQRT1_2, 1e-5);
      expect((2 * cosine) / middle.length).to.be.closeTo(0, 1e-5);
    }
  });

  it('falls by the eighth power of frequency', () => {
    const out = lowPass(wave(16, 1000, 6), 4, 1000);
    // Two runs: 1 / (1 + (16 / 4.98)^4) with the corrected cutoff.
    const gain = 1 / (1 + (16 / (4 / (Math.SQRT2 - 1) ** 0.25)) ** 4);
    expect(Math.max(...out.subarray(2000, 4000))).to.be.closeTo(gain, 2e-4);
  });

  it('keeps level and slope, up to the ends', () => {
    const line = Float64Array.from({ length: 200 }, (_, i) => 5 - 0.01 * i);
    lowPass(line, 4, 60).forEach((value, i) => expect(value).to.be.closeTo(line[i]!, 1e-4));
    expect([...lowPass([7], 4, 60)]).to.deep.equal([7]);
    lowPass([1, 1, 1], 4, 60).forEach((value) => expect(value).to.be.closeTo(1, 1e-12));
  });

  it('is stable at the highest cutoff', () => {
    const out = lowPass(wave(5, 60, 5), highestCutoff(60), 60);
    expect(Math.max(...out)).to.be.closeTo(1, 0.02);
  });
});
