// Tracking-Learning-Detection: pieces against the goldens, whole tracks on rendered scenes, bad input.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { goldens } from './objects-golden.mjs';
import { renderScene, squareAt } from './objects-scene.mjs';

const { overlap } = await importTs('src/image/numbers.ts');
const grids = JSON.parse(readFileSync(path.join(root, 'test/golden/objects/grids.json'), 'utf8'));

describe('the scanning grid', () => {
  let grid;
  before(async () => (grid = await importTs('src/objects/windows.ts')));
  for (const { id, target, frame, minSide, ...rules } of grids)
    for (const rule of ['paper', 'release'])
      it(`${id}, ${rule}: ${rules[rule].count} windows in their order`, () => {
        const [[width, height], [frameWidth, frameHeight]] = [target, frame];
        const made = grid.scanningGrid(
          rule,
          { width, height },
          { width: frameWidth, height: frameHeight },
          minSide[rule],
        );
        const words = new Int32Array(5 * made.count);
        made.scales.forEach((scale, s) =>
          scale.tops.forEach((y, row) =>
            scale.lefts.forEach((x, column) =>
              words.set([x, y, scale.width, scale.height, s], 5 * grid.windowNumber(made, scale, column, row)),
            ),
          ),
        );
        assert.equal(made.count, rules[rule].count);
        assert.equal(createHash('sha256').update(new Uint8Array(words.buffer)).digest('hex'), rules[rule].sha256);
      });
});

describe('the scanning grid of a small target', () => {
  let scanningGrid;
  before(async () => ({ scanningGrid } = await importTs('src/objects/windows.ts')));
  const frame = { width: 97, height: 71 };

  for (const rule of ['paper', 'release'])
    it(`${rule}: the scales about its own, close enough everywhere, and not too many windows`, () => {
      const most = scanningGrid(rule, { width: 20, height: 20 }, frame, 20, true).count;
      for (let side = 8; side < 20; side++) {
        const target = { width: side, height: side };
        const { scales, count } = scanningGrid(rule, target, frame, 20, true);
        assert.deepEqual(
          scales.slice(0, 3).map(({ k }) => k),
          [-1, 0, 1],
          `${side}`,
        );
        assert.ok(count <= 5 * most, `${side}: ${count} windows, ${most} of 20 px`);
        // A target between windows overlaps one as much as an example has to.
        const { lefts, tops } = scales[1];
        for (let y = 4; y < frame.height - side - 4; y++)
          for (let x = 4; x < frame.width - side - 4; x++) {
            const near = (list, at) => list.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));
            const best = overlap({ ...target, x, y }, { ...target, x: near(lefts, x), y: near(tops, y) });
            assert.ok(best > 0.6, `${side} px at ${x}, ${y}: ${best}`);
          }
      }
    });

  it('that of others, and of the published program, is as it was', () => {
    for (const rule of ['paper', 'release'])
      for (let side = 8; side < 40; side++) {
        const target = { width: side, height: 1.5 * side };
        const plain = scanningGrid(rule, target, frame, 20);
        assert.ok(plain.scales.every(({ width, height }) => Math.min(width, height) >= 20));
        const own = scanningGrid(rule, target, frame, 20, true);
        if (side >= 20) assert.deepEqual(own, plain, `${side}`);
        else assert.ok(own.scales[0].width < 20);
      }
  });
});

describe('the pieces of the detector', () => {
  let parts;
  let runtime;
  let every;
  /** Each golden case of a kind with what reads its records; at least as many as the project itself has. */
  const ofKind = (op, least) => {
    const found = every.flatMap((golden) =>
      golden.cases.filter((one) => one.op === op).map((one) => ({ ...golden, ...one })),
    );
    assert.ok(found.length >= least, `${found.length} cases of ${op}`);
    return found;
  };
  const planeOf = ({ read, inputs: [picture] }) => {
    const [height, width] = picture.shape;
    return runtime.plane(width, height, 'u8', read(picture));
  };
  before(async () => {
    parts = await importTs('test/node/objects-parts.ts');
    every = await goldens();
    runtime = await parts.openRuntime(readFileSync(path.join(root, 'build/kernels.test.wasm')));
  });
  after(() => runtime?.dispose());

  it('variances of all windows within 0.001, the same windows accepted', () => {
    for (const one of ofKind('tld_variance', 2)) {
      const { id, params, expected, accepted, boxes, nearThreshold } = one;
      const frame = parts.frameOf(runtime, planeOf(one));
      const [x, y, width, height] = params.init;
      const { variances, passed } = parts.variancesOf(runtime, frame, { x, y, width, height }, params.threshold);
      const wanted = one.read(expected[0]);
      const { every = 1 } = expected[0];
      assert.equal(variances.length, boxes, id);
      assert.equal(wanted.length, Math.ceil(boxes / every), id);
      wanted.forEach((v, i) => assert.ok(Math.abs(v - variances[i * every]) <= 0.001, `${id}: window ${i * every}`));
      assert.ok(Math.abs(passed - accepted) <= nearThreshold, `${id}: ${passed} of ${accepted}`);
      frame.dispose();
    }
  });

  it('codes of the ferns, all equal', () => {
    for (const one of ofKind('tld_fern', 2)) {
      const { id, read, inputs, expected } = one;
      const frame = parts.frameOf(runtime, planeOf(one));
      const table = read(inputs[1]).table_x1_y1_x2_y2.flat(2);
      const codes = parts.codesOf(runtime, frame, read(inputs[2]), table);
      assert.deepEqual(codes, read(expected[0]), id);
      frame.dispose();
    }
  });

  it('similarities of patches within 1e-5', () => {
    for (const { id, read, inputs, expected } of ofKind('tld_nn', 2)) {
      const [positives, negatives, queries] = inputs.map(read);
      const found = parts.similaritiesOf(runtime, positives, negatives, queries);
      read(expected[0]).forEach(({ nccPositive, nccNegative, distanceForm }, i) => {
        const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 1e-5, `${id}, query ${i}, ${what}: ${a}, not ${b}`);
        near(found[i].nearestPositive, Math.max(...nccPositive), 'positive');
        near(found[i].nearestNegative, Math.max(...nccNegative), 'negative');
        near(found[i].relative, distanceForm.relative, 'relative');
        near(found[i].conservative, distanceForm.conservative, 'conservative');
      });
    }
  });

  it('median flow from given tracks', () => {
    for (const one of ofKind('median_flow', 12)) {
      const { id, params, expected } = one;
      const tracks = one.tracksOf(one);
      const file = (name) => one.read(tracks.find((record) => record.name === name));
      const [x1, y1, x2, y2] = params.box;
      const motion = parts.medianFlow(
        runtime,
        { x: x1, y: y1, width: x2 - x1 + 1, height: y2 - y1 + 1 },
        file('points').subarray(0, 200),
        file('next').subarray(0, 200),
        file('status')
          .subarray(0, 100)
          .map((v, i) => v & file('backwardStatus')[i]),
        file('fbError').subarray(0, 100),
        file('ncc10x10').subarray(0, 100),
      );
      const { box } = one.read(expected[0]);
      const { x, y, width, height } = motion.box;
      [x, y, x + width - 1, y + height - 1].forEach((v, i) =>
        assert.ok(Math.abs(v - box[i]) < 1e-3, `${id}: ${v}, not ${box[i]}`),
      );
    }
  });
});

describe('a track', () => {
  let engine;
  before(async () => {
    const { createEngine } = await importTs('src/index.ts');
    engine = await createEngine({ worker: false, threads: 1 });
  });
  after(() => engine?.dispose());

  it('follows, goes silent behind an occluder, and finds the target where it comes back', async () => {
    const tracker = engine.createObjectTracker({ seed: 3 });
    await tracker.start(renderScene(0), squareAt(0));
    let followed = 0;
    let invented = 0;
    let again = 0;
    for (let t = 1; t < 90; t++) {
      const { box } = await tracker.process(renderScene(t), { timestamp: 40 * t });
      const truth = squareAt(t);
      if (truth.hidden) invented += box ? 1 : 0;
      else if (box && overlap(box, truth) > 0.5) (truth.back ? again++ : followed++, 0);
    }
    assert.ok(followed >= 38, `followed in ${followed} of 39 frames`);
    assert.ok(invented <= 3, `${invented} boxes while it was hidden`);
    assert.ok(again >= 25, `found again in ${again} of 30 frames`);
    await tracker.dispose();
  });

  for (const side of [10, 12, 16])
    itKept(side === 12)(`of ${side} px: the detector proposes it, and it is found again`, async () => {
      const tracker = engine.createObjectTracker({ seed: 1 });
      await tracker.start(renderScene(0, side), squareAt(0, side));
      let [followed, invented, again, detected] = [0, 0, 0, 0];
      for (let t = 1; t < 90; t++) {
        const { box, by } = await tracker.process(renderScene(t, side), { timestamp: 40 * t });
        const truth = squareAt(t, side);
        if (by === 'detector' || by === 'both') detected++;
        if (truth.hidden) invented += box ? 1 : 0;
        else if (box && overlap(box, truth) > 0.5) (truth.back ? again++ : followed++, 0);
      }
      assert.ok(followed >= 38, `followed in ${followed} of 39 frames`);
      assert.ok(invented <= 3, `${invented} boxes while it was hidden`);
      assert.ok(again >= 20, `found again in ${again} of 30 frames`);
      assert.ok(detected >= 30, `detected in ${detected} of 69 frames`);
      await tracker.dispose();
    });

  it('is the same twice, and another with another seed', async () => {
    const run = async (seed) => {
      const tracker = engine.createObjectTracker({ seed });
      await tracker.start(renderScene(0), squareAt(0));
      const all = [];
      for (let t = 1; t < 12; t++) all.push(await tracker.process(renderScene(t), { timestamp: t }));
      const model = await tracker.exportModel(1);
      await tracker.dispose();
      return { all, model };
    };
    const [first, second, other] = [await run(1), await run(1), await run(2)];
    assert.deepEqual(first, second);
    assert.notDeepEqual(first.model, other.model);
  });

  /** The same bytes with the checksum that they have now. */
  const sealed = (bytes) => {
    let hash = 0x811c9dc5;
    for (const byte of bytes.subarray(12)) hash = Math.imul(hash ^ byte, 0x01000193);
    new DataView(bytes.buffer).setUint32(8, hash >>> 0, true);
    return bytes;
  };

  itInFull('finds a target from its model', async () => {
    const tracker = engine.createObjectTracker();
    const id = await tracker.start(renderScene(0), squareAt(0));
    for (let t = 1; t < 20; t++) await tracker.process(renderScene(t));
    const model = await tracker.exportModel(id);
    await tracker.dispose();
    const fresh = engine.createObjectTracker();
    const imported = await fresh.importModel(model);
    const { targets } = await fresh.process(renderScene(24));
    assert.equal(targets[0].id, imported);
    assert.ok(targets[0].box && overlap(targets[0].box, squareAt(24)) > 0.5, JSON.stringify(targets[0]));
    assert.deepEqual(await fresh.exportModel(imported), model);
    for (const [code, damage] of [
      ['model-checksum', (b) => b.map((v, i) => (i === 400 ? v ^ 1 : v))],
      ['model-format', (b) => b.subarray(0, 20)],
      ['model-format', (b) => b.map((v, i) => (i === 4 ? 9 : v))],
      ['model-format', () => new Uint8Array(100)],
      ['model-format', () => 'model'],
    ])
      await assert.rejects(fresh.importModel(damage(model)), { code });
    // With the right checksum all the same: numbers that would lead kernels out of their tables, or are none.
    const words = new Float32Array(model.buffer.slice(model.byteOffset, model.byteOffset + 4 * (model.length >> 2)));
    const [fields, table] = [3, 3 + 14];
    const codes = words[fields + 6];
    const patches = table + words[fields + 9];
    for (const [where, number] of [
      ...[1e9, -0.5, 1, NaN, Infinity].map((value) => [table + 17, value]),
      ...[NaN, 1e30].map((value) => [patches + 5, value]),
      ...[NaN, 1e30, 1e6].map((value) => [fields, value]),
      [fields + 3, NaN],
    ]) {
      const changed = model.slice();
      new DataView(changed.buffer).setFloat32(4 * where, number, true);
      await assert.rejects(fresh.importModel(sealed(changed)), { code: 'model-format' }, `${where}: ${number}`);
    }
    const changed = model.slice();
    new DataView(changed.buffer).setUint32(model.length - 8 * codes, 1 << 30, true);
    await assert.rejects(fresh.importModel(sealed(changed)), { code: 'model-format' });
    assert.deepEqual(
      (await fresh.process(renderScene(25))).targets.map((target) => target.id),
      [imported],
      'a failed import leaves no target',
    );
    await fresh.dispose();
  });

  itInFull('keeps targets apart: one with others is where it is alone', async () => {
    const alone = engine.createObjectTracker();
    const together = engine.createObjectTracker();
    await alone.start(renderScene(0), squareAt(0));
    await together.start(renderScene(0), squareAt(0));
    const second = await together.add({ x: 200, y: 120, width: 40, height: 40 });
    for (let t = 1; t < 10; t++) {
      const a = await alone.process(renderScene(t), { timestamp: t });
      const b = await together.process(renderScene(t), { timestamp: t });
      assert.deepEqual(b.targets[0], a.targets[0]);
      assert.equal(b.targets.length, 2);
    }
    await together.remove(second);
    assert.equal((await together.process(renderScene(10))).targets.length, 1);
    await alone.dispose();
    await together.dispose();
  });

  itInFull('a target that is gone for good: confidence falls, nothing is invented, nothing learned', async () => {
    const tracker = engine.createObjectTracker();
    const id = await tracker.start(renderScene(0), squareAt(0));
    for (let t = 1; t < 40; t++) await tracker.process(renderScene(t), { timestamp: t });
    const results = [];
    for (let t = 40; t < 110; t++) results.push(await tracker.process(renderScene(40 + (t % 20)), { timestamp: t }));
    const late = results.slice(10);
    assert.ok(late.every(({ box, confidence, by }) => box === null && confidence < 0.5 && by === 'none'));
    const before = await tracker.exportModel(id);
    for (let t = 40; t < 60; t++) assert.equal((await tracker.process(renderScene(t))).learning, false);
    assert.deepEqual(await tracker.exportModel(id), before);
    await tracker.dispose();
  });

  itInFull('the published integrator: follows, says another confidence, keeps models without filters', async () => {
    const run = async (parameters) => {
      const tracker = engine.createObjectTracker(parameters);
      const id = await tracker.start(renderScene(0), squareAt(0));
      let followed = 0;
      let sum = 0;
      for (let t = 1; t < 30; t++) {
        const { box, confidence } = await tracker.process(renderScene(t), { timestamp: t });
        if (box && overlap(box, squareAt(t)) > 0.5) followed++;
        sum += confidence;
      }
      const model = await tracker.exportModel(id);
      await tracker.dispose();
      return { followed, sum, model };
    };
    const paper = await run({ variant: 'paper' });
    const filters = await run({});
    assert.ok(paper.followed >= 27 && filters.followed >= 27, `${paper.followed} and ${filters.followed} of 29`);
    assert.notEqual(paper.sum, filters.sum);
    assert.ok(filters.model.length > paper.model.length + 200_000);
    const fresh = engine.createObjectTracker();
    for (const { model } of [paper, filters]) {
      const id = await fresh.importModel(model);
      const { targets } = await fresh.process(renderScene(24));
      const { box } = targets.find((target) => target.id === id);
      assert.ok(box && overlap(box, squareAt(24)) > 0.5);
      assert.deepEqual(await fresh.exportModel(id), model);
    }
    await fresh.dispose();
  });

  it('refuses a model of the version before with what to do', async () => {
    const tracker = engine.createObjectTracker();
    const id = await tracker.start(renderScene(0), squareAt(0));
    const model = await tracker.exportModel(id);
    // The filters of 3 had no colors.
    model[4] = 3;
    await assert.rejects(tracker.importModel(model), {
      code: 'model-format',
      message: /version 3, this build reads 4\. Pass the target's box to start\(\)/,
    });
    await tracker.dispose();
  });

  it('goes on after a correction by hand', async () => {
    const tracker = engine.createObjectTracker();
    const id = await tracker.start(renderScene(0), { x: 200, y: 20, width: 30, height: 30 });
    await tracker.correct(id, squareAt(0));
    const { box } = await tracker.process(renderScene(1));
    assert.ok(box && overlap(box, squareAt(1)) > 0.6);
    await tracker.dispose();
  });

  it('says what is wrong with a box, and goes on', async () => {
    const tracker = engine.createObjectTracker();
    const frame = renderScene(0);
    const refused = async (call, message) => assert.rejects(call, { code: 'invalid-argument', message });
    await refused(tracker.add(squareAt(0)), /has no frame/);
    await refused(tracker.start(frame, { x: 400, y: 0, width: 30, height: 30 }), /outside the frame of 320x200/);
    await refused(
      tracker.start(frame, { x: 10, y: 10, width: 7.9, height: 30 }),
      /7x30 pixels .* minimum side is 8\. Draw a larger box or use a larger image\.$/,
    );
    const published = engine.createObjectTracker({ variant: 'paper' });
    await refused(
      published.start(frame, { x: 10, y: 10, width: 9, height: 30 }),
      /minimum side is 10\. .* or lower minSize/,
    );
    assert.equal(await published.start(frame, { x: 10, y: 10, width: 10, height: 30 }), 1);
    await published.correct(1, { x: 10, y: 10, width: 12, height: 21 });
    await published.dispose();
    await refused(tracker.start(frame, { x: 10, y: 10, width: NaN, height: 4 }), /x, y, width, height/);
    await refused(tracker.start(frame, undefined), /x, y, width, height/);
    await refused(tracker.remove(7), /Unknown target 7/);
    assert.throws(() => engine.createObjectTracker({ grid: 'dense' }), { code: 'invalid-argument' });
    const { box, targets } = await tracker.process(frame);
    assert.equal(box, null);
    assert.deepEqual(targets, []);
    assert.equal(await tracker.start(frame, squareAt(0)), 1);
    await tracker.dispose();
  });

  it('takes a box as large as the frame, black frames, and a size that changes', async () => {
    const tracker = engine.createObjectTracker();
    await tracker.start(renderScene(0), { x: -5, y: -5, width: 400, height: 300 });
    assert.ok((await tracker.process(renderScene(0))).box);
    await tracker.start(renderScene(0), squareAt(0));
    const black = { width: 320, height: 200, data: new Uint8Array(320 * 200) };
    for (let i = 0; i < 5; i++) assert.equal((await tracker.process(black)).box, null);
    const small = { width: 60, height: 40, data: new Uint8Array(2400) };
    assert.equal((await tracker.process(small)).box, null);
    const one = { width: 1, height: 1, data: new Uint8Array(1) };
    assert.equal((await tracker.process(one)).box, null);
    const back = await tracker.process(renderScene(1));
    const again = await tracker.process(renderScene(2));
    assert.ok(back.box || again.box, 'found again');
    await tracker.dispose();
  });
});
