import { expect } from 'chai';
import { convergence, pullsOf } from '../../../src/vessels/retina/disc.ts';
import { strandsOf } from '../../../src/vessels/retina/strands.ts';

const ray = (way: number) => ({
  points: Float32Array.from({ length: 120 }, (_, k) => 100 + (20 + (k >> 1)) * (k % 2 ? Math.sin(way) : Math.cos(way))),
  widths: new Float32Array(60).fill(4),
  width: 4,
  length: 59,
});
const at = (ways: readonly number[], x: number, y: number) => {
  const strands = strandsOf(ways.map(ray));
  const pulls = pullsOf(
    strands,
    ways.map(() => 59),
    200,
    { spread: 0.4, power: 1.5, long: 0.1 },
  );
  return convergence(pulls, x, y, 200, 0.4);
};

describe('convergence', () => {
  it('is largest where the vessels meet', () => {
    const ways = [-2, -1.5, -1, 1, 1.5, 2];
    const middle = at(ways, 100, 100);
    for (const [x, y] of [
      [130, 100],
      [70, 100],
      [100, 140],
      [100, 60],
    ] as const)
      expect(at(ways, x, y)).to.be.below(0.7 * middle);
  });
  it('asks for vessels above and below', () => {
    expect(at([-2, -1.5, -1], 100, 100)).to.equal(0);
  });
});

describe('strandsOf', () => {
  it('has middles of blocks, and unit directions', () => {
    const [first] = strandsOf([ray(0)], 2);
    expect(first!.x).to.be.closeTo((120 + 0.5) / 2 - 0.5, 1e-5);
    expect(first!.width).to.equal(2);
    expect(first!.dx).to.be.closeTo(1, 1e-6);
  });
});
