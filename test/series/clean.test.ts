import { expect } from 'chai';
import { rejectFast, rejectIslands, rejectMargins, rejectOffTrend } from '../../src/series/artifacts.ts';
import { cleanSeries } from '../../src/series/index.ts';
import { nothing, refused, sampled } from './support.ts';

const still = (rate = 60, seconds = 4) => sampled(rate, seconds, () => 5);
const at = (series: { timestamp: Float64Array }, time: number) =>
  series.timestamp.findIndex((t) => Math.abs(t - time) < 1e-6);

describe('samples that are no pupil', () => {
  const all = (n: number) => new Uint8Array(n).fill(1);

  it('lie beside a gap in which something lay over the pupil, not beside frames that were dropped', () => {
    const margins = { before: 15, after: 15, longerThan: 50 };
    const covered = Uint8Array.of(1, 1, 1, 0, 1, 1, 1);
    expect(rejectMargins(Float64Array.of(0, 10, 20, 100, 200, 210, 220), covered, margins)).to.equal(4);
    expect([...covered]).to.deep.equal([1, 0, 0, 0, 0, 0, 1]);
    expect(rejectMargins(Float64Array.of(0, 10, 20, 200, 210, 220), all(6), margins)).to.equal(0);
  });

  it('are those on both sides of a jump', () => {
    const valid = all(10);
    const time = Float64Array.from(valid, (_, i) => 10 * i);
    const diameter = Float64Array.from(valid, (_, i) => (i < 5 ? 4 : 8));
    expect(rejectFast(time, diameter, valid, { factor: 10, least: 10 })).to.equal(2);
    expect([...valid]).to.deep.equal([1, 1, 1, 1, 0, 0, 1, 1, 1, 1]);
  });

  it('are off a line that is drawn again without those that bent it', () => {
    const valid = all(100);
    const time = Float64Array.from(valid, (_, i) => 10 * i);
    const diameter = new Float64Array(100).fill(5);
    [diameter[50], diameter[53]] = [2, 5.5];
    expect(rejectOffTrend(time, diameter, valid, { factor: 10, least: 0.05, rate: 100 })).to.equal(4);
    expect([...valid.keys()].filter((i) => !valid[i])).to.deep.equal([49, 50, 51, 53]);
  });

  it('are a few alone between gaps, not a short series', () => {
    const limits = { gap: 50, shortest: 40 };
    expect(rejectIslands(Float64Array.of(0, 10, 20), all(3), limits)).to.equal(0);
    const valid = all(8);
    expect(rejectIslands(Float64Array.of(0, 25, 50, 200, 210, 400, 425, 450), valid, limits)).to.equal(2);
    expect([...valid]).to.deep.equal([1, 1, 1, 0, 0, 1, 1, 1]);
  });
});

describe('cleanSeries', () => {
  it('gives what was measured where every step is left out', () => {
    const samples = sampled(60, 1, (t) => 4 + t);
    const series = cleanSeries(samples, nothing);
    expect([...series.diameter]).to.deep.equal(samples.map((one) => one.diameter));
    expect([...series.raw]).to.deep.equal([...series.diameter]);
    expect(series.valid.every((one) => one === 1)).to.equal(true);
    expect(series.rate).to.be.closeTo(60, 1e-9);
    expect(series.blinks).to.deep.equal([]);
    expect(series.warnings).to.deep.equal([]);
  });

  it('finds a blink, takes its margins out, fills it by a line, and keeps the raw samples', () => {
    const samples = sampled(100, 2, (t) => 4 + t);
    for (let i = 80; i < 95; i++) samples[i]!.diameter = NaN;
    const series = cleanSeries(samples, { lowPass: 0 });
    expect(series.blinks).to.deep.equal([{ onset: 800, offset: 950 }]);
    expect([...series.valid.keys()].filter((i) => !series.valid[i])).to.deep.equal(
      Array.from({ length: 25 }, (_, i) => 75 + i), // 50 ms on both sides: 750 to 790 and 950 to 990
    );
    series.diameter.forEach((value, i) => expect(value).to.be.closeTo(4 + i / 100, 1e-9));
    expect(series.raw[79]).to.be.closeTo(4.79, 1e-12);
    expect(series.raw[85]).to.be.NaN;
    expect(series.rejected).to.include({ missing: 15, margin: 10, speed: 0 });
  });

  it('leaves longer gaps missing', () => {
    const samples = still(100);
    for (let i = 100; i < 200; i++) samples[i]!.diameter = null;
    const series = cleanSeries(samples);
    expect(series.diameter[150]).to.be.NaN;
    expect(series.blinks).to.deep.equal([]); // a loss
    expect(cleanSeries(samples, { longestGap: 2000 }).diameter[150]).to.be.closeTo(5, 1e-9);
    expect(cleanSeries(samples, { longestGap: 2000, interpolate: 'none' }).diameter[150]).to.be.NaN;
  });

  it("takes out what the tracker's flags and confidence say", () => {
    const samples = still(100).map((one) => ({ ...one, confidence: 1, blink: false }));
    samples[50]!.confidence = 0.2;
    samples[120]!.blink = true;
    const off = { ...nothing, blinks: true };
    expect(cleanSeries(samples, { ...off, minConfidence: 0.5 }).valid[50]).to.equal(0);
    expect(cleanSeries(samples, off).valid[50]).to.equal(1);
    expect(cleanSeries(samples, off).valid[120]).to.equal(0);
    expect(cleanSeries(samples, nothing).valid[120]).to.equal(1);
  });

  it('takes out spikes, and not a fast constriction in a quiet recording', () => {
    // Down by 1.6 mm at up to 6 mm a second, without any noise.
    const samples = sampled(60, 4, (t) => 5 - 0.8 * (1 + Math.tanh((t - 2) * 7.5)));
    expect(cleanSeries(samples).rejected!.speed).to.equal(0);
    samples[60]!.diameter = 6.2;
    const series = cleanSeries(samples);
    expect(series.valid[60]).to.equal(0);
    expect(series.diameter[60]).to.be.closeTo(5, 0.01);
    // The published rule alone takes the reflex for an artifact.
    expect(cleanSeries(samples, { allowedSpeed: 0 }).rejected!.speed).to.be.greaterThan(5);
  });

  it('takes out what is off the trend, again once that no longer bends it, and not a reflex', () => {
    const noisy = sampled(100, 4, (t) => 5 - 0.5 * (1 + Math.tanh((t - 2) * 6)) + 0.01 * Math.sin(97 * t * t));
    const off = { ...nothing, trend: true };
    expect(cleanSeries(noisy, off).rejected!.trend).to.equal(0);
    noisy[100]!.diameter = 9;
    noisy[101]!.diameter = 5.3; // in the shadow of the greater one
    noisy[300]!.diameter = 4.4;
    const { valid, rejected } = cleanSeries(noisy, off);
    expect([...valid.keys()].filter((i) => !valid[i])).to.include.members([100, 300]);
    expect(rejected!.trend).to.be.within(2, 8);
    // A line without noise: the least distance alone decides.
    const quiet = still(100);
    quiet[50]!.diameter = 5.1;
    expect(cleanSeries(quiet, off).rejected!.trend).to.equal(0);
    quiet[50]!.diameter = 5.4;
    expect(cleanSeries(quiet, off).rejected!.trend).to.equal(1);
    expect(cleanSeries(quiet.slice(0, 2), off).rejected!.trend).to.equal(0);
  });

  it('takes out islands between gaps', () => {
    const samples = still(100);
    for (let i = 100; i < 130; i++) if (i < 113 || i > 115) samples[i]!.diameter = NaN;
    const off = { ...nothing, islands: true };
    expect(cleanSeries(samples, off).rejected!.island).to.equal(3);
    expect(cleanSeries(samples, { ...off, shortestIsland: 20 }).rejected!.island).to.equal(0);
  });

  it('shifts no phase: a slow wave stays, a fast one goes', () => {
    const samples = sampled(
      60,
      8,
      (t) => 5 + 0.5 * Math.sin(2 * Math.PI * 0.5 * t) + 0.2 * Math.sin(2 * Math.PI * 20 * t),
    );
    const series = cleanSeries(samples, { speed: false });
    for (let i = 60; i < 420; i++)
      expect(series.diameter[i]).to.be.closeTo(5 + 0.5 * Math.sin((2 * Math.PI * 0.5 * i) / 60), 0.004);
    // With gaps too: filters do not reach over them.
    samples.forEach((one, i) => i >= 200 && i < 260 && (one.diameter = NaN));
    const parted = cleanSeries(samples, { speed: false });
    expect(parted.diameter[230]).to.be.NaN;
    expect(parted.diameter[100]).to.be.closeTo(series.diameter[100]!, 0.004);
  });

  it('resamples to equal steps, with the raw sample nearest to each', () => {
    // Times jitter; the diameters lie on a line, so any right interpolation gives the line.
    const samples = Array.from({ length: 200 }, (_, i) => {
      const timestamp = i * 20 + (i % 3);
      return { timestamp, diameter: 4 + timestamp / 1000 };
    });
    const series = cleanSeries(samples, { ...nothing, rate: 100 });
    expect(series.rate).to.equal(100);
    expect(series.timestamp[7]).to.equal(70);
    series.diameter.forEach((value, i) => expect(value).to.be.closeTo(4 + i / 100, 1e-9));
    expect(series.raw[2]).to.equal(samples[1]!.diameter); // 20 ms: the sample at 21 ms
    expect(series.raw.length).to.equal(series.timestamp.length);
    expect([...series.samples!.diameter]).to.deep.equal(samples.map((one) => one.diameter));
    expect(series.warnings).to.deep.equal([]);
    expect(cleanSeries(samples, { ...nothing, rate: 10 }).warnings!.join()).to.match(/lowPass of at most 5 Hz/);
  });

  it('takes the beginning as baseline, and gives standard deviations', () => {
    const samples = sampled(100, 1, (t) => (t <= 0.2 ? 4 : 5));
    const last = (options: object) => cleanSeries(samples, { ...nothing, ...options }).diameter.at(-1);
    expect(last({ baseline: 'subtract' })).to.be.closeTo(1, 1e-12);
    expect(last({ baseline: 'percent' })).to.be.closeTo(25, 1e-12);
    const z = cleanSeries(samples, { ...nothing, zScore: true }).diameter;
    expect(z.reduce((sum, value) => sum + value, 0)).to.be.closeTo(0, 1e-9);
    expect(z.reduce((sum, value) => sum + value * value, 0)).to.be.closeTo(z.length - 1, 1e-9);
    const flat = cleanSeries(still(), { ...nothing, zScore: true });
    expect(flat.diameter[0]).to.be.NaN;
    expect(flat.warnings!.join()).to.match(/is constant/);
  });

  it('interpolates by a cubic without overshoot', () => {
    const samples = sampled(100, 1, (t) => 5 - Math.max(0, t - 0.5));
    for (let i = 45; i < 55; i++) samples[i]!.diameter = NaN;
    const series = cleanSeries(samples, { ...nothing, interpolate: 'cubic' });
    expect(Math.max(...series.diameter)).to.be.at.most(5);
    expect(series.diameter[at(series, 500)]).to.be.within(4.95, 5);
  });

  it('says so where there is no pupil, and where samples are impossible', () => {
    const none = cleanSeries(sampled(60, 1, () => NaN));
    expect(none.diameter.every(Number.isNaN)).to.equal(true);
    expect(none.warnings!.join()).to.match(/No sample has a usable pupil/);
    const odd = still();
    odd[3]!.diameter = -2;
    odd[4]!.diameter = Infinity;
    const series = cleanSeries(odd, nothing);
    expect([series.raw[3], series.raw[4]]).to.deep.equal([NaN, NaN]);
    expect(series.warnings!.join()).to.match(/2 samples have a negative or infinite/);
    const slow = cleanSeries(sampled(5, 10, () => 5));
    expect(slow.warnings!.join()).to.match(/Nothing was filtered/);
  });

  it('counts two samples of one time once', () => {
    const samples = still();
    samples[10] = { ...samples[9]! };
    expect(cleanSeries(samples).rejected!.missing).to.equal(1);
  });

  it('refuses what it cannot take, and says what to change', () => {
    refused(() => cleanSeries([]), /must be 2 or more, not 0/);
    refused(() => cleanSeries(null as never), /array of/);
    refused(() => cleanSeries([{ timestamp: 0, diameter: 5 }]), /must be 2 or more, not 1/);
    const back = still();
    back[5]!.timestamp = 0;
    refused(() => cleanSeries(back), /sample 5 has 0 after 66.*Sort the samples/);
    refused(() => cleanSeries([{ timestamp: NaN, diameter: 5 }, ...still()]), /timestamp of sample 0/);
    refused(() => cleanSeries([{ timestamp: 0, diameter: '5' as never }, ...still()]), /samples\[0\]\.diameter/);
    refused(() => cleanSeries(still().map((one) => ({ ...one, timestamp: 3 }))), /same timestamp/);
    refused(() => cleanSeries(still(), { lowPass: 40 }), /lowPass of 40 Hz needs more than 60.0 samples/);
    refused(() => cleanSeries(still(), { rate: -1 }), /rate must be from 0/);
    refused(() => cleanSeries(still(), { smooth: 3 } as never), /unknown parameter 'smooth'/);
  });
});
