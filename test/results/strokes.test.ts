/** A brush on a mask, by literal arrays. */
import { expect } from 'chai';
import { paintStroke } from '../../src/results/strokes.ts';

const rows = ({ width, data }: { width: number; data: Uint8Array }) =>
  Array.from({ length: data.length / width }, (_, y) =>
    Array.from(data.subarray(y * width, (y + 1) * width), (v) => (v ? '#' : '.')).join(''),
  );
const empty = (width: number, height: number) => ({ width, height, data: new Uint8Array(width * height) });

describe('paintStroke', () => {
  it('paints a dot and a line with round ends, and says where', () => {
    const mask = empty(7, 5);
    expect(paintStroke(mask, [1, 1], 1, 255)).to.deep.equal({ left: 0, top: 0, right: 3, bottom: 3 });
    expect(paintStroke(mask, [3, 3, 5, 3], 1, 255)).to.deep.equal({ left: 2, top: 2, right: 7, bottom: 5 });
    expect(rows(mask)).to.deep.equal(['.#.....', '###....', '.#.###.', '..#####', '...###.']);
  });
  it('erases, from a later point on, and leaves what is outside', () => {
    const mask = empty(5, 1);
    mask.data.fill(255);
    paintStroke(mask, [0, 0, 3, 0, 4, 0], 0.5, 0, 2);
    expect(rows(mask)).to.deep.equal(['###..']);
    expect(paintStroke(mask, [9, 9], 2, 0)).to.equal(null);
  });
});
