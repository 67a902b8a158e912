import { expect } from 'chai';
import { generator } from '../../parity/cases.ts';
import { kindsOf } from '../../../src/vessels/retina/zone.ts';

const vessels = (count: number, red: number, green: number, spread: number, seed: number) => {
  const random = generator(seed);
  return Array.from({ length: count }, (_, k) => ({
    segment: 100 * seed + k,
    width: 10 + k,
    red: red + spread * (random() - 0.5),
    green: green + spread * (random() - 0.5),
    odds: NaN,
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
      const list = Array.from({ length: 14 }, (_, segment) => ({
        segment,
        width: 10,
        red: 0.06 + 0.01 * normal(),
        green: 0.3 + 0.04 * normal(),
        odds: NaN,
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
    const { kinds } = kindsOf([...list, { segment: 7, width: 3, red: 0.05, green: 0.2, odds: NaN }]);
    expect(kinds.at(-1)).to.equal(null);
    expect(kinds[0]).to.equal('artery');
  });
  it('follow the odds of the network, compared with each other', () => {
    const list = vessels(8, 0.04, 0.25, 0.01, 1).map((v, k) => ({ ...v, odds: k < 4 ? -3 - 0.1 * k : -0.5 + 0.1 * k }));
    const { kinds, sure, confidence } = kindsOf(
      [...list, { segment: 7, width: 2, red: 0.05, green: 0.2, odds: NaN }],
      list,
    );
    expect(kinds).to.deep.equal([...Array(4).fill('vein'), ...Array(4).fill('artery'), null]);
    // The border is halfway between -3 and -0.1; the confidence is 2 p - 1 of the logistic of the distance.
    expect(sure[0]).to.be.closeTo(Math.tanh((3 - 1.55) / 2), 1e-12);
    expect(sure.at(-1)).to.equal(0);
    expect(confidence).to.be.closeTo(sure.slice(0, -1).reduce((a, b) => a + b) / 8, 1e-12);
  });
  it('are not by odds that hardly differ, and by darkness where few vessels have odds', () => {
    const list = [...vessels(6, 0.04, 0.25, 0.01, 1), ...vessels(6, 0.1, 0.42, 0.01, 2)];
    const alike = list.map((v, k) => ({ ...v, odds: -1 + 0.1 * (k % 3) }));
    expect(kindsOf(alike)).to.deep.include({ confidence: 0 });
    const few = list.map((v, k) => ({ ...v, odds: k < 5 ? -9 : NaN }));
    expect(kindsOf(few).kinds).to.deep.equal(kindsOf(list).kinds);
  });
  it('follow the vessels that fork with them where the network cannot tell', () => {
    const list = vessels(8, 0.04, 0.25, 0.01, 1).map((v, k) => ({ ...v, odds: k < 4 ? -3 : 3 }));
    const narrow = { segment: 7, width: 2, red: 0.05, green: 0.2, odds: NaN };
    const doubtful = { segment: 8, width: 9, red: 0.05, green: 0.2, odds: 0.1 };
    const given = [...list, narrow, doubtful];
    expect(kindsOf(given, list).kinds.slice(8)).to.deep.equal([null, 'artery']);
    const forks = [
      [list[0]!.segment, list[1]!.segment, 7],
      [list[2]!.segment, list[3]!.segment, 8],
    ];
    const { kinds, sure } = kindsOf(given, list, forks);
    expect(kinds.slice(8)).to.deep.equal(['vein', 'vein']);
    // Two vessels of -3 each send a message through a fork, which is a crossing in 12 of 100.
    expect(sure[8]).to.be.closeTo(0.76 * Math.tanh(3), 1e-12);
    expect(kinds.slice(0, 8)).to.deep.equal(kindsOf(list).kinds);
  });
});
