/** The piece of a line that edges lie on, on pictures of a few pixels. */
import { expect } from 'chai';
import { segmentOf } from '../../src/edges/lines.ts';
import type { Plane } from '../../src/runtime/plane.ts';

const [WIDTH, HEIGHT] = [40, 30];
const plane = { width: WIDTH, height: HEIGHT, stride: WIDTH, address: 0 } as Plane;

/** The ends of the longest piece of a line through these pixels; null without one. */
function piece(pixels: readonly (readonly [number, number])[], theta: number, rho: number, gap: number) {
  const samples = new Uint8Array(WIDTH * HEIGHT);
  for (const [x, y] of pixels) samples[y * WIDTH + x] = 255;
  const found = segmentOf(samples, plane, { rho, theta }, { rho: 1, gap });
  // Which end of a diagonal comes first hangs on the last bit of its sine.
  const ends = found && [found.x1, found.y1, found.x2, found.y2].map((v) => Math.round(1e6 * v) / 1e6);
  return ends && ends[0]! > ends[2]! ? [ends[2], ends[3], ends[0], ends[1]] : ends;
}
const row = (y: number, ...xs: number[]) => xs.map((x) => [x, y] as const);
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('segments of lines', () => {
  it('bridge as many missing pixels as the gap says, and no more', () => {
    const broken = row(7, ...from(2, 11), ...from(15, 20)); // 12, 13 and 14 are missing
    expect(piece(broken, Math.PI / 2, 7, 3)).to.deep.equal([2, 7, 20, 7]);
    expect(piece(broken, Math.PI / 2, 7, 2.9)).to.deep.equal([2, 7, 11, 7]);
  });

  it('measure the gap along the line: a step of a diagonal is longer', () => {
    const along = (list: readonly number[]) => list.map((k) => [k, 29 - k] as const); // x + y = 29
    const broken = along([...from(0, 9), ...from(12, 18)]); // two are missing: 2.83 pixels of the line
    const [theta, rho] = [Math.PI / 4, 29 / Math.SQRT2];
    expect(piece(broken, theta, rho, 2.9)).to.deep.equal([0, 29, 18, 11]);
    expect(piece(broken, theta, rho, 2.8)).to.deep.equal([0, 29, 9, 20]);
  });

  it('are the ones with the most pixels, and stand upright where the line does', () => {
    const upright = [...from(0, 3), ...from(10, 20)].map((y) => [5, y] as const);
    expect(piece(upright, 0, 5, 1)).to.deep.equal([5, 10, 5, 20]);
    expect(piece([], 0, 5, 1)).to.equal(null);
    // A pixel beside the line's bin is none of its own.
    expect(piece([[7, 3]], 0, 5, 1)).to.equal(null);
  });
});
