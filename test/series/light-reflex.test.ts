import { expect } from 'chai';
import { averageReflexes, cleanSeries, lightReflex, type PupilSample } from '../../src/series/index.ts';
import { onsetKinds, onsetTrace } from '../../lab/series/onset-trace.ts';
import { pupilTrace } from '../../lab/series/pupil-trace.ts';
import { Random } from '../../lab/eyes/random.ts';
import { refused, sampled } from './support.ts';

/**
 * A reflex in closed form: at rest 6, from 2.25 s on down by 2 in half a second (velocity a parabola, 6 a second at its
 * peak), then up again along a line, 1 a second.
 */
const closed = (t: number) => {
  const p = (t - 2.25) / 0.5;
  if (p <= 0) return 6;
  if (p <= 1) return 6 - 2 * p * p * (3 - 2 * p);
  return Math.min(6, 4 + (t - 2.75));
};
const onset = 2000;
const noisy = (samples: PupilSample[], sigma: number, seed = 5) => {
  const random = new Random(seed);
  return samples.map((one) => ({ ...one, diameter: one.diameter! + random.normal(0, sigma) }));
};

describe('lightReflex', () => {
  for (const rate of [30, 60, 120, 500])
    it(`measures a reflex in closed form at ${rate} Hz`, () => {
      const found = lightReflex(cleanSeries(sampled(rate, 8, closed)), { onset });
      expect(found.warnings).to.deep.equal([]);
      expect(found.baseline).to.equal(6);
      // True: 250. The fitted shapes are a compromise for this one: it comes out 10 ms early, alike at all rates.
      expect(found.latency).to.be.closeTo(240, 5);
      expect(found.amplitude).to.be.closeTo(2, 0.12); // the corner at the minimum is rounded off by the window
      expect(found.amplitudePercent).to.be.closeTo(100 / 3, 2);
      expect(found.peakConstrictionVelocity).to.be.closeTo(6, 0.15);
      expect(found.timeToMinimum).to.be.closeTo(750, 30);
      expect(found.constrictionVelocity).to.be.closeTo(4, 0.35);
      expect(found.t50).to.be.closeTo(1000, 60);
      expect(found.t75).to.be.closeTo(1500, 60);
      expect(found.dilationVelocity).to.be.closeTo(1, 0.06);
      expect(found.peakDilationVelocity).to.be.closeTo(1, 0.15);
      expect(found.quality).to.equal(1);
      expect(found.maximum).to.equal(6);
    });

  it('is exact where its windows are narrow', () => {
    const fine = { velocityWindow: 30, diameterWindow: 20 };
    const found = lightReflex(cleanSeries(sampled(500, 8, closed)), { onset, ...fine });
    expect(found.amplitude).to.be.closeTo(2, 0.005);
    expect(found.t50).to.be.closeTo(1000, 8);
    expect(found.peakConstrictionVelocity).to.be.closeTo(6, 0.01);
  });

  it('finds the onset of a step in the second derivative between samples', () => {
    // Constant acceleration from 2.237 s on, at 60 Hz.
    const start = 2.237;
    const samples = sampled(60, 6, (t) => {
      const x = Math.max(0, t - start);
      return x < 0.2 ? 6 - 15 * x * x : Math.min(6, 5.4 - 6 * (x - 0.2) * Math.exp(-(x - 0.2) / 0.08) + 0.1 * x);
    });
    // With a little noise, as every recording has it: without, the shape that fits best by chance has all of the weight.
    const errors = [1, 2, 3, 4, 5, 6, 7].map((seed) => {
      const { latency, latencyLow, latencyHigh } = lightReflex(cleanSeries(noisy(samples, 0.02, seed)), { onset });
      expect(237).to.be.within(latencyLow, latencyHigh);
      expect(latencyHigh - latencyLow).to.be.below(130);
      return latency - 237;
    });
    expect(errors.sort((a, b) => a - b)[3]).to.be.within(-10, 10);
    // The greatest acceleration comes later.
    const peak = lightReflex(cleanSeries(samples), { onset, latencyMethod: 'peak' });
    expect(peak.latency).to.be.within(240, 340);
    expect([peak.latencyLow, peak.latencyHigh]).to.deep.equal([NaN, NaN]);
  });

  it('has intervals that contain the latency, from abrupt to slow onsets, on traces of another making', () => {
    const errors: number[] = [];
    let covered = 0;
    for (const kind of onsetKinds)
      for (let seed = 40; seed < 55; seed++) {
        const { samples, onset: light, latency } = onsetTrace(seed, 60, kind);
        const found = lightReflex(cleanSeries(samples), { onset: light });
        if (Number.isNaN(found.latency)) continue;
        errors.push(found.latency - latency);
        if (found.latencyLow <= latency && latency <= found.latencyHigh) covered++;
      }
    expect(errors.length).to.be.above(45);
    // Of 50 intervals of 95 % fewer than 43 hold once in 200 tries; of 68 % (one deviation) 43 hold once in 200.
    expect(covered / errors.length).to.be.at.least(0.86);
    // Single kinds are early or late by 10 to 20 ms (bench: latency series); together they are not.
    const half = errors.sort((a, b) => a - b)[errors.length >> 1]!;
    expect(half).to.be.within(-10, 10);
  });

  it('has a wide interval where the reflex is weak', () => {
    const clean = (share: number) => sampled(60, 8, (t) => 6 - share * (6 - closed(t)));
    const width = (share: number) => {
      const found = lightReflex(cleanSeries(noisy(clean(share), 0.02)), { onset });
      return found.latencyHigh - found.latencyLow;
    };
    expect(width(1)).to.be.below(100);
    expect(width(0.06)).to.be.above(2 * width(1));
  });

  it('keeps within what the docs promise on rendered traces at 60 Hz', () => {
    const errors: number[][] = [[], [], []];
    for (let seed = 500; seed < 530; seed++) {
      const { samples, truth } = pupilTrace(seed, 60);
      const found = lightReflex(cleanSeries(samples), { onset: truth.onset });
      const all = [
        Math.abs(found.latency - truth.latency),
        Math.abs(found.amplitude / truth.amplitude - 1),
        Math.abs(found.peakConstrictionVelocity / truth.peakConstrictionVelocity - 1),
      ];
      all.forEach((error, k) => Number.isFinite(error) && errors[k]!.push(error));
    }
    const tenth = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(0.9 * values.length)]!;
    expect(errors[0]!.length).to.be.greaterThan(20);
    expect(errors[1]!.length).to.be.greaterThan(26);
    expect(tenth(errors[0]!)).to.be.below(20);
    expect(tenth(errors[1]!)).to.be.below(0.02);
    expect(tenth(errors[2]!)).to.be.below(0.08);
  });

  it('does not use what the cleaning filtered or filled', () => {
    const samples = sampled(60, 8, closed);
    const plain = lightReflex(cleanSeries(samples), { onset });
    for (const options of [
      { lowPass: 1 },
      { lowPass: 0 },
      { rate: 250 },
      { baseline: 'percent' },
      { zScore: true },
    ] as const)
      expect(lightReflex(cleanSeries(samples, options), { onset })).to.deep.equal(plain);
  });

  it('takes a series of another making', () => {
    const { timestamp, diameter, raw, valid, rate, blinks } = cleanSeries(sampled(60, 8, closed));
    const found = lightReflex({ timestamp, diameter, raw, valid, rate, blinks }, { onset });
    expect(found.latency).to.be.closeTo(240, 5);
  });

  it('gives no latency where samples are missing while the pupil constricts, and says so', () => {
    const samples = sampled(60, 8, closed);
    samples.forEach((one) => one.timestamp > 2200 && one.timestamp < 2400 && (one.diameter = NaN));
    const found = lightReflex(cleanSeries(samples), { onset });
    expect(found.latency).to.be.NaN;
    expect(found.peakConstrictionVelocity).to.be.NaN;
    expect(found.amplitude).to.be.closeTo(2, 0.12);
    expect(found.warnings.join()).to.match(/missing while the pupil constricts/);
    expect(found.quality).to.be.below(0.95);
  });

  it('gives no minimum where it lies beside a gap', () => {
    const samples = sampled(60, 8, closed);
    samples.forEach((one) => one.timestamp > 2600 && one.timestamp < 3100 && (one.diameter = NaN));
    const found = lightReflex(cleanSeries(samples), { onset });
    expect([found.minimum, found.amplitude, found.t50, found.timeToMinimum]).to.deep.equal([NaN, NaN, NaN, NaN]);
    expect(found.warnings.join()).to.match(/around the minimum/);
  });

  it('gives no times where there is no reflex', () => {
    const found = lightReflex(
      cleanSeries(
        noisy(
          sampled(60, 8, () => 6),
          0.03,
        ),
      ),
      { onset },
    );
    expect(found.amplitude).to.be.closeTo(0, 0.05);
    expect([found.latency, found.t50, found.timeToMinimum, found.peakConstrictionVelocity]).to.deep.equal([
      NaN,
      NaN,
      NaN,
      NaN,
    ]);
    expect(found.warnings.join()).to.match(/no reflex is timed/);
  });

  it('gives no recovery that lies after the end', () => {
    const found = lightReflex(cleanSeries(sampled(60, 4, closed)), { onset });
    expect(found.t50).to.be.closeTo(1000, 60);
    expect(found.t75).to.be.NaN;
    expect(found.warnings.join()).to.match(/occurs after the end/);
  });

  it('measures what is left after the light', () => {
    // 0.6 below 6 from 6 s on: 10 %.
    const samples = sampled(60, 14, (t) => Math.min(closed(t), t > 3.5 ? 5.4 : 6));
    const found = lightReflex(cleanSeries(samples), { onset, duration: 1000 });
    expect(found.pipr).to.be.closeTo(10, 1e-9);
    expect(lightReflex(cleanSeries(samples), { onset }).pipr).to.be.NaN;
    const short = lightReflex(cleanSeries(sampled(60, 8, closed)), { onset, duration: 1000 });
    expect(short.pipr).to.be.NaN;
    expect(short.warnings.join()).to.match(/pipr needs samples until 7000 ms/);
  });

  it('says where there is no baseline', () => {
    const samples = sampled(60, 8, closed);
    samples.forEach((one) => one.timestamp < 2000 && (one.diameter = NaN));
    const found = lightReflex(cleanSeries(samples), { onset });
    expect([found.baseline, found.amplitude, found.latency]).to.deep.equal([NaN, NaN, NaN]);
    expect(found.warnings.join()).to.match(/baseline is missing/);
    const empty = lightReflex(cleanSeries(sampled(60, 4, () => NaN)), { onset });
    expect(empty.warnings.length).to.be.greaterThan(0);
    expect([empty.minimum, empty.maximum, empty.quality]).to.deep.equal([NaN, NaN, 0]);
  });

  it('refuses an onset outside the series, and windows out of range', () => {
    const series = cleanSeries(sampled(60, 8, closed));
    refused(() => lightReflex(series, { onset: 9000 }), /onset must be within the series, from 0 to 8000 ms/);
    refused(() => lightReflex(series, { onset: NaN }), /onset/);
    refused(() => lightReflex(series, {} as never), /onset/);
    refused(() => lightReflex(series, { onset, duration: -1 }), /duration/);
    refused(() => lightReflex(series, { onset, window: 1 }), /window must be from 300/);
    refused(() => lightReflex(null as never, { onset }), /result of cleanSeries/);
  });

  it('averages repetitions with their standard error', () => {
    const one = lightReflex(cleanSeries(sampled(60, 8, closed)), { onset });
    const other = { ...one, latency: one.latency + 10, t75: NaN };
    const { latency, t75, baseline } = averageReflexes([one, other]);
    expect(latency.mean).to.be.closeTo(one.latency + 5, 1e-9);
    expect(latency.standardError).to.be.closeTo(5, 1e-9);
    expect(t75).to.deep.equal({ mean: one.t75, standardError: NaN, count: 1 });
    expect(baseline.standardError).to.equal(0);
    refused(() => averageReflexes([]), /at least one/);
  });

  it('does not take noise for the fastest dilation', () => {
    // Constricts within 600 ms, and recovers as a critically damped lag: its slope is at most 2 mm / (e * 900 ms).
    const lag = 900;
    const recovered = (t: number) => 1 - (1 + t / lag) * Math.exp(-t / lag);
    const share = (t: number) =>
      t < 250 ? 0 : t < 850 ? Math.sin(((t - 250) / 600) * (Math.PI / 2)) : 1 - recovered(t - 850);
    const velocities = Array.from({ length: 20 }, (_, seed) => {
      const random = new Random(seed, 7);
      const samples = sampled(30, 9, (s) => 6 - 2 * share(1000 * s - 2000) + random.normal(0, 0.02));
      return lightReflex(cleanSeries(samples), { onset: 2000 }).peakDilationVelocity;
    });
    const mean = velocities.reduce((sum, value) => sum + value, 0) / velocities.length;
    expect(mean / (2000 / (Math.E * lag))).to.be.closeTo(1, 0.03);
  });
});
