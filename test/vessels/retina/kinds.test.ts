import { expect } from 'chai';
import { generator } from '../../parity/cases.ts';
import { kindsOf } from '../../../src/vessels/retina/zone.ts';

const vessels = (count: number, red: number, green: number, spread: number, seed: number) => {
  const random = generator(seed);
  return Array.from({ length: count }, (_, k) => ({
    width: 10 + k,
    red: red + spread * (random() - 0.5),
    green: green + spread * (random() - 0.5),
  }));
};

describe('arteries and veins', () => {
  it('are distinguished where they stand apart', () => {
    const list = [...vessels(7, 0.04, 0.25, 0.03, 1), ...vessels(6, 0.1, 0.42, 0.03, 2)];
    const { kinds, sure, confidence } = kindsOf(list);
    expect(kinds).to.deep.equal([...Array(7).fill('artery'), ...Array(6).fill('vein')]);
    expect(confidence).to.be.above(0.5);
    expect(Math.min(...sure)).to.be.above(0.3);
  });
  it('are distinguished once in ten times where all are alike', () => {
    let said = 0;
    for (let seed = 0; seed < 100; seed++) {
      const random = generator(100 + seed);
      // Twelve even numbers make a normal one.
      const normal = () => Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);
      const list = Array.from({ length: 14 }, () => ({
        width: 10,
        red: 0.06 + 0.01 * normal(),
        green: 0.3 + 0.04 * normal(),
      }));
      if (kindsOf(list).confidence > 0) said++;
    }
    expect(said).to.be.within(3, 18);
  });
  it('are not without colors, and not from five vessels', () => {
    const list = [...vessels(3, 0.04, 0.25, 0.01, 1), ...vessels(2, 0.1, 0.42, 0.01, 2)];
    expect(kindsOf(list).confidence).to.equal(0);
    const many = [...vessels(6, 0.04, 0.25, 0.01, 1), ...vessels(6, 0.1, 0.42, 0.01, 2)];
    expect(kindsOf(many.map((v) => ({ ...v, red: NaN }))).kinds.every((kind) => kind === null)).to.equal(true);
  });
  it('leave narrow vessels out', () => {
    const list = [...vessels(6, 0.04, 0.25, 0.01, 1), ...vessels(6, 0.1, 0.42, 0.01, 2)];
    const { kinds } = kindsOf([...list, { width: 3, red: 0.05, green: 0.2 }]);
    expect(kinds.at(-1)).to.equal(null);
    expect(kinds[0]).to.equal('artery');
  });
});
