import { expect } from 'chai';
import {
  anisocoria,
  blinkStatistics,
  cleanSeries,
  pupilSamples,
  relativeAfferentDefect,
} from '../../src/series/index.ts';
import { nothing, refused, sampled } from './support.ts';

const eye = (diameter: number) =>
  cleanSeries(
    sampled(60, 2, (t) => (t < 1 ? diameter : diameter + 1)),
    nothing,
  );
const responses = (...percent: number[]) => percent.map((amplitudePercent) => ({ amplitudePercent }));

describe('anisocoria', () => {
  it('is the difference of medians, left less right', () => {
    const { difference, differencePercent, larger, left } = anisocoria(eye(5), eye(4), { to: 900 });
    expect([difference, left, larger]).to.deep.equal([1, 5, 'left']);
    expect(differencePercent).to.be.closeTo(100 / 4.5, 1e-9);
    expect(anisocoria(eye(4), eye(4)).larger).to.equal('none');
    expect(anisocoria(eye(4), eye(5), { from: 1100 }).difference).to.equal(-1);
    refused(() => anisocoria(eye(4), eye(5), { from: 9000 }), /left eye has no measured sample/);
  });
});

describe('relativeAfferentDefect', () => {
  it('is the logarithm of the ratio of responses, and names the eye', () => {
    const {
      score,
      standardError,
      eye: side,
      left,
      right,
      warnings,
    } = relativeAfferentDefect(responses(9, 10, 11), responses(19, 20, 21));
    expect(score).to.be.closeTo(Math.log10(2), 1e-12);
    // Relative errors 1 / sqrt 3 of 10 and of 20.
    expect(standardError).to.be.closeTo(Math.hypot(0.1, 0.05) / Math.sqrt(3) / Math.LN10, 1e-12);
    expect([side, left, right]).to.deep.equal(['left', 10, 20]);
    expect(warnings).to.deep.equal([]);
    expect(relativeAfferentDefect(responses(19, 20, 21), responses(9, 10, 11)).eye).to.equal('right');
  });

  it('names none where the score is not sure', () => {
    const unsure = relativeAfferentDefect(responses(10, 20, 30), responses(12, 22, 31));
    expect(unsure.eye).to.equal('none');
    expect(unsure.warnings.join()).to.match(/within two standard errors/);
    const single = relativeAfferentDefect(responses(10), responses(20));
    expect([single.eye, single.standardError]).to.deep.equal(['none', NaN]);
    expect(single.warnings.join()).to.match(/Fewer than 3/);
    refused(() => relativeAfferentDefect(responses(NaN), responses(20)), /left eye has no response/);
    refused(() => relativeAfferentDefect(responses(10), []), /right eye has no response/);
  });
});

describe('blinkStatistics', () => {
  it('counts blinks and their time', () => {
    const blinks = [
      { onset: 1000, offset: 1100 },
      { onset: 5000, offset: 5300 },
      { onset: 9000, offset: 9140 },
    ];
    const found = blinkStatistics({ blinks, timestamp: Float64Array.of(0, 30_000) });
    expect(found).to.include({ count: 3, perMinute: 6, meanDuration: 180, medianDuration: 140 });
    expect(found.durations).to.deep.equal([100, 300, 140]);
    expect(blinkStatistics({ blinks: [], timestamp: Float64Array.of(0, 60_000) })).to.include({
      count: 0,
      perMinute: 0,
    });
  });
});

describe('pupilSamples', () => {
  const pupil = (found: boolean, millimetres: number | null) => ({
    ...{ found, confidence: 0.8, outlineConfidence: 1, x: 0, y: 0, diameter: found ? 80 : NaN, blink: !found },
    ...{ diameterMm: found ? millimetres : null, ellipse: null, circle: { x: 0, y: 0, r: 40 }, votes: 1, points: 1 },
  });
  const results = [true, false].map((found, i) => ({ timestamp: 20 * i, pupils: [pupil(found, 4)] }));

  it('takes what a tracker found', () => {
    expect(pupilSamples(results)).to.deep.equal([
      { timestamp: 0, diameter: 80, confidence: 0.8, blink: false },
      { timestamp: 20, diameter: NaN, confidence: 0, blink: true },
    ]);
    expect(pupilSamples(results, { unit: 'mm' })[0]!.diameter).to.equal(4);
  });

  it('invents no millimetres and no eye', () => {
    refused(
      () => pupilSamples([{ timestamp: 0, pupils: [pupil(true, null)] }], { unit: 'mm' }),
      /needs results of a tracker with millimetresPerPixel/,
    );
    refused(() => pupilSamples(results, { eye: 1 }), /no pupil 1/);
  });
});
