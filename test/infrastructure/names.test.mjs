import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { names, violations } from '../../tools/check-names.mjs';

describe('one name for one capability', () => {
  it('names belong to a file or folder of src/, by whole words', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
    const make = (file) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), '');
    };
    try {
      const good = [
        'assembly/image/median-5.ts',
        'assembly/image/median/kernel.ts',
        'assembly/image/hessian-taps.ts',
        'glsl/image/median.frag',
        'test/image/median.test.ts',
        'test/image/golden.test.ts',
        'test/reference/median.ts',
        'test/reference/image-median.ts',
      ];
      const bad = [
        'assembly/image/mean.ts',
        'assembly/image/median3.ts',
        'glsl/image/mean.frag',
        'test/image/mean.test.ts',
        'test/reference/mean.ts',
      ];
      for (const file of ['src/image/median.gpu.ts', 'src/image/hessian/index.ts', ...good, ...bad]) make(file);
      assert.deepEqual(
        Object.values(names(folder)).flatMap(({ misnamed }) => misnamed),
        bad,
      );
      assert.deepEqual(violations(folder, bad), []);
      assert.equal(violations(folder, bad.slice(1)).length, 1, 'a new one is reported');
      assert.equal(violations(folder, [...bad, good[0]]).length, 1, 'the list may hold nothing that is named well');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
