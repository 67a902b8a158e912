/** Recoveries in closed form: plateau + change * exp(-time / constant), so every measure has a known value. */
import { expect } from 'chai';
import { cleanSeries } from '../../src/series/clean.ts';
import { postIllumination } from '../../src/series/post-illumination.ts';
import { refused } from './support.ts';

const ONSET = 12_000;
const END = 13_000;
const BASE = 6;
/** Constriction in percent of the baseline at a time after the end of the light, ms. */
const left = (time: number, { plateau = 12, constant = 3000 } = {}) =>
  plateau + (40 - plateau) * Math.exp(-time / constant);

function seriesOf({
  seconds = 60,
  plateau = 12,
  constant = 3000,
  rate = 30,
  lost = (_: number): boolean => false,
} = {}) {
  const samples = Array.from({ length: seconds * rate }, (_, i) => {
    const timestamp = (1000 * i) / rate;
    const percent =
      timestamp < ONSET
        ? 0
        : timestamp < END
          ? (40 * (timestamp - ONSET)) / (END - ONSET)
          : left(timestamp - END, { plateau, constant });
    return { timestamp, diameter: lost(timestamp) ? NaN : BASE * (1 - percent / 100) };
  });
  return cleanSeries(samples);
}
const light = { onset: ONSET, duration: END - ONSET };
/** Integral of the constriction, percent seconds. */
const area = (from: number, to: number) => {
  let sum = 0;
  for (let time = from; time < to; time += 1) sum += left(time + 0.5);
  return sum / 1000;
};

describe('the response after a light', () => {
  it('has the values of a recovery in closed form', () => {
    const found = postIllumination(seriesOf(), light);
    expect(found.baseline).to.be.closeTo(6, 1e-9);
    expect(found.sixSecond).to.be.closeTo(left(6000), 0.1);
    expect(found.plateau).to.be.closeTo(12, 0.2);
    expect(found.earlyArea).to.be.closeTo(area(0, 10_000), 0.5);
    expect(found.lateArea).to.be.closeTo(area(10_000, 30_000), 0.5);
    expect(found.warnings).to.deep.equal([]);
  });

  it('is bridged over a blink, and absent where most samples of a period are missing', () => {
    const blink = (time: number) => time > END + 3000 && time < END + 3300;
    const found = postIllumination(seriesOf({ lost: blink }), light);
    expect(found.earlyArea).to.be.closeTo(area(0, 10_000), 0.7);
    const gap = (time: number) => time > END + 2000 && time < END + 9000;
    const torn = postIllumination(seriesOf({ lost: gap }), light);
    expect(torn.earlyArea).to.deep.equal(NaN);
    expect(torn.sixSecond).to.deep.equal(NaN);
    expect(torn.lateArea).to.be.closeTo(area(10_000, 30_000), 0.5);
    expect(torn.warnings.join()).to.match(/needs samples until 30 s/);
  });

  it('has no plateau while the pupil still moves, and nothing after the next light', () => {
    expect(postIllumination(seriesOf({ constant: 40_000 }), light).plateau).to.deep.equal(NaN);
    const { sixSecond, earlyArea, lateArea } = postIllumination(seriesOf(), { ...light, until: END + 8000 });
    expect(sixSecond).to.be.closeTo(left(6000), 0.1);
    expect([earlyArea, lateArea]).to.deep.equal([NaN, NaN]);
  });

  it('is refused outside the series', () => {
    const series = seriesOf();
    refused(() => postIllumination(series, { onset: 1e6, duration: 1 }), /onset must be within/);
    refused(() => postIllumination(series, { onset: ONSET, duration: -1 }), /duration must be 0/);
    refused(() => postIllumination(series, { ...light, until: 1 }), /until must come after/);
  });
});
