// `foveola pupil ... --out DIR`, as it is built: results, formats, going on, faults.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/setup.mjs';
import { itInFull } from '../support/full.mjs';
import { contents, folder, foveola, recording, rowsOf } from './support.mjs';

const manifestOf = (out) =>
  readFileSync(path.join(out, 'foveola.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the command', () => {
  let made;
  let clips;
  before(async () => {
    made = folder();
    clips = made.at('clips');
    mkdirSync(path.join(clips, 'b'), { recursive: true });
    await recording(path.join(clips, 'a.webm'), { gap: 10 });
    await recording(path.join(clips, 'b/a.webm'), { frames: 12 });
  });
  after(() => made.remove());

  it('says what it can do', async () => {
    const { code, stdout } = await foveola(['--help']);
    assert.equal(code, 0);
    for (const name of [
      'pupil',
      'faces',
      'track',
      'vessels',
      'edges',
      'flow',
      'score',
      'report',
      'queue',
      'worker',
      'status',
    ])
      assert.match(stdout, new RegExp(`foveola ${name}\\b`));
    const [page] = stdout.match(/docs\/\S+\.md/);
    assert.ok(existsSync(path.join(root, page)), `${page} is not there`);
    assert.match((await foveola(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('gives each frame once with its own time, one file an input, under its place in the folder', async () => {
    const out = made.at('plain');
    const { code, stderr } = await foveola(['pupil', clips, '--out', out]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^2 files done, 0 failed, 32 frames in 0:\d\d\. Results: /m);
    assert.deepEqual(Object.keys(contents(out)), [
      ...['a.webm', 'b/a.webm'].flatMap((name) =>
        ['csv', 'csv.json', 'events.csv'].map((end) => `${name}.pupil.${end}`),
      ),
      'foveola.jsonl',
    ]);
    const [head, ...rows] = rowsOf(readFileSync(path.join(out, 'a.webm.pupil.csv'), 'utf8'));
    const names = head.split(',');
    const column = (name) => rows.map((row) => Number(row.split(',')[names.indexOf(name)]));
    assert.deepEqual(
      column('timestamp_ms'),
      Array.from({ length: 20 }, (_, i) => 40 * i + (i >= 10 ? 100 : 0)),
    );
    assert.deepEqual(column('found'), new Array(20).fill(1));
    column('center_x').forEach((x, i) => assert.ok(Math.abs(x - 60 - i) < 1, `${i}: ${x}`));
    column('diameter_px').forEach((d) => assert.ok(Math.abs(d - 40) < 2, String(d)));
  });

  itInFull('has the same rows in every format, with the header', async () => {
    const rows = {};
    for (const format of ['json', 'jsonl', 'parquet']) {
      const out = made.at(`as-${format}`);
      assert.equal((await foveola(['pupil', path.join(clips, 'a.webm'), '-o', out, '-f', format])).code, 0);
      const file = path.join(out, `a.webm.pupil.${format}`);
      if (format === 'parquet') {
        const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
        const buffer = await asyncBufferFromFile(file);
        rows.parquet = await parquetReadObjects({ file: buffer });
        const {
          key_value_metadata: [{ key, value }],
        } = await parquetMetadataAsync(buffer);
        assert.equal(key, 'foveola');
        assert.equal(JSON.parse(value).source.name, 'a.webm');
      } else if (format === 'json') {
        const { rows: list, ...header } = JSON.parse(readFileSync(file, 'utf8'));
        assert.equal(header.parameters.method, 'robust');
        assert.equal(header.source.sha256.length, 64);
        rows.json = list;
      } else {
        const [{ header }, ...list] = readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        assert.equal(header.frames, 20);
        rows.jsonl = list;
      }
    }
    assert.equal(rows.json.length, 20);
    assert.deepEqual(rows.jsonl, rows.json);
    assert.deepEqual(rows.parquet, rows.json);
  });

  itInFull('takes parameters as an export has them, and names one that does not exist', async () => {
    const params = made.at('params.json');
    const out = made.at('params');
    writeFileSync(params, JSON.stringify({ software: 'foveola', parameters: { method: 'threshold', fit: 'circle' } }));
    assert.equal((await foveola(['pupil', clips, '--out', out, '--params', params])).code, 0);
    const { parameters } = JSON.parse(readFileSync(path.join(out, 'a.webm.pupil.csv.json'), 'utf8'));
    assert.deepEqual([parameters.method, parameters.fit], ['threshold', 'circle']);
    writeFileSync(params, JSON.stringify({ metod: 'threshold' }));
    const wrong = await foveola(['pupil', clips, '--out', made.at('none'), '--params', params]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^foveola: .*metod.*\n$/);
    assert.ok(!existsSync(made.at('none')), 'nothing is written');
  });

  itInFull('goes on where it stopped, and does again what has changed', async () => {
    const from = made.at('changing');
    const out = made.at('resumed');
    mkdirSync(from);
    for (const name of ['a', 'b']) copyFileSync(path.join(clips, 'a.webm'), path.join(from, `${name}.webm`));
    await foveola(['pupil', from, '--out', out]);
    const first = contents(out);
    assert.match(
      (await foveola(['pupil', from, '--out', out])).stderr,
      /2 of 2 files are done already\.\n0 files done/,
    );
    rmSync(path.join(out, 'a.webm.pupil.csv'));
    assert.match((await foveola(['pupil', from, '--out', out])).stderr, /1 of 2 files are done already\.\n1 file done/);
    const { 'foveola.jsonl': _, ...again } = contents(out);
    for (const [file, bytes] of Object.entries(again)) assert.ok(bytes.equals(first[file]), file);
    // Touched and not changed: read again, not done again.
    utimesSync(path.join(from, 'b.webm'), new Date(), new Date(Date.now() + 5000));
    assert.match((await foveola(['pupil', from, '--out', out])).stderr, /^2 of 2 files are done already\./);
    copyFileSync(path.join(clips, 'b/a.webm'), path.join(from, 'b.webm'));
    assert.match((await foveola(['pupil', from, '--out', out])).stderr, /1 file done, 0 failed, 12 frames/);
    assert.match((await foveola(['pupil', from, '--out', out, '--force'])).stderr, /2 files done, 0 failed, 32 frames/);
  });

  it('reports one bad file and does the others', async () => {
    const from = made.at('mixed');
    const out = made.at('mixed-results');
    mkdirSync(from);
    copyFileSync(path.join(clips, 'a.webm'), path.join(from, 'good.webm'));
    writeFileSync(path.join(from, 'cut.webm'), readFileSync(path.join(clips, 'a.webm')).subarray(0, 900));
    writeFileSync(path.join(from, 'notes.txt'), 'left out: it is beside the recordings\n');
    const { code, stderr } = await foveola(['pupil', from, '--out', out]);
    assert.equal(code, 2);
    assert.match(stderr, /^cut\.webm: .+ \(decode-failed\)$/m);
    assert.match(stderr, /1 file done, 1 failed/);
    assert.deepEqual(Object.keys(contents(out)), [
      'foveola.jsonl',
      ...['csv', 'csv.json', 'events.csv'].map((end) => `good.webm.pupil.${end}`),
    ]);
    const failed = manifestOf(out).find(({ status }) => status === 'failed');
    assert.equal(failed.error.code, 'decode-failed');
    assert.equal((await foveola(['pupil', path.join(from, 'cut.webm'), '--out', made.at('only')])).code, 1);
    assert.match(
      (await foveola(['vessels', path.join(from, 'good.webm'), '-o', made.at('only')])).stderr,
      /vessels needs an image, but this is a WebM/,
    );
  });

  itInFull('keeps what was read of a recording that breaks off, and replaces it by the whole', async () => {
    const [from, out] = [made.at('broken'), made.at('broken-results')];
    mkdirSync(from);
    const file = path.join(from, 'eye.webm');
    const whole = readFileSync(path.join(clips, 'a.webm'));
    writeFileSync(file, whole.subarray(0, Math.round(0.6 * whole.length)));
    const format = ['--format', 'json'];
    const { code, stderr } = await foveola(['pupil', file, '--out', out, ...format]);
    assert.equal(code, 2);
    assert.match(stderr, /^eye\.webm: .+ The frames before it are in its tables\. \(decode-failed\)$/m);
    const part = JSON.parse(contents(out)['eye.webm.pupil.json']);
    assert.equal(part.analysis.complete, false);
    assert.match(part.analysis.reason, /ends early|cut off|damaged/);
    assert.ok(part.rows.length > 0 && part.rows.length < 20, `${part.rows.length} rows`);
    const again = await foveola(['pupil', file, '--out', out, ...format]);
    assert.equal(again.code, 2, 'it is tried again, and may replace its own table');
    writeFileSync(file, whole);
    assert.equal((await foveola(['pupil', file, '--out', out, ...format])).code, 0);
    const all = JSON.parse(contents(out)['eye.webm.pupil.json']);
    assert.deepEqual([all.analysis.complete, all.rows.length], [true, 20]);
  });

  const faults = [
    [['pupils'], /Unknown command 'pupils'/],
    [['pupil', 'x.webm'], /--out DIR is missing/],
    [['pupil', '--out', 'OUT'], /needs files, folders or patterns/],
    [['pupil', 'none.webm', '--out', 'OUT'], /none\.webm cannot be read \(ENOENT\)/],
    [['pupil', 'none/*.webm', '--out', 'OUT'], /No file matches none\/\*\.webm/],
    [['pupil', 'x.webm', '--out', 'OUT', '--fromat', 'csv'], /Unknown option '--fromat'/],
    [['pupil', 'x.webm', '--out', 'OUT', '-f', 'xls'], /--format must be one of csv, json, jsonl, parquet, not xls/],
    [['pupil', 'x.webm', '--out', 'OUT', '--params', 'none.json'], /none\.json cannot be read/],
    [['track', 'x.webm', '--out', 'OUT'], /track needs --box/],
    [['track', 'x.webm', '--out', 'OUT', '--box', '1,2,3'], /--box must be x,y,width,height/],
    [['edges', 'x.png', '--out', 'OUT', '--operation', 'sobel'], /--operation applies to edges/],
    [['report', 'OUT'], /has no results/],
    [['score', 'OUT'], /needs RESULTS and ANNOTATIONS/],
  ];
  for (const [args, message] of faults)
    it(`says what is wrong with: foveola ${args.join(' ')}`, async () => {
      const out = made.at('faults');
      const { code, stderr, stdout } = await foveola(args.map((word) => (word === 'OUT' ? out : word)));
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.match(stderr, /^foveola: [^\n]*\n$/, 'one line');
      assert.ok(!existsSync(out));
    });

  it('says that results cannot be written', async () => {
    const file = made.at('a-file');
    writeFileSync(file, '');
    const { code, stderr } = await foveola(['pupil', clips, '--out', path.join(file, 'below')]);
    assert.equal(code, 1);
    assert.match(stderr, /cannot be created or read \(ENOTDIR\)\. Choose another --out/);
    const nowhere = await foveola(['pupil', clips, '--out', '/proc/foveola/results']);
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.stderr, /cannot be created or read \((ENOENT|EACCES|EPERM|ENOTDIR)\)\. Choose another --out/);
  });

  itInFull('leaves whole results only when it is stopped, and then goes on', async () => {
    const from = made.at('many');
    const out = made.at('stopped');
    mkdirSync(from);
    await recording(path.join(from, 'long.webm'), { frames: 120, width: 320, height: 240 });
    for (let i = 0; i < 6; i++) copyFileSync(path.join(from, 'long.webm'), path.join(from, `${i}.webm`));
    const { code, stderr } = await foveola(['pupil', from, '--out', out, '--jobs', '2'], {
      during(child) {
        const look = setInterval(() => {
          if (!existsSync(path.join(out, 'foveola.jsonl'))) return;
          clearInterval(look);
          child.kill('SIGINT');
        }, 5);
        child.on('close', () => clearInterval(look));
      },
    });
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Stopped: \d of 7 files are done\. Run the same command again to continue\./);
    const listed = manifestOf(out).flatMap(({ outputs }) => outputs);
    const isTable = (file) => /\.csv(\.json)?$/.test(file);
    const there = readdirSync(out).filter(isTable);
    assert.ok(there.length >= 3 && there.length < 3 * 7, there.join());
    for (const file of listed) assert.ok(there.includes(file), file);
    assert.equal((await foveola(['pupil', from, '--out', out])).code, 0);
    const whole = made.at('at-once');
    await foveola(['pupil', from, '--out', whole, '--jobs', '1']);
    const files = contents(whole);
    assert.deepEqual(Object.keys(contents(out)), Object.keys(files), 'nothing half-written is left');
    for (const [file, bytes] of Object.entries(contents(out)))
      if (isTable(file)) assert.ok(bytes.equals(files[file]), file);
  });

  itInFull('goes on where the list of results was torn off, and does only what it lost', async () => {
    const out = made.at('torn');
    const run = () => foveola(['pupil', clips, '--out', out, '--jobs', '1']);
    assert.notEqual((await run()).code, 1);
    const list = path.join(out, 'foveola.jsonl');
    const whole = readFileSync(list, 'utf8');
    const count = manifestOf(out).length;
    assert.ok(count > 1);
    // Behind a bracket, and in the middle of a word.
    for (const cut of [whole.lastIndexOf('}', whole.length - 3) + 1, whole.length - 20]) {
      writeFileSync(list, whole.slice(0, cut));
      const { code, stderr } = await run();
      assert.notEqual(code, 1, stderr);
      assert.match(stderr, /files are done already/);
      assert.doesNotMatch(stderr, /JSON/);
      const lines = readFileSync(list, 'utf8').trim().split('\n');
      assert.doesNotThrow(() => lines.filter((line, i) => i !== count - 1).map((line) => JSON.parse(line)));
      assert.match((await run()).stderr, /files are done already/);
    }
  });

  // Long files one by one, and short ones of which the next waits in the process already.
  for (const [kind, files] of [
    ['long', 7],
    ['short', 40],
  ])
    itInFull(`fails the file alone whose process dies, among ${kind} ones`, async () => {
      const from = kind === 'long' ? made.at('many') : made.at('pictures');
      if (kind === 'short') {
        mkdirSync(from);
        for (let i = 0; i < files; i++)
          copyFileSync(path.join(root, 'test/media/portrait.png'), path.join(from, `${i}.png`));
      }
      const out = made.at(`died-${kind}`);
      // In the middle: the manifest has some already.
      const list = path.join(out, 'foveola.jsonl');
      const begun = () => existsSync(list) && readFileSync(list, 'utf8').split('\n').length > (kind === 'long' ? 1 : 5);
      let killed = 0;
      const { code, stderr } = await foveola(['pupil', from, '--out', out, '--jobs', '1'], {
        during(child) {
          const look = setInterval(() => {
            const [own] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
            if (!own || killed || !begun()) return;
            killed = Number(own);
            process.kill(killed, 'SIGKILL');
          }, 20);
          child.on('close', () => clearInterval(look));
        },
      });
      assert.ok(killed);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /The process that worked on it ended \(SIGKILL\)/);
      assert.match(stderr, new RegExp(`${files - 1} files? done, 1 failed`));
    });

  itInFull('draws what was found over recordings and photographs', async () => {
    const out = made.at('overlays');
    const { code, stderr } = await foveola(['pupil', path.join(clips, 'a.webm'), '--out', out, '--overlay']);
    assert.equal(code, 0, stderr);
    const { frames } = await import(path.join(root, 'dist/node.js'));
    const seen = [];
    for await (const { frame, mediaTime } of frames(path.join(out, 'a.webm.pupil.overlay.webm'))) {
      const samples = new Uint8Array(frame.allocationSize());
      await frame.copyTo(samples);
      const chroma = samples.subarray(160 * 120);
      seen.push({ mediaTime, marked: chroma.some((value) => Math.abs(value - 128) > 30) });
    }
    assert.equal(seen.length, 20);
    assert.ok(seen.every(({ marked }) => marked));
    assert.equal(seen[10].mediaTime, 500);
  });

  itInFull('runs each analysis on what it takes', async () => {
    const out = made.at('each');
    const portrait = path.join(root, 'test/media/portrait.png');
    const all = [
      [['faces', portrait], ['portrait.png.faces.csv']],
      [['track', path.join(clips, 'a.webm'), '--box', '36,36,48,48'], ['a.webm.track.csv']],
      [
        ['vessels', path.join(root, 'demo/media/fundus.jpg')],
        ['fundus.jpg.vessels.csv', 'fundus.jpg.vessels.csv.json', 'fundus.jpg.vessels.png'],
      ],
      [['edges', portrait], ['portrait.png.edges.png']],
      [['edges', portrait, '--operation', 'lines'], ['portrait.png.lines.csv']],
      [
        ['flow', path.join(clips, 'b/a.webm'), '--fields'],
        ['a.webm.flow.000001.flo', 'a.webm.flow.csv'],
      ],
    ];
    for (const [args, files] of all) {
      const { code, stderr } = await foveola([...args, '--out', out]);
      assert.equal(code, 0, `${args[0]}: ${stderr}`);
      for (const file of files) assert.ok(existsSync(path.join(out, file)), file);
    }
    assert.match(readFileSync(path.join(out, 'portrait.png.faces.csv'), 'utf8'), /^0,0,media,0,\d+,\d/m);
    assert.equal(readFileSync(path.join(out, 'a.webm.flow.000001.flo')).subarray(0, 4).toString(), 'PIEH');
    const flow = rowsOf(readFileSync(path.join(out, 'a.webm.flow.csv'), 'utf8'));
    assert.equal(flow.length, 13);
    assert.equal(flow[1], '0,0,0,,,,,,'); // there is no frame before the first
    assert.match(flow[2], /^1,\d+(\.\d+)?,[^,]+,[\d.]+,-?\d/);
  });
});
