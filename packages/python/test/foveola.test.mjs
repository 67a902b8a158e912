// The reader of tables in Python, where Python and pandas are installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { openAsItIs, writeTables } from './tables.mjs';

const python = (code, ...args) => spawnSync('python3', ['-c', code, ...args], { encoding: 'utf8' });
const missing = python('import pandas').status !== 0 && 'no Python with pandas';
const script = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from foveola import read_table
found = []
for name in ["alone.csv", "comments.csv", "both.csv", "both.json", "beside.csv"]:
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
      [5, 52, 1, 0],
      [5, 52, 1, 1],
      [5, 52, 1, 1],
      [5, 52, 1, 1],
    ]);
  });

  it('opens in pandas.read_csv as it is', () => {
    const plain = `
import sys, pandas as pd
t = pd.read_csv(sys.argv[1])
print(len(t), t["diameter_px"].mean(), list(t.columns)[:2], t["marker"].dropna().tolist())`;
    const { stdout, stderr } = python(plain, path.join(folder, openAsItIs));
    assert.equal(stderr, '');
    assert.equal(stdout.trim(), "5 52.0 ['filename', 'timestamp_ms'] ['word, color']");
  });
});

describe('the table without any package', () => {
  let folder;
  before(async () => (folder = await writeTables()));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is strict CSV that begins with its column names', async () => {
    const { strictRows } = await importTs('test/support/strict-csv.ts');
    const rows = strictRows(readFileSync(path.join(folder, openAsItIs), 'utf8'));
    assert.equal(rows.length, 6);
    assert.deepEqual(rows[0].slice(0, 2), ['filename', 'timestamp_ms']);
  });

  it("opens in Python's csv module as it is", { skip: python('').status !== 0 && 'no Python' }, () => {
    const code = 'import csv, sys; rows = list(csv.DictReader(open(sys.argv[1], newline="")));' +
      'print(len(rows), rows[1]["diameter_px"], rows[1]["marker"])'; // prettier-ignore
    const { stdout, stderr } = python(code, path.join(folder, openAsItIs));
    assert.equal(stderr, '');
    assert.equal(stdout.trim(), '5 51 word, color');
  });
});
