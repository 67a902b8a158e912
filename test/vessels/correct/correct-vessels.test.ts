/** Corrections on a small mask, by literal arrays: mask, disc and fovea, kinds. */
import { expect } from 'chai';
import { correctedKinds, correctedMask, correctedOptions, type VesselCorrection } from '../../../src/index.ts';

const mask = (rows: readonly string[]) => ({
  width: rows[0]!.length,
  height: rows.length,
  data: Uint8Array.from(rows.join(''), (c) => (c === '#' ? 255 : 0)),
});
const rowsOf = ({ width, data }: { width: number; data: Uint8Array }) =>
  Array.from({ length: data.length / width }, (_, y) =>
    Array.from(data.subarray(y * width, (y + 1) * width), (v) => (v ? '#' : '.')).join(''),
  );
const found = {
  mask: mask(['.......', '#######', '.......', '.......']),
  fieldOfView: mask(['######.', '######.', '######.', '######.']),
};
const segment = (points: number[], width: number) => {
  const count = points.length / 2;
  return {
    points: Float32Array.from(points),
    widths: new Float32Array(count).fill(width),
    width,
    length: count - 1,
  };
};

describe('correct-vessels', () => {
  it('leaves a mask without corrections as it is', () => {
    const { mask: same, byHand, fraction } = correctedMask(found, []);
    expect(rowsOf(same)).to.deep.equal(rowsOf(found.mask));
    expect(same.data).not.to.equal(found.mask.data);
    expect(byHand.data.every((v) => v === 0)).to.equal(true);
    expect(fraction).to.equal(6 / 24);
  });
  it('adds in the field of view, erases and cuts in the order of the list, and says what is by hand', () => {
    const list: VesselCorrection[] = [
      { action: 'add', points: [1, 3, 6, 3], width: 1 },
      { action: 'erase', points: [2, 3], width: 1 },
      { action: 'cut', points: [4, 0, 4, 2], width: 1 },
      { action: 'add', points: [2, 1], width: 1 },
    ];
    const { mask: now, byHand, fraction } = correctedMask(found, list);
    expect(rowsOf(now)).to.deep.equal(['.......', '####.##', '.......', '.#.###.']);
    expect(rowsOf(byHand)).to.deep.equal(['.......', '....#..', '.......', '.#.###.']);
    expect(fraction).to.equal(9 / 24);
    expect(() => correctedMask(found, [{ action: 'add', points: [7, 0], width: 1 }])).to.throw('points[0]');
  });
  it('says what a vessel is where its middle line is marked, the last mark counts, and a parted vessel keeps it', () => {
    const whole = [segment([0, 10, 5, 10, 10, 10, 15, 10, 20, 10], 4), segment([0, 30, 10, 30, 20, 30], 4)];
    const halves = [segment([0, 10, 5, 10], 4), segment([15, 10, 20, 10], 4)];
    const list: VesselCorrection[] = [
      { action: 'kind', kind: 'artery', points: [5, 11, 15, 9] },
      { action: 'kind', kind: 'vein', points: [10, 40] },
    ];
    expect(correctedKinds(whole, list)).to.deep.equal(['artery', null]);
    expect(correctedKinds(halves, list)).to.deep.equal(['artery', 'artery']);
    const later = [...list, { action: 'kind', kind: 'unknown', points: [15, 10] } as const];
    expect(correctedKinds(halves, later)).to.deep.equal(['artery', 'unknown']);
  });
  it('puts the last disc and fovea in the place of those that were found', () => {
    const auto = { disc: { x: 1, y: 2, radius: 3, confidence: 0.9 }, fovea: null, depths: null, warnings: ['w'] };
    expect(correctedOptions(auto, [], [])).to.deep.equal({ ...auto, corrected: [] });
    const list: VesselCorrection[] = [
      { action: 'disc', x: 5, y: 5, radius: 2 },
      { action: 'disc', x: 6, y: 5, radius: 2.5 },
      { action: 'fovea', x: 9, y: 5 },
    ];
    expect(correctedOptions(auto, list, [])).to.deep.equal({
      ...{ disc: { x: 6, y: 5, radius: 2.5 }, fovea: { x: 9, y: 5 } },
      ...{ depths: null, warnings: ['w'], corrected: [] },
    });
  });
});
