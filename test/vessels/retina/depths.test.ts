import { expect } from 'chai';
import { depthsOf } from '../../../src/vessels/retina/strands.ts';

describe('depths of vessels', () => {
  const [width, height] = [60, 40];
  /** A vessel eight pixels wide along y = 20, with another one below it. */
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const y = Math.floor(i / width);
    const inside = Math.abs(y - 20) < 4 || y > 26;
    data.set(inside ? [180, 60, 20, 255] : [200, 100, 40, 255], 4 * i);
  }
  const points = Float32Array.from({ length: 80 }, (_, k) => (k % 2 ? 20 : 10 + k / 2));
  const line = { points, widths: new Float32Array(40).fill(8), width: 8, length: 39 };
  const samples = { width, height, data, start: 0, stride: 4 * width, step: 4 };

  it('are those drawn, by the brighter side', () => {
    const { red, green } = depthsOf(samples, line);
    for (const v of red) expect(v).to.be.closeTo(0.1, 1e-6);
    for (const v of green) expect(v).to.be.closeTo(0.4, 1e-6);
  });
  it('are not known without a width', () => {
    const { red } = depthsOf(samples, { ...line, widths: new Float32Array(40).fill(NaN), width: undefined } as never);
    expect([...red].every(Number.isNaN)).to.equal(true);
  });
  it('of a gray picture are the same in both', () => {
    const gray = Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + 1]!);
    const { red, green } = depthsOf({ width, height, data: gray, start: 0, stride: width, step: 1 }, line);
    expect(red).to.deep.equal(green);
    expect(green[5]).to.be.closeTo(0.4, 1e-6);
  });
});
