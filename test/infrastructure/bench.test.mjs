// Full run only: it runs programs of the project for many seconds.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { benches, table } from '../../bench/run.mjs';
import { readLog } from '../../bench/parts/kept-result.mjs';
import { ratioInterval, sharesIn } from '../../lab/faces/tones.mjs';
import { generator } from '../../tools/random.mjs';
import { openSides } from '../../lab/objects/parts/sides.mjs';
import { bundleForPage, importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

describe('benchmarks', () => {
  it('have one name each, a file and a line that says what they print', () => {
    const all = benches();
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
    for (const { file, about } of all) {
      assert.ok(existsSync(path.join(root, file)), file);
      assert.ok(about.length > 10, file);
    }
  });

  it('run from the command line', () => {
    const env = { ...process.env, FOVEOLA_SHARED: path.join(root, 'no-such-folder') };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.mjs', 'speed', 'faces'], {
      cwd: root,
      env,
    });
    assert.equal(status, 0, String(stderr));
    assert.match(String(stdout), /needs .*data\/faces/);
  });

  it('print aligned tables', () => {
    assert.equal(
      table([
        ['set', 'ms'],
        ['a', 1.23456],
        ['long', 12],
      ]),
      'set     ms\n----  ----\na     1.23\nlong    12',
    );
  });
});

describe('results of pages that measure', () => {
  it('are the last JSON of a log, or what was reported on the way', () => {
    assert.deepEqual(readLog('console: 1 s a {"b":1}\n{"whole":2}\n'), { whole: 2 });
    assert.deepEqual(readLog('console: 1 s a, b {"c":1}\nconsole: a {"d":2}\ntimeout\n'), {
      'a, b': { c: 1 },
      a: { d: 2 },
    });
  });
});

describe('errors by skin tone', () => {
  it('have the interval of their ratio from faces drawn again', () => {
    const group = (level, spread) => Array.from({ length: 40 }, (_, i) => level + spread * ((i % 5) - 2));
    assert.deepEqual(ratioInterval([group(1, 0), group(1.5, 0), group(1.2, 0)], generator(1)), [1.5, 1.5]);
    const [low, high] = ratioInterval([group(1, 0.3), group(1.5, 0.3)], generator(1));
    assert.ok(low > 1.2 && low < 1.5 && high > 1.5 && high < 1.9, `${low} to ${high}`);
  });

  it('are compared after levels are equalized in the box, whatever lies beside it', () => {
    const data = Uint8Array.from([9, 9, 9, 9, 9, 40, 80, 9, 9, 80, 200, 9, 9, 9, 9, 9]);
    const shares = sharesIn({ width: 4, height: 4, data }, { x: 1, y: 1, width: 2, height: 2 });
    assert.deepEqual(
      [9, 39, 40, 80, 199, 200, 255].map((level) => shares[level]),
      [0, 0, 0.25, 0.75, 0.75, 1, 1],
    );
  });
});

describe('the scalar baseline of the object tracker', () => {
  // A textured square over a wavy ground.
  const frameAt = (t) =>
    Uint8Array.from({ length: 160 * 120 }, (_, i) => {
      const [x, y] = [i % 160, Math.floor(i / 160)];
      const [u, v] = [x - 40 - 2 * t, y - 30 - t];
      if (u >= 0 && u < 40 && v >= 0 && v < 36) return 60 + 90 * (Math.floor(u / 7) % 2) + 45 * (Math.floor(v / 5) % 2);
      return 120 + 40 * Math.sin(x / 9) * Math.cos(y / 7);
    });

  it('gives what one thread and two give', async () => {
    const sides = await openSides({ root, importTs, bundleForPage });
    const frames = Array.from({ length: 6 }, (_, t) => frameAt(t));
    const clip = { name: 'square', width: 160, height: 120, box: { x: 40, y: 30, width: 40, height: 36 }, frames };
    const runs = [];
    for (const side of ['scalar', 'one', 'two'])
      runs.push(await sides.runClip(sides[side], clip, { frames: 8, params: { variant: 'paper' } }));
    sides.dispose();
    assert.ok(runs[0].found >= 6, `found in ${runs[0].found} of 8`);
    assert.deepEqual(new Set(runs.map(({ digest }) => digest)).size, 1);
  });
});

describe('TypeScript in Node and in bench pages', () => {
  it('is bundled with its shaders', async () => {
    const module = await importTs('test/infrastructure/bundled.ts');
    assert.match(module.shader, /^#version 300 es\nprecision highp float;\nfloat half_/);
    assert.equal(module.here, new URL('bundled.ts', import.meta.url).href);
    assert.equal(await importTs('test/infrastructure/bundled.ts'), module);
  });

  it('becomes a script that sets one name', async () => {
    const text = await bundleForPage('test/infrastructure/bundled.ts', { name: 'probe' });
    assert.match(text, /^"use strict";\nvar probe =/);
    assert.match(text, /location\.origin \+ "\/dist\/foveola\.js"/);
  });

  it('names the file of a syntax or import error', async () => {
    await assert.rejects(importTs('test/infrastructure/not-there.ts'), /not-there\.ts/);
  });
});
