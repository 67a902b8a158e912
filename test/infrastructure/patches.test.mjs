// Patches of packages: they fit what is installed, change what they say, and are refused elsewhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { hunksOf, patched, patchedModule } from '../../tools/patches.mjs';
import { root } from '../../tools/setup.mjs';

const diff = `--- a/list.js
+++ b/list.js
@@ -1,3 +1,4 @@
 one
-two
+two and a half
+two and three quarters
 three
@@ -9,2 +10,1 @@
 nine
-ten
`;
const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

describe('patches', () => {
  it('are applied where they fit, and nowhere else', () => {
    const hunks = hunksOf(diff)['list.js'];
    const wanted = ['one', 'two and a half', 'two and three quarters', ...lines.slice(2, 9)];
    assert.equal(patched(lines.join('\n'), hunks, 'list.js'), wanted.join('\n'));
    for (const other of [['zero', ...lines], lines.with(8, 'neun'), lines.slice(0, 5)])
      assert.throws(() => patched(other.join('\n'), hunks, 'list.js'), /does not fit at line \d/);
  });

  it('of the demuxer fit the version that is installed', () => {
    const files = hunksOf(readFileSync(path.join(root, 'patches/mediabunny-1.61.0.patch'), 'utf8'));
    assert.ok(Object.keys(files).length >= 5);
    for (const file of Object.keys(files)) {
      const id = path.join(root, 'node_modules/mediabunny', file);
      const text = readFileSync(id, 'utf8');
      assert.notEqual(patchedModule(id, text), text, file);
      assert.equal(patchedModule(path.join(root, file), text), null, 'of other packages nothing');
    }
  });
});
