// `foveola score` and `foveola report` on results whose truth is known.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { startSite } from '../support/pages.mjs';
import { folder, foveola, library, recording } from './support.mjs';
import { itInFull } from '../support/full.mjs';

const truth = (rows) => `frame,x,y,diameter\n${rows.map((row) => row.join(',')).join('\n')}\n`;

describe('scores of results', () => {
  let made;
  let out;
  let clip;
  before(async () => {
    made = folder();
    out = made.at('results');
    clip = made.at('clip.webm');
    await recording(clip);
    assert.equal((await foveola(['pupil', clip, '--out', out])).code, 0);
  });
  after(() => made.remove());

  const frames = Array.from({ length: 20 }, (_, i) => [i, 60 + i, 60, 40]);
  const cells = (text, name) =>
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      .split(/ {2,}/);

  it('are the tables of this project', async () => {
    const file = made.at('truth.csv');
    // Two of them are annotated 4 px beside, one has no pupil though one is there.
    const rows = frames.map(([i, x, y, d]) =>
      i === 3 || i === 4 ? [i, x + 4, y, d] : i === 19 ? [i, '', '', ''] : [i, x, y, d],
    );
    writeFileSync(file, truth(rows));
    const { code, stdout, stderr } = await foveola(['score', out, file]);
    assert.equal(code, 0, stderr);
    const [, count, found, one, , three, five, , center, diameter, silent] = cells(stdout, 'clip.webm');
    assert.equal(count, '19');
    assert.match(found, /^100\.0 % \(8\d to 100\)$/);
    assert.match(one, /^89\.5 %/);
    assert.match(three, /^89\.5 %/);
    assert.match(five, /^100\.0 %/);
    assert.ok(Number(center) < 0.5 && Number(diameter) < 1.5);
    assert.match(silent, /^0\.0 %/);
  });

  it('refuse a table of a million columns', async () => {
    const file = made.at('wide.csv');
    writeFileSync(file, `frame,x,y,diameter${',a'.repeat(1_000_000)}\n0,1,2,3\n`);
    const { code, stderr } = await foveola(['score', out, file]);
    assert.equal(code, 1);
    assert.match(stderr, /has 1000004 columns\. The maximum is 4096/);
  });

  itInFull('count frames from where the annotations do', async () => {
    const file = made.at('from-one.csv');
    writeFileSync(file, truth(frames.slice(5).map(([i, x, y, d]) => [i + 1, x, y, d])));
    assert.match(
      cells((await foveola(['score', out, file, '--first-frame', '1'])).stdout, 'clip.webm')[3],
      /^100\.0 %/,
    );
    assert.doesNotMatch(cells((await foveola(['score', out, file])).stdout, 'clip.webm')[3], /^100\.0 %/);
  });

  itInFull('take a folder of annotations, and say what has none', async () => {
    const place = made.at('annotated');
    mkdirSync(place);
    writeFileSync(path.join(place, 'other.csv'), truth(frames));
    const none = await foveola(['score', out, place]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Nothing in .* belongs to a result/);
    writeFileSync(path.join(place, 'clip.csv'), 'frame,a\n0,1\n');
    assert.match((await foveola(['score', out, place])).stderr, /no center of a pupil.*Required columns/);
    writeFileSync(path.join(place, 'clip.csv'), truth(frames));
    assert.match((await foveola(['score', out, place])).stdout, /pupil: 1 annotated of 1/);
  });

  it('compare masks of vessels pixel by pixel', async () => {
    const { encodePng } = await library();
    const picture = made.at('lines.png');
    const [width, height] = [120, 90];
    const save = async (file, of) => {
      const data = Uint8Array.from({ length: width * height }, (_, at) => of(at % width, Math.floor(at / width)));
      writeFileSync(file, Buffer.from(await (await encodePng({ width, height, channels: 1, data })).arrayBuffer()));
    };
    await save(picture, (_, y) => (Math.abs(y - 45) < 3 ? 60 : 180));
    const results = made.at('vessels');
    assert.equal((await foveola(['vessels', picture, '--out', results])).code, 0);
    const masks = made.at('masks');
    mkdirSync(masks);
    await save(path.join(masks, 'lines.png'), (_, y) => (Math.abs(y - 45) < 3 ? 255 : 0));
    const { stdout, stderr } = await foveola(['score', results, masks]);
    const [, accuracy, sensitivity, specificity] = cells(stdout, 'lines.png').map(Number);
    assert.ok(accuracy > 0.95 && sensitivity >= 0.8 && specificity > 0.95, stdout + stderr);
    await save(path.join(masks, 'lines.png'), () => 0);
    assert.match(cells((await foveola(['score', results, masks])).stdout, 'lines.png')[3], /^0\.9/);
  });

  itInFull('are a page that says no more than the files', async () => {
    const hostile = made.at('<img src=x onerror=alert(1)>.webm');
    writeFileSync(hostile, readFileSync(clip));
    writeFileSync(made.at('bad.webm'), 'x');
    const results = made.at('page');
    assert.equal((await foveola(['pupil', clip, hostile, made.at('bad.webm'), '--out', results])).code, 2);
    const { code, stdout } = await foveola(['report', results]);
    assert.equal(code, 0);
    const file = stdout.trim();
    assert.equal(file, path.join(results, 'report.html'));
    const site = await startSite({ mounts: { '/results/': results } });
    const { page, errors } = await site.open('/results/report.html');
    page.on('dialog', (dialog) => errors.push(dialog.message()));
    const seen = await page.evaluate(() => ({
      rows: document.querySelectorAll('tbody tr').length,
      plots: document.querySelectorAll('svg[role=img]').length,
      lines: [...document.querySelectorAll('.line')].every((line) => line.getAttribute('d').length > 20),
      failed: document.querySelectorAll('.failed').length,
      images: document.querySelectorAll('img').length,
    }));
    await site.close();
    assert.deepEqual(seen, { rows: 3, plots: 4, lines: true, failed: 2, images: 0 });
    assert.deepEqual(errors, []);
  });
});

describe('numbers of scores', () => {
  it("have Wilson's interval", async () => {
    const { interval, percent, quantile } = await importTs('src/command/score/accuracy.ts');
    // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20.
    for (const [hits, of, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
    ]) {
      const [a, b] = interval(hits, of);
      assert.ok(Math.abs(a - low) < 2e-4 && Math.abs(b - high) < 2e-4, `${hits} of ${of}: ${a} ${b}`);
    }
    assert.equal(percent(0, 0), '-');
    assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
  });

  it('are of the eye that the annotation names', async () => {
    const { scorePupils } = await importTs('src/command/score/pupils.ts');
    const truth = [
      { frame: 0, eye: 0, x: 10, y: 5 },
      { frame: 0, eye: 1, x: 90, y: 5 },
    ];
    const named = [
      { ...truth[0], eye: 'right' },
      { ...truth[1], eye: 'left' },
    ];
    // The camera faces the person: the right eye is pupil 0.
    const columns = (a, b) => [
      {
        frame: 0,
        [`found_${a}`]: 1,
        [`center_x_${a}`]: 10,
        [`center_y_${a}`]: 5,
        [`found_${b}`]: 0,
        [`center_x_${b}`]: null,
      },
    ];
    const rows = (a, b) => [
      { frame: 0, pupil: 0, eye: a, found: true, x: 10, y: 5 },
      { frame: 0, pupil: 1, eye: b, found: false, x: null, y: null },
    ];
    for (const results of [columns('right', 'left'), rows('right', 'left')])
      for (const one of [truth, named])
        assert.deepEqual(scorePupils(results, one).centers, [0, Infinity], JSON.stringify([results, one]));
    for (const results of [columns('pupil0', 'pupil1'), rows('unknown', 'unknown')]) {
      assert.deepEqual(scorePupils(results, truth).centers, [0, Infinity], JSON.stringify(results));
      assert.throws(() => scorePupils(results, named), /but the results do not\. Set `view`/);
    }
  });

  it('are of the one eye of the results', async () => {
    const { scorePupils } = await importTs('src/command/score/pupils.ts');
    const result = (eye) => [{ frame: 0, pupil: 0, eye, found: true, x: 10, y: 5 }];
    const truth = (...eyes) => eyes.map((eye) => ({ frame: 0, eye, x: 10, y: 5 }));
    assert.deepEqual(scorePupils(result('left'), truth('left')).centers, [0]);
    assert.deepEqual(scorePupils(result('left'), truth('right', 'left')).centers, [0]);
    assert.deepEqual(scorePupils(result('left'), truth('right')).centers, []);
    assert.deepEqual(scorePupils(result('unknown'), truth('right')).centers, [0]);
    assert.throws(() => scorePupils(result('unknown'), truth('right', 'left')), /`eye` \(one eye\)/);
  });

  it('give boxes to each other once', async () => {
    const { boxRow, scoreBoxes } = await importTs('src/command/score/accuracy.ts');
    const box = (frame, x, y = 0) => ({ frame, x, y, width: 10, height: 10 });
    const score = scoreBoxes([box(0, 0), box(0, 1), box(1, 50)], [box(0, 0), { frame: 1, x: null }, box(2, 0)]);
    assert.deepEqual(score, { overlaps: [1, 0], given: 3, empty: 1, silent: 0 });
    const [name, boxes, given, overlap, recall] = boxRow('a', score);
    assert.deepEqual([name, boxes, given, overlap, recall], ['a', '2', '3', '0.50', '50.0 % (9 to 91)']);
  });
});
