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
const dimmed = ({ width, height, data }) => ({ width, height, data: data.map((v) => v >> 2) });

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

  it('none where there is none to be seen: upside down, and a man from behind', async () => {
    assert.deepEqual(await engine.detectFaces(turned(portrait())), []);
    const behind = readGrayPng(path.join(root, 'test/media/photographer.png'));
    assert.deepEqual(await engine.detectFaces(behind, { minSize: 24 }), []);
  });

  for (const name of ['landmarks-68', 'landmarks-68-small'])
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
