/** Lists of corrections: what is accepted, what is refused and with which words, and how many there are. */
import { expect } from 'chai';
import { FoveolaError } from '../../../src/index.ts';
import { correctionsText, countedCorrections } from '../../../src/results/export-vessels.ts';
import { checkCorrections } from '../../../src/vessels/correct/correct-vessels.ts';

const good = [
  { action: 'add', points: [1, 2, 3, 4], width: 3 },
  { action: 'erase', points: [5, 5], width: 8 },
  { action: 'cut', points: [1, 2, 3, 4], width: 4 },
  { action: 'disc', x: 10, y: 12.5, radius: 4 },
  { action: 'fovea', x: 20, y: 12 },
  { action: 'kind', kind: 'vein', points: [1, 1, 9, 9] },
  { action: 'kind', kind: 'unknown', points: [1, 1] },
];
const size = { width: 40, height: 30 };
const fault = (list: unknown): string => {
  try {
    checkCorrections(list, size);
  } catch (error) {
    expect((error as FoveolaError).code).to.equal('invalid-argument');
    return (error as FoveolaError).message;
  }
  return 'accepted';
};

describe('corrections', () => {
  it('takes every kind of correction, as a copy, through JSON', () => {
    const copy = checkCorrections(JSON.parse(JSON.stringify(good)), size);
    expect(copy).to.deep.equal(good);
    expect(copy[0]).not.to.equal(good[0]);
    expect(correctionsText(copy)).to.equal(
      '7 corrections by hand: vessels added 1, vessels erased 1, vessels cut 1, optic disc placed 1, fovea placed 1, kind of a vessel set 2',
    );
    expect(correctionsText([])).to.equal('0 corrections by hand');
    expect(countedCorrections(copy)).to.deep.equal({ add: 1, erase: 1, cut: 1, disc: 1, fovea: 1, kind: 2 });
  });
  it('names the path and the rule of what is wrong', () => {
    const [add, , , disc, , kind] = good;
    for (const [list, words] of [
      [5, 'corrections must be a list of corrections, not 5.'],
      [[null], 'corrections[0] must be an object, not null.'],
      [[add, {}], "corrections[1].action must be 'add' or 'erase'"],
      [[{ ...add, width: 0 }], 'corrections[0].width must be 1 to 1000, not 0.'],
      [[{ ...add, width: '3' }], "corrections[0].width must be a finite number, not '3'."],
      [[{ ...add, points: [1] }], 'corrections[0].points must have x and y of 1 to'],
      [[{ ...add, points: [] }], 'corrections[0].points must have x and y of 1 to'],
      [[{ ...add, points: [1, NaN] }], 'corrections[0].points[1] must be a finite number, not NaN.'],
      [[{ ...add, points: [1, 30] }], 'corrections[0].points[1] must be -0.5 to 29.5, not 30.'],
      [[{ ...add, color: 1 }], "corrections[0].color is not known: 'add' has points, width."],
      [[{ ...disc, radius: 21 }], 'corrections[0].radius must be 1 to 20, not 21.'],
      [[{ ...disc, x: -1 }], 'corrections[0].x must be -0.5 to 39.5, not -1.'],
      [[{ ...kind, kind: 'nerve' }], "corrections[0].kind must be 'artery' or 'vein' or 'unknown', not 'nerve'."],
      [Array(10_001).fill(add), 'corrections must be at most 10000, not 10001.'],
    ] as const)
      expect(fault(list)).to.contain(words);
  });
  it('asks for no more than numbers where the photograph is not known', () => {
    expect(checkCorrections([{ action: 'fovea', x: 4000, y: 9000 }])).to.have.length(1);
  });
});
