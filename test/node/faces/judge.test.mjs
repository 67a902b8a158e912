// The judge of found faces: its file, its gradients, what it decides, and what is done without it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { scenesOf } from '../../../lab/faces/judge/scenes.mjs';
import { asJudged, fitLine, lossOf } from '../../../lab/faces/judge/scores.mjs';
import { generator, library, makeRuntime, modelFile, portrait } from './support.mjs';

const { bestLook, driveNow, findFaces, gradientsOf, looksAt, packJudge, randomImage, randomJudge, readJudge } = library;
const { scoreTable, shareOfFaces } = library;

describe('the judge of faces', () => {
  let runtime;
  let cascades;
  before(async () => {
    runtime = await makeRuntime();
    cascades = ['frontalface_alt', 'frontalface_alt2'].map((name) => library.readCascade(modelFile(`${name}.bin`)));
  });
  after(() => runtime.dispose());

  it('is read as it was packed, and refused where it is another model or damaged', () => {
    const judge = randomJudge(generator(3));
    const bytes = packJudge(judge);
    const read = readJudge(bytes);
    assert.deepEqual([read.stages, read.gain, read.templates.length], [judge.stages, judge.gain, 2]);
    read.templates.forEach(({ template }, i) => {
      const far = template.map((v, k) => Math.abs(v - judge.templates[i].template[k]));
      assert.ok(far.reduce((a, b) => Math.max(a, b)) < 0.2 / 127, 'steps of 8 bits');
    });
    const damaged = bytes.slice();
    damaged[damaged.length - 1] ^= 1;
    assert.throws(() => readJudge(damaged), { code: 'model-checksum' });
    assert.throws(() => readJudge(bytes.subarray(0, 900)), { code: 'model-format' });
    assert.throws(() => readJudge(modelFile('frontalface_alt.bin')), { code: 'model-format' });
    const short = judge.templates.map(({ constant, template }) => ({ constant, template: template.subarray(1) }));
    assert.throws(() => packJudge({ ...judge, templates: short }), { code: 'model-format' });
  });

  it('sees the gradients of the reference, also beyond the border', () => {
    const random = generator(5);
    for (const [width, height] of [
      [90, 80],
      [40, 33],
      [7, 9],
      [1, 1],
    ]) {
      const image = randomImage(random, width, height);
      const plane = runtime.plane(width, height, 'u8', image.data);
      const boxes = [
        [3.2, 4, 30],
        [-9, 12, 61.5],
        [20, 20, 150],
      ].map(([x, y, side]) => ({ x, y, width: side, height: side }));
      const found = driveNow(runtime, (scope) => gradientsOf(scope, plane, boxes));
      plane.dispose();
      boxes.forEach(({ x, y, width: side }, i) =>
        library
          .gradientsOfBox(image, [x, y, side, side])
          .forEach((v, k) => assert.ok(Math.abs(v - found[i][k]) < 1e-5, `box ${i}, number ${k}`)),
      );
    }
  });

  it('sees a face that is turned to one side as it sees the mirrored one', () => {
    const judge = randomJudge(generator(6));
    const { width, height, data } = randomImage(generator(7), 80, 80);
    const valueOf = (pixels) => {
      const plane = runtime.plane(width, height, 'u8', pixels);
      const box = { x: 20, y: 18, width: 40, height: 40 };
      const [looks] = driveNow(runtime, (scope) => looksAt(scope, alone, plane, [box]));
      plane.dispose();
      return bestLook(looks).value;
    };
    // The template from the front is of no use here: it need not be alike on both sides.
    const never = { constant: -1000, template: judge.templates[0].template };
    const alone = { ...judge, templates: [never, judge.templates[1]] };
    const mirrored = data.map((_, i) => data[i - (i % width) + width - 1 - (i % width)]);
    assert.ok(Math.abs(valueOf(data) - valueOf(mirrored)) < 0.2);
  });

  const facesIn = ({ width, height, data }, judge, given = {}) => {
    const plane = runtime.plane(width, height, 'u8', data);
    const { cascade: _, verifier: __, judged: ___, ...values } = library.resolveDetection(given);
    const faces = driveNow(runtime, (scope) => findFaces(scope, plane, ...cascades, values, judge));
    plane.dispose();
    return faces;
  };

  it('finds the face of the portrait, and none where it stands on its head', () => {
    const judge = readJudge(modelFile('face-judge.bin'));
    const picture = portrait();
    const faces = facesIn(picture, judge);
    assert.equal(faces.length, 1);
    assert.ok(faces[0].score > 0.9, `score ${faces[0].score}`);
    const [{ x, y, width }] = facesIn(picture, null);
    assert.ok(Math.hypot(faces[0].x - x, faces[0].y - y) < 0.15 * width, 'where the two cascades have it');
    assert.deepEqual(facesIn({ ...picture, data: picture.data.toReversed() }, judge), []);
  });

  it('reports the share that is right, and lets minScore decide by the score itself', () => {
    const judge = readJudge(modelFile('face-judge.bin'));
    const all = facesIn(portrait(), judge, { minScore: 0 });
    const judged = all.map(({ score }) => asJudged(score, scoreTable));
    assert.ok(all.length > 5, `${all.length} boxes`);
    assert.ok(judged.every((score, i) => i === 0 || score <= judged[i - 1]));
    judged.forEach((score, i) => {
      assert.ok(Math.abs(shareOfFaces(score) - all[i].score) < 1e-9);
      if (i && score > judged[i + 1] * 1.001)
        assert.deepEqual(facesIn(portrait(), judge, { minScore: score * 0.9999 }), all.slice(0, i + 1));
    });
    const shares = [0, 0.02, 0.1, 0.5, 0.9, 0.999, 1].map(shareOfFaces);
    assert.deepEqual([shares[0], shares.at(-1)], [0, 1]);
    assert.ok(shares.every((share, i) => i === 0 || share > shares[i - 1]));
    assert.ok(shares[3] < 0.45, 'of boxes scored 0.5 fewer than half are faces');
  });

  it('has its scores fitted by a line that persons held out bear out', () => {
    const random = generator(8);
    const rows = Array.from({ length: 6000 }, (_, person) => {
      const odds = 8 * random() - 4;
      const right = random() < 1 / (1 + Math.exp(1 - 1.5 * odds));
      return { person, score: 1 / (1 + Math.exp(-odds)), right };
    });
    const { slope, constant, heldOut } = fitLine(rows);
    assert.ok(Math.abs(slope - 1.5) < 0.1 && Math.abs(constant + 1) < 0.1, `${slope}, ${constant}`);
    const before = lossOf(rows.map(({ score, right }) => ({ p: score, right })));
    const after = lossOf(heldOut);
    assert.ok(
      after.gap < 0.03 && before.gap > 2 * after.gap && after.log < before.log,
      JSON.stringify([before, after]),
    );
    // What is held out is not seen: persons whose boxes are all wrong are no better known for it.
    const liars = rows.map((row) => (row.person % 5 === 0 ? { ...row, right: !row.right } : row));
    const [seen, unseen] = [fitLine(liars).inSample, fitLine(liars).heldOut].map((pairs) => lossOf(pairs.filter((_, i) => i % 5 === 0)).log); // prettier-ignore
    assert.ok(unseen > seen, `${unseen} ${seen}`);
  });

  it('meets rendered faces on procedural pictures, and pictures without', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'foveola-scenes-'));
    const [side, count] = [60, 3];
    writeFileSync(path.join(folder, 'faces.json'), JSON.stringify({ version: 1, seed: 1, count, side, shard: count }));
    const json = JSON.stringify(Array.from({ length: count }, (_, i) => ({ seed: 7 * i }))).padEnd(64);
    const head = Buffer.alloc(16);
    [0x31465646, count, side, json.length].forEach((v, k) => head.writeUInt32LE(v, 4 * k));
    // A white face: its points lie from 20 to 40 across and from 25 to 45 down.
    const points = Float32Array.from({ length: 136 * count }, (_, k) => (k % 2 ? 25 : 20) + (k % 4 < 2 ? 0 : 20));
    const white = Buffer.alloc(count * side * side, 255);
    writeFileSync(path.join(folder, 'faces-00000.bin'), Buffer.concat([head, Buffer.from(json), white, Buffer.from(points.buffer)])); // prettier-ignore
    const scenes = [];
    for await (const scene of scenesOf(folder, importTs)) scenes.push(scene);
    rmSync(folder, { recursive: true });
    assert.deepEqual(scenes.map(({ person, faces }) => [person, faces.length]), [[0, 1], [1, 1], [2, 0]]); // prettier-ignore
    for (const { width, height, data, faces } of scenes) {
      assert.equal(data.length, width * height);
      for (const { box } of faces) {
        assert.ok(box.width > 23 && box.width < 121 && box.x >= 0 && box.y + box.height <= height, JSON.stringify(box));
        assert.equal(data[Math.round(box.y + box.height / 2) * width + Math.round(box.x + box.width / 2)], 255);
        assert.notEqual(data[0], 255);
      }
    }
    assert.notDeepEqual(scenes[0].data, scenes[2].data);
  });

  it('is not asked by those who name their own cascades', () => {
    const judged = (given) => library.resolveDetection(given).judged;
    assert.equal(judged({}), true);
    assert.equal(judged({ minScore: 0.8 }), true);
    for (const own of [
      { verifier: null },
      { verifier: 'frontalface_alt2' },
      { minNeighbors: 3 },
      { cascade: 'frontalface_alt' },
    ])
      assert.equal(judged(own), false);
  });

  it('is done without where its file is missing', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const bare = await makeRuntime();
    assert.equal(await library.loadJudge(bare), null);
    bare.dispose();
  });
});
