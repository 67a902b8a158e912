// Faces by the shipped network: its answers are PyTorch's, rendered faces are found however they are turned, options are checked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';
import { crowdOf } from '../../support/face-scenes.mjs';
import { renderedFaces } from '../faces/support.mjs';

const lib = await importTs('test/node/network/library.ts');
const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
const network = lib.readNetwork(new Uint8Array(readFileSync(path.join(root, 'models/faces.bin'))));

async function faces({ width, height, data }, given = {}) {
  const runtime = await lib.Runtime.create({ module });
  const source = runtime.plane(width, height, 'u8', data);
  const values = lib.resolveDetection({ variant: 'network', ...given });
  const found = await lib.drive(runtime, (scope) => lib.networkFaces(scope, source, network, values), {
    backend: 'wasm',
  });
  source.dispose();
  assert.ok(runtime.arena.blocks <= 1, 'blocks left on the arena');
  runtime.dispose();
  return found;
}

/** By a quarter, with the clock. */
function quarter({ width, height, data }) {
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) out[x * height + height - 1 - y] = data[y * width + x];
  return { width: height, height: width, data: out };
}

/** Turned about its middle with the clock, in radians. */
function turnedBy({ width: w, height: h, data }, turn) {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const width = Math.ceil(Math.abs(c) * w + Math.abs(s) * h);
  const height = Math.ceil(Math.abs(s) * w + Math.abs(c) * h);
  const out = new Uint8Array(width * height).fill(128);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - (width - 1) / 2, y - (height - 1) / 2];
      const [u, v] = [c * dx + s * dy + (w - 1) / 2, c * dy - s * dx + (h - 1) / 2];
      const [i, j] = [Math.floor(u), Math.floor(v)];
      if (i < 0 || j < 0 || i >= w - 1 || j >= h - 1) continue;
      const level = (row) => data[row * w + i] + (data[row * w + i + 1] - data[row * w + i]) * (u - i);
      out[y * width + x] = Math.round(level(j) + (level(j + 1) - level(j)) * (v - j));
    }
  return { width, height, data: out };
}

describe('faces by a network', () => {
  it('answers as PyTorch', async () => {
    const file = path.join(root, 'test/golden/network/faces.json');
    const { width, height, picture, answers } = JSON.parse(readFileSync(file, 'utf8'));
    const runtime = await lib.Runtime.create({ module });
    const source = runtime.plane(width, height, 'f32', Float32Array.from(picture));
    const [plane] = await lib.run(runtime, lib.runNetwork, [source, network]);
    assert.deepEqual([plane.width, plane.height], [(16 * width) / 8, height / 8]);
    plane.copy().forEach((v, i) => assert.ok(Math.abs(v - answers[i]) < 5e-3, `${v} instead of ${answers[i]} at ${i}`));
    plane.dispose();
    source.dispose();
    runtime.dispose();
  });

  it('are found upright and turned, with their turn', async () => {
    let crowd = crowdOf(renderedFaces(), { columns: 4, rows: 2, scale: 0.7, gap: 8 });
    for (const turn of [0, Math.PI / 2, Math.PI, -Math.PI / 2]) {
      const found = await faces(crowd);
      assert.ok(found.length >= 7 && found.length <= 8, `${found.length} of 8, turned by ${turn}`);
      const right = found.filter(({ roll }) => Math.cos(roll - turn) > 0.8);
      assert.ok(right.length >= 7, `${right.length} of 8 turns, ${turn}`);
      for (const { points, x, y, width, height } of right) {
        const middle = [0, 1].map((k) => (points[k] + points[k + 2] + points[k + 6] + points[k + 8]) / 4);
        const [dx, dy] = [middle[0] - x - width / 2, middle[1] - y - height / 2];
        assert.ok(Math.hypot(dx, dy) < 0.35 * width, 'points beside the face');
      }
      crowd = quarter(crowd);
    }
  });

  /** Result of a plan with the image, the cascades and the options. */
  async function withCascades({ width, height, data }, given, plan) {
    const file = (name) => new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`)));
    const [first, second] = ['frontalface_alt', 'frontalface_alt2'].map((name) => lib.readCascade(file(name)));
    const runtime = await lib.Runtime.create({ module });
    const source = runtime.plane(width, height, 'u8', data);
    const { variant: _, cascade: __, verifier: ___, judged: ____, ...values } = lib.resolveDetection(given);
    const cascades = [first, second, lib.readJudge(file('face-judge'))];
    const result = await lib.drive(runtime, (scope) => plan(scope, source, cascades, values), { backend: 'wasm' });
    source.dispose();
    assert.ok(runtime.arena.blocks <= 1, 'blocks left on the arena');
    runtime.dispose();
    return result;
  }

  /** The faces of both, from the cascades' faces. */
  async function added(image, found, given = {}) {
    await withCascades(image, given, (scope, source, cascades, values) =>
      lib.addNetworkFaces(scope, source, { network, cascades }, found, values),
    );
    return found;
  }

  const around = (image, face) =>
    withCascades(image, {}, (scope, source, cascades, values) => lib.lookAround(scope, source, face, cascades, values));

  it('are found by the cascades in a photograph that is turned as a whole', async () => {
    const crowd = quarter(crowdOf(renderedFaces(), { columns: 5, rows: 4, scale: 0.35, gap: 8 }));
    const found = await added(crowd, []);
    assert.equal(found.length, 20);
    const inside = found.filter(({ x, y, width, height }) => x >= 0 && y >= 0 && x + width <= crowd.width && y + height <= crowd.height); // prettier-ignore
    assert.equal(inside.length, 20);
    for (const { roll } of found) assert.ok(Math.cos(roll - Math.PI / 2) > 0.8, `turn ${roll}`);
  });

  it('are found once each in a photograph that is turned by another angle', async () => {
    const crowd = turnedBy(crowdOf(renderedFaces(), { columns: 5, rows: 4, scale: 0.35, gap: 8 }), 0.7);
    const found = await added(crowd, []);
    assert.equal(found.length, 20);
    for (const { roll } of found) assert.ok(Math.cos(roll - 0.7) > 0.9, `turn ${roll}`);
  });

  it('replace boxes of the cascades that are beside a face which is upside down', async () => {
    const upright = crowdOf(renderedFaces(), { columns: 1, rows: 1, scale: 0.5, gap: 8 });
    const crowd = turnedBy(upright, Math.PI);
    const [{ x, y, width, height }] = await added(crowd, []);
    const chin = { x: x - 0.2 * width, y: y - 0.3 * height, width, height, neighbors: 4, score: 0.6 };
    const found = await added(crowd, [chin]);
    assert.equal(found.length, 1);
    assert.ok(Math.hypot(found[0].x - x, found[0].y - y) < 0.1 * width, 'the box of the cascades');
  });

  it('have the turn at which the cascades find them, whatever the network says', async () => {
    const upright = crowdOf(renderedFaces(), { columns: 1, rows: 1, scale: 0.5, gap: 8 });
    const crowd = turnedBy(upright, 1);
    const [face] = await faces(crowd);
    for (const error of [0.3, -0.6, 2.8]) {
      const { roll } = await around(crowd, { ...face, roll: 1 + error });
      assert.ok(Math.cos(roll - 1) > Math.cos(0.3), `turn ${roll} from ${1 + error}`);
    }
    assert.equal(await around(crowd, { ...face, x: 0, y: 0, width: 20, height: 20 }), null);
  });

  it('share a turn if most of them have it', () => {
    const face = (roll, score = 0.8) => ({ x: 0, y: 0, width: 30, height: 30, neighbors: 1, roll, score });
    assert.equal(lib.sharedTurn([]), 0);
    assert.equal(lib.sharedTurn([face(0.1), face(-0.1)]), 0);
    assert.equal(lib.sharedTurn([face(1), face(-1)]), 0);
    assert.ok(Math.abs(lib.sharedTurn([face(1), face(1.2), face(-1)]) - 1.1) < 1e-9);
    assert.ok(Math.abs(Math.abs(lib.sharedTurn([face(Math.PI - 0.1), face(0.1 - Math.PI)])) - Math.PI) < 1e-9);
    assert.ok(Math.abs(lib.sharedTurn([face(1, 0.9), face(0, 0.55), face(2, 0.55), face(0, 0.3)]) - 1) < 1e-9);
  });

  it('are not where the network sees nothing, whatever the cascades say', async () => {
    const crowd = crowdOf(renderedFaces(), { columns: 2, rows: 1, scale: 0.7, gap: 200 });
    const wall = { x: 4, y: 4, width: 60, height: 60, neighbors: 9, score: 0.95 };
    const found = await added(crowd, [wall]);
    assert.ok(found.length > 0 && !found.includes(wall));
  });

  it('stay where the cascades are surer of a face than the network is of none', async () => {
    const crowd = crowdOf(renderedFaces(), { columns: 2, rows: 1, scale: 0.7, gap: 200 });
    const unseen = { x: 4, y: 4, width: 60, height: 60, neighbors: 9, score: 0.995 };
    assert.ok((await added(crowd, [unseen])).includes(unseen));
    assert.ok(!(await added(crowd, [unseen], { minScore: 0.9 })).includes(unseen));
  });

  it('are found by the cascades once they are turned upright, where the network is not sure', async () => {
    const crowd = quarter(crowdOf(renderedFaces(), { columns: 4, rows: 2, scale: 0.22, gap: 6 }));
    const sure = (await faces(crowd, { minSize: 16 })).filter(({ score }) => score >= 0.8);
    const found = await added(crowd, [], { minSize: 16 });
    assert.ok(found.length >= sure.length + 2, `${found.length} with the cascades, ${sure.length} without`);
    for (const { roll } of found) assert.ok(Math.cos(roll - Math.PI / 2) > 0.8, `turn ${roll}`);
  });

  it('stay within minSize, maxSize and minScore', async () => {
    const crowd = crowdOf(renderedFaces(), { columns: 4, rows: 2, scale: 0.7, gap: 8 });
    assert.equal((await faces(crowd, { minSize: 200 })).length, 0);
    assert.equal((await faces(crowd, { maxSize: 30 })).length, 0);
    assert.ok((await faces(crowd, { minScore: 0.7 })).every(({ score }) => score >= 0.7));
  });

  it('are not in a picture of one level, nor in one of a pixel', async () => {
    for (const side of [1, 31, 300])
      assert.deepEqual(await faces({ width: side, height: side, data: new Uint8Array(side * side).fill(90) }), []);
  });

  it('refuse options of cascades', () => {
    assert.throws(() => lib.resolveDetection({ variant: 'network', scaleFactor: 1.2 }), {
      code: 'invalid-argument',
      message: /scaleFactor/,
    });
    assert.throws(() => lib.resolveDetection({ variant: 'net' }), { code: 'invalid-argument' });
  });
});
