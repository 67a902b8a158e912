// A call takes what it is given as it is when it is called, and with `transfer: true` it takes it over.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

const library = await importTs('src/index.ts');
const node = await importTs('src/node/index.ts');
const { bothWays, scene, snapshotCases } = await importTs('test/runtime/snapshot-cases.ts');

const homes = {
  "the caller's thread": () => library.createEngine({ backend: 'wasm' }),
  'foveola/node': () => node.createEngine({ threads: 1 }),
};

for (const [home, open] of Object.entries(homes))
  describe(`what is given to a call, on ${home}`, () => {
    for (const one of snapshotCases)
      it(`is copied: ${one.name}`, async () => {
        const engine = await open();
        try {
          const [expected, found] = await bothWays(engine, one);
          assert.deepEqual(found, expected);
        } finally {
          await engine.dispose();
        }
      });

    it('is given away with transfer: true', async () => {
      const engine = await open();
      try {
        const expected = await engine.gaussian(scene());
        const image = scene();
        const running = engine.gaussian(image, { transfer: true });
        assert.equal(image.data.length, 0, 'at once');
        assert.deepEqual(await running, expected);

        const twice = scene();
        const { valid } = await engine.opticalFlow(twice, twice, { transfer: true, levels: 1 });
        assert.equal(twice.data.length, 0);
        assert.equal(valid.length, 64 * 48);

        const tracker = engine.createPupilTracker();
        const frame = scene();
        const tracking = tracker.process(frame, { transfer: true, timestamp: 1 });
        assert.equal(frame.data.length, 0);
        assert.equal((await tracking).pupils.length, 1);

        const chained = scene();
        await engine.chain(chained).gaussian().canny().result({ transfer: true });
        assert.equal(chained.data.length, 0);
      } finally {
        await engine.dispose();
      }
    });

    it('stays where a call with transfer: true is refused', async () => {
      const engine = await open();
      try {
        const image = scene();
        const shared = { ...image, data: new Uint8Array(new SharedArrayBuffer(64 * 48)) };
        await assert.rejects(engine.gaussian(image, { transfer: true, sigma: -1 }), { code: 'invalid-argument' });
        await assert.rejects(engine.gaussian(image, { transfer: 'yes' }), { code: 'invalid-argument' });
        await assert.rejects(engine.opticalFlow(image, shared, { transfer: true }), {
          code: 'invalid-argument',
          message: /omit transfer/i,
        });
        assert.equal(image.data.length, 64 * 48);
        const { data } = await engine.gaussian(shared);
        assert.equal(data.length, 64 * 48);
        const gone = scene();
        await engine.gaussian(gone, { transfer: true });
        await assert.rejects(engine.gaussian(gone), { code: 'invalid-argument', message: /needs 3072 bytes of data/ });
      } finally {
        await engine.dispose();
      }
    });
  });

describe('the engine without promises', () => {
  it('refuses transfer: true, since it copies at once', async () => {
    const engine = await library.createEngineSync();
    assert.throws(() => engine.gaussian(scene(), { transfer: true }), { code: 'invalid-argument' });
    engine.dispose();
  });
});
