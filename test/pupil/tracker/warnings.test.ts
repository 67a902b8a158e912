// Full run only: many rendered frames, up to a minute.
/** What a result says of its picture: too dark or flat, too small, too blurred; nothing of one that is good. */
import { expect } from 'chai';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { hardFrame } from '../../../lab/eyes/index.ts';
import { discs } from '../discs.ts';
import { makeRuntime, once, TestTracker, type Gray } from '../search-memory.ts';

const dark = 'The image is too dark or flat. Use more light.';
const blurred = 'The image is too blurred. Focus the camera.';
const small = (times: number) => `The image is too small and was enlarged ${times} times.`;

describe('warnings of a pupil result', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  const warningsOf = (image: Gray, given = {}) => once(runtime, image, { method: 'robust', ...given }).warnings ?? [];
  const withLevels = ({ data, ...size }: Gray, change: (v: number) => number): Gray => ({
    ...size,
    data: data.map(change),
  });
  /** Means of so many pixels along a row or column, three times: nearly a Gaussian. */
  function soft({ width, height, data }: Gray, radius: number): Gray {
    let now = Float32Array.from(data);
    for (let pass = 0; pass < 6; pass++) {
      const [step, length] = pass % 2 ? [width, height] : [1, width];
      now = now.map((_, i, all) => {
        const at = Math.floor(i / step) % length;
        let sum = 0;
        for (let k = -radius; k <= radius; k++)
          sum += all[i + step * (Math.min(length - 1, Math.max(0, at + k)) - at)]!;
        return sum / (2 * radius + 1);
      });
    }
    return { width, height, data: Uint8Array.from(now, Math.round) };
  }
  /** Rendered eyes whose pupil is found. */
  const eyes = () => Array.from({ length: 10 }, (_, i) => hardFrame(i, 41)).filter(({ truth }) => truth.present);
  const clear = discs(320, 240, 150, [{ x: 161.3, y: 120.7, r: 30, level: 30 }]);

  it('are none of rendered eyes and of a drawn one, whatever the method', () => {
    for (const frame of eyes()) expect(once(runtime, frame, { method: 'robust' })).to.not.have.property('warnings');
    for (const method of ['robust', 'starburst', 'threshold', 'hough'])
      expect(once(runtime, clear, { method })).to.not.have.property('warnings');
  });

  it('say that it is too dark or flat where its levels lie within eleven', () => {
    for (const method of ['robust', 'starburst', 'threshold', 'hough'])
      expect(
        warningsOf(
          withLevels(clear, (v) => v / 16),
          { method },
        ),
        method,
      ).to.deep.equal([dark]);
    expect(warningsOf(withLevels(clear, (v) => 120 + v / 16))).to.deep.equal([dark]);
    expect(warningsOf(withLevels(clear, (v) => v / 4))).to.deep.equal([]);
    expect(warningsOf(withLevels(clear, () => 3))).to.deep.equal([dark]);
    for (const frame of eyes()) expect(warningsOf(withLevels(frame, (v) => v / 24))).to.include(dark);
    // The paper's variant spreads no levels.
    expect(
      warningsOf(
        withLevels(clear, (v) => v / 16),
        { variant: 'paper' },
      ),
    ).to.deep.equal([]);
  });

  it('say that it is too small, and how many times it was enlarged', () => {
    expect(warningsOf(discs(120, 90, 150, [{ x: 60, y: 45, r: 12, level: 30 }]))).to.deep.equal([small(2)]);
    expect(warningsOf(discs(40, 30, 150, [{ x: 20, y: 15, r: 5, level: 30 }]))).to.deep.equal([small(5)]);
    expect(warningsOf(discs(200, 150, 150, [{ x: 100, y: 75, r: 18, level: 30 }]))).to.deep.equal([]);
  });

  it('say that it is too blurred, of a pupil that is found or that nobody has seen', () => {
    const { pupils, warnings } = once(runtime, soft(clear, 7), { method: 'robust' });
    expect(pupils[0]!.found).to.equal(true);
    expect(warnings).to.deep.equal([blurred]);
    expect(warningsOf(soft(clear, 1))).to.deep.equal([]);
    const hazy = eyes().map((frame) => once(runtime, soft(frame, 8), { method: 'robust' }));
    expect(hazy.some((one) => one.pupils[0]!.found)).to.equal(true);
    expect(hazy.some((one) => !one.pupils[0]!.found)).to.equal(true);
    const said = hazy.filter((one) => one.warnings?.includes(blurred));
    expect(said.length / hazy.length).to.be.at.least(0.6);
  });

  it('say nothing of a pupil that was seen and is lost: then it is a lid that is blurred', () => {
    let lost = 0;
    for (const frame of eyes()) {
      const tracker = new TestTracker(runtime, { method: 'robust' });
      const hazy = soft(frame, 8);
      const unseen = tracker.process(hazy).warnings;
      tracker.reset();
      const seen = tracker.process(frame).pupils[0]!.found;
      const { pupils, warnings } = tracker.process(hazy);
      tracker.dispose();
      if (!unseen || !seen || pupils[0]!.found) continue;
      lost++;
      expect(warnings).to.equal(undefined);
    }
    expect(lost).to.be.at.least(1);
  });
});
