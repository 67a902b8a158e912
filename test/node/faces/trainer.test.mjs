// The trainer: on made-up faces whose points can be seen, half of them to learn from and half to be scored.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { trainLandmarks } from '../../../tools/train/train.mjs';
import { similarity } from '../../../tools/train/trees.mjs';
import { generator, library, makeRuntime } from './support.mjs';

/** A bright disc with three dark spots; the points are the spots' centers. */
function face(random) {
  const [width, height] = [80, 80];
  const spots = [
    [28, 30],
    [52, 30],
    [40, 54],
  ].map(([x, y]) => [x + 12 * (random() - 0.5), y + 12 * (random() - 0.5)]);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const near = Math.min(...spots.map(([u, v]) => Math.hypot(x - u, y - v)));
      data[y * width + x] = Math.hypot(x - 40, y - 40) > 36 ? 90 : 60 + 150 * Math.min(1, near / 9);
    }
  return { image: { width, height, data }, points: spots.flat(), box: { x: 4, y: 4, width: 72, height: 72 } };
}

describe('the trainer of landmark models', () => {
  let runtime;
  before(async () => (runtime = await makeRuntime()));
  after(() => runtime.dispose());
  const options = { cascades: 5, trees: 30, depth: 3, pixels: 120, tests: 20, oversampling: 8, jitter: 0.05, turn: 0 };
  const random = generator(4);
  const faces = Array.from({ length: 60 }, () => face(random));
  const images = faces.map(({ image }) => image);
  const train = faces.slice(0, 30).map((f, i) => ({ ...f, image: i }));

  const errorOf = (shape, points) => {
    let sum = 0;
    for (let k = 0; k < points.length; k += 2) sum += Math.hypot(shape[k] - points[k], shape[k + 1] - points[k + 1]);
    return (2 * sum) / points.length;
  };

  it('finds the points of faces that it has not seen, and says how far it is', async () => {
    const steps = [];
    const model = await trainLandmarks(images, train, { ...options, threads: 1 }, (...step) => steps.push(step));
    assert.deepEqual(
      steps.map(([done, of]) => [done, of]),
      [1, 2, 3, 4, 5].map((n) => [n, 5]),
    );
    assert.ok(steps[4][2] < steps[0][2]);
    const packed = library.openLandmarks(library.packLandmarks(model, '8-bit'));
    let [own, mean] = [0, 0];
    for (const { image, points, box } of faces.slice(30)) {
      const plane = runtime.plane(image.width, image.height, 'u8', image.data);
      const [shape] = library.driveNow(runtime, (scope) => library.fitLandmarks(scope, plane, [box], packed));
      plane.dispose();
      own += errorOf(shape, points);
      const still = model.mean.map((v, k) => (k % 2 ? box.y + v * (box.height - 1) : box.x + v * (box.width - 1)));
      mean += errorOf(still, points);
    }
    assert.ok(own < 0.6 * mean, `${own / 30} px, the mean shape ${mean / 30} px`);
  });

  it('gives the same model on one thread and on two', async () => {
    const small = { ...options, cascades: 1, trees: 4, oversampling: 20 };
    const one = await trainLandmarks(images, train, { ...small, threads: 1 });
    const two = await trainLandmarks(images, train, { ...small, threads: 2 });
    for (const name of ['mean', 'anchors', 'deltas', 'splitPixels', 'thresholds', 'leaves'])
      assert.deepEqual(two[name], one[name], name);
  });

  it('fits similarities as the kernels do', () => {
    const from = [0, 0, 1, 0, 0, 1];
    const to = [5, 5, 5, 7, 3, 5]; // a quarter turn, twice as large
    const [a, b] = similarity(from, to);
    assert.ok(Math.abs(a) < 1e-12 && Math.abs(b - 2) < 1e-12);
  });
});
