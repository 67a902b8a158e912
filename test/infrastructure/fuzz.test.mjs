// Full run only: it runs programs of the project for many seconds.
// `npm run fuzz`: finds a fault, makes it small, and gives the same trials again.
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

  it('finds a fault, and keeps it with as few changes as fail', () => {
    const { status, stdout } = fuzz('0.03', '--only', 'self', '--seed', '5');
    assert.equal(status, 1);
    const [, number, file] = /self (\d+): TypeError : a 0\n {2}(build\/fuzz\/self-5-\d+\.bin), 1 changes/.exec(stdout);
    assert.ok(Number(number) >= 0);
    const bytes = readFileSync(path.join(root, file));
    assert.ok(bytes.indexOf(0) >= 0 && bytes.indexOf(0) < 500);
  });

  it('says what it does not know', () => {
    const { status, stderr } = fuzz('1', '--only', 'jpeg');
    assert.equal(status, 1);
    assert.match(stderr, /There is no target jpeg; take some of tiff/);
  });
});
