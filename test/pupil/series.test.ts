import { expect } from 'chai';
import { FoveolaError } from '../../src/index.ts';
import { pupilSeries } from '../../src/pupil/series.ts';
import type { Laterality } from '../../src/results/types.ts';
import { OneEuroFilter } from '../../src/results/one-euro.ts';

/** One frame each 20 ms: a diameter, or 0 where no pupil was found. */
const results = (diameters: number[], millimetres: number | null = null) =>
  diameters.map((d, i) => ({
    timestamp: 20 * i,
    pupils: [
      {
        found: d > 0,
        diameter: d || NaN,
        diameterMm: d && millimetres ? d * millimetres : null,
        outlineConfidence: d ? 1 : 0,
      },
    ],
  }));
const blink = [80, 80, 80, 80, 80, 80, 0, 0, 0, 0, 82, 82, 82];
const code = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as FoveolaError).code;
  }
  return null;
};

describe('diameter series', () => {
  it('gives what was measured, with blinks marked and nothing filled in', () => {
    const { rows, events } = pupilSeries(results(blink));
    expect(events).to.deep.equal([{ kind: 'blink', onset: 120, offset: 200, final: true, pupil: 0, eye: 'unknown' }]);
    expect(rows.map((row) => row.blink)).to.deep.equal(blink.map((d) => d === 0));
    expect(rows[6]).to.include({ source: 'missing', smoothed: false });
    expect([rows[6]!.diameter, rows[6]!.measured]).to.deep.equal([NaN, NaN]);
    expect(rows[5]).to.include({ source: 'measured', diameter: 80 });
  });

  it('fills a blink by a line on request, and says so', () => {
    const { rows } = pupilSeries(results(blink), { interpolate: 'linear' });
    expect(rows.slice(5, 11).map((row) => Number(row.diameter.toFixed(6)))).to.deep.equal([
      80, 80.4, 80.8, 81.2, 81.6, 82,
    ]);
    expect(rows.slice(6, 10).every((row) => row.source === 'interpolated' && Number.isNaN(row.measured))).to.equal(
      true,
    );
    expect(rows[10]!.source).to.equal('measured');
  });

  it('fills the gap of a single frame', () => {
    const { rows } = pupilSeries(results([80, 80, 80, 0, 82, 82]), { interpolate: 'linear' });
    expect(rows[3]).to.include({ source: 'interpolated', diameter: 81 });
  });

  it('replaces what was measured under the lid, and keeps it beside', () => {
    const covered = results([80, 80, 80, 80, 80, 80, 70, 0, 0, 0, 80, 80]);
    const plain = pupilSeries(covered);
    expect(plain.rows[6]).to.include({ blink: true, source: 'measured', diameter: 70 });
    const filled = pupilSeries(covered, { interpolate: 'linear' });
    expect(filled.rows[6]).to.include({ source: 'interpolated', diameter: 80, measured: 70 });
  });

  it('leaves long gaps, and those at the ends, as they are', () => {
    const long = [0, 80, 80, ...Array<number>(40).fill(0), 80, 80, 0];
    const { rows, events } = pupilSeries(results(long), { interpolate: 'linear' });
    expect(events.map(({ kind, final }) => [kind, final])).to.deep.equal([
      ['loss', true],
      ['closure', true],
      ['blink', false],
    ]);
    expect(rows.map((row) => row.source === 'missing')).to.deep.equal(long.map((d) => d === 0));
    const more = pupilSeries(results(long), { interpolate: 'linear', longestGap: 900 });
    expect(more.rows.filter((row) => row.source === 'interpolated')).to.have.length(40);
    for (const [frames, filled] of [
      [30, 30],
      [31, 0],
    ] as const) {
      const gap = pupilSeries(results([80, ...Array<number>(frames).fill(0), 80]), { interpolate: 'linear' });
      expect(gap.rows.filter((row) => row.source === 'interpolated')).to.have.length(filled);
    }
  });

  it('smooths on request, says so, and starts again after what is missing', () => {
    const noisy = [80, 82, 80, 82, 80, 82, 0, 90, 92, 90];
    const { rows } = pupilSeries(results(noisy), { smooth: { minCutoff: 1, beta: 0 } });
    expect(rows.map((row) => row.smoothed)).to.deep.equal(noisy.map((d) => d > 0));
    expect(Math.abs(rows[5]!.diameter - 81)).to.be.lessThan(1);
    expect(rows[5]!.measured).to.equal(82);
    expect(rows[7]!.diameter).to.equal(90);
    expect(pupilSeries(results(noisy), { smooth: null }).rows.some((row) => row.smoothed)).to.equal(false);
  });

  it('gives millimetres only with a calibration', () => {
    expect(pupilSeries(results(blink, 0.05), { unit: 'mm' }).rows[0]!.diameter).to.equal(4);
    expect(code(() => pupilSeries(results(blink), { unit: 'mm' }))).to.equal('invalid-argument');
  });

  it('gives the events of the eye asked for', () => {
    const two = results(blink).map(({ timestamp, pupils }) => ({
      timestamp,
      pupils: [results([80])[0]!.pupils[0]!, pupils[0]!],
    }));
    const event = { kind: 'blink', onset: 120, offset: 200, final: true, pupil: 1, eye: 'unknown' };
    expect(pupilSeries(two).events).to.deep.equal([]);
    expect(pupilSeries(two, { eye: 1 }).events).to.deep.equal([event]);
  });

  it('is of the eye of the person that is named, and asks where that is not known', () => {
    const as = (first: Laterality, second: Laterality) =>
      results([80, 80]).map(({ timestamp, pupils: [pupil] }) => ({
        timestamp,
        pupils: [
          { ...pupil!, eye: first },
          { ...pupil!, eye: second, diameter: 90 },
        ],
      }));
    const left = pupilSeries(as('right', 'left'), { eye: 'left' });
    expect([left.eye, left.rows[0]!.diameter]).to.deep.equal(['left', 90]);
    expect(() => pupilSeries(as('unknown', 'unknown'), { eye: 'left' })).to.throw(
      /the eyes are not named\. Set `view`/,
    );
    expect(() => pupilSeries(as('right', 'right'), { eye: 'left' })).to.throw(/the results have no left eye/);
    const changed = [...as('right', 'left'), ...as('left', 'right')].map((one, i) => ({ ...one, timestamp: 20 * i }));
    expect(() => pupilSeries(changed, { eye: 'left' })).to.throw(/`view` changed/);
    expect(pupilSeries(changed, { eye: 0 }).eye).to.equal('unknown');
  });

  it('takes nothing, and refuses what is wrong', () => {
    expect(pupilSeries([])).to.deep.equal({ eye: 'unknown', rows: [], events: [] });
    const wrong = [
      () => pupilSeries(results(blink), { eye: 1 }),
      () => pupilSeries(results(blink), { eye: -1 }),
      () => pupilSeries(results(blink).reverse()),
      () => pupilSeries(results(blink), { interpolate: 'cubic' as never }),
      () => pupilSeries(results(blink), { longestGap: NaN }),
      () => pupilSeries(results(blink), { smooth: { minCutoff: 0 } }),
      () => pupilSeries(results(blink), { smooth: { beta: -1 } }),
    ];
    for (const work of wrong) expect(code(work), work.toString()).to.equal('invalid-argument');
  });
});

describe('1 euro filter', () => {
  it('is a first-order low-pass filter where beta is 0', () => {
    const filter = new OneEuroFilter({ minCutoff: 1, beta: 0 });
    filter.filter(0, 0);
    const weight = 1 / (1 + 1 / (2 * Math.PI * 0.01));
    let expected = 0;
    for (let i = 1; i <= 50; i++) {
      expected += weight * (1 - expected);
      expect(filter.filter(1, 10 * i)).to.be.closeTo(expected, 1e-12);
    }
  });

  it('follows faster what moves faster', () => {
    const lag = (beta: number) => {
      const filter = new OneEuroFilter({ minCutoff: 1, beta });
      let last = 0;
      for (let i = 0; i <= 100; i++) last = filter.filter(i, 10 * i); // 100 units a second
      return 100 - last;
    };
    expect(lag(0)).to.be.greaterThan(10);
    expect(lag(1)).to.be.lessThan(1);
  });

  it('takes unequal steps for what they are', () => {
    const constant = new OneEuroFilter();
    for (const time of [0, 3, 50, 51, 400]) expect(constant.filter(5, time)).to.equal(5);
    const long = new OneEuroFilter({ beta: 0 });
    const short = new OneEuroFilter({ beta: 0 });
    long.filter(0, 0);
    short.filter(0, 0);
    expect(long.filter(1, 100)).to.be.greaterThan(short.filter(1, 10));
  });

  it('starts again after NaN and where time does not grow', () => {
    const filter = new OneEuroFilter();
    filter.filter(1, 0);
    expect(filter.filter(NaN, 10)).to.be.NaN;
    expect(filter.filter(7, 20)).to.equal(7);
    expect(filter.filter(3, 20)).to.equal(3);
  });
});
