// The reader of tables in Python, where Python and pandas are installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { writeTables } from './tables.mjs';

const python = (code, ...args) => spawnSync('python3', ['-c', code, ...args], { encoding: 'utf8' });
const missing = python('import pandas').status !== 0 && 'no Python with pandas';
const script = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from foveola import read_table
found = []
for name in ["alone.csv", "both.csv", "both.json"]:
    table = read_table(sys.argv[2] + "/" + name)
    diameter = table["diameter" if name.endswith("json") else "diameter_px"]
    found.append([len(table), diameter.mean(), int(diameter.isna().sum()), len(table.attrs.get("events", []))])
print(json.dumps(found))
`;

describe('the tables in pandas', { skip: missing }, () => {
  let folder;
  before(async () => (folder = await writeTables()));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('have the rows, empty values and events of the export', () => {
    const { stdout, stderr } = python(script, fileURLToPath(new URL('..', import.meta.url)), folder);
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), [
      [5, 52, 1, 0],
      [5, 52, 1, 1],
      [5, 52, 1, 1],
    ]);
  });
});
