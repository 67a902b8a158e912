// The trainer: on made-up faces whose points can be seen, half of them to learn from and half to be scored.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import { atMost } from '../../../bench/parts/report.mjs';
import { importTrainer, tellTime } from '../../../lab/train-landmarks.mjs';
import { cropFaces } from '../../../lab/landmarks/crops.mjs';
import { imageOf, readFaces } from '../../../lab/landmarks/dataset.mjs';
import { generator } from '../../../tools/random.mjs';
import { makeSamples } from '../../../lab/landmarks/samples.mjs';
import { boxOf, similarity } from '../../../lab/landmarks/shapes.mjs';
import { library, makeRuntime } from './support.mjs';
import { itInFull } from '../../support/full.mjs';

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
  return { image: { width, height, data }, points: spots.flat() };
}

describe('the trainer of landmark models', () => {
  let runtime;
  let trainer;
  before(async () => {
    runtime = await makeRuntime();
    trainer = await importTrainer();
  });
  after(() => runtime.dispose());
  const options = {
    ...{ cascades: 4, trees: 30, depth: 3, pixels: 120, pairs: 20, boxes: 12, held: 2, coefficients: 6, far: 0.3 },
    ...{
      near: 0.2,
      first: 2,
      spread: 1,
      turned: 0,
      shrinkage: 0.15,
      seed: 3,
      threads: 1,
      box: { x: 0, y: 0, size: 1 },
    },
  };
  const random = generator(4);
  const faces = cropFaces(Array.from({ length: 60 }, () => face(random)));

  it('finds the points of faces that it has not seen, as the kernel finds them, and says how far it is', async () => {
    const steps = [];
    const model = await trainer.trainLandmarks(faces, options, (step) => step.done && steps.push(step));
    assert.deepEqual(
      steps.map(({ done }) => done),
      [1, 2, 3, 4],
    );
    const packed = library.openLandmarks(trainer.packLandmarks(model, '8-bit'));
    const { places, truth, measures, learned, count, faceOf, mean } = makeSamples(faces, {
      ...trainer.defaults,
      ...options,
    });
    assert.equal(count - learned, 30);
    let [own, still] = [0, 0];
    for (let s = learned; s < count; s++) {
      const [x, y, w, , , h] = places.subarray(6 * s, 6 * s + 6);
      const { width, height, data } = imageOf(faces, faceOf[s]);
      const plane = runtime.plane(width, height, 'u8', new Uint8Array(data));
      const box = { x, y, width: w + 1, height: h + 1 };
      const [shape] = library.driveNow(runtime, (scope) =>
        library.fitLandmarks(scope, plane, [box], packed, { cascades: 4 }),
      );
      plane.dispose();
      for (let k = 0; k < 6; k += 2) {
        const off = (u, v) => (measures[s] * Math.hypot(u - truth[6 * s + k], v - truth[6 * s + k + 1])) / 90;
        own += off((shape[k] - x) / w, (shape[k + 1] - y) / h);
        still += off(mean[k], mean[k + 1]);
      }
    }
    assert.ok(Math.abs(own - steps[3].held) < 0.002, `${own} by the kernel, ${steps[3].held} by the trainer`);
    assert.ok(own < 0.5 * still, `${own}, the mean shape ${still}`);
    assert.ok(steps[3].learned < steps[0].learned);
  });

  itInFull('gives the same bytes on one thread and on three, and when it goes on after a cascade', async () => {
    const small = { ...options, cascades: 2, trees: 5 };
    let resume = null;
    const train = async (more) =>
      trainer.packLandmarks(
        await trainer.trainLandmarks(faces, { ...small, ...more }, ({ done, checkpoint }) => {
          if (done === 1) resume = structuredClone(checkpoint);
        }),
        '8-bit',
      );
    const one = await train({ threads: 1 });
    assert.deepEqual(await train({ threads: 3 }), one);
    assert.deepEqual(await train({ threads: 2, resume }), one);
    assert.notDeepEqual(await train({ seed: 4 }), one);
  });

  it('tells what the whole training took, also of one that was ended, and whether that is too long', async (t) => {
    t.mock.method(console, 'log', () => {});
    const folder = mkdtempSync(path.join(tmpdir(), 'foveola-training-'));
    const to = path.join(folder, 'model.bin');
    const settings = {
      cascades: 2,
      trees: 4,
      depth: 2,
      pixels: 40,
      boxes: 4,
      held: 2,
      coefficients: 6,
      first: 1,
      threads: 1,
    };
    const given = ['faces', to, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])];
    const run = () => trainer.command(given, () => faces);
    mkdirSync(to); // the model cannot be written: the training is not at its end
    await assert.rejects(run, { code: 'EISDIR' });
    rmdirSync(to);
    const kept = deserialize(readFileSync(`${to}.part`));
    assert.ok(kept.took.seconds > 0 && kept.took.processor > 0);
    writeFileSync(`${to}.part`, serialize({ ...kept, took: { seconds: 5000, processor: 7000 } }));
    const took = await run();
    assert.ok(took.seconds > 5000 && took.seconds < 6000 && took.processor > 7000, JSON.stringify(took));
    assert.deepEqual([took.faces, took.threads, took.cascades, took.trees], [60, 1, 2, 4]);
    rmSync(folder, { recursive: true });
    const lines = [];
    const report = { table: (rows) => lines.push(rows[1].join(' ')), line: (words) => lines.push(words) };
    for (const processor of [2390, 2410]) tellTime({ ...took, seconds: 1500, processor }, report, atMost);
    assert.equal(lines[0], '60 2 4 1 25.0 39.8');
    assert.match(lines[1], /at most 20\. 19\.9: reached/);
    assert.match(lines[3], /at most 20\. 20\.1: NOT reached/);
  });

  it('fits similarities as the kernels do', () => {
    const from = [0, 0, 1, 0, 0, 1];
    const to = [5, 5, 5, 7, 3, 5]; // a quarter turn, twice as large
    const [a, b] = similarity(from, to);
    assert.ok(Math.abs(a) < 1e-12 && Math.abs(b - 2) < 1e-12);
  });

  it('takes the boxes of the rule', () => {
    // Points 100 wide and 60 high: 1.05 times 80, by 1.08, and 9 % of the 84 higher.
    const { x, y, width, height } = boxOf([0, 0, 100, 60]);
    for (const [value, wanted] of [
      [width, 90.72],
      [height, 90.72],
      [x, 50 - 45.36],
      [y, 30 - 45.36 - 7.56],
    ])
      assert.ok(Math.abs(value - wanted) < 1e-9, `${value}, not ${wanted}`);
  });

  it('reads faces in shards, and refuses what is cut short or missing', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'foveola-faces-'));
    const [side, count] = [4, 3];
    writeFileSync(path.join(folder, 'faces.json'), JSON.stringify({ version: 1, seed: 1, count, side, shard: 2 }));
    for (let n = 0; n < 2; n++) {
      const own = n ? 1 : 2;
      const json = JSON.stringify(Array.from({ length: own }, (_, i) => ({ tone: 2 * n + i }))).padEnd(28);
      const head = Buffer.alloc(16);
      [0x31465646, own, side, 28].forEach((v, k) => head.writeUInt32LE(v, 4 * k));
      const gray = Buffer.alloc(16 * own, 7 + n);
      const points = Buffer.from(Float32Array.from({ length: 136 * own }, (_, k) => 1000 * n + k).buffer);
      writeFileSync(path.join(folder, `faces-0000${n}.bin`), Buffer.concat([head, Buffer.from(json), gray, points]));
    }
    const { gray, shapes, records } = readFaces(folder);
    assert.deepEqual(
      records.map(({ tone }) => tone),
      [0, 1, 2],
    );
    assert.deepEqual([gray[0], gray[31], gray[32], shapes[137], shapes[2 * 136 + 5]], [7, 7, 8, 137, 1005]);
    assert.equal(readFaces(folder, 1).count, 1);
    truncateSync(path.join(folder, 'faces-00001.bin'), 300);
    assert.throws(() => readFaces(folder), /cut short/);
    rmSync(path.join(folder, 'faces-00001.bin'));
    assert.throws(() => readFaces(folder), /missing/);
    rmSync(folder, { recursive: true });
  });
});
