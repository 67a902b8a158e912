/** From a place to a correction. */
import { expect } from 'chai';
import { cutAcross, distanceTo, kindCorrection } from '../../../src/vessels/correct/correct-vessels.ts';

const line = (count: number, width: number) => ({
  points: Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 10 : i / 2)),
  widths: new Float32Array(count).fill(width),
  width,
  length: count - 1,
});

describe('gestures', () => {
  it('a cut goes across the vessel at the nearest point, beyond both borders, and is not closed again', () => {
    const { action, points, width } = cutAcross(line(41, 6), 20.4, 12);
    expect([action, width]).to.deep.equal(['cut', 4]);
    expect([points[0], points[2]]).to.deep.equal([20, 20]);
    expect(Math.abs(points[1]! - 10)).to.be.closeTo(8.4, 0.01);
    expect(points[1]! - 10).to.be.closeTo(10 - points[3]!, 0.01);
  });
  it('a vessel without a width is cut as well', () => {
    const bare = { ...line(5, NaN), width: undefined };
    expect(cutAcross(bare, 2, 10).points.every(Number.isFinite)).to.equal(true);
  });
  it('marks of a kind lie along the vessel and not where it meets others', () => {
    const { action, kind, points } = kindCorrection(line(41, 4), 'vein');
    expect([action, kind]).to.deep.equal(['kind', 'vein']);
    expect(points).to.deep.equal([4, 10, 16, 10, 28, 10]);
    expect(kindCorrection(line(2, 9), 'artery').points).to.deep.equal([0, 10]);
    expect(kindCorrection(line(3, 9), 'artery').points).to.deep.equal([1, 10]);
  });
  it('measures from a place to a middle line', () => {
    expect(distanceTo(line(10, 3), 4, 13)).to.equal(3);
  });
});
