// `foveola/node` has everything of `foveola` and `foveola/reports`.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

describe('foveola/node', () => {
  it('has every export of foveola and of its reports', async () => {
    const [node, page, reports] = await Promise.all(
      ['src/node/index.ts', 'src/index.ts', 'src/reports/index.ts'].map(importTs),
    );
    for (const name of ['createReport', 'toFhir', 'toDicomSeg', 'toDicomSr', 'toBids', 'toHtml', 'readJournal'])
      assert.equal(typeof node[name], 'function', name);
    const missing = [...Object.keys(page), ...Object.keys(reports)].filter((name) => node[name] === undefined);
    assert.deepEqual(missing, []);
    assert.ok(Object.keys(page).length > 100);
  });
});
