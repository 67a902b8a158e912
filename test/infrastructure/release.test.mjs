// npm run release: which version follows which, and what becomes of the changelog.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { follows, released } from '../../tools/release.mjs';
import { root } from '../../tools/setup.mjs';

describe('a release', () => {
  it('follows the version before it, one place higher', () => {
    for (const next of ['0.1.1', '0.2.0', '1.0.0']) assert.ok(follows('0.1.0', next), next);
    for (const next of ['0.1.0', '0.1.2', '0.2.1', '2.0.0', '0.0.9', '1', 'v0.2.0', '0.2.0-beta', ''])
      assert.ok(!follows('0.1.0', next), next);
    assert.ok(follows('1.4.9', '1.5.0') && !follows('1.4.9', '1.5.9'));
  });

  it('moves what is unreleased under its version, and wants something there', () => {
    const log = (entries) => `# Changelog\n\n## Unreleased\n${entries}\n## 0.1.0\n\n- old\n`;
    const moved = released(log('\n- new\n'), '0.2.0', '2026-01-02');
    assert.match(moved, /## Unreleased\n\n## 0\.2\.0 \(2026-01-02\)\n\n- new\n\n## 0\.1\.0\n\n- old/);
    assert.equal(released(log(''), '0.2.0', '2026-01-02'), null);
  });

  it('is cited by its version and license', () => {
    const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const citation = readFileSync(path.join(root, 'CITATION.cff'), 'utf8');
    assert.match(citation, new RegExp(`^version: ${version}$`, 'm'));
    assert.match(citation, new RegExp(`^license: ${license}$`, 'm'));
  });
});
