// What lab/pupil/tune.mjs chooses by: the cut, the folds, the table of reliability; what scales.mjs judges milliseconds by.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseCut, confident, crossed, fitConfidence, tally } from '../../lab/pupil/parts/choice.mjs';
import { expectedError, reliabilityTable, rightOnReal, tenths } from '../../lab/pupil/parts/reliability.mjs';
import { longest } from '../../bench/pupil/parts/scaled.mjs';

/** A frame with one outline whose feature is `x`. */
const frame = (x, right, { present = true, group = 0, mixed = true, person = 0 } = {}) => ({
  set: 'drawn',
  person,
  group,
  mixed,
  present,
  list: [{ features: [1, x], score: x, right, unclear: false, off: right ? 1 : 50 }],
});

describe('the choice of the confidence', () => {
  const line = (count) =>
    Array.from({ length: count }, (_, i) => {
      const x = (8 * ((i * 7) % count)) / count - 4;
      // Right as often as a logistic of x says: the fractional part of a golden ratio as the draw.
      const right = (i * 0.618034) % 1 < 1 / (1 + Math.exp(-1.5 * x + 0.5));
      return frame(x, right, { present: right, group: i % 5 });
    });

  it('finds the weights that the cases were drawn by', () => {
    const [constant, slope] = fitConfidence(line(4000));
    assert.ok(Math.abs(constant + 0.5) < 0.15, String(constant));
    assert.ok(Math.abs(slope - 1.5) < 0.15, String(slope));
  });

  it('judges a frame by weights its group took no part in', () => {
    // Group 1 is labeled the other way around: held out, it is judged by the rest.
    const frames = line(1000).map((one) =>
      one.group === 1 ? { ...one, list: one.list.map((o) => ({ ...o, right: !o.right })) } : one,
    );
    const held = crossed(frames, 5);
    const steep = held.filter(({ frame, p }) => frame.group === 1 && frame.list[0].features[1] > 2 && p > 0.8);
    const all = held.filter(({ frame }) => frame.group === 1 && frame.list[0].features[1] > 2);
    assert.equal(steep.length, all.length);
    const own = fitConfidence(frames.filter(({ group }) => group === 1));
    assert.ok(own[1] < 0);
  });

  it('weighs alarms against missed pupils, on mixed frames alone', () => {
    const judged = [
      ...[0, 1, 2, 3].map((x) => confident(frame(x, true), null)),
      confident(frame(1.5, false, { present: false }), null),
      confident(frame(9, false, { present: false, mixed: false }), null),
    ];
    const cuts = [0.3, 0.6, 0.9];
    const twins = [0, 1].flatMap((person) => judged.map((one) => ({ ...one, frame: { ...one.frame, person } })));
    assert.equal(chooseCut(twins, 0.3, cuts, 0).cut, 0.3);
    assert.equal(chooseCut(twins, 0.3, cuts, 5).cut, 0.9);
    assert.deepEqual(tally(judged.slice(0, 5), 0.6), { eyes: 4, right: 3, near: 3, without: 1, silent: 0 });
    assert.equal(confident({ list: [] }, null).p, 0);
  });

  it('is better than the cut in use where all persons say so, and by chance where one does', () => {
    // Each person: an eye that is found at both cuts, and a frame without one that the higher cut alone is silent on.
    const person = (number, alarm) => [
      confident(frame(4, true, { person: number }), null),
      confident(frame(alarm ? 1 : -4, false, { present: false, person: number }), null),
    ];
    const chosen = (alarms) => {
      const judged = Array.from({ length: 10 }, (_, i) => person(i, i < alarms)).flat();
      return chooseCut(judged, 0.5, [0.5, 0.9], 1);
    };
    assert.deepEqual(chosen(10), { cut: 0.9, gain: 1, error: 0, better: true });
    const one = chosen(1);
    assert.equal(one.cut, 0.9);
    assert.ok(Math.abs(one.gain - 0.1) < 1e-12 && Math.abs(one.error - 0.1) < 1e-12, JSON.stringify(one));
    assert.equal(one.better, false);
    assert.deepEqual(chosen(0), { cut: 0.5, gain: 0, error: 0, better: false });
  });

  it('has ten bins, the last one closed, and the error of a confidence that is off', () => {
    const list = [0, 0.05, 0.1, 0.95, 1].map((p) => ({ p, right: p > 0.5 }));
    assert.deepEqual(
      tenths(list).map(({ n, right }) => [n, right]),
      [[2, 0], [1, 0], ...Array.from({ length: 7 }, () => [0, 0]), [2, 2]],
    );
    assert.ok(Math.abs(expectedError([{ p: 0.7, right: false }]) - 0.7) < 1e-12);
    assert.ok(
      Math.abs(
        expectedError([
          { p: 0.5, right: true },
          { p: 0.5, right: false },
        ]),
      ) < 1e-12,
    );
  });

  it('shows a column for each list, a share with its interval, and a dash where there is nothing', () => {
    const sure = Array.from({ length: 20 }, (_, i) => ({ p: 0.95, right: i > 0 }));
    const rows = reliabilityTable([['rendered', sure], ['real', [{ p: 0.05, right: false }]]]); // prettier-ignore
    assert.deepEqual(rows[0], ['confidence', 'rendered (20)', 'real (1)']);
    assert.deepEqual(rows[1], ['0.0 to 0.1', '-', '0.0 (0.0 to 79.3) of 1']);
    assert.deepEqual(rows[10], ['0.9 to 1.0', '95.0 (76.4 to 99.1) of 20', '-']);
    assert.deepEqual(rows[11], ['expected error', '0.000', '0.050']);
  });

  it('takes a real pupil by center and radius, and by the center alone where masks are small', () => {
    assert.ok(rightOnReal('mrgaze', 5, 0.1));
    assert.ok(!rightOnReal('mrgaze', 5, 0.11));
    assert.ok(!rightOnReal('mrgaze', 5.1, 0));
    assert.ok(rightOnReal('meye-human', 5, 0.2));
  });
});

describe('the longest time beside that of the own size', () => {
  const sizes = [
    { scale: 0.5, width: 320, ms: 3 },
    { scale: 1, width: 640, ms: 2 },
    { scale: 4, width: 2560, ms: 5 },
    { scale: 6, width: 3840, ms: 20 },
  ];

  it('is of a size that is not too wide', () => {
    assert.deepEqual(longest(sizes, 2560), { scale: 4, longer: 2.5 });
    assert.deepEqual(longest(sizes, 2559), { scale: 0.5, longer: 1.5 });
    assert.deepEqual(longest(sizes, 4000), { scale: 6, longer: 10 });
  });

  it('is unknown without the own size, and 1 where nothing takes longer', () => {
    assert.ok(Number.isNaN(longest([sizes[0]], 2560).longer));
    assert.deepEqual(longest([sizes[1]], 2560), { scale: 1, longer: 1 });
  });
});
