// Pages whose libraries have replaced built-ins: one clear error at the engine's start, whatever was replaced.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { libraries, replaced } from '../support/replaced-built-ins.mjs';

const { createEngine, createEngineSync, sharedEngine } = await importTs('src/index.ts');

describe('replaced built-ins', () => {
  let restore = () => {};
  afterEach(() => restore());

  for (const [name, replacement] of Object.entries(replaced))
    it(`says that ${name} is replaced, and starts without it`, async () => {
      restore = replacement();
      const errors = [];
      for (const open of [createEngine, createEngineSync, () => sharedEngine().engine])
        errors.push(await open().then(() => null, (error) => error)); // prettier-ignore
      restore();
      for (const error of errors) {
        assert.equal(error?.code, 'built-in-replaced', name);
        assert.ok(error.message.includes(name.replace(/ .*/, '')), error.message);
      }
      await (await createEngine()).dispose();
    });

  for (const [name, load] of Object.entries(libraries))
    it(`names ${name}`, async () => {
      restore = load();
      const error = await createEngine().catch((reason) => reason);
      restore();
      assert.equal(error.code, 'built-in-replaced');
      assert.match(error.message, new RegExp(`Array\\.from.* by ${name}`));
    });
});
