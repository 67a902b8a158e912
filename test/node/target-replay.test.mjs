// Targets in the analysis of a recording: numbers, order, and frames that their owner closes at once.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const missing = globalThis.VideoFrame === undefined;

class Frame {
  closed = false;
  clone() {
    assert.equal(this.closed, false, 'cloned before it was closed');
    return new Frame();
  }
  close() {
    this.closed = true;
  }
}

/** Tells what it was asked, and lets frames be overtaken as the engine may. */
class Tracker {
  log = [];
  ids = [];
  async importModel() {
    this.ids.push(this.ids.length + 1);
    this.log.push('import');
    return this.ids.length;
  }
  async add() {
    await soon(2);
    this.ids.push(this.ids.length + 1);
    this.log.push('add');
    return this.ids.length;
  }
  async correct(id) {
    await soon(3);
    this.log.push(`correct ${id}`);
  }
  async process(frame, { timestamp }) {
    assert.equal(frame.closed, false, `frame ${timestamp} is open`);
    await soon(4);
    this.log.push(timestamp);
    const targets = this.ids.map((id) => ({ id, box: { x: id }, confidence: 0.5, learning: false, by: 'tracker' }));
    return { timestamp, targets, box: null, confidence: 0, learning: false, by: 'none' };
  }
  async dispose() {
    this.log.push('dispose');
  }
}

describe('replay of targets', () => {
  let replay;
  before(async () => {
    if (missing) globalThis.VideoFrame = Frame;
    ({ TargetReplay: replay } = await importTs('widget/track/targets.ts'));
  });
  after(() => {
    if (missing) delete globalThis.VideoFrame;
  });

  it('imports first, puts boxes by hand in their frames, and keeps the numbers of the element', async () => {
    const tracker = new Tracker();
    const targets = [
      { id: 7, model: new Uint8Array(1), marks: [{ timestamp: 40, box: { x: 99 } }] },
      { id: 9, model: null, marks: [{ timestamp: -Infinity, box: { x: 55 } }] },
    ];
    const run = await replay.of(tracker, targets);
    const results = [];
    for (let t = 0; t <= 160; t += 40) {
      const frame = new Frame();
      results.push(run.process(frame, { timestamp: t }));
      frame.close();
    }
    const seen = (await Promise.all(results)).map((result) => result.targets.map(({ id, box }) => [id, box.x]));
    assert.deepEqual(tracker.log, ['import', 0, 'add', 40, 'correct 1', 80, 120, 160]);
    const followed = [
      [7, 1],
      [9, 2],
    ];
    assert.deepEqual(seen, [
      [
        [7, 1],
        [9, 55],
      ],
      [
        [7, 99],
        [9, 2],
      ],
      followed,
      followed,
      followed,
    ]);
  });

  it('gives the tracker back when a model is refused', async () => {
    const tracker = new Tracker();
    tracker.importModel = () => Promise.reject(new Error('damaged'));
    await assert.rejects(replay.of(tracker, [{ id: 1, model: new Uint8Array(1), marks: [] }]), /damaged/);
    assert.deepEqual(tracker.log, ['dispose']);
  });
});
