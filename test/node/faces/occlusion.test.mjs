// Ids of faces that are covered for two seconds, that cross, and that leave for good, in scenes whose truth is known.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { endsOf, happenings, heads, play } from '../../support/face-scenes.mjs';
import { itKept } from '../../support/full.mjs';
import { library, modelFile } from './support.mjs';

/** Some of them: `npm run lab -- tracker faces` plays all, also without landmarks. */
const played = [
  'covered for two seconds',
  'covered for two seconds while it moves on',
  'two that cross, the other one in front',
  'one behind the other, who leaves for good',
  'one leaves, another takes the place',
];

describe('ids of faces', () => {
  let engine;
  let own;
  before(async () => {
    engine = await library.createEngine();
    own = await heads();
  });
  after(() => engine.dispose());

  for (const name of played)
    itKept(/^covered for two seconds$|cross/.test(name))(`stay with whom they belong to: ${name}`, async () => {
      const happening = happenings[name];
      const tracker = await engine.createFaceTracker({ model: modelFile('landmarks-68.bin') });
      const { ids, stray } = await play(tracker, own, happening);
      await tracker.dispose();
      const count = happening.at(0).length;
      const shown = ids.map((frame) => frame.join('/')).join(' ');
      const had = Array.from({ length: count }, (_, k) => endsOf(ids, k));
      for (const [first, last] of had) {
        assert.ok(first !== null, shown);
        assert.equal(last, first, shown);
      }
      assert.equal(new Set(had.map(([first]) => first)).size, count, shown);
      assert.ok(stray <= 6, `${stray} boxes on no head: ${shown}`);
    });
});
