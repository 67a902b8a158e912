// The library in Node: no worker, no canvas, gray and RGBA arrays only.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

describe('the engine in Node', () => {
  let library;
  let engine;
  before(async () => {
    library = await importTs('src/index.ts');
    engine = await library.createEngine();
  });
  after(() => engine?.dispose());

  const gray = (width, height, at) => ({
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width))),
  });

  it('says what it has', () => {
    const { backend, worker, threads, gpu, reasons } = engine.capabilities;
    assert.deepEqual({ backend, worker, threads, gpu }, { backend: 'wasm', worker: false, threads: 1, gpu: null });
    assert.match(reasons.join(' '), /web workers are not available/);
  });

  it('runs an operation', async () => {
    const { data } = await engine.threshold(
      gray(20, 3, (x) => 10 * x),
      { level: 100 },
    );
    assert.deepEqual(
      [...data.slice(0, 20)],
      Array.from({ length: 20 }, (_, x) => (x > 10 ? 255 : 0)),
    );
  });

  it('takes RGBA arrays', async () => {
    const image = { width: 1, height: 1, data: Uint8ClampedArray.of(255, 0, 0, 255) };
    assert.deepEqual([...(await engine.threshold(image, { level: 75 })).data], [255]);
    assert.deepEqual([...(await engine.threshold(image, { level: 76 })).data], [0]);
  });

  it('tracks a dark disc', async () => {
    const tracker = engine.createPupilTracker();
    const disc = (cx, cy) => gray(320, 240, (x, y) => (Math.hypot(x - cx, y - cy) < 30 ? 30 : 140));
    for (let frame = 0; frame < 3; frame++) {
      const { pupils, timestamp } = await tracker.process(disc(150 + frame, 120), { timestamp: 10 * frame });
      assert.equal(timestamp, 10 * frame);
      assert.equal(pupils[0].found, true);
      assert.ok(Math.hypot(pupils[0].x - 150 - frame, pupils[0].y - 120) < 1);
    }
    await tracker.dispose();
  });

  it('refuses what only pages have', async () => {
    await assert.rejects(engine.gaussian({ nothing: 1 }), { code: 'invalid-argument' });
    await assert.rejects(library.createEngine({ worker: true }), { code: 'worker-blocked' });
    await assert.rejects(library.createEngine({ backend: 'gpu' }), { code: 'no-webgl2' });
  });

  it('rejects everything after its end', async () => {
    const other = await library.createEngine();
    await other.dispose();
    await other.dispose();
    await assert.rejects(other.gaussian(gray(4, 4, () => 1)), { code: 'disposed' });
  });
});
