// Faces of pictures that the repository has: what is found, how sure, and what is not a face.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../../tools/setup.mjs';
import { readGrayPng } from '../../support/png-reader.mjs';
import { library, modelFile, portrait } from './support.mjs';

/** Half the size, means of four. */
const halved = ({ width, height, data }) => {
  const [w, h] = [width >> 1, height >> 1];
  const at = (x, y) => data[y * width + x];
  const mean = (i) => {
    const [x, y] = [2 * (i % w), 2 * Math.floor(i / w)];
    return (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1) + 2) >> 2;
  };
  return { width: w, height: h, data: Uint8Array.from({ length: w * h }, (_, i) => mean(i)) };
};
const mirrored = ({ width, height, data }) => ({
  width,
  height,
  data: Uint8Array.from(data, (_, i) => data[i - (i % width) + width - 1 - (i % width)]),
});
const turned = ({ width, height, data }) => ({ width, height, data: data.slice().reverse() });
const levels = (change) => (image) => ({ ...image, data: image.data.map(change) });
const dimmed = levels((v) => v >> 2);
const dark = levels((v) => v >> 3);

describe('faces of the pictures in test/media', () => {
  let engine;
  before(async () => (engine = await library.createEngine()));
  after(() => engine.dispose());
  /** The center of the face and the side of its box, seen in the picture. */
  const face = { x: 222, y: 113, side: 105 };

  for (const [name, made, { x, y, side }] of [
    ['as it is', (image) => image, face],
    ['mirrored', mirrored, { ...face, x: 511 - face.x }],
    ['at half the size', halved, { x: face.x / 2, y: face.y / 2, side: face.side / 2 }],
    ['at a quarter of the light', dimmed, face],
    ['at an eighth of the light', dark, face],
    ['in fog', levels((v) => 100 + v / 8), face],
  ])
    it(`one in the portrait, ${name}`, async () => {
      const faces = await engine.detectFaces(made(portrait()), { minSize: 30 });
      assert.equal(faces.length, 1);
      const [found] = faces;
      assert.ok(Math.abs(found.x + found.width / 2 - x) < 0.15 * side, JSON.stringify(found));
      assert.ok(Math.abs(found.y + found.height / 2 - y) < 0.15 * side, JSON.stringify(found));
      assert.ok(found.width > 0.8 * side && found.width < 1.3 * side, JSON.stringify(found));
      assert.ok(found.score > 0.8, JSON.stringify(found));
    });

  it('one in the dark, for the tracker as well, with points that are trusted; as OpenCV does it, none', async () => {
    const picture = dark(portrait());
    assert.deepEqual(await engine.detectFaces(picture, { verifier: null }), []);
    const tracker = await engine.createFaceTracker({ model: modelFile('landmarks-network.bin') });
    const { faces } = await tracker.process(picture);
    await tracker.dispose();
    assert.equal(faces.length, 1);
    assert.ok(Math.abs(faces[0].x + faces[0].width / 2 - face.x) < 0.15 * face.side, JSON.stringify(faces[0]));
    assert.ok(faces[0].landmarkConfidence > 0.7, `${faces[0].landmarkConfidence}`);
  });

  it('none where there is none to be seen: dark walls, with noise and without', async () => {
    let state = 7;
    const noise = (sigma) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.round(sigma * 3.46 * (state / 2 ** 32 - 0.5)); // even, of that deviation
    };
    for (const [level, sigma] of [
      [0, 0],
      [0, 3],
      [12, 1],
      [30, 3],
    ]) {
      const wall = Uint8Array.from({ length: 240 * 180 }, () => Math.max(0, level + noise(sigma)));
      assert.deepEqual(await engine.detectFaces({ width: 240, height: 180, data: wall }, { minSize: 20 }), []);
    }
  });

  it('one as it is, at any size, and no more', async () =>
    assert.equal((await engine.detectFaces(portrait())).length, 1));

  it('one upside down, by the network, for the tracker of a photograph as well; the cascades find none', async () => {
    const picture = turned(portrait());
    const [found, ...others] = await engine.detectFaces(picture);
    assert.deepEqual(others, []);
    assert.ok(Math.abs(Math.abs(found.roll) - Math.PI) < 0.3, `${found.roll}`);
    assert.ok(Math.hypot(found.x + found.width / 2 - (511 - face.x), found.y + found.height / 2 - (511 - face.y)) < 20);
    assert.deepEqual(await engine.detectFaces(picture, { variant: 'cascades' }), []);
    assert.deepEqual(await engine.detectFaces(picture, { verifier: 'frontalface_alt2' }), []);
    const tracker = await engine.createFaceTracker({ model: null });
    assert.equal((await tracker.process(picture)).faces.length, 0);
    await tracker.setParameters(library.photographFaces);
    const { faces } = await tracker.process(picture);
    await tracker.dispose();
    assert.equal(faces.length, 1);
  });

  it('one in profile, by the network alone', async () => {
    const photographer = readGrayPng(path.join(root, 'test/media/photographer.png'));
    const [{ x, y, width, height }] = await engine.detectFaces(photographer, { variant: 'network', minScore: 0.7 });
    assert.ok(Math.hypot(x + width / 2 - 230, y + height / 2 - 155) < 30, `${x} ${y} ${width} ${height}`);
    assert.deepEqual(await engine.detectFaces(photographer), []);
  });

  for (const name of ['landmarks-network', 'landmarks-68'])
    it(`points of her face are trusted, those beside it are not, and she looks into the camera: ${name}`, async () => {
      const [box] = await engine.detectFaces(portrait(), { minSize: 30 });
      const beside = { x: 330, y: 20, width: 105, height: 105 };
      const model = modelFile(`${name}.bin`);
      const [own, other] = await engine.landmarkFits(portrait(), [box, beside], { model });
      assert.ok(own.confidence > 0.7, `${own.confidence}`);
      assert.ok(other.confidence < 0.5, `${other.confidence}`);
      assert.equal(other.gaze, undefined);
      const { yaw, pitch } = own.gaze;
      // Twice what renders are off in the mean.
      assert.ok(Math.hypot(yaw, pitch) < 0.38, `${yaw} ${pitch}`);
    });

  it('every picture has its source and its license', () => {
    const words = readFileSync(path.join(root, 'test/media/LICENSES.md'), 'utf8');
    const pictures = readdirSync(path.join(root, 'test/media')).filter((name) => !/\.(md|txt)$/.test(name));
    assert.ok(pictures.length >= 6);
    for (const name of pictures) assert.match(words, new RegExp(`^\\| (.*, )?${name}[ ,]`, 'm'));
  });
});
