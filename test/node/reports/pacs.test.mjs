// Full run only: it starts other programs.
// Source, SEG and SR in a PACS, by the means of `npm run lab -- pacs reports`. Skipped without its Debian packages.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { missing } from '../../../lab/reports/parts/archive.mjs';
import { checkTriples } from '../../../lab/reports/pacs.mjs';

const absent = missing();
const skip = absent.length ? `not installed: ${absent.join(', ')}` : false;

it('files source, SEG and SR of every kind of header in one patient and one study', { skip }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-triples-'));
  try {
    const { together, errors, apart, source, rows } = await checkTriples(4, folder, null);
    assert.equal(together, 4, JSON.stringify(rows));
    assert.deepEqual([errors, apart, source], [[], [], []]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
