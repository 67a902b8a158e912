// Annotations next to results: those of an input are never taken for those of another of the same name.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { folder } from '../../command/support.mjs';

describe('annotations', () => {
  let command;
  let made;
  before(async () => {
    command = await importTs('test/node/command/library.ts');
  });
  beforeEach(() => (made = folder()));
  afterEach(() => made.remove());
  const put = (file, text = 'frame,x\n0,1\n') => {
    mkdirSync(path.dirname(made.at(file)), { recursive: true });
    writeFileSync(made.at(file), text);
  };
  /** By name: the x of the annotation, null without one, '?' where it is uncertain. */
  const taken = async (place, names) => {
    const find = await command.annotations(made.at(place), names);
    const list = names.map((name) =>
      find({ name }).then(
        (found) =>
          found && (found.mask ? path.relative(made.at(place), found.mask) : found.rows.map(({ x }) => x).join()),
        () => '?',
      ),
    );
    return Object.fromEntries((await Promise.all(list)).map((one, i) => [names[i], one]));
  };

  it('in a folder are of the input at the same place', async () => {
    put('t/A/x.csv', 'frame,x\n0,1\n');
    assert.deepEqual(await taken('t', ['A/x.webm', 'B/x.webm']), { 'A/x.webm': '1', 'B/x.webm': null });
    put('t/B/x.webm.csv', 'frame,x\n0,2\n');
    assert.deepEqual(await taken('t', ['A/x.webm', 'B/x.webm']), { 'A/x.webm': '1', 'B/x.webm': '2' });
    assert.deepEqual(await taken('t', ['C/x.webm']), { 'C/x.webm': '2' }, 'the whole name is nearer');
  });

  it('elsewhere are taken where one input and one annotation have the name', async () => {
    put('t/x.csv');
    assert.deepEqual(await taken('t', ['A/x.webm', 'A/y.webm']), { 'A/x.webm': '1', 'A/y.webm': null });
    assert.deepEqual(await taken('t', ['A/x.webm', 'B/x.webm']), { 'A/x.webm': '?', 'B/x.webm': '?' });
    put('t/more/x.csv');
    assert.deepEqual(await taken('t', ['A/x.webm']), { 'A/x.webm': '?' });
  });

  it('of one stem are of the file with the whole name', async () => {
    put('t/x.csv', 'frame,x\n0,1\n');
    assert.deepEqual(await taken('t', ['x.webm', 'x.mp4']), { 'x.webm': '?', 'x.mp4': '?' });
    put('t/x.mp4.csv', 'frame,x\n0,2\n');
    put('t/x.webm/annotations.csv', 'frame,x\n0,3\n');
    assert.deepEqual(await taken('t', ['x.webm', 'x.mp4']), { 'x.webm': '3', 'x.mp4': '2' });
    put('m/x.png');
    assert.deepEqual(await taken('m', ['x.png', 'y.png']), { 'x.png': 'x.png', 'y.png': null });
  });

  it('in a table name their input by its path, or by a name that no other has', async () => {
    put('t.csv', 'file,x\n/data/A/x.webm,1\nB/x.webm,2\ny.webm,3\nz,4\n');
    const names = ['A/x.webm', 'B/x.webm', 'C/x.webm', 'C/y.webm', 'z.webm'];
    assert.deepEqual(await taken('t.csv', names), { 'A/x.webm': '1', 'B/x.webm': '2', 'C/x.webm': null, 'C/y.webm': '3', 'z.webm': '4' }); // prettier-ignore
    put('t.csv', 'file,x\nx.webm,1\n');
    assert.deepEqual(await taken('t.csv', ['A/x.webm', 'B/x.webm']), { 'A/x.webm': '?', 'B/x.webm': '?' });
    assert.deepEqual(await taken('t.csv', ['A/x.webm']), { 'A/x.webm': '1' });
  });

  it('that are no table fail by their name', async () => {
    for (const [file, text] of [['t/x.csv', `${'a,'.repeat(5000)}\n`]]) put(file, text);
    const find = await command.annotations(made.at('t'), ['x.webm']);
    await assert.rejects(find({ name: 'x.webm' }), command.FoveolaError);
  });
});
