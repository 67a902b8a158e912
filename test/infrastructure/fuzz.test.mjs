// `npm run fuzz`: finds a fault, makes it small, and gives the same trials again; and a few seconds of it for what reads files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

const fuzz = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/fuzz.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('fuzzing', () => {
  it('gives the same changes for the same seed', async () => {
    const { changed, changesOf, randomOf } = await importTs('tools/fuzz/mutation.ts');
    const bytes = Uint8Array.from({ length: 200 }, (_, i) => i);
    const seen = new Set();
    for (let seed = 0; seed < 200; seed++) {
      const [one, other] = [changesOf(randomOf(seed)), changesOf(randomOf(seed))];
      assert.deepEqual(one, other);
      const out = changed(bytes, one);
      assert.deepEqual(out, changed(bytes, other));
      seen.add(out.join());
      assert.deepEqual(changed(bytes, []), bytes);
    }
    assert.ok(seen.size > 150, `${seen.size} different files`);
  });

  it('sees a write before and behind a block, while it is lent and after it', async () => {
    const { watch, checkZones, Arena } = await importTs('tools/fuzz/guards.ts');
    watch();
    const arena = new Arena({ initial: 1 << 16 });
    const [first, second] = [arena.allocate(100), arena.allocate(64)];
    arena.u8.fill(1, first, first + 100).fill(2, second, second + 64);
    checkZones();
    arena.u8[second - 1] = 0;
    assert.throws(() => checkZones(), /wrote before a block of 64 bytes/);
    checkZones();
    arena.u8[first + 128] = 0;
    arena.free(first);
    assert.throws(() => checkZones(), /wrote behind a block of 100 bytes/);
    checkZones();
  });

  it('finds none in the operations, the trackers and what targets learned', () => {
    const { status, stdout, stderr } = fuzz('0.08', '--only', 'calls,trackers,objects');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^calls +\d{2,}/m);
    assert.match(stdout, /^trackers +\d{2,}/m);
    assert.match(stdout, /^objects +\d{2,}/m);
  });

  it('finds no result of the command that is mixed up or overwritten', () => {
    const { status, stdout, stderr } = fuzz('0.15', '--only', 'identity', '--inputs', '60');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^identity +[1-9]\d* +\d+ +0$/m);
  });

  it('finds none in attributes, properties and methods of the elements', () => {
    const { status, stdout, stderr } = fuzz('0.1', '--only', 'elements');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^elements +[1-9]/m);
  });

  it('finds none on the GPU and in media as a page reads them', () => {
    const { status, stdout, stderr } = fuzz('0.04', '--only', 'gpu,media');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^gpu +[1-9]/m);
    assert.match(stdout, /^media +[1-9]/m);
  });

  it('finds a fault, and keeps it with as few changes as fail', () => {
    const { status, stdout } = fuzz('0.03', '--only', 'self', '--seed', '5');
    assert.equal(status, 1);
    const [, number, file] = /self (\d+): TypeError : a 0\n {2}(build\/fuzz\/self-5-\d+\.bin), 1 changes/.exec(stdout);
    assert.ok(Number(number) >= 0);
    const bytes = readFileSync(path.join(root, file));
    assert.ok(bytes.indexOf(0) >= 0 && bytes.indexOf(0) < 500);
  });

  it('finds none in the readers', () => {
    const { status, stdout, stderr } = fuzz(
      '0.1',
      '--only',
      'tiff,dicom,png,stack,recording,cascade,landmarks,journal,protocol,header,truth',
    );
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^tiff +\d{3,}/m);
  });

  it('says what it does not know', () => {
    const { status, stderr } = fuzz('1', '--only', 'jpeg');
    assert.equal(status, 1);
    assert.match(stderr, /There is no target jpeg; take some of tiff/);
  });
});
