// The hazards that docs/reliability.md lists: each has a control, and the test that it names is there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

const text = readFileSync(path.join(root, 'docs/reliability.md'), 'utf8');
const section = text.slice(text.indexOf('\n## Hazards\n'), text.indexOf('\n## Memory\n'));
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the limit of a low confidence', () => {
  it('is the same in the code and in the docs', async () => {
    const { qualityLimits } = await importTs('src/protocols/recording-quality.ts');
    const [, written] = /confidence below ([\d.]+) \(`qualityLimits\.confidence`/.exec(
      readFileSync(path.join(root, 'docs/data-format.md'), 'utf8'),
    );
    assert.equal(Number(written), qualityLimits.confidence);
  });
});

describe('the page of error codes', () => {
  it('has a cause, a fix and an example for each code, and no other', async () => {
    const { errorCodes } = await importTs('src/runtime/error.ts');
    const page = readFileSync(path.join(root, 'docs/errors.md'), 'utf8');
    const sections = page.split(/^### /m).slice(1);
    assert.deepEqual(sections.map((section) => section.split('\n')[0]).sort(), [...errorCodes].sort());
    for (const section of sections)
      for (const part of ['**Cause:** ', '**Fix:** ', '**Example:** ']) assert.ok(section.includes(part), section);
  });
});

describe('the list of hazards', () => {
  it('is a list', () => {
    assert.ok(rows.length >= 15, `${rows.length} hazards`);
    assert.equal(new Set(rows.map(([hazard]) => hazard)).size, rows.length);
  });

  for (const [hazard, cause, control, proof] of rows)
    it(`has a control and a test: ${hazard}`, () => {
      assert.ok(cause && control);
      const [, file, name] = /^`(test\/[^`]+)`: (.+)$/.exec(proof) ?? [];
      assert.ok(file && existsSync(path.join(root, file)), proof);
      const tests = readFileSync(path.join(root, file), 'utf8');
      // Names of tests that are made in a loop begin with what differs.
      const heard = [...tests.matchAll(/\b(?:it|describe)\(\s*(['"`])(.*?)\1/g)].map(([, , title]) => title);
      assert.ok(
        heard.some((title) => title === name || title.endsWith(` ${name}`)),
        `${file} has no test '${name}'`,
      );
    });
});
