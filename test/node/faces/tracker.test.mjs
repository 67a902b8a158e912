// The tracker: ids, motion, faces that leave and return, smoothing, and what may go wrong.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generator, library, portrait, randomImage, trainedLandmarks } from './support.mjs';
import { itInFull } from '../../support/full.mjs';

/** A window of `photo`, its left upper corner at (x, y) in its pixels, with bilinear shifts and noise. */
function view(photo, width, height, x, y, { noise = 0, random = Math.random } = {}) {
  const data = new Uint8Array(width * height);
  const [ix, iy] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - ix, y - iy];
  const at = (i, j) =>
    photo.data[Math.min(Math.max(j, 0), photo.height - 1) * photo.width + Math.min(Math.max(i, 0), photo.width - 1)];
  for (let j = 0; j < height; j++)
    for (let i = 0; i < width; i++) {
      const upper = at(ix + i, iy + j) * (1 - fx) + at(ix + i + 1, iy + j) * fx;
      const lower = at(ix + i, iy + j + 1) * (1 - fx) + at(ix + i + 1, iy + j + 1) * fx;
      const gauss = noise && noise * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      data[j * width + i] = Math.min(255, Math.max(0, Math.round(upper * (1 - fy) + lower * fy + gauss)));
    }
  return { width, height, data };
}

describe('the face tracker', () => {
  let engine;
  let photo;
  before(async () => {
    engine = await library.createEngine();
    photo = portrait();
  });
  after(() => engine.dispose());
  // The astronaut's face, about: center and side of the detector's box.
  const face = { x: 222, y: 113, side: 100 };

  it('follows a face that moves, under one id', async () => {
    const tracker = await engine.createFaceTracker({ model: null });
    for (let i = 0; i < 25; i++) {
      const [x, y] = [4 * i, 2 * i];
      const { faces, timestamp } = await tracker.process(view(photo, 320, 240, x, y), { timestamp: 40 * i });
      assert.equal(timestamp, 40 * i);
      assert.equal(faces.length, 1, `frame ${i}`);
      const [found] = faces;
      assert.equal(found.id, 1);
      assert.equal(found.landmarks, null);
      assert.ok(Math.abs(found.x + found.width / 2 - (face.x - x)) < 12, `frame ${i}: ${found.x}`);
      assert.ok(Math.abs(found.y + found.height / 2 - (face.y - y)) < 12, `frame ${i}: ${found.y}`);
      assert.ok(Math.abs(found.width - face.side) < 25);
    }
    await tracker.dispose();
  });

  it('gives two faces two ids, and keeps them when one leaves and returns', async () => {
    const tracker = await engine.createFaceTracker({ model: null, detectEvery: 4 });
    const one = view(photo, 240, 240, 100, 0);
    const flat = new Uint8Array(240 * 240).fill(120);
    const beside = (right) => {
      const data = new Uint8Array(480 * 240);
      for (let y = 0; y < 240; y++) {
        data.set(one.data.subarray(240 * y, 240 * (y + 1)), 480 * y);
        data.set((right ? one.data : flat).subarray(240 * y, 240 * (y + 1)), 480 * y + 240);
      }
      return { width: 480, height: 240, data };
    };
    const seen = [];
    for (let i = 0; i < 40; i++) {
      const { faces } = await tracker.process(beside(i < 10 || i >= 22), { timestamp: 40 * i });
      seen.push(
        faces
          .sort((a, b) => a.x - b.x)
          .map(({ id }) => id)
          .join(),
      );
    }
    assert.equal(seen[2].split(',').length, 2);
    assert.equal(seen[14].split(',').length, 1);
    assert.equal(seen[39], seen[2]);
    await tracker.dispose();
  });

  it('spreads the first search of a large frame: a large face at once, a small one a few frames later', async () => {
    const enlarged = (times) => {
      const [width, height] = [1280, 720];
      const data = new Uint8Array(width * height).fill(110);
      const side = Math.min(720, Math.round(512 * times));
      for (let y = 0; y < side; y++)
        for (let x = 0; x < Math.min(width, Math.round(512 * times)); x++)
          data[y * width + x] = photo.data[512 * Math.floor(y / times) + Math.floor(x / times)];
      return { width, height, data };
    };
    for (const [times, latest] of [
      [2, 0],
      [0.8, 4],
    ]) {
      const tracker = await engine.createFaceTracker({ model: null });
      let first = -1;
      for (let i = 0; i < 6 && first < 0; i++) {
        const { faces } = await tracker.process(enlarged(times), { timestamp: 40 * i });
        if (!faces.some((f) => Math.abs(f.x + f.width / 2 - face.x * times) < 20 * times)) continue;
        first = i;
      }
      assert.ok(first >= 0 && first <= latest, `enlarged ${times} times: found in frame ${first}`);
      await tracker.dispose();
    }
  });

  itInFull('keeps two hundred faces apart, and at most maxFaces of them', async () => {
    // The face at 50 pixels, 20 beside each other in 10 rows, 60 pixels apart.
    const [across, down, pitch, scale] = [20, 10, 60, 2];
    const data = new Uint8Array(across * down * pitch * pitch);
    for (let y = 0; y < down * pitch; y++)
      for (let x = 0; x < across * pitch; x++) {
        const [i, j] = [face.x - pitch + (x % pitch) * scale, face.y - pitch + (y % pitch) * scale];
        data[across * pitch * y + x] = photo.data[512 * j + i];
      }
    const crowd = { width: across * pitch, height: down * pitch, data };
    const options = { maxSide: 0, minSize: 36, maxSize: 64 };
    const boxes = await engine.detectFaces(crowd, options);
    assert.ok(boxes.length >= 190 && boxes.length <= 200, `${boxes.length} faces`);
    for (const maxFaces of [200, 7]) {
      const tracker = await engine.createFaceTracker({
        model: null,
        maxSide: 0,
        minSize: 40,
        maxSize: 100,
        maxFaces,
        detectEvery: 1,
      });
      let last;
      for (let i = 0; i < (maxFaces === 7 ? 1 : 2); i++) last = await tracker.process(crowd, { timestamp: 40 * i });
      const ids = new Set(last.faces.map(({ id }) => id));
      assert.equal(ids.size, last.faces.length);
      assert.ok(maxFaces === 7 ? ids.size === 7 : ids.size >= 190, `${ids.size} of ${maxFaces}`);
      await tracker.dispose();
    }
  });

  it('follows a face that is cut by the frame until most of it is gone, and has it back under its id', async () => {
    const tracker = await engine.createFaceTracker({ model: null, detectEvery: 3 });
    // The face's center stands at 222 - x: it leaves at the left and comes back.
    const at = [
      ...Array.from({ length: 24 }, (_, i) => 120 + 8 * i),
      ...Array.from({ length: 24 }, (_, i) => 304 - 8 * i),
    ];
    const seen = [];
    for (const [i, x] of at.entries()) {
      const { faces } = await tracker.process(view(photo, 320, 240, x, 0), { timestamp: 40 * i });
      for (const f of faces) {
        assert.ok([f.x, f.y, f.width, f.height].every(Number.isFinite));
        // At least half of a box that is reported lies in the frame.
        assert.ok(f.x + f.width > 0.45 * f.width, `frame ${i}: ${f.x} ${f.width}`);
      }
      seen.push(faces.map(({ id }) => id).join());
    }
    assert.equal(seen[0], '1');
    assert.equal(seen[23], '', seen.join(' '));
    assert.equal(seen.at(-1), '1', seen.join(' '));
    await tracker.dispose();
  });

  it('forgets on reset, and takes new parameters and frame sizes', async () => {
    const tracker = await engine.createFaceTracker({ model: null, detectEvery: 5 });
    assert.equal((await tracker.process(view(photo, 320, 240, 0, 0))).faces[0].id, 1);
    await tracker.setParameters({ detectEvery: 1, minSize: 60 });
    assert.equal((await tracker.process(view(photo, 320, 240, 1, 0))).faces[0].id, 1);
    const { faces, width } = await tracker.process(view(photo, 400, 300, 0, 0));
    assert.deepEqual([faces.length, width], [1, 400]);
    await tracker.reset();
    assert.equal((await tracker.process(view(photo, 400, 300, 0, 0))).faces.length, 1);
    await assert.rejects(tracker.setParameters({ minSize: -1 }), { code: 'invalid-argument' });
    await assert.rejects(tracker.setParameters({ model: 'x' }), { code: 'invalid-argument' });
    assert.equal((await tracker.process(view(photo, 400, 300, 2, 0))).faces.length, 1);
    await tracker.dispose();
    await assert.rejects(tracker.process(view(photo, 400, 300, 0, 0)), { code: 'disposed' });
  });

  it('has no faces in frames of any size without one', async () => {
    const tracker = await engine.createFaceTracker({ model: null, detectEvery: 2, minSize: 0 });
    const random = generator(3);
    for (const [width, height] of [
      [1, 1],
      [19, 19],
      [25, 60],
      [25, 60],
      [200, 3],
      [160, 120],
      [160, 120],
      [160, 120],
    ])
      assert.deepEqual(
        (await tracker.process({ width, height, data: new Uint8Array(width * height).fill(90) })).faces,
        [],
      );
    for (let i = 0; i < 4; i++) await tracker.process(randomImage(random, 160, 120));
    await tracker.dispose();
  });

  it('does not come to life with bad options', async () => {
    const bad = [
      [{ detectEvery: 0 }, 'invalid-argument'],
      [{ model: 7 }, 'invalid-argument'],
      [{ model: new Uint8Array(9) }, 'model-format'],
      [{ cascade: 'nobody' }, 'model-load'],
      [{ cascade: new Uint8Array(9) }, 'model-format'],
    ];
    for (const [options, code] of bad) await assert.rejects(engine.createFaceTracker(options), { code });
    await (await engine.createFaceTracker()).dispose();
  });

  it('smooths landmarks at rest and does not hold back those that move', async () => {
    const model = trainedLandmarks();
    const run = async (smooth, speed, noise) => {
      // This small model learned from boxes as the two cascades find them, and is good for no others.
      const options = { model, verifier: 'frontalface_alt2', smoothLandmarks: smooth };
      const tracker = await engine.createFaceTracker(options);
      const random = generator(17);
      const shapes = [];
      for (let i = 0; i < 40; i++) {
        const x = 40 + speed * i + (speed ? 0 : 0.5 * Math.floor(3 * random()));
        const { faces } = await tracker.process(view(photo, 320, 240, x, 10, { noise, random }), { timestamp: 33 * i });
        assert.equal(faces.length, 1);
        // A face that moves, in the photograph's own pixels.
        shapes.push(faces[0].landmarks.map((v, k) => (k % 2 || !speed ? v : v + x - 40)));
      }
      await tracker.dispose();
      return shapes.slice(15);
    };
    const jitter = (shapes) => {
      let sum = 0;
      for (let k = 0; k < 136; k++) {
        const mean = shapes.reduce((s, shape) => s + shape[k], 0) / shapes.length;
        sum += shapes.reduce((s, shape) => s + (shape[k] - mean) ** 2, 0) / shapes.length;
      }
      return Math.sqrt(sum / 136);
    };
    const [raw, smooth] = [jitter(await run(false, 0, 3)), jitter(await run(true, 0, 3))];
    assert.ok(smooth < raw / 3, `${smooth} of ${raw} px`);
    const [still, moving] = [await run(false, 2, 0), await run(true, 2, 0)];
    // A lag of one frame would be 2 px.
    const mean = (shapes) =>
      shapes.reduce((s, shape) => s + shape.reduce((a, v, k) => a + (k % 2 ? 0 : v), 0) / 68, 0) / shapes.length;
    assert.ok(Math.abs(mean(still) - mean(moving)) < 2, `${mean(still)} and ${mean(moving)}`);
  });
});
