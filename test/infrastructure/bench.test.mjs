import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { benches, table } from '../../bench/run.mjs';
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
