// docs/model-cards.md has a row for each shipped model, with the hash of the file that is shipped.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { hashOf, modelCards } from '../../tools/release-files.mjs';
import { root } from '../../tools/setup.mjs';

const at = (...parts) => path.join(root, ...parts);

describe('the model cards', () => {
  const cards = modelCards();
  const models = readdirSync(at('models')).map((file) => path.parse(file).name);

  it('name each model once', () => assert.deepEqual(cards.map(({ name }) => name).sort(), models.sort()));

  for (const { name, size, hash, data, license, seed } of cards)
    it(`have the hash, data, license and seed of ${name}`, () => {
      const file = at('models', `${name}.bin`);
      assert.deepEqual({ size, hash }, { size: statSync(file).size, hash: hashOf(file) });
      const shipped = at('dist/models', `${name}.bin`);
      if (existsSync(shipped)) assert.equal(hashOf(shipped), hash, shipped);
      for (const text of [data, license, seed]) assert.ok(text.length > 0);
      const bytes = readFileSync(file);
      const notice = bytes.subarray(20, 20 + bytes.readUInt32LE(8)).toString();
      if (/ICT Face Model|USC Institute/.test(notice)) assert.match(license, /MIT/);
      if (/CC BY 4\.0/.test(notice)) assert.match(license, /CC BY/);
      if (/Intel License/.test(notice)) assert.match(license, /Intel/);
    });
});
