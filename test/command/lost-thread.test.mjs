// Full run only: a browser or processes for each test.
// The engine of foveola/node when a helper thread ends: calls are answered or say why not, and it starts again.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { disc, library } from './support.mjs';

describe('a helper thread in Node', () => {
  const threads = createRequire(import.meta.url)('node:worker_threads');
  const { Worker } = threads;
  let node;
  let engine;
  /** Helpers that were started. */
  const helpers = [];
  before(async () => {
    threads.Worker = class extends Worker {
      constructor(script, options) {
        super(script, options);
        this.start = options.workerData;
        helpers.push(this);
      }
    };
    syncBuiltinESMExports();
    node = await library();
  });
  after(() => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  });
  const picture = (x = 80) => {
    const [width, height] = [160, 120];
    return { width, height, data: disc(width, height, x, 60, 20).subarray(0, width * height) };
  };
  const large = { width: 1600, height: 1200, data: new Uint8Array(1600 * 1200).map((_, i) => (i * 7919) >> 5) };

  it('that ends: calls under way say so, and the engine starts again with what it knew', async () => {
    engine = await node.createEngine({ threads: 2 });
    const tracker = engine.createPupilTracker({ method: 'robust' });
    const before = await tracker.process(picture(), { timestamp: 0 });
    const wanted = await engine.canny(picture(), { sigma: 1 });
    const kept = await engine.load(picture());
    const [first] = helpers;
    const pending = engine.inpaint(large, { ...large, data: large.data.map((_, i) => (i % 1600 < 40 ? 255 : 0)) });
    const heard = assert.rejects(pending, (error) => {
      assert.match(error.message, /a helper thread failed: it ended with 1\. .*Call again/);
      return error.code === 'worker-lost';
    });
    await first.terminate();
    await heard;
    assert.deepEqual(await engine.canny(picture(), { sigma: 1 }), wanted);
    assert.equal(helpers.length, 2);
    assert.match(engine.capabilities.reasons.join(' '), /started again \(1 times so far\)/);
    const { restarted, ...again } = await tracker.process(picture(), { timestamp: 40 });
    assert.equal(restarted, true);
    assert.equal(again.pupils[0].found, before.pupils[0].found);
    assert.ok(Math.abs(again.pupils[0].x - 80) < 1);
    assert.equal((await tracker.process(picture(81), { timestamp: 80 })).restarted, undefined);
    await assert.rejects(engine.canny(kept), (error) => error.name === 'FoveolaError' && error.code !== 'internal');
    await engine.dispose();
  });

  it('that crashes does not take the process with it; three times within a minute stop the engine', async () => {
    engine = await node.createEngine({ threads: 2 });
    for (let death = 0; death < 3; death++) {
      helpers.at(-1).emit('error', new Error('out of memory'));
      await setImmediate(); // what is asked before the engine knows is answered by the one that ends
      if (death < 2) assert.equal((await engine.canny(picture())).width, 160);
    }
    await assert.rejects(engine.canny(picture()), { name: 'FoveolaError', code: 'engine-stopped' });
    await engine.dispose();
    const other = await node.createEngine({ threads: 2 });
    assert.equal((await other.canny(picture())).width, 160);
    await other.dispose();
  });

  it('that dies in the middle of a job fails that call alone', async () => {
    engine = await node.createEngine({ threads: 2 });
    await engine.gaussian(large, { sigma: 3 });
    const { memory, job } = helpers.at(-1).start;
    // What a helper leaves behind that dies inside a job: it is counted at the gate, and never leaves.
    const dead = `const { workerData: { memory, job } } = require('node:worker_threads');
      const words = new Int32Array(memory.buffer);
      for (;;) {
        const gate = Atomics.load(words, (job >> 2) + 5);
        if (gate < 1 << 30 && Atomics.compareExchange(words, (job >> 2) + 5, gate, gate + 1) === gate) break;
      }`;
    const ended = once(new Worker(dead, { eval: true, workerData: { memory, job } }), 'exit');
    let error = null;
    while (!error) await engine.gaussian(large, { sigma: 3 }).catch((why) => (error = why));
    await ended;
    assert.equal(error.code, 'worker-lost');
    assert.equal((await engine.gaussian(large, { sigma: 3 })).width, 1600);
    assert.match(engine.capabilities.reasons.join(' '), /a helper thread does not answer/);
    await engine.dispose();
  });

  it('that the engine ended itself is none that was lost', async () => {
    engine = await node.createEngine({ threads: 3 });
    const count = helpers.length;
    await engine.dispose();
    await Promise.all(helpers.slice(-2).map((helper) => new Promise((resolve) => setTimeout(resolve, 50, helper))));
    assert.equal(helpers.length, count);
    await assert.rejects(engine.canny(picture()), { code: 'disposed' });
  });

  it('is all there is beside the caller: worker: true is refused', async () => {
    await assert.rejects(node.createEngine({ worker: true }), (error) => {
      assert.match(error.message, /without worker: true/);
      return error.code === 'worker-blocked';
    });
  });
});
