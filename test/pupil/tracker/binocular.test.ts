/** Two eyes in one frame: each as if its half were all there is, paired under one timestamp, by every method. */
import { expect } from 'chai';
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import type { Pupil } from '../../../src/results/types.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { sampleFrame } from '../../../lab/eyes/index.ts';
import { makeRuntime, TestTracker, type Gray } from '../search-memory.ts';

const methods = pupilParameters.method.values;

/** The middle of a frame of the sample clip, 320x480. */
function eye(i: number): Gray {
  const { width, height, data } = sampleFrame(i);
  const out = new Uint8Array(320 * height);
  const from = (width - 320) >> 1;
  for (let y = 0; y < height; y++) out.set(data.subarray(y * width + from, y * width + from + 320), y * 320);
  return { width: 320, height, data: out };
}

function beside(left: Gray, right: Gray): Gray {
  const width = left.width + right.width;
  const data = new Uint8Array(width * left.height);
  for (let y = 0; y < left.height; y++) {
    data.set(left.data.subarray(y * left.width, (y + 1) * left.width), y * width);
    data.set(right.data.subarray(y * right.width, (y + 1) * right.width), y * width + left.width);
  }
  return { width, height: left.height, data };
}

const numbers = ({ found, confidence, x, y, diameter, votes, points }: Pupil) =>
  found ? [confidence, x, y, diameter, votes, points] : [found];

describe('two eyes', () => {
  let runtime: Runtime;
  let eyes: Gray[];
  let blank: Gray;
  before(async () => {
    runtime = await makeRuntime();
    eyes = [30, 31, 32, 60, 61].map(eye);
    blank = { ...eyes[0]!, data: new Uint8Array(eyes[0]!.data.length).fill(90) };
  });
  after(() => {
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  for (const method of methods) {
    it(`gives each half's own pupil, left first, under one timestamp: ${method}`, () => {
      const both = new TestTracker(runtime, { method, eyes: 2 });
      const left = new TestTracker(runtime, { method, roi: { x: 0, y: 0, width: 320, height: 480 } });
      const right = new TestTracker(runtime, { method, roi: { x: 320, y: 0, width: 320, height: 480 } });
      eyes.forEach((image, i) => {
        const frame = beside(image, eyes[(i + 2) % eyes.length]!);
        const { timestamp, pupils } = both.process(frame, 100 + 4 * i);
        expect(timestamp).to.equal(100 + 4 * i);
        expect(pupils.map(({ found }) => found)).to.deep.equal([true, true]);
        expect(pupils[0]!.x).to.be.below(320);
        expect(pupils[1]!.x).to.be.at.least(320);
        // What is prepared is prepared for both, so the halves alone differ by no more than their borders make them.
        expect(numbers(pupils[0]!)).to.deep.equal(numbers(left.process(frame, 0).pupils[0]!));
        expect(numbers(pupils[1]!)).to.deep.equal(numbers(right.process(frame, 0).pupils[0]!));
      });
      for (const tracker of [both, left, right]) tracker.dispose();
    });

    it(`finds the one eye of a frame that has but one, and goes on when the other comes: ${method}`, () => {
      const tracker = new TestTracker(runtime, { method, eyes: 2 });
      const found = (left: Gray, right: Gray, time: number) =>
        tracker.process(beside(left, right), time).pupils.map((pupil) => pupil.found);
      expect(found(eyes[0]!, blank, 0)).to.deep.equal([true, false]);
      expect(found(blank, eyes[1]!, 4)).to.deep.equal([false, true]);
      expect(found(blank, blank, 8)).to.deep.equal([false, false]);
      expect(found(eyes[0]!, eyes[1]!, 12)).to.deep.equal([true, true]);
      expect(found(eyes[1]!, blank, 16)).to.deep.equal([true, false]);
      tracker.dispose();
    });
  }
});
