// tools/mutations: a change that no longer fits the sources is one that nobody runs.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { mutations } from '../../tools/mutations.mjs';
import { root } from '../../tools/setup.mjs';

describe('the changes of npm run mutate', () => {
  it('each stand once in the sources as they are, and change something', () => {
    const wrong = mutations.flatMap(({ file, from, to }) => {
      const text = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
      const places = text.split(from).length - 1;
      return places === 1 && from !== to ? [] : [`${file}: ${from} (found ${places} times)`];
    });
    assert.deepEqual(wrong, []);
  });

  it('are at least 60, ten of each capability, and name tests that are there', () => {
    assert.ok(mutations.length >= 60);
    for (const capability of new Set(mutations.map((one) => one.capability)))
      assert.ok(mutations.filter((one) => one.capability === capability).length >= 10, capability);
    const missing = mutations.flatMap(({ file, tests }) => {
      if (!tests.length) return [`${file}: none`];
      return tests
        .map((test) => test.split(' # ')[0])
        .filter((test) => !test.startsWith('parity ') && !existsSync(path.join(root, test)));
    });
    assert.deepEqual(missing, []);
  });
});
