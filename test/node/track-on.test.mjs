// A target is tracked on from a corrected box in both directions, until it meets what was recorded.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { renderScene, squareAt } from './objects-scene.mjs';

const count = 34;
const truth = (t) => {
  const { x, y, width, height } = squareAt(t);
  return { x, y, width, height };
};
/** The square is followed up to frame 9, and again since frame 28. Between them the track stands still. */
const recorded = new Map(
  Array.from({ length: count }, (_, t) => [t, t < 10 || t >= 28 ? truth(t) : { ...truth(9), y: 10 }]),
);

describe('tracking on from a corrected box', () => {
  const globals = {};
  let tracking, engine, model, reads;
  const frames = async function* () {
    reads++;
    for (let t = 0; t < count; t++) yield { frame: renderScene(t), timestamp: 40 * t };
  };
  before(async () => {
    for (const [name, own] of Object.entries({
      VideoFrame: class {},
      createImageBitmap: async (picture) => ({ ...picture, close: () => {} }),
    })) {
      globals[name] = globalThis[name];
      globalThis[name] = own;
    }
    tracking = await importTs('widget/track/track-on.ts');
    const { createEngine } = await importTs('src/node/index.ts');
    engine = await createEngine({ backend: 'wasm', threads: 1 });
    const tracker = engine.createObjectTracker();
    await tracker.process(renderScene(0));
    model = await tracker.exportModel(await tracker.add(truth(0)));
    await tracker.dispose();
  });
  after(async () => {
    await engine?.dispose();
    Object.assign(globalThis, globals);
  });
  const run = (more) =>
    tracking.trackOn({
      ...{ engine, parameters: {}, model, frames, source: 'made', signal: new AbortController().signal },
      ...{ recorded, at: 20, from: 0, to: Infinity, box: truth(20), asOurs: (error) => error },
      ...more,
    });

  it('changes the frames between the meeting points, and puts the target there', async () => {
    reads = 0;
    const changed = await run();
    const numbers = [...changed.keys()].sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: 18 }, (_, i) => 10 + i),
    );
    for (const [t, { box }] of changed) {
      const { x, y } = truth(t);
      assert.ok(box && Math.hypot(box.x - x, box.y - y) < 6, `frame ${t}: ${JSON.stringify(box)} at ${x}, ${y}`);
    }
    assert.equal(reads, 2);
  });

  it('does not pass another box drawn by hand', async () => {
    const changed = await run({ from: 16, to: 23 });
    assert.deepEqual(
      [...changed.keys()].sort((a, b) => a - b),
      [17, 18, 19, 20, 21, 22],
    );
  });

  it('keeps rows before the first frame in which the target is found, if the tracks do not meet', () => {
    const lost = { box: null, confidence: 0, learning: false, by: 'none' };
    const found = { ...lost, box: truth(3) };
    const tracked = new Map([
      [3, found],
      [2, lost],
      [1, found],
      [0, lost],
    ]);
    assert.deepEqual([...tracking.changedBefore(tracked, false).keys()], [1, 2, 3]);
    assert.deepEqual([...tracking.changedBefore(tracked, true).keys()], [0, 1, 2, 3]);
    assert.equal(tracking.changedBefore(new Map([[0, lost]]), false).size, 0);
  });
});
