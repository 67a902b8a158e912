// Landmarks by the shipped network: its answers are PyTorch's, rendered faces and a photograph are fitted however they are turned.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';
import { library, portrait, renderedFaces, shared } from '../faces/support.mjs';

const lib = await importTs('test/node/network/library.ts');
const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
const read = (name) => lib.readNetwork(new Uint8Array(readFileSync(path.join(root, 'models', name))));
const [network, detector] = [read('landmarks-network.bin'), read('faces.bin')];

async function on({ width, height, data }, work) {
  const runtime = await lib.Runtime.create({ module });
  const source = runtime.plane(width, height, 'u8', data);
  const result = await lib.drive(runtime, (scope) => work(scope, source), { backend: 'wasm' });
  source.dispose();
  assert.ok(runtime.arena.blocks <= 1, 'blocks left on the arena');
  runtime.dispose();
  return result;
}
const landmarks = (image, boxes) => on(image, (scope, source) => lib.networkLandmarks(scope, source, lib.checkBoxes('test', boxes), network)); // prettier-ignore
const faces = (image) => on(image, (scope, source) => lib.networkFaces(scope, source, detector, lib.resolveDetection({ variant: 'network' }))); // prettier-ignore

/** Mean distance of the points in outer eye distances. */
function errorOf(found, truth) {
  const apart = (a, b, i, j) => Math.hypot(a[2 * i] - b[2 * j], a[2 * i + 1] - b[2 * j + 1]);
  return Array.from({ length: 68 }, (_, i) => apart(found, truth, i, i)).reduce((a, b) => a + b) / 68 / apart(truth, truth, 36, 45); // prettier-ignore
}

/** By a quarter, with the clock: the image and its points. */
function quarter({ image: { width, height, data }, points }) {
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) out[x * height + height - 1 - y] = data[y * width + x];
  const moved = points.map((_, i) => (i % 2 ? points[i - 1] : height - 1 - points[i + 1]));
  return { image: { width: height, height: width, data: out }, points: moved };
}

/** Turned about its middle with the clock, linear, on gray: the image and its points. */
function spun({ image: { width, height, data }, points }, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [mx, my] = [(width - 1) / 2, (height - 1) / 2];
  const out = new Uint8Array(width * height).fill(128);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [mx + c * (x - mx) + s * (y - my), my + c * (y - my) - s * (x - mx)];
      const [i, j] = [Math.floor(u), Math.floor(v)];
      if (i < 0 || j < 0 || i >= width - 1 || j >= height - 1) continue;
      const [fx, fy, at] = [u - i, v - j, j * width + i];
      const top = data[at] + (data[at + 1] - data[at]) * fx;
      const bottom = data[at + width] + (data[at + width + 1] - data[at + width]) * fx;
      out[y * width + x] = Math.round(top + (bottom - top) * fy);
    }
  const moved = points.map((_, i) => {
    const [dx, dy] = [points[i - (i % 2)] - mx, points[i - (i % 2) + 1] - my];
    return i % 2 ? my + s * dx + c * dy : mx + c * dx - s * dy;
  });
  return { image: { width, height, data: out }, points: moved };
}

/** The crop, sample by sample. */
function plainCrop({ width, height, data }, square, { side, margin }) {
  const scale = (square.side * margin) / side;
  const samples = Math.min(6, Math.max(1, Math.ceil(scale / 2)));
  const level = (x, y) => data[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))];
  const [c, s] = [Math.cos(square.turn), Math.sin(square.turn)];
  return Array.from({ length: side * side }, (_, k) => {
    let sum = 0;
    for (let n = 0; n < samples ** 2; n++) {
      const dx = scale * ((k % side) + ((n % samples) + 0.5) / samples - side / 2);
      const dy = scale * (Math.floor(k / side) + (Math.floor(n / samples) + 0.5) / samples - side / 2);
      const [x, y] = [square.x + c * dx - s * dy, square.y + s * dx + c * dy];
      const [i, j] = [Math.floor(x), Math.floor(y)];
      const top = level(i, j) + (level(i + 1, j) - level(i, j)) * (x - i);
      const bottom = level(i, j + 1) + (level(i + 1, j + 1) - level(i, j + 1)) * (x - i);
      sum += top + (bottom - top) * (y - j);
    }
    return sum / samples ** 2;
  });
}

describe('a face cut out upright', () => {
  const crop = (image, square, look, format) => on(image, function* (scope, source) {
    return [...(yield* scope.read(yield* lib.uprightCrop(scope, source, square, look, format)))];
  }); // prettier-ignore
  const image = { width: 4, height: 4, data: Uint8Array.from({ length: 16 }, (_, i) => 10 * i) };

  it('is the image itself, turned', async () => {
    const look = { side: 4, margin: 1 };
    const turned = (turn) => crop(image, { x: 1.5, y: 1.5, side: 4, turn }, look, 'u8');
    assert.deepEqual(await turned(0), [...image.data]);
    assert.deepEqual(await turned(Math.PI / 2), [30, 70, 110, 150, 20, 60, 100, 140, 10, 50, 90, 130, 0, 40, 80, 120]);
    assert.deepEqual(await turned(Math.PI), [...image.data].reverse());
  });

  for (const [side, turn, at] of [
    [2, 0.3, 1],
    [9, -2, 0],
    [30, 1, 2.5],
    [400, 0.7, 1],
  ])
    // prettier-ignore
    it(`is the mean of samples: ${side} px around ${at}`, async () => {
      const [square, look] = [{ x: at, y: 1, side, turn }, { side: 9, margin: 1.5 }];
      const plain = plainCrop(image, square, look);
      const [floats, bytes] = [await crop(image, square, look, 'f32'), await crop(image, square, look, 'u8')];
      floats.forEach((value, k) => assert.ok(Math.abs(value - plain[k]) < 1e-4, `${value} instead of ${plain[k]}`));
      bytes.forEach((value, k) => assert.ok(Math.abs(value - plain[k]) <= 0.501));
    });
});

describe('landmarks by a network', () => {
  it('answer as PyTorch', async () => {
    const golden = JSON.parse(readFileSync(path.join(root, 'test/golden/network/landmarks.json'), 'utf8'));
    const runtime = await lib.Runtime.create({ module });
    const source = runtime.plane(golden.side, golden.side, 'f32', Float32Array.from(golden.image));
    const [plane] = await lib.run(runtime, lib.runNetwork, [source, network]);
    const { points, errors } = lib.decoded(plane.copy());
    golden.points.forEach((v, i) => assert.ok(Math.abs(v - points[i]) < 0.02, `${points[i]} instead of ${v} at ${i}`));
    golden.errors.forEach((v, i) => assert.ok(Math.abs(v - errors[i]) < 0.01 * v, `${errors[i]}, not ${v} at ${i}`));
    plane.dispose();
    source.dispose();
    runtime.dispose();
  });

  it('are on rendered faces, and on faces that are turned', async () => {
    let all = renderedFaces();
    for (const turn of ['upright', 'a quarter', 'upside down']) {
      const found = [];
      for (const { image, points } of all) {
        const boxes = await faces(image);
        const [{ landmarks: shape, confidence, errors }] = await landmarks(image, boxes.slice(0, 1));
        found.push(errorOf(shape, points));
        assert.ok(confidence > 0.8 && confidence <= 1, `${turn}: confidence ${confidence}`);
        assert.equal(errors.length, 68);
      }
      const mean = found.reduce((a, b) => a + b) / found.length;
      assert.ok(mean < 0.05 && Math.max(...found) < 0.065, `${turn}: ${found}`);
      all = all.map(quarter);
    }
  });

  it('say where they are unsure', async () => {
    const [{ image }] = renderedFaces();
    const [box] = await faces(image);
    const [clear] = await landmarks(image, [box]);
    const data = image.data.slice();
    // A bar over the mouth.
    const [left, right] = [48, 54].map((k) => Math.round(clear.landmarks[2 * k]));
    const [top, bottom] = [51, 57].map((k) => Math.round(clear.landmarks[2 * k + 1]));
    for (let y = top - 6; y <= bottom + 6; y++) data.fill(128, y * image.width + left - 9, y * image.width + right + 9);
    const [hidden] = await landmarks({ ...image, data }, [box]);
    const mouth = ({ errors }) => errors.slice(48).reduce((a, b) => a + b) / 20;
    assert.ok(mouth(hidden) > 1.3 * mouth(clear), `${mouth(hidden)} and ${mouth(clear)}`);
    const [nothing] = await landmarks({ ...image, data: new Uint8Array(data.length).fill(90) }, [box]);
    assert.ok(nothing.confidence < 0.5, `a plain image: ${nothing.confidence}`);
  });

  it('are found in tiny images and in boxes beside the image', async () => {
    for (const side of [1, 2, 40])
      for (const x of [-300, 0, 300]) {
        const image = { width: side, height: side, data: new Uint8Array(side * side).fill(90) };
        const [{ landmarks: shape, errors }] = await landmarks(image, [{ x, y: 0, width: 30, height: 30 }]);
        assert.ok([...shape, ...errors].every(Number.isFinite));
      }
    assert.deepEqual(await landmarks({ width: 4, height: 4, data: new Uint8Array(16) }, []), []);
  });

  it('are on a photograph', { skip: !shared && 'no ../shared' }, async () => {
    const image = portrait();
    const [box] = await faces(image);
    const [{ landmarks: shape, confidence }] = await landmarks(image, [box]);
    assert.ok(confidence > 0.9, `${confidence}`);
    const at = (k) => [shape[2 * k], shape[2 * k + 1]];
    assert.ok(at(36)[0] < at(45)[0] && at(33)[1] > at(36)[1] && at(57)[1] > at(33)[1] && at(8)[1] > at(57)[1]);
  });

  it('refuse a network for something else', async () => {
    const [{ image }] = renderedFaces();
    const box = { x: 10, y: 10, width: 80, height: 80 };
    await assert.rejects(
      on(image, (scope, source) => lib.networkLandmarks(scope, source, [box], detector)),
      { code: 'model-format', message: /landmarks-network/ },
    );
    const engine = await library.createEngine();
    const tracker = await engine.createFaceTracker({ model: null });
    const wrong = new Uint8Array(readFileSync(path.join(root, 'models/faces.bin')));
    await assert.rejects(tracker.setModel(wrong), { code: 'model-format' });
    await tracker.setModel('landmarks-network');
    await tracker.dispose();
    engine.dispose();
  });

  it('are on a turned face of a photograph for the tracker as well', async () => {
    const turned = quarter(renderedFaces()[0]);
    const engine = await library.createEngine();
    const tracker = await engine.createFaceTracker({ ...library.photographFaces, model: 'landmarks-network' });
    const { faces: found } = await tracker.process(turned.image);
    assert.equal(found.length, 1);
    const error = errorOf(found[0].landmarks, turned.points);
    assert.ok(error < 0.065, `${error}`);
    assert.ok(!('roll' in found[0]));
    await tracker.dispose();
    engine.dispose();
  });

  it('stay on a face that turns in the image until it lies on its side', async () => {
    const [{ image, points }] = renderedFaces();
    const engine = await library.createEngine();
    const tracker = await engine.createFaceTracker({ model: 'landmarks-network', detectEvery: 2 });
    for (let i = 0; i <= 60; i++) {
      const turned = spun({ image, points }, (Math.min(i, 30) * Math.PI) / 60);
      const { faces: found } = await tracker.process(turned.image, { timestamp: 40 * i });
      assert.equal(found.length, 1, `frame ${i}`);
      const error = errorOf(found[0].landmarks, turned.points);
      assert.ok(error < 0.07, `frame ${i}: ${error}`);
      assert.ok(found[0].landmarkConfidence > 0.8, `frame ${i}: confidence ${found[0].landmarkConfidence}`);
    }
    await tracker.dispose();
    engine.dispose();
  });

  it('are the default without a model, and refuse one', () => {
    const resolve = (given) => lib.resolveLandmarks('landmarks', given);
    assert.equal(resolve({}).variant, 'network');
    assert.equal(resolve({ model: 'landmarks-network' }).variant, 'network');
    assert.equal(resolve({ variant: 'trees' }).model, 'landmarks-68');
    assert.equal(resolve({ model: 'landmarks-68' }).variant, 'trees');
    assert.equal(resolve({ boxKind: 'model' }).variant, 'trees');
    for (const given of [{ model: 'landmarks-68' }, { boxKind: 'model' }])
      assert.throws(() => resolve({ variant: 'network', ...given }), { code: 'invalid-argument', message: /trees/ });
  });
});
