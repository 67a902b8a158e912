import { expect } from 'chai';
import { tortuosities, tortuosityOf } from '../../../src/vessels/retina/shape-measures.ts';
import { arc } from './curves.ts';

describe('tortuosity', () => {
  for (const [angle, radius, width] of [
    [0.5, 100, 4],
    [1.5, 60, 3],
    [3, 40, 6],
  ] as const)
    it(`of an arc of ${angle} rad is that of the circle`, () => {
      const found = tortuosityOf({ points: arc(angle, radius), width });
      expect(found.arcOverChord).to.be.closeTo(angle / (2 * Math.sin(angle / 2)), 0.001);
      expect(found.totalCurvature).to.be.closeTo(angle, 0.01);
      expect(found.length).to.be.closeTo(angle * radius, 0.05);
    });
  it('of a wave counts turns to both sides', () => {
    // Two half circles, one to each side: together one turn.
    const half = Array.from({ length: 201 }, (_, k) => (Math.PI * k) / 200);
    const wave = [
      ...half.map((a) => [100 - 50 * Math.cos(a), 200 - 50 * Math.sin(a)]),
      ...half.slice(1).map((a) => [200 - 50 * Math.cos(a), 200 + 50 * Math.sin(a)]),
    ];
    const found = tortuosityOf({ points: Float32Array.from(wave.flat()), width: 4 });
    expect(found.totalCurvature).to.be.closeTo(2 * Math.PI, 0.2);
    expect(found.arcOverChord).to.be.closeTo(Math.PI / 2, 0.001);
  });
  it('of what is shorter than three chords has no curvature', () => {
    expect(tortuosityOf({ points: arc(1, 20), width: 5 }).totalCurvature).to.be.NaN;
  });
  it('of several is weighed by length, and a loop does not outweigh the rest', () => {
    const line = (points: Float32Array) => ({
      points,
      widths: new Float32Array(points.length >> 1),
      width: 3,
      length: 1,
    });
    const straight = Float32Array.from({ length: 602 }, (_, k) => (k % 2 ? 7 : k / 2));
    const { summary, list } = tortuosities([line(straight), line(arc(2 * Math.PI - 1e-3, 20)), line(arc(1, 4))]);
    expect(list.map(({ arcOverChord }) => arcOverChord > 100)).to.deep.equal([false, true, false]);
    expect(summary.segments).to.equal(2);
    expect(summary.arcOverChord).to.be.closeTo((300 + 40 * Math.PI) / 300, 0.01);
    expect(summary.curvature).to.be.closeTo((2 * Math.PI) / (300 + 40 * Math.PI), 0.001);
    expect(tortuosities([]).summary).to.deep.equal({ arcOverChord: null, curvature: null, segments: 0 });
  });
});
