import { expect } from 'chai';
import { forksOf, junctionExponent } from '../../../src/vessels/retina/shape-measures.ts';

/** A straight vessel from a place, this way. */
const arm = (x: number, y: number, way: number, width: number, length = 80, backwards = false) => {
  const order = Array.from({ length }, (_, k) => (backwards ? length - 1 - k : k));
  return {
    points: Float32Array.from(order.flatMap((k) => [x + k * Math.cos(way), y + k * Math.sin(way)])),
    widths: new Float32Array(length).fill(width),
    width,
    length,
  };
};

describe('forks', () => {
  it('have the angle and the widths that they are made of', () => {
    const even = 10 * 2 ** (-1 / 3);
    const arms = [arm(100, 100, Math.PI, 10, 80, true), arm(100, 100, 0.5, even), arm(100, 100, -0.7, even)];
    const [fork, ...more] = forksOf([{ x: 100, y: 100 }], arms);
    expect(more).to.deep.equal([]);
    expect(fork!.angle).to.be.closeTo(1.2, 1e-4);
    expect(fork!.areaRatio).to.be.closeTo(2 ** (1 / 3), 1e-5); // Murray's optimum, 1.26
    expect(fork!.asymmetry).to.be.closeTo(1, 1e-5);
    expect(fork!.exponent).to.be.closeTo(3, 1e-4);
  });
  it('are none where four vessels cross, or two places lie close together', () => {
    const four = [0, 1.6, 3.1, -1.6].map((way) => arm(100, 100, way, 6));
    expect(forksOf([{ x: 100, y: 100 }], four)).to.deep.equal([]);
    const three = four.slice(0, 3);
    expect(forksOf([{ x: 100, y: 100 }], three)).to.have.length(1);
    expect(
      forksOf(
        [
          { x: 100, y: 100 },
          { x: 110, y: 100 },
        ],
        three,
      ),
    ).to.deep.equal([]);
  });
  it('are none where a branch has no width', () => {
    const arms = [arm(100, 100, Math.PI, 10), arm(100, 100, 0.5, 8), { ...arm(100, 100, -0.7, 7), width: undefined }];
    expect(forksOf([{ x: 100, y: 100 }], arms as never)).to.deep.equal([]);
  });
});

describe('junctionExponent', () => {
  it('solves trunk^x = a^x + b^x', () => {
    for (const x of [1.5, 2, 2.7, 4])
      expect(junctionExponent((6 ** x + 4 ** x) ** (1 / x), 6, 4)).to.be.closeTo(x, 1e-6);
  });
  it('is null where a branch is as wide as the trunk, or both are too narrow', () => {
    expect(junctionExponent(6, 6, 3)).to.equal(null);
    expect(junctionExponent(10, 3, 3)).to.equal(null);
  });
});
