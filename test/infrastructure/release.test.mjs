// npm run release: the next version, the files that it changes and writes; and changes of the public interface.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { removedLines, unannounced } from '../../tools/check-api.mjs';
import { leastStep, released, setVersion, stepOf } from '../../tools/release.mjs';
import { billOfMaterials, releaseNotes } from '../../tools/release-files.mjs';
import { root } from '../../tools/setup.mjs';

const text = (...parts) => readFileSync(path.join(root, ...parts), 'utf8');
const { version } = JSON.parse(text('package.json'));

describe('a release', () => {
  it('follows the version before it, one place higher', () => {
    assert.deepEqual(['0.1.1', '0.2.0', '1.0.0'].map((next) => stepOf('0.1.0', next)), ['patch', 'minor', 'major']); // prettier-ignore
    for (const next of ['0.1.0', '0.1.2', '0.2.1', '2.0.0', '0.0.9', '1', 'v0.2.0', '0.2.0-beta', ''])
      assert.equal(stepOf('0.1.0', next), null, next);
    assert.equal(stepOf('1.4.9', '1.5.0'), 'minor');
    assert.equal(stepOf('1.4.9', '1.5.9'), null);
  });

  it('takes the step that its changes of the interface need', () => {
    const [nothing, more, less] = [[], ['a'], ['a']];
    assert.equal(leastStep('0.4.0', { removed: less, added: nothing }), 'minor');
    assert.equal(leastStep('0.4.0', { removed: nothing, added: more }), 'patch');
    assert.equal(leastStep('1.4.0', { removed: less, added: more }), 'major');
    assert.equal(leastStep('1.4.0', { removed: nothing, added: more }), 'minor');
    assert.equal(leastStep('1.4.0', { removed: nothing, added: nothing }), 'patch');
  });

  it('moves what is unreleased under its version, and wants something there', () => {
    const log = (entries) => `# Changelog\n\n## Unreleased\n${entries}\n## 0.1.0\n\n- old\n`;
    const moved = released(log('\n- new\n'), '0.2.0', '2026-01-02');
    assert.match(moved, /## Unreleased\n\n## 0\.2\.0 \(2026-01-02\)\n\n- new\n\n## 0\.1\.0\n\n- old/);
    assert.equal(released(log(''), '0.2.0', '2026-01-02'), null);
  });

  it('has its version in every file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'foveola-version-'));
    const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'CITATION.cff', 'src/results/version.ts', 'packages/jspsych/package.json']; // prettier-ignore
    for (const file of files) cpSync(path.join(root, file), path.join(folder, file));
    const changelog = path.join(folder, 'CHANGELOG.md'); // nothing is unreleased directly after a release
    writeFileSync(changelog, text('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- new\n'));
    setVersion(folder, version, '7.8.0', '2026-01-02');
    const json = (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    assert.deepEqual(['package.json', 'package-lock.json', 'packages/jspsych/package.json'].map((file) => json(file).version), ['7.8.0', '7.8.0', '7.8.0']); // prettier-ignore
    assert.equal(json('package-lock.json').packages[''].version, '7.8.0');
    assert.equal(json('packages/jspsych/package.json').peerDependencies.foveola, '7.8.x');
    assert.match(readFileSync(path.join(folder, 'src/results/version.ts'), 'utf8'), /'7\.8\.0'/);
    assert.match(
      readFileSync(path.join(folder, 'CITATION.cff'), 'utf8'),
      /^version: 7\.8\.0\ndate-released: 2026-01-02$/m,
    );
    assert.throws(() => setVersion(folder, '7.8.0', '7.8.1', '2026-01-03'), /CHANGELOG\.md/, 'nothing is unreleased');
    rmSync(folder, { recursive: true, force: true });
  });

  it('is cited by its version and license', () => {
    const { license } = JSON.parse(text('package.json'));
    assert.match(text('CITATION.cff'), new RegExp(`^version: ${version}$`, 'm'));
    assert.match(text('CITATION.cff'), new RegExp(`^license: ${license}$`, 'm'));
  });

  it('is published by a workflow without a token', () => {
    const workflow = text('.github/workflows/release.yml');
    assert.match(workflow, /^ {6}id-token: write/m);
    assert.match(workflow, /node-version: 22$/m);
    assert.match(workflow, /npm run release -- --publish$/m);
    assert.doesNotMatch(workflow, /secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
  });
});

describe('the notes of a release', () => {
  it('have changes, sizes, checks and models', () => {
    const notes = releaseNotes({
      version: '0.2.0',
      changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-01-02)\n\n### Added\n\n- new\n\n## 0.1.0\n\n- old\n',
      sizes: { 'a.cdn.js': 107_421 },
      budgets: { 'a.cdn.js': 115_000 },
      results: [['npm test', '12 passed, 0 failed']],
      models: [{ name: 'faces', size: 5, hash: 'abc' }],
      changes: { removed: [{ owner: 'Engine', line: '  canny(): void;' }], added: [] },
    });
    assert.match(notes, /^## Added\n\n- new\n\n/);
    assert.doesNotMatch(notes, /- old/);
    assert.match(notes, /\| a\.cdn\.js \| 107\.4 \| 115\.0 \|/);
    assert.match(notes, /\| `npm test` \| 12 passed, 0 failed \|/);
    assert.match(notes, /\[faces\]\(https:.*\/foveola@0\.2\.0\/dist\/models\/faces\.bin\) \| 5 \| abc \|/);
    assert.match(notes, /removed or changed lines: `Engine`\n/);
  });

  it('have a bill of what a user gets, not of the tools', () => {
    const one = (name, development) => ({
      ...{ 'bom-ref': `${name}@1`, type: 'library', name },
      properties: development ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
    });
    const sbom = {
      metadata: { component: { 'bom-ref': 'foveola@1' } },
      components: [one('lit'), one('inside-lit'), one('bundled', true), one('tool', true)],
      dependencies: [
        { ref: 'foveola@1', dependsOn: ['lit@1', 'bundled@1', 'tool@1'] },
        { ref: 'lit@1', dependsOn: ['inside-lit@1'] },
        { ref: 'inside-lit@1', dependsOn: [] },
        { ref: 'bundled@1', dependsOn: ['tool@1'] },
        { ref: 'tool@1', dependsOn: [] },
      ],
    };
    const { components, dependencies } = billOfMaterials(
      sbom,
      ['bundled@1'],
      [{ name: 'faces', hash: 'abc', license: 'MIT' }],
    );
    assert.deepEqual(components.map(({ name }) => name), ['lit', 'inside-lit', 'bundled', 'faces']); // prettier-ignore
    assert.deepEqual(components.at(-1).hashes, [{ alg: 'SHA-256', content: 'abc' }]);
    assert.deepEqual(dependencies.find(({ ref }) => ref === 'bundled@1').dependsOn, []);
  });
});

describe('a change of the public interface', () => {
  const before =
    '# dist/a.d.ts\n  A\n  b\n\ninterface A {\n    one: string;\n    two?: number;\n}\n\ndeclare function b(): void;\n';

  it('is found by the name of its declaration', () => {
    const after = before.replace('one: string', 'one: number').replace('b(): void', 'b(all: boolean): void');
    assert.deepEqual(removedLines(before, after), [
      { owner: 'A', line: '    one: string;' },
      { owner: 'b', line: 'declare function b(): void;' },
    ]);
    assert.deepEqual(removedLines(before, before.replace('    two', '    more?: string;\n    two')), []);
  });

  it('must be announced if something is removed', () => {
    const removed = removedLines(before, before.replace('    one: string;\n', ''));
    assert.equal(unannounced(removed, ['Something else.']).length, 1);
    for (const text of ['`A` has changed.', '`one` is gone.']) assert.deepEqual(unannounced(removed, [text]), []);
  });
});
