// The records of the object tracker: fields in TypeScript as the kernels declare them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';
import { filesBelow } from '../../tools/fingerprint.mjs';

describe('the records of the object tracker', () => {
  it('have the fields of the kernels, each on a multiple of its size', async () => {
    const records = await importTs('src/objects/records.ts');
    const declared = new Map();
    for (const file of filesBelow(root, ['assembly/objects'], (name) => name.endsWith('.ts'))) {
      const text = readFileSync(path.join(root, file), 'utf8');
      for (const [, name, body] of text.matchAll(/@unmanaged\s+export class (\w+) \{\n([^}]+)\}/g))
        declared.set(
          name,
          Array.from(body.matchAll(/^ {2}(\w+): (\w+);/gm), ([, field, type]) => [field, type]),
        );
    }
    const names = Object.keys(records);
    assert.ok(names.length >= 12);
    for (const exported of names) {
      const name = exported[0].toUpperCase() + exported.slice(1, -'Record'.length);
      const { fields, bytes } = records[exported];
      assert.deepEqual(
        [...fields].map(([field, { type }]) => [field, type]),
        declared.get(name),
        name,
      );
      let end = 0;
      for (const [, { type, offset }] of fields) {
        const size = type === 'f64' ? 8 : 4;
        assert.ok(offset % size === 0 && offset >= end && offset - end < size, `${name}: ${offset}`);
        end = offset + size;
      }
      assert.equal(bytes, end);
    }
  });

  it('that stand in lists are as long as their largest field allows', async () => {
    const { candidateRecord, detectionRecord, groupRecord, sightRecord, beliefRecord } =
      await importTs('src/objects/records.ts');
    for (const { bytes } of [candidateRecord, detectionRecord, groupRecord, sightRecord, beliefRecord])
      assert.equal(bytes % 8, 0);
  });
});
