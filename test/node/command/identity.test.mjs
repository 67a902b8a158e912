// Whose a result is: inputs are known by their path and the hash of their bytes, and no result of another is replaced.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { folder } from '../../command/support.mjs';
import { itInFull } from '../../support/full.mjs';

describe('results of the command', () => {
  let command;
  let made;
  let pictures;
  before(async () => {
    command = await importTs('test/node/command/library.ts');
    pictures = await Promise.all([0, 1, 2, 3].map(command.picture));
  });
  beforeEach(() => (made = folder()));
  afterEach(() => made.remove());

  const time = new Date(1_600_000_000_000);
  const put = (file, seed) => {
    mkdirSync(path.dirname(made.at(file)), { recursive: true });
    rmSync(made.at(file), { force: true });
    writeFileSync(made.at(file), pictures[seed]);
    utimesSync(made.at(file), time, time);
  };
  const run = (...words) =>
    command.lines([...words.map((word) => (word.startsWith('-') ? word : made.at(word))), '--out', made.at('r')]);
  /** Which picture a table is of, by its rows; the file next to it must agree. */
  const of = (file) => {
    const text = readFileSync(made.at('r', file), 'utf8');
    const seed = pictures.findIndex((_, i) => text.includes(`\n${command.found(i)}`));
    const { entries } = JSON.parse(JSON.stringify({ entries: list() }));
    const entry = entries.findLast(({ outputs }) => outputs.includes(file));
    const about = readFileSync(made.at('r', `${file}.json`), 'utf8');
    assert.ok(about.includes(entry.sha256), `${file} is listed for other bytes`);
    return seed;
  };
  const list = () =>
    readFileSync(made.at('r/foveola.jsonl'), 'utf8')
      .split('\n')
      .flatMap((line) => command.entryFromText(line) ?? []);
  const tables = () =>
    readdirSync(made.at('r'), { recursive: true }).filter((file) => file.endsWith('.csv') && !file.startsWith('.'));

  it('are each of its own folder, though names, sizes and times are equal', async () => {
    put('A/x.tif', 0);
    put('B/x.tif', 1);
    put('0/x.tif', 2);
    assert.equal(statSync(made.at('A/x.tif')).size, statSync(made.at('0/x.tif')).size);
    assert.equal((await run('A', 'B')).code, 0);
    const { code, text } = await run('0', 'A', 'B');
    assert.equal(code, 0, text);
    assert.match(text, /^2 of 3 files are done already\.\n1 file done, 0 failed/);
    assert.deepEqual(tables().sort(), ['0/x.tif.lines.csv', 'A/x.tif.lines.csv', 'B/x.tif.lines.csv']);
    assert.deepEqual(['A', 'B', '0'].map((name) => of(`${name}/x.tif.lines.csv`)), [0, 1, 2]); // prettier-ignore
    assert.deepEqual(
      list().map(({ input, name }) => [path.relative(made.path, input), name]),
      ['A/x.tif', 'B/x.tif', '0/x.tif'].map((file) => [file, file]),
    );
  });

  itInFull('keep their names when other inputs are named', async () => {
    put('A/x.tif', 0);
    put('B/x.tif', 1);
    await run('A');
    assert.deepEqual(tables(), ['x.tif.lines.csv']);
    assert.match((await run('B', 'A')).text, /^1 of 2 files are done already/);
    assert.deepEqual(tables().sort(), ['B/x.tif.lines.csv', 'x.tif.lines.csv']);
    assert.deepEqual([of('x.tif.lines.csv'), of('B/x.tif.lines.csv')], [0, 1]);
  });

  it('of another input are not replaced: both are named, and --force replaces', async () => {
    put('A/x.tif', 0);
    put('0/x.tif', 2);
    await run('A');
    const before = readFileSync(made.at('r/x.tif.lines.csv'));
    const { code, text } = await run('0');
    assert.equal(code, 1);
    assert.equal(text.trim().split('\n').length, 1);
    for (const input of ['A/x.tif', '0/x.tif']) assert.ok(text.includes(made.at(input)), text);
    assert.match(text, /--force/);
    assert.ok(readFileSync(made.at('r/x.tif.lines.csv')).equals(before));
    assert.equal((await run('0', '--force')).code, 0);
    assert.equal(of('x.tif.lines.csv'), 2);
    assert.equal((await run('A')).code, 1);
  });

  itInFull('follow files that are exchanged, renamed and touched', async () => {
    put('A/x.tif', 0);
    put('A/y.tif', 1);
    await run('A');
    renameSync(made.at('A/x.tif'), made.at('A/z.tif'));
    renameSync(made.at('A/y.tif'), made.at('A/x.tif'));
    renameSync(made.at('A/z.tif'), made.at('A/y.tif'));
    assert.match((await run('A')).text, /^2 files done/);
    assert.deepEqual([of('x.tif.lines.csv'), of('y.tif.lines.csv')], [1, 0]);
    utimesSync(made.at('A/x.tif'), new Date(), new Date());
    assert.match((await run('A')).text, /^2 of 2 files are done already/);
    renameSync(made.at('A'), made.at('moved'));
    assert.match((await run('moved')).text, /^2 of 2 files are done already/);
    assert.equal(list().at(-1).input, made.at('moved/y.tif'));
    // A folder of the old name is another input now.
    put('A/x.tif', 1);
    put('A/y.tif', 3);
    assert.equal((await run('A')).code, 1);
  });

  itInFull('of an input that has changed are replaced, and what was there is kept aside', async () => {
    put('A/x.tif', 0);
    await run('A');
    await run('A', '--format=json');
    const [{ sha256 }] = list();
    put('A/x.tif', 3);
    assert.match((await run('A')).text, /^1 file done/);
    assert.equal(of('x.tif.lines.csv'), 3);
    assert.ok(!existsSync(made.at('r/x.tif.lines.json')), 'of the old bytes');
    const aside = made.at('r/.foveola-replaced', sha256.slice(0, 16));
    const before = ['x.tif.lines.csv', 'x.tif.lines.csv.json', 'x.tif.lines.json'];
    assert.deepEqual(readdirSync(aside).sort(), before);
    assert.ok(readFileSync(path.join(aside, 'x.tif.lines.csv.json'), 'utf8').includes(sha256));
  });

  itInFull(
    'are known by links that lead to the same file, and done once for a folder that is named twice',
    async () => {
      put('A/x.tif', 0);
      put('B/z.tif', 1);
      linkSync(made.at('A/x.tif'), made.at('B/x.tif'));
      symlinkSync(made.at('A'), made.at('L'));
      await run('A');
      assert.match((await run('L')).text, /^1 of 1 files are done already/);
      assert.match((await run('B/x.tif')).text, /^1 of 1 files are done already/);
      assert.match((await run('A', 'A/../A', 'A/x.tif')).text, /^1 of 1 files are done already/);
      assert.deepEqual(tables(), ['x.tif.lines.csv']);
    },
  );

  itInFull('that are not listed are not replaced, unless they are the same', async () => {
    put('A/x.tif', 0);
    put('B/x.tif', 1);
    await run('A');
    rmSync(made.at('r/foveola.jsonl'));
    const { code, text } = await run('B');
    assert.equal(code, 1);
    assert.match(text, /^x\.tif: .*x\.tif\.lines\.csv exists and is not a result of this input\..*--force/);
    assert.equal((await run('A')).code, 0);
    assert.equal(of('x.tif.lines.csv'), 0);
  });

  itInFull('are not lost to lines of the list that are none', async () => {
    put('A/x.tif', 0);
    put('A/y.tif', 1);
    await run('A');
    const listed = made.at('r/foveola.jsonl');
    const [line] = readFileSync(listed, 'utf8').split('\n');
    const others = [
      ...['null', '7', '"text"', '[]', '[[null]]', '{}', '{"name":7}', 'true', '', '\u0000', '{"a":', '\ufeff{}'],
      ...['[', '{"a":'].map((text) => text.repeat(100_000)),
      ...['../x', '/etc/x', '.foveola/x', 'a//b', 'x\\u0000'].map((name) =>
        line.replace('"name":"x.tif"', `"name":"${name}"`),
      ),
      ...[line.replace('x.tif.lines.csv', '../../x.tif.lines.csv'), line.replace('"edges"', '"__proto__"')],
      ...[line.replace('"done"', '"known"'), line.replace(/"sha256":"\w+"/, '"sha256":"<b>"')],
    ];
    for (const other of others) appendFileSync(listed, `${other}\n`);
    appendFileSync(listed, Buffer.alloc(70 << 20, 'x'));
    const { code, text } = await run('A');
    assert.equal(code, 0, text);
    assert.match(text, /^2 of 2 files are done already/);
    put('A/z.tif', 2);
    assert.match((await run('A')).text, /^2 of 3 files are done already/);
    assert.match((await run('A')).text, /^3 of 3 files are done already/, 'behind a line that was torn off');
  });

  itInFull('are not listed for other bytes when the command dies between writing and listing', async () => {
    put('A/x.tif', 0);
    await run('A');
    put('A/x.tif', 1);
    await command.lines([made.at('A'), '--out', made.at('r')], async function* ([job]) {
      yield [];
      await command.runJob(job, command.engine);
      throw new command.FoveolaError('aborted', 'Killed.');
    });
    const { entries } = await command.Manifest.read(made.at('r'));
    const text = readFileSync(made.at('r/x.tif.lines.csv.json'), 'utf8');
    assert.ok(text.includes(entries[0].sha256));
    assert.equal((await run('A')).code, 0);
    assert.equal(of('x.tif.lines.csv'), 1);
  });

  itInFull('do not exist for a file that changes while it is read', async () => {
    put('A/x.tif', 0);
    const changing = { ...command.engine };
    const job = {
      ...{ analysis: 'edges', input: made.at('A/x.tif'), name: 'x.tif', out: made.at('r') },
      ...{ parameters: {}, options: { format: 'csv', overlay: false, operation: 'lines' } },
    };
    // A large file is read twice.
    writeFileSync(job.input, Buffer.concat([pictures[0], Buffer.alloc(33 << 20)]));
    changing.houghLines = async (image) => {
      appendFileSync(job.input, 'more');
      return command.engine.houghLines(image);
    };
    const { status, error } = await command.runJob(job, changing);
    assert.equal(status, 'failed');
    assert.match(error.message, /x\.tif changed while it was read/);
    changing.houghLines = async (image) => {
      utimesSync(job.input, new Date(), new Date()); // touched, and not changed
      return command.engine.houghLines(image);
    };
    assert.equal((await command.runJob(job, changing)).status, 'done');
  });

  itInFull('are not replaced where a drive has no links', async () => {
    const fs = createRequire(import.meta.url)('node:fs');
    const { linkSync: real } = fs;
    fs.linkSync = () => {
      throw Object.assign(new Error('no links'), { code: 'ENOTSUP' });
    };
    syncBuiltinESMExports();
    try {
      put('A/x.tif', 0);
      put('0/x.tif', 1);
      assert.equal((await run('A')).code, 0);
      rmSync(made.at('r/foveola.jsonl'));
      assert.equal((await run('0')).code, 1);
      assert.equal((await run('A')).code, 0);
      assert.equal(of('x.tif.lines.csv'), 0);
    } finally {
      fs.linkSync = real;
      syncBuiltinESMExports();
    }
  });

  itInFull('belong to one of two that are written at the same time', async () => {
    const files = [0, 1].map(() => new command.WholeFiles(made.at('r')));
    await Promise.all(files.map((one, i) => one.write('x.csv', `of ${i}`)));
    await files[0].keep();
    await assert.rejects(files[1].keep(), /x\.csv exists already/);
    await files[1].drop();
    assert.equal(readFileSync(made.at('r/x.csv'), 'utf8'), 'of 0');
    assert.deepEqual(readdirSync(made.at('r')), ['x.csv']);
  });
});
