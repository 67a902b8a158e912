// Landmarks: similarity transforms, the kernel against the plain reference and dlib's goldens, readers and bad input.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
  copiedGolden,
  generator,
  golden,
  library,
  makeRuntime,
  modelFile,
  portrait,
  randomImage,
  renderedFaces,
  shared,
  trainedLandmarks,
} from './support.mjs';

const { fitLandmarks, fitSimilarity, openLandmarks, packLandmarks, packModel, readDat, readLandmarks, umeyama } =
  library;
const fit = (runtime, ...args) => library.driveNow(runtime, (scope) => fitLandmarks(scope, ...args));
const installed = '/usr/share/dlib/shape_predictor_68_face_landmarks.dat';
const needsModel = {
  skip: !(existsSync(installed) && shared) && "no ../shared, or no model from Debian's libdlib-data",
};

const { randomLandmarks: randomModel } = library;

/** A .dat file of these sizes whose numbers are zeros, but for those of its shape. */
function blankDat({ points, cascades, trees, depth }) {
  const numbers = (...values) => values.flatMap((v) => [v < 0 ? 130 : 2, Math.abs(v) & 255, Math.abs(v) >> 8]);
  const zeros = (count) => new Array(2 * count).fill(0);
  const column = [...numbers(-2 * points, -1), ...zeros(2 * points)];
  const inner = 2 ** depth - 1;
  const splits = new Array(inner).fill([0, 1, 1, ...zeros(1)]).flat();
  const leaves = new Array(inner + 1).fill(column).flat();
  const tree = Buffer.from([...numbers(inner), ...splits, ...numbers(inner + 1), ...leaves]);
  const cascade = Buffer.concat([Buffer.from(numbers(trees)), ...new Array(trees).fill(tree)]);
  const each = [...numbers(cascades), ...new Array(cascades).fill([...numbers(2), 0, 0]).flat()];
  const deltas = [...numbers(cascades), ...new Array(cascades).fill([...numbers(2), ...zeros(4)]).flat()];
  const head = Buffer.from([...numbers(1), ...column, ...numbers(cascades)]);
  return new Uint8Array(Buffer.concat([head, ...new Array(cascades).fill(cascade), Buffer.from([...each, ...deltas])]));
}

/** The model as a .dat file. */
function toDat({ points, cascades, trees, depth, pixels, mean, anchors, deltas, splitPixels, thresholds, leaves }) {
  const out = [];
  const int = (v) => {
    const bytes = [];
    for (let n = Math.abs(v); n > 0; n = Math.floor(n / 256)) bytes.push(n % 256);
    out.push(bytes.length | (v < 0 ? 128 : 0), ...bytes);
  };
  const float = (v) => {
    let exponent = 0;
    while (!Number.isInteger(v)) ((v *= 2), exponent--);
    int(v);
    int(exponent);
  };
  const column = (values) => {
    int(-values.length);
    int(-1);
    values.forEach(float);
  };
  const inner = 2 ** depth - 1;
  int(1);
  column(mean);
  int(cascades);
  for (let c = 0; c < cascades; c++) {
    int(trees);
    for (let t = c * trees; t < (c + 1) * trees; t++) {
      int(inner);
      for (let s = t * inner; s < (t + 1) * inner; s++) {
        int(splitPixels[2 * s]);
        int(splitPixels[2 * s + 1]);
        float(thresholds[s]);
      }
      int(inner + 1);
      for (let l = 0; l <= inner; l++) {
        const at = 2 * points * (t * (inner + 1) + l);
        column(leaves.subarray(at, at + 2 * points));
      }
    }
  }
  for (const [values, each] of [
    [anchors, int],
    [deltas, float],
  ]) {
    int(cascades);
    const n = values.length / cascades;
    for (let c = 0; c < cascades; c++) {
      int(pixels);
      values.subarray(c * n, (c + 1) * n).forEach((v) => each(v));
    }
  }
  return Uint8Array.from(out);
}

describe('similarity transforms', () => {
  for (const { id, op, input, expected } of copiedGolden)
    if (op === 'similarity')
      it(`equals ${id}, in closed form and by singular values`, () => {
        for (const fit of [fitSimilarity, umeyama]) {
          const found = fit(input.from.flat(), input.to.flat());
          if (expected === null) {
            assert.equal(found, null);
            continue;
          }
          const scale = Math.max(1, ...input.to.flat().map(Math.abs));
          const near = (v, w) => assert.ok(Math.abs(v - w) < 1e-8 * scale, `${v}, not ${w}`);
          near(Math.hypot(found.a, found.b), expected.scale);
          near(found.x / scale, expected.t[0] / scale);
          near(found.y / scale, expected.t[1] / scale);
          if (expected.scale === 0) continue;
          near(found.a, expected.scale * expected.R[0][0]);
          near(found.b, expected.scale * expected.R[1][0]);
        }
      });

  it('without rotation fits scale and shift alone', () => {
    const from = [0, 0, 2, 0, 2, 2, 0, 2];
    const turned = [1, 0, 2, 1, 1, 2, 0, 1].map((v) => 2 * v + 5); // by 45 degrees
    const fit = fitSimilarity(from, turned, { rotation: false });
    assert.equal(fit.b, 0);
    assert.ok(fit.a > 0 && Math.abs(fit.x + fit.a - 7) < 1e-12 && Math.abs(fit.y + fit.a - 7) < 1e-12);
  });
});

describe('landmarks', () => {
  let runtime;
  before(async () => (runtime = await makeRuntime()));
  after(() => runtime.dispose());

  const boxes = [
    { x: 10, y: 12, width: 40, height: 40 },
    { x: -15, y: -20, width: 50, height: 47 },
    { x: 60, y: 50, width: 90, height: 80 },
    { x: -30, y: -25, width: 150, height: 160 },
  ];

  it('equal the plain reference, for models of many sizes and every form', () => {
    const random = generator(21);
    for (const sizes of [
      {},
      { points: 2, trees: 1, depth: 1 },
      { points: 9, trees: 6, depth: 2 },
      { points: 68, trees: 5, depth: 4, pixels: 90 },
      { coefficients: 3 },
      { points: 68, trees: 5, depth: 4, pixels: 90, coefficients: 16 },
    ])
      for (const [form, tolerance] of Object.entries({ exact: 1e-3, '16-bit': 5e-3, '8-bit': 0.5 })) {
        const model = randomModel(random, { ...sizes, cascades: 2 });
        const image = randomImage(random, 97, 83);
        const plane = runtime.plane(97, 83, 'u8', image.data);
        const found = fit(runtime, plane, boxes, openLandmarks(packLandmarks(model, form)), { cascades: 2 });
        plane.dispose();
        let worst = 0;
        boxes.forEach((box, i) =>
          library.landmarks(model, image, box).forEach((v, k) => (worst = Math.max(worst, Math.abs(v - found[i][k])))),
        );
        // Rounded leaves may send a feature pixel to its neighbor.
        assert.ok(worst < (form === 'exact' ? tolerance : tolerance + 6), `${form}: ${worst} px`);
      }
  });

  it('of a model with a patch are found again in the face as a third of the cascades finds it, turned with it', () => {
    const random = generator(31);
    for (const sizes of [
      { coefficients: 4, cascades: 4 },
      { points: 68, trees: 5, depth: 4, pixels: 90, coefficients: 16, cascades: 3 },
    ]) {
      const model = randomModel(random, sizes);
      const packed = openLandmarks(packLandmarks(model, 'exact'));
      const image = randomImage(random, 97, 83);
      const plane = runtime.plane(97, 83, 'u8', image.data);
      const once = fit(runtime, plane, boxes, packed, { cascades: sizes.cascades });
      const twice = fit(runtime, plane, boxes, packed);
      plane.dispose();
      assert.notDeepEqual(once, twice);
      boxes.forEach((box, i) => {
        const expected = library.landmarks(model, image, box, Math.ceil(sizes.cascades / 3));
        const worst = Math.max(...expected.map((v, k) => Math.abs(v - twice[i][k])));
        assert.ok(worst < 0.01, `box ${i}: ${worst} px`);
      });
    }
  });

  it('lie where those of the exact leaves do, but for the rounding: within a cascade no rounding changes the way through it', () => {
    const random = generator(77);
    for (const [form, steps] of Object.entries({ '16-bit': 32767, '8-bit': 127 })) {
      const model = randomModel(random, { points: 12, trees: 8, depth: 3, cascades: 1 });
      const image = randomImage(random, 97, 83);
      const plane = runtime.plane(97, 83, 'u8', image.data);
      const shapes = ['exact', form].map(
        (one) => fit(runtime, plane, boxes, openLandmarks(packLandmarks(model, one)))[2],
      );
      plane.dispose();
      // Half a step of each tree's leaf, of the largest leaf there is, in pixels of the box; and 32-bit floats.
      const largest = model.leaves.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      const bound = ((8 * 0.5 * largest) / steps) * 90 + 1e-3;
      const moved = Math.max(...shapes[0].map((v, i) => Math.abs(v - shapes[1][i])));
      assert.ok(moved <= bound, `${form}: ${moved} px, at most ${bound}`);
    }
  });

  it('come with the confidence of the fit, and are looked for again from other boxes where it is low', () => {
    const random = generator(9);
    const plain = openLandmarks(packLandmarks(randomModel(random, { coefficients: 4, cascades: 3 }), 'exact'));
    const image = randomImage(random, 97, 83);
    const plane = runtime.plane(97, 83, 'u8', image.data);
    const fits = (model, options) =>
      library.driveNow(runtime, (scope) => library.fitFaces(scope, plane, boxes, model, options));
    // One tree that compares a trace of the fit with the first one, which is 0.
    const judged = (leaves, pixel = 20 + 4, threshold = 0) =>
      openLandmarks(
        library.withConfidence(plain, {
          ...{ trees: 1, depth: 1, weights: new Float32Array(4).fill(1), splitPixels: [pixel, 20] },
          ...{ thresholds: [threshold], leaves },
        }),
      );
    const shapesOf = (list) => list.map(({ shape }) => shape);
    const once = fits(plain);
    assert.ok(once.every(({ confidence }) => Number.isNaN(confidence)));
    assert.deepEqual(fits(plain, { again: true }), once);
    const sure = fits(judged([4, -4]), { again: true });
    for (const { confidence } of sure) assert.ok(Math.abs(confidence - 1 / (1 + Math.exp(-4))) < 1e-6, `${confidence}`);
    assert.deepEqual(shapesOf(sure), shapesOf(once));
    const [numbers] = fits(judged([0, 0]), { numbers: true }).map(({ numbers }) => numbers);
    assert.equal(numbers.length, 20 + library.TRACES);
    // How far the last round went.
    const doubted = judged([-4, 4], 20 + 2, fits(plain, { numbers: true })[0].numbers[20 + 2] - 1);
    const [first, again] = [fits(doubted), fits(doubted, { again: true })];
    plane.dispose();
    assert.ok(first[0].confidence < 0.02);
    again.forEach(({ confidence, shape }, i) => {
      assert.ok(confidence >= first[i].confidence);
      if (first[i].confidence > 0.9) assert.deepEqual(shape, first[i].shape);
    });
  });

  it('map boxes of the detector to those of the model, and back', () => {
    const model = openLandmarks(packLandmarks(randomModel(generator(5)), 'exact'));
    const box = { x: 100, y: 50, width: 40, height: 40 };
    const mapped = library.mapBox(box, model);
    assert.deepEqual(mapped, { x: 95, y: 30, width: 60, height: 60 });
    assert.deepEqual(library.unmapBox(mapped, model), box);
  });

  it('are found by a trained model in faces whose points are known, and lie on the eyes of a portrait', async () => {
    const engine = await library.createEngine();
    const model = trainedLandmarks();
    const { mean } = openLandmarks(model);
    const distance = (one, other) => {
      let sum = 0;
      for (let k = 0; k < 136; k += 2) sum += Math.hypot(one[k] - other[k], one[k + 1] - other[k + 1]);
      return sum / 68;
    };
    const faces = renderedFaces();
    assert.equal(faces.length, 4);
    const sums = { own: 0, without: 0 };
    for (const { image, points } of faces) {
      // This small model learned from boxes as the two cascades find them, and is good for no others.
      const boxes = await engine.detectFaces(image, { verifier: 'frontalface_alt2' });
      assert.equal(boxes.length, 1);
      const [{ x, y, width, height }] = boxes;
      const [found] = await engine.landmarks(image, boxes, { model });
      const still = mean.map((v, k) => (k % 2 ? y + v * (height - 1) : x + v * (width - 1)));
      const [own, without] = [distance(found, points) / width, distance(still, points) / width];
      assert.ok(own < 0.025, `${own} of the box`);
      sums.own += own;
      sums.without += without;
    }
    assert.ok(sums.own < sums.without / 2, JSON.stringify(sums));
    const photograph = portrait();
    const [shape] = await engine.landmarks(photograph, await engine.detectFaces(photograph), { model });
    // The pupils in the picture, seen by eye.
    for (const [first, eye] of [
      [36, [203.5, 101]],
      [42, [247, 103.5]],
    ])
      for (const k of [0, 1]) {
        let middle = 0;
        for (let i = first; i < first + 6; i++) middle += shape[2 * i + k] / 6;
        assert.ok(Math.abs(middle - eye[k]) < 6, `${middle}, not ${eye[k]}`);
      }
    await engine.dispose();
  });

  it('are those of dlib for the same boxes', needsModel, async () => {
    const { cases, read } = await golden();
    const bytes = new Uint8Array(readFileSync(installed));
    const dat = readDat(bytes);
    const { initialShape } = read(cases.find((c) => c.op === 'ert_model').expected[0]);
    initialShape.forEach((v, i) => assert.ok(Math.abs(v - dat.mean[i]) < 1e-6));
    const model = openLandmarks(packLandmarks(dat, 'exact'));
    for (const c of cases.filter((c) => c.op === 'ert_landmarks')) {
      const [height, width] = c.inputs[0].shape;
      const plane = runtime.plane(width, height, 'u8', read(c.inputs[0]));
      const [l, t, r, b] = c.params.rect;
      const [found] = fit(runtime, plane, [{ x: l, y: t, width: r - l + 1, height: b - t + 1 }], model);
      plane.dispose();
      const expected = read(c.expected.find(({ name }) => name === 'points'));
      expected.forEach((v, i) => assert.ok(Math.abs(v - found[i]) < 0.02, `${c.id}: ${v}, not ${found[i]}`));
    }
  });
});

describe('landmark models', () => {
  it('read a .dat file, and keep all numbers in the exact form', () => {
    const model = randomModel(generator(8), { points: 6, depth: 2 });
    const { box, notice, ...numbers } = readDat(toDat(model));
    assert.deepEqual(box, { x: 0, y: 0, size: 1 });
    assert.equal(notice, '');
    for (const [name, value] of Object.entries(numbers)) assert.deepEqual(value, model[name], name);
    const packed = packLandmarks(model, 'exact');
    const { box: kept, notice: text, mean } = openLandmarks(packed);
    assert.deepEqual([kept, text, mean], [model.box, model.notice, model.mean]);
    assert.deepEqual(readLandmarks(toDat(model)).mean, model.mean);
    assert.ok(packLandmarks(model, '8-bit').length < packed.length);
    assert.deepEqual(library.convertModel(toDat(model), 'exact').length > 0, true);
  });

  it('are refused with numbers that are none or beyond all measure', () => {
    const model = () => randomModel(generator(8), { points: 6, depth: 2 });
    for (const name of ['deltas', 'thresholds', 'leaves'])
      for (const value of [NaN, Infinity, 1e30]) {
        const changed = model();
        changed[name][3] = value;
        for (const form of ['exact', '8-bit'])
          assert.throws(
            () => openLandmarks(packLandmarks(changed, form)),
            { code: 'model-format' },
            `${name}: ${value}`,
          );
      }
    for (const form of ['exact', '16-bit', '8-bit']) openLandmarks(packLandmarks(model(), form));
  });

  it('of dlib are read in pieces, between which others have their turn and a cancel is heard', async () => {
    const bytes = blankDat({ points: 68, cascades: 15, trees: 200, depth: 4 });
    const runtime = await makeRuntime();
    let turns = 0;
    const read = async (options) => {
      const end = { there: false };
      const model = library.loadLandmarks(runtime, bytes, options).finally(() => (end.there = true));
      model.catch(() => {});
      for (turns = 0; !end.there; turns++) await new Promise((resolve) => setImmediate(resolve));
      return model;
    };
    const abort = new AbortController();
    const cancelled = read({ signal: abort.signal });
    abort.abort();
    await assert.rejects(cancelled, { code: 'aborted' });
    assert.ok(turns <= 2, `${turns} turns after the cancel`);
    const { trees } = await read();
    assert.equal(trees, 200);
    assert.ok(turns >= 5, `${turns} turns`);
    runtime.dispose();
  });

  it('are refused before they take memory where they are far larger than any in use', async () => {
    const sizes = { points: 68, cascades: 15, trees: 500, depth: 4, pixels: 500 };
    library.checkSizes(sizes); // dlib's own
    library.checkSizes({ ...sizes, points: 106 });
    assert.throws(() => library.checkSizes({ ...sizes, depth: 6 }), { code: 'model-format', message: /34 million/ });
    const runtime = await makeRuntime();
    const tooLarge = new Uint8Array((160 << 20) + 1);
    await assert.rejects(library.loadLandmarks(runtime, tooLarge), { code: 'model-format', message: /maximum is/ });
    await assert.rejects(library.loadCascade(runtime, tooLarge.subarray(0, (8 << 20) + 1)), { message: /maximum is/ });
    runtime.dispose();
  });

  it('refuse .dat files that are cut short, changed or huge', () => {
    const random = generator(6);
    const good = toDat(randomModel(random));
    for (let n = 0; n < good.length; n += n < 40 ? 1 : 97)
      assert.throws(() => readDat(good.slice(0, n)), { code: 'model-format' }, `${n} bytes`);
    assert.throws(() => readDat(Uint8Array.of(...good, 0)), { code: 'model-format' });
    for (let i = 0; i < 600; i++) {
      const bytes = good.slice();
      for (let k = 0; k < 2; k++)
        bytes[Math.floor(random() * (i % 2 ? 60 : bytes.length))] = Math.floor(random() * 256);
      try {
        packLandmarks(readDat(bytes), 'exact');
      } catch (error) {
        assert.equal(error.code, 'model-format', error.stack);
      }
    }
    // 2^40 cascades in a file of a few bytes.
    const huge = Uint8Array.of(1, 1, 0x81, 4, 0x81, 1, ...Array(4).fill([1, 1, 0]).flat(), 6, 0, 0, 0, 0, 0, 1);
    assert.throws(() => readDat(huge), /announces/);
  });

  it('refuse compact files of absurd sizes, wrong indices and other kinds', () => {
    const model = randomModel(generator(2));
    const bytes = packLandmarks(model, 'exact');
    const payload = () => bytes.slice(bytes.length - openLandmarks(bytes).payload.length);
    const refused = (change, message) => {
      const own = payload();
      change(new DataView(own.buffer));
      assert.throws(() => openLandmarks(packModel('landmarks', own, '')), { code: 'model-format', message });
    };
    refused((v) => v.setUint32(0, 0xffffffff, true), /points/);
    refused((v) => v.setUint32(8, 1 << 30, true), /trees/);
    refused((v) => v.setUint32(12, 31, true), /depth/);
    refused((v) => v.setUint32(20, 3, true), /3 bytes/);
    refused((v) => v.setUint32(36, 0, true), /should have/);
    const at = (section) => new DataView(payload().buffer).getUint32(32 + 4 * section, true);
    refused((v) => v.setUint16(at(1), 60000, true), /missing point/);
    refused((v) => v.setUint16(at(3) + 2, 60000, true), /missing pixels/);
    refused((v) => v.setFloat32(at(0), NaN, true), /mean shape/);
    for (let n = 0; n < bytes.length; n += 331)
      assert.throws(() => openLandmarks(bytes.slice(0, n)), { code: 'model-format' });
    assert.throws(() => library.readCascade(bytes), /cascade/);
  });

  it('refuse a patch or shape space that cannot be used', () => {
    const model = randomModel(generator(2), { coefficients: 4 });
    const good = openLandmarks(packLandmarks(model, '8-bit'));
    assert.ok(good.patched);
    const at = new DataView(good.payload.slice().buffer).getUint32(60, true);
    for (const [offset, value, message] of [
      [60, at + 16, /patch/],
      [60, at + 4, /patch/],
      [60, 0xfffffff0, /patch/],
      [60, 0, /should have/],
      [at, 1 << 20, /patch/], // side, box, coefficients
      [at, 59, /patch/],
      [at + 4, 62, /patch/],
      [at + 4, 2, /patch/],
      [at + 8, 0, /patch/],
      [at + 8, 1 << 28, /patch/],
      [at + 12, 4, /patch/], // more cascades that find how the face lies than there are
      [at + 16, 3, /patch/], // trees of a confidence without depth
      [at + 16, 1 << 20, /patch/],
      [at + 20, 3, /patch/],
      [at + 32, 30, /patch/], // how far the first cascade's squares reach
      [at + 32, -1, /patch/],
      [at + 48, 0x7f800000, /not finite or too large/], // infinity, in the shape space
    ]) {
      const own = good.payload.slice();
      new DataView(own.buffer).setUint32(offset, value, true);
      const bytes = packModel('landmarks', own, '');
      assert.throws(() => openLandmarks(bytes), { code: 'model-format', message }, `${offset}: ${value}`);
    }
  });

  it('of another version, cut short or damaged are refused with what to do, also those that are shipped', () => {
    for (const bytes of [packLandmarks(randomModel(generator(2)), '8-bit'), modelFile('landmarks-68.bin')]) {
      const newer = bytes.slice();
      newer[6] = 9;
      const damaged = bytes.slice();
      damaged[damaged.length >> 1] ^= 1;
      for (const [wrong, code, what] of [
        [newer, 'model-format', /has version 9, but this build reads 1\./],
        [bytes.subarray(0, bytes.length - 1), 'model-format', /bytes but has/],
        [damaged, 'model-checksum', /damaged/],
      ])
        assert.throws(
          () => library.readLandmarks(wrong),
          (error) => {
            assert.equal(error.code, code);
            assert.match(error.message, what);
            assert.match(error.message, / Use the folder models of this version, or convert it again\.$/);
            return true;
          },
        );
    }
  });

  it('refuse a confidence that cannot be used, and tell without one that it is not a number', () => {
    const model = openLandmarks(packLandmarks(randomModel(generator(2), { coefficients: 4 }), '8-bit'));
    const confidence = (change = {}) => ({
      ...{ trees: 1, depth: 1, weights: new Float32Array(4), splitPixels: [20, 40], thresholds: [0], leaves: [-3, 3] },
      ...change,
    });
    assert.ok(openLandmarks(library.withConfidence(model, confidence())).judged);
    assert.ok(!model.judged);
    for (const [change, message] of [
      [{ splitPixels: [0, 20 + library.TRACES] }, /missing pixels/],
      [{ leaves: [NaN, 0] }, /not finite or too large/],
      [{ weights: new Float32Array(4).fill(Infinity) }, /not finite or too large/],
    ]) {
      const bytes = library.withConfidence(model, confidence(change));
      assert.throws(() => openLandmarks(bytes), { code: 'model-format', message });
    }
  });

  for (const coefficients of [0, 4])
    it(`survive changed bytes under a right checksum: refused, or safe to run; ${coefficients || 'no'} coefficients`, async () => {
      const runtime = await makeRuntime();
      const random = generator(12);
      const bytes = packLandmarks(randomModel(random, { coefficients }), '8-bit');
      const good = openLandmarks(bytes).payload;
      const plane = runtime.plane(64, 64, 'u8', randomImage(random, 64, 64).data);
      const patch = new DataView(good.slice().buffer).getUint32(60, true);
      for (let i = 0; i < 300; i++) {
        const own = good.slice();
        const start = i % 3 === 2 ? patch : 0;
        for (let k = 0; k < 3; k++)
          own[start + Math.floor(random() * (i % 3 ? 64 : own.length))] = Math.floor(random() * 256);
        try {
          const model = openLandmarks(packModel('landmarks', own, ''));
          assert.equal(fit(runtime, plane, [{ x: 5, y: 5, width: 40, height: 40 }], model).length, 1);
        } catch (error) {
          assert.equal(error.code, 'model-format', error.stack);
        }
      }
      plane.dispose();
      runtime.dispose();
    });
});

describe('engine.landmarks', () => {
  it('takes boxes of both kinds and two hundred at a time, and refuses bad ones', async () => {
    const engine = await library.createEngine();
    const source = randomImage(generator(1), 120, 100);
    const model = packLandmarks(randomModel(generator(3)), '16-bit');
    const box = { x: 20, y: 20, width: 40, height: 40 };
    const [own] = await engine.landmarks(source, [box], { model, boxKind: 'model' });
    const [mapped] = await engine.landmarks(source, [library.unmapBox(box, openLandmarks(model))], { model });
    assert.equal(own.length, 10);
    own.forEach((v, i) => assert.ok(Math.abs(v - mapped[i]) < 1e-3));
    assert.equal((await engine.landmarks(source, Array(200).fill(box), { model })).length, 200);
    assert.deepEqual(await engine.landmarks(source, [], { model }), []);
    const bad = [
      [[box], { model: 5 }],
      [null, { model }],
      [[{ x: 1 }], { model }],
      [[null], { model }],
      [[{ ...box, width: 0 }], { model }],
      [[{ ...box, x: Infinity }], { model }],
      [Array(2000).fill(box), { model }],
    ];
    for (const [boxes, options] of bad)
      await assert.rejects(engine.landmarks(source, boxes, options), { code: 'invalid-argument' });
    await assert.rejects(engine.landmarks(source, [box], { model: new Uint8Array(30) }), { code: 'model-format' });
    assert.equal((await engine.landmarks(source, [box], { model })).length, 1);
    await engine.dispose();
  });
});
