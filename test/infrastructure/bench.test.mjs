import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { benches, table } from '../../bench/run.mjs';
import { readLog } from '../../bench/parts/kept-result.mjs';
import { openSides } from '../../bench/objects/parts/sides.mjs';
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
