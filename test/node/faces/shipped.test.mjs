// The models that are shipped, on rendered faces whose 68 points are known exactly (their jaw by a simpler rule than the models').
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { library, modelFile, renderedFaces } from './support.mjs';

/** Points of the jaw; the others lie within the face. */
const JAW = 17;

/** Mean distance of the points from `first` on, by that of the outer corners of the eyes. */
function errorOf(found, truth, first = 0) {
  const apart = (i, j) => Math.hypot(truth[2 * i] - truth[2 * j], truth[2 * i + 1] - truth[2 * j + 1]);
  let sum = 0;
  for (let i = first; i < 68; i++) sum += Math.hypot(found[2 * i] - truth[2 * i], found[2 * i + 1] - truth[2 * i + 1]);
  return sum / (68 - first) / apart(36, 45);
}

describe('what is shipped', () => {
  const faces = renderedFaces();
  let engine;
  let boxes;
  before(async () => {
    engine = await library.createEngine();
    boxes = await Promise.all(faces.map(({ image }) => engine.detectFaces(image)));
  });
  after(() => engine.dispose());

  it('finds each rendered face once, surely, where it is', () => {
    assert.equal(faces.length, 4);
    faces.forEach(({ points }, i) => {
      assert.equal(boxes[i].length, 1, `face ${i}`);
      const [{ x, y, width, height, score }] = boxes[i];
      assert.ok(score > 0.99, `face ${i}: score ${score}`);
      // Its eyes, nose and mouth lie within, in the middle of the box, and take half to all of its width.
      const inner = [0, 1].map((k) => points.filter((_, at) => at % 2 === k).slice(JAW));
      const [left, right, top, bottom] = inner.flatMap((list) => [Math.min(...list), Math.max(...list)]);
      const text = `face ${i}: ${[x, y, width]} about ${[left, right, top, bottom]}`;
      assert.ok(left > x && right < x + width && top > y && bottom < y + height, text);
      assert.ok(Math.abs((left + right) / 2 - x - width / 2) < 0.15 * width, text);
      assert.ok(right - left > 0.5 * width, text);
    });
  });

  for (const [name, limits] of [['landmarks-68', { all: 0.058, inner: 0.043, each: 0.065, bytes: 9_000_000 }]])
    it(`${name} puts points on them, and is as small as it is said to be`, async () => {
      const sums = { all: 0, inner: 0 };
      for (const [i, { image, points }] of faces.entries()) {
        const [found] = await engine.landmarks(image, boxes[i], { model: name });
        const [all, inner] = [errorOf(found, points), errorOf(found, points, JAW)];
        assert.ok(all < limits.each, `face ${i}: ${all}`);
        sums.all += all / faces.length;
        sums.inner += inner / faces.length;
      }
      for (const part of ['all', 'inner']) assert.ok(sums[part] < limits[part], JSON.stringify(sums));
      assert.ok(modelFile(`${name}.bin`).length < limits.bytes);
    });
});
