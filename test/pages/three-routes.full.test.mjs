// Each recording of test/media/routes through playback, every frame in the page, and Node: equal to the last byte of every gray
// plane, or refused alike, or different as support/recording-rows.mjs says.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/setup.mjs';
import { verdict } from '../support/recording-rows.mjs';
import { openThreeRoutes } from '../support/three-routes.mjs';

const folder = path.join(root, 'test/media/routes');
const names = readdirSync(folder).sort();
const AT_ONCE = 3;

describe('one recording, three routes, one answer', () => {
  let routes;
  before(async () => (routes = await openThreeRoutes()));
  after(() => routes?.close());

  it('has enough kinds', () => assert.ok(names.length >= 40, `${names.length}`));

  it('agrees or refuses alike', { timeout: 600_000 }, async () => {
    const faults = [];
    const kinds = {};
    let next = 0;
    const work = async () => {
      while (next < names.length) {
        const name = names[next++];
        const { kind, faults: found } = verdict(name, await routes.of(path.join(folder, name)));
        kinds[kind] = (kinds[kind] ?? 0) + Number(!found.length);
        faults.push(...found.map((text) => `${name}: ${text}`));
        if (found.length) kinds.wrong = (kinds.wrong ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const good = names.length - (kinds.wrong ?? 0);
    const list = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
    console.log(`${good} of ${names.length} files agree or refuse alike: ${list.join(', ')}`);
    assert.deepEqual(faults, []);
  });
});
