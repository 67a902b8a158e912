import { expect } from 'chai';
import { fixations, saccades, type GazeSample } from '../../src/gaze.ts';
import { gazeTrace } from '../../lab/series/gaze-trace.ts';
import { Random } from '../../lab/eyes/random.ts';
import { refused } from './support.ts';

/** At rest at (0, 0), at 1 s in 40 ms to (3, 4), at 2 s back to (3, 0); least jerk, with a little noise. */
function scene(rate: number, sigma = 0.01, seed = 3): GazeSample[] {
  const random = new Random(seed);
  const share = (t: number) => {
    const p = Math.min(1, Math.max(0, t / 40));
    return p * p * p * (10 - 15 * p + 6 * p * p);
  };
  return Array.from({ length: 3 * rate }, (_, i) => {
    const timestamp = (1000 * i) / rate;
    const [out, back] = [share(timestamp - 1000), share(timestamp - 2000)];
    return {
      timestamp,
      x: 3 * out + random.normal(0, sigma),
      y: 4 * out - 4 * back + random.normal(0, sigma),
    };
  });
}
/** Everything by the same factor, as pixels to degrees. */
const scaled = (gaze: GazeSample[], factor: number) =>
  gaze.map(({ timestamp, x, y }) => ({ timestamp, x: x! * factor, y: y! * factor }));

describe('saccades', () => {
  for (const rate of [60, 120, 250, 500])
    it(`have their place, size, direction and time at ${rate} Hz`, () => {
      const found = saccades(scene(rate));
      expect(found.length).to.equal(2);
      const [first, second] = found;
      expect(first!.amplitude).to.be.closeTo(5, 0.05);
      expect(first!.direction).to.be.closeTo(Math.atan2(4, 3), 0.02);
      expect(second!.amplitude).to.be.closeTo(4, 0.05);
      expect(second!.direction).to.be.closeTo(-Math.PI / 2, 0.02);
      const near = rate < 100 ? 1000 / rate : 1;
      expect(first!.start).to.be.closeTo(1000, near);
      expect(first!.end).to.be.closeTo(1040, near);
      // Least jerk: 1.875 * amplitude / duration.
      const peak = (1.875 * 5) / 0.04;
      expect(first!.peakVelocityLow).to.be.within(rate > 100 ? 0.5 * peak : 0, peak);
      if (rate > 100) expect(first!.peakVelocityHigh).to.be.within(peak, 2 * peak);
      if (rate > 100) expect(first!.peakVelocity).to.be.within(0.95 * peak, 1.05 * peak);
    });

  it('have no peak velocity if the samples do not determine it', () => {
    // Less than two frames long.
    const random = new Random(5);
    const short = Array.from({ length: 120 }, (_, i) => {
      const timestamp = (1000 * i) / 60;
      const p = Math.min(1, Math.max(0, (timestamp - 1004) / 20));
      const x = p * p * p * (10 - 15 * p + 6 * p * p);
      return { timestamp, x: x + random.normal(0, 0.03), y: random.normal(0, 0.03) };
    });
    const [one, ...more] = saccades(short);
    expect(more).to.deep.equal([]);
    expect(one!.amplitude).to.be.closeTo(1, 0.1);
    expect(one!.peakVelocity).to.be.NaN;
    expect(one!.peakVelocityLow).to.be.lessThan(1875 / 20);
  });

  for (const profile of ['jerk', 'gamma'] as const)
    it(`start and end where rendered ones do: ${profile}`, () => {
      const starts: number[] = [];
      const durations: number[] = [];
      for (let seed = 720; seed < 723; seed++) {
        const { samples, saccades: real } = gazeTrace(seed, 250, profile);
        const found = saccades(samples);
        for (const one of real) {
          const match = found.find((other) => other.start < one.end && other.end > one.start);
          if (!match) continue;
          starts.push(Math.abs(match.start - one.start));
          durations.push(Math.abs((match.end - match.start) / (one.end - one.start) - 1));
        }
      }
      const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
      expect(starts.length).to.be.greaterThan(80);
      expect(middle(starts)).to.be.lessThan(2);
      expect(middle(durations)).to.be.lessThan(profile === 'jerk' ? 0.05 : 0.1);
    });

  it('do not depend on the unit', () => {
    const plain = saccades(scene(120));
    const pixels = saccades(scaled(scene(120), 37));
    pixels.forEach((one, k) => {
      expect(one.amplitude).to.be.closeTo(37 * plain[k]!.amplitude, 1e-6);
      expect(one.start).to.be.closeTo(plain[k]!.start, 1e-6);
    });
    expect(saccades(scene(120), { smallest: 4.5 }).length).to.equal(1);
  });

  it('are not found in noise, in a wrong place for a frame, or beside missing samples', () => {
    const random = new Random(8);
    const noise = Array.from({ length: 3000 }, (_, i) => ({
      timestamp: i * 4,
      x: random.normal(0, 0.05),
      y: random.normal(0, 0.05),
    }));
    expect(saccades(noise)).to.deep.equal([]);
    const wrong = scene(60);
    wrong[30] = { ...wrong[30]!, x: 2 };
    wrong[150] = { ...wrong[150]!, y: 3 };
    expect(saccades(wrong).length).to.equal(2);
    const shut = scene(120).map((one, i) => (i >= 122 && i < 140 ? { ...one, x: NaN, y: null } : one));
    expect(saccades(shut).map((one) => one.amplitude.toFixed(0))).to.deep.equal(['4']);
    expect(saccades(shut.map((one) => ({ ...one, x: NaN })))).to.deep.equal([]);
  });

  it('are found in a gaze without any noise', () => {
    expect(saccades(scene(120, 0)).length).to.equal(2);
    expect(saccades(Array.from({ length: 50 }, (_, i) => ({ timestamp: i * 8, x: 1, y: 1 })))).to.deep.equal([]);
  });

  it('are found on rendered gaze', () => {
    let [hits, wrong, missed] = [0, 0, 0];
    for (let seed = 700; seed < 706; seed++) {
      const { samples, saccades: real, blinks } = gazeTrace(seed, 120);
      const clear = ({ start, end }: { start: number; end: number }) =>
        !blinks.some(({ onset, offset }) => end > onset - 150 && start < offset + 150);
      const found = saccades(samples);
      const meets = (a: { start: number; end: number }) => (b: typeof a) =>
        a.start <= b.end + 20 && a.end >= b.start - 20;
      hits += real.filter((one) => clear(one) && found.some(meets(one))).length;
      missed += real.filter((one) => clear(one) && !found.some(meets(one))).length;
      wrong += found.filter((one) => clear(one) && !real.some(meets(one))).length;
    }
    expect(hits).to.be.greaterThan(150);
    expect((2 * hits) / (2 * hits + wrong + missed)).to.be.greaterThan(0.95);
  });

  it('refuse what is no gaze', () => {
    refused(() => saccades([]), /at least 5 samples, not 0/);
    refused(() => saccades('gaze' as never), /array of/);
    refused(() => saccades(scene(60).reverse()), /must not decrease/);
    refused(() => saccades(scene(60).map((one) => ({ ...one, x: 'a' as never }))), /x of sample 0/);
    refused(() => saccades(scene(60), { factor: 0 }), /factor must be from 1/);
  });
});

describe('fixations', () => {
  it('are the rests between saccades, at their mean places', () => {
    const found = fixations(scene(120));
    expect(found.map(({ x, y }) => [Math.round(x) + 0, Math.round(y) + 0])).to.deep.equal([
      [0, 0],
      [3, 4],
      [3, 0],
    ]);
    expect(found[1]!.x).to.be.closeTo(3, 0.02);
    expect(found[1]!.start).to.be.within(1030, 1070);
    expect(found[1]!.end).to.be.within(1970, 2005);
    expect(found[0]!.start).to.equal(0);
  });

  it('go on over saccades that are smaller than asked for, and end at gaps', () => {
    expect(fixations(scene(120), { smallest: 4.5 }).length).to.equal(2);
    const shut = scene(120).map((one, i) => (i >= 50 && i < 60 ? { ...one, x: NaN } : one));
    expect(fixations(shut).length).to.equal(4);
    expect(fixations(shut, { shortestFixation: 500 }).length).to.equal(2);
    refused(() => fixations(scene(60), { shortestFixation: -1 }), /shortestFixation/);
  });
});
