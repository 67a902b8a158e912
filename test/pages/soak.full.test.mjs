// A quarter of a minute of `npm run soak`: contexts and the worker are lost under the five elements.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missing, slopeCells, slopeOf, soak, studentT } from '../../tools/soak.mjs';

describe('the soak', () => {
  it('loses no frame number while contexts are lost and the worker dies', async () => {
    const { done, results, errors, recording, left } = await soak({ minutes: 0.25, seed: 3, losses: 12, deaths: 1 });
    assert.ok(done.losses >= 1 && done.deaths === 1, JSON.stringify(done));
    assert.ok(results.pupil > 3 && results.face > 3, JSON.stringify(results));
    assert.ok(recording.frames > results.pupil / 2, `${recording.frames}`);
    assert.equal(recording.lost, 0);
    assert.deepEqual(left, []);
    for (const error of errors) assert.match(error, /: worker-lost: /);
  });

  it('counts what is missing, and gives slopes with their error', () => {
    const rows = [0, 1, 4, 4, 5].map((frame) => ({ frame, dropped: frame === 4 ? 2 : 0 }));
    assert.deepEqual(missing(rows), { lost: 0, dropped: 2, frames: 6 });
    assert.deepEqual(missing([...rows, { frame: 9, dropped: 1 }]), { lost: 2, dropped: 3, frames: 10 });
    const line = Array.from({ length: 20 }, (_, i) => [i, 3 + 2 * i + (i % 2 ? 0.5 : -0.5)]);
    const { slope, error } = slopeOf(line);
    assert.ok(Math.abs(studentT(6) - 2.447) < 0.02 && Math.abs(studentT(60) - 2) < 0.001, 'as tables have it');
    assert.equal(slopeCells(slopeOf(line))[3], 'no, grows');
    assert.equal(slopeCells(slopeOf(line.map(([x, y]) => [x, y - 2 * x])))[3], 'yes');
    assert.ok(Math.abs(slope - 2) < 3 * error && error > 0.01 && error < 0.05, `${slope} ${error}`);
  });
});
