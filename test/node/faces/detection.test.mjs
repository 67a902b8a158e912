// Detection against the plain reference, OpenCV's windows and stage sums, and bad input.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  cascadeNamed,
  generator,
  golden,
  library,
  makeRuntime,
  modelFile,
  randomCascade,
  randomImage,
  shared,
} from './support.mjs';

const { driveNow, goOn, judgeWindow, planScales, readCascade, resizeExact, groupWindows, searchCascade } = library;
const boxes = (windows) => Array.from({ length: windows.length / 4 }, (_, i) => windows.slice(4 * i, 4 * i + 4).join());

const dimmed = (image) => ({ ...image, data: image.data.map((v) => v >> 3) });

describe('the search with a cascade', () => {
  let runtime;
  before(async () => (runtime = await makeRuntime()));
  after(() => runtime.dispose());

  const search = (plane, cascade, options) =>
    driveNow(runtime, (scope) => searchCascade(scope, cascade, plane, options)).windows;

  /** Windows that pass, and those whose verdict hangs on rounding. */
  function compare(cascade, image, options, where) {
    const plane = runtime.plane(image.width, image.height, 'u8', image.data);
    const least = options.faint ? library.leastVariance(image) : 100;
    const found = new Set(boxes(search(plane, cascade, options)));
    let differing = 0;
    let evaluated = 0;
    let passing = 0;
    for (const { scale, step, columns, rows, window, ...size } of planScales(
      cascade,
      image.width,
      image.height,
      options,
    )) {
      const scaled = options.scaling === 'image' && scale !== 1;
      const reduced = scaled ? driveNow(runtime, (scope) => resizeExact(scope, plane, size.width, size.height)) : plane;
      const shown = { width: size.width, height: size.height, data: reduced.copy() };
      if (scaled) reduced.dispose();
      for (let y = 0; y < rows; y++) {
        let skip = false;
        for (let x = 0; x < columns; x++) {
          evaluated++;
          if (skip && options.scaling === 'image') {
            skip = false;
            continue;
          }
          const own = options.scaling === 'classifier' ? scale : 1;
          const { refused, stagesPassed } = judgeWindow(cascade, shown, x * step, y * step, own, least);
          skip = !refused && stagesPassed === 0;
          const passes = stagesPassed === cascade.stages.length;
          if (passes) passing++;
          const factor = options.scaling === 'image' ? scale * step : step;
          const key = [
            library.roundEven(x * factor),
            library.roundEven(y * factor),
            window.width,
            window.height,
          ].join();
          if (passes !== found.has(key)) differing++;
        }
      }
    }
    plane.dispose();
    assert.ok(evaluated > 0 && differing <= 0.002 * evaluated, `${where}: ${differing} of ${evaluated} windows differ`);
    return passing;
  }

  for (const scaling of ['image', 'classifier'])
    for (const trees of [false, true])
      it(`scaling the ${scaling}${trees ? ', with trees' : ''}, equals the reference`, () => {
        const random = generator(scaling.length + (trees ? 1 : 0));
        let passing = 0;
        for (const [width, height] of [
          [13, 15],
          [31, 40],
          [64, 33],
          [67, 67],
        ])
          for (const step of [0, 1, 2]) {
            const faint = step === 1;
            const options = { scaling, scaleFactor: 1.3, step, minSize: 0, maxSize: 0, faint };
            const cascade = randomCascade(random, { trees });
            const where = `${width}x${height} step ${step}`;
            const image = randomImage(random, width, height);
            passing += compare(cascade, faint ? dimmed(image) : image, options, where);
          }
        assert.ok(passing > 50, `only ${passing} windows passed: the test says nothing`);
      });

  it('takes the less contrast the less the whole picture has, down to noise', () => {
    const least = (width, height, value) => {
      const data = Uint8Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width)));
      const plane = runtime.plane(width, height, 'u8', data);
      const [faint, usual] = [true, false].map((way) => driveNow(runtime, (scope) => leastOf(scope, plane, way)));
      plane.dispose();
      assert.equal(usual, 100);
      return faint;
    };
    function* leastOf(scope, plane, faint) {
      return library.leastVarianceIn(scope, plane, faint);
    }
    const halves = (low, high) => (x) => (x < 32 ? low : high);
    for (const [low, high, variance] of [
      [0, 255, 100],
      [100, 164, 100], // a deviation of 32
      [0, 32, 25],
      [200, 216, 6.25],
      [3, 13, 4],
      [77, 77, 4],
    ])
      assert.equal(least(64, 48, halves(low, high)), variance, `${low} to ${high}`);
    assert.equal(
      least(1, 1, () => 9),
      4,
    );
    // Every place counts: 16 of 512 in a row of parts, 32 in a column of them.
    assert.equal(
      least(320, 160, (x, y) => (y === 5 ? 255 : 0)),
      100,
    );
    const share = 1 / 32;
    assert.equal(
      least(320, 160, (x) => (x === 5 ? 64 : 0)),
      Math.fround(100 * share * (1 - share) * 4),
    );
    assert.equal(
      least(320, 160, (x) => (x === 6 ? 64 : 0)),
      4,
    );
  });

  it('finds nothing in images smaller than the window, and in flat ones', () => {
    const cascade = readCascade(modelFile('frontalface_alt.bin'));
    const options = { scaling: 'image', scaleFactor: 1.1, step: 0, minSize: 0, maxSize: 0 };
    for (const [width, height] of [
      [1, 1],
      [19, 40],
      [20, 20],
      [21, 21],
      [100, 80],
    ]) {
      const plane = runtime.plane(width, height, 'u8', new Uint8Array(width * height).fill(90));
      assert.equal(search(plane, cascade, options).length, 0);
      plane.dispose();
    }
  });

  it('shares the rows of its steps evenly among four threads', () => {
    const plane = runtime.plane(1280, 160, 'u8', randomImage(generator(5), 1280, 160).data);
    const options = { scaling: 'classifier', scaleFactor: 1.1, step: 2, minSize: 0, maxSize: 0 };
    const [threads, rows] = [4, { even: 0, longest: 0 }];
    driveNow(runtime, function* (scope) {
      const plan = searchCascade(scope, readCascade(modelFile('frontalface_alt2.bin')), plane, options);
      for (let step = plan.next(); !step.done; step = plan.next()) {
        const { entry, over, at, end } = step.value;
        if (entry?.name === 'cascadeRows') {
          const { minimumBand = 16, bands = 2 } = over;
          const band = Math.max(minimumBand, Math.ceil((end - at) / (bands * threads))); // as the pool makes them
          rows.longest += band * Math.ceil((end - at) / band / threads);
          rows.even += (end - at) / threads;
        }
        yield step.value;
      }
    });
    plane.dispose();
    assert.ok(rows.even > 50);
    assert.ok(
      rows.longest < 1.25 * rows.even,
      `${rows.longest} rows on one thread, ${rows.even} each if shared evenly`,
    );
  });

  it('gives all its memory back', () => {
    const before = runtime.arena.blocks;
    const plane = runtime.plane(90, 70, 'u8', randomImage(generator(5), 90, 70).data);
    const options = { scaling: 'classifier', scaleFactor: 1.1, step: 2, minSize: 0, maxSize: 0 };
    const scope = new library.Scope(runtime);
    const half = searchCascade(scope, readCascade(modelFile('frontalface_alt2.bin')), plane, options);
    assert.equal(
      driveNow(runtime, () => goOn(half, 0.1)),
      null,
    );
    assert.ok(runtime.arena.blocks > before + 2);
    half.return();
    scope.dispose();
    plane.dispose();
    assert.ok(runtime.arena.blocks <= before + 1); // the scratch
  });

  it('has the stage sums of OpenCV', async () => {
    const { cases, read } = await golden();
    let windows = 0;
    let differing = 0;
    for (const c of cases.filter((c) => c.op === 'haar_stage_map')) {
      const cascade = cascadeNamed(c.params.cascade);
      const [height, width] = c.inputs[0].shape;
      const data = read(c.inputs[0]);
      const sums = read(c.expected[1]);
      for (const w of sums.windows) {
        const own = judgeWindow(cascade, { width, height, data }, w.x, w.y);
        assert.equal(own.refused, w.refused, c.id);
        if (w.refused) continue;
        assert.ok(Math.abs(own.varianceNormFactor / w.varianceNormFactor - 1) < 1e-5, c.id);
        w.stageSums.forEach((sum, i) => assert.ok(Math.abs(sum - own.stageSums[i]) < c.tolerance.maxAbs, c.id));
      }
      // The kernel's verdict after every stage: cascades that end there.
      const map = read(c.expected[0]);
      const columns = width - cascade.width + 1;
      const plane = runtime.plane(width, height, 'u8', data);
      const passed = new Int8Array(map.length);
      for (let n = 1; n <= cascade.stages.length; n++) {
        // Classifier scaling at scale 1 looks at every window; made one larger, so that the last ones are reached.
        const cut = { ...cascade, stages: cascade.stages.slice(0, n) };
        const options = { scaling: 'classifier', scaleFactor: 2, step: 1, minSize: 0, maxSize: cascade.width };
        const found = search(plane, cut, options);
        for (let i = 0; i < found.length; i += 4) passed[found[i + 1] * columns + found[i]] = n;
      }
      plane.dispose();
      // Without the last column and row, which OpenCV does not search either.
      for (let y = 0; y < height - cascade.height; y++)
        for (let x = 0; x < width - cascade.width; x++) {
          windows++;
          if (Math.max(0, map[y * columns + x]) !== passed[y * columns + x]) differing++;
        }
    }
    assert.ok(windows > (shared ? 4000 : 2000));
    assert.ok(differing <= 0.005 * windows, `${differing} of ${windows} windows differ`);
  });

  it('finds the windows of OpenCV, and groups them as it does', async () => {
    const { cases, read } = await golden();
    let total = 0;
    let differing = 0;
    for (const c of cases.filter((c) => c.op === 'haar_detect')) {
      const cascade = cascadeNamed(c.params.cascade);
      const [height, width] = c.inputs[0].shape;
      const { scaleFactor, minSize } = c.params;
      const plane = runtime.plane(width, height, 'u8', read(c.inputs[0]));
      const options = { scaling: 'image', scaleFactor, step: 0, minSize, maxSize: 0 };
      const windows = search(plane, cascade, options);
      plane.dispose();
      const expected = read(c.expected[0]);
      const clipped = boxes(windows).map((box) => {
        const [x, y, w, h] = box.split(',').map(Number);
        return [x, y, Math.min(w, width - x), Math.min(h, height - y)].join();
      });
      const wanted = new Set(expected.raw.map(String));
      const found = new Set(clipped);
      total += wanted.size;
      differing += [...wanted].filter((w) => !found.has(w)).length + [...found].filter((w) => !wanted.has(w)).length;
      const grouped = driveNow(runtime, (scope) =>
        groupWindows(scope, Int32Array.from(expected.raw.flat()), 'similarity', 3),
      );
      assert.deepEqual(
        grouped.map((b) => [b.x, b.y, b.width, b.height, b.neighbors].join()).sort(),
        expected.grouped.map(({ rect, neighbours }) => [...rect, neighbours].join()).sort(),
        c.id,
      );
    }
    assert.ok(total >= (shared ? 1000 : 200) && differing <= 0.005 * total, `${differing} of ${total} windows differ`);
  });
});

describe('detectFaces', () => {
  let engine;
  before(async () => (engine = await library.createEngine()));
  after(() => engine.dispose());
  const image = () => randomImage(generator(11), 120, 90);
  const cascade = () => library.packCascade(randomCascade(generator(2)));

  it('takes a shipped name and bytes', async () => {
    assert.deepEqual(await engine.detectFaces(image()), []);
    const found = await engine.detectFaces(image(), {
      cascade: cascade(),
      minNeighbors: 0,
      minSize: 0,
      scaleFactor: 1.5,
    });
    assert.ok(found.length > 0);
    for (const { x, y, width, height, neighbors } of found)
      assert.ok(x >= 0 && y >= 0 && x + width <= 120 && y + height <= 90 && neighbors === 1);
  });

  it('finds faces in a large image at a smaller size', async () => {
    const { read, cases } = await golden();
    const { inputs } = cases.find((c) => c.id.startsWith('12-haar/astronaut_512_alt_1.1'));
    const data = read(inputs[0]);
    const big = { width: 1024, height: 1024, data: new Uint8Array(1 << 20) };
    for (let y = 0; y < 1024; y++)
      for (let x = 0; x < 1024; x++) big.data[1024 * y + x] = data[512 * (y >> 1) + (x >> 1)];
    const [face] = await engine.detectFaces(big);
    assert.ok(
      Math.abs(face.x + face.width / 2 - 446) < 20 && Math.abs(face.y + face.height / 2 - 226) < 30,
      JSON.stringify(face),
    );
    assert.ok(face.width > 160 && face.width < 260);
  });

  it('refuses bad parameters and models, and works afterwards', async () => {
    const bad = [
      [{ scaleFactor: 1 }, 'invalid-argument'],
      [{ minSize: 100, maxSize: 50 }, 'invalid-argument'],
      [{ grouping: 'none' }, 'invalid-argument'],
      [{ cascade: 5 }, 'invalid-argument'],
      [{ cascade: new Uint8Array(100) }, 'model-format'],
      [{ cascade: 'frontalface_nobody' }, 'model-load'],
      [{ cascade: 'file:///nowhere/at/all.bin' }, 'model-load'],
      [{ cascade: 'relative/model.bin' }, 'model-load'],
    ];
    for (const [options, code] of bad) await assert.rejects(engine.detectFaces(image(), options), { code });
    const tilted = randomCascade(generator(2));
    tilted.stages[0].trees[0][0].tilted = true;
    await assert.rejects(engine.detectFaces(image(), { cascade: library.packCascade(tilted) }), {
      code: 'model-format',
    });
    assert.deepEqual(await engine.detectFaces(image()), []);
  });

  it('can be cancelled', async () => {
    const controller = new AbortController();
    const options = { minSize: 0, scaleFactor: 1.02, signal: controller.signal };
    const work = engine.detectFaces(randomImage(generator(4), 640, 480), options);
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(work, { code: 'aborted' });
  });
});

describe('a second cascade', () => {
  let runtime;
  let engine;
  before(async () => {
    runtime = await makeRuntime();
    engine = await library.createEngine();
  });
  after(async () => {
    runtime.dispose();
    await engine.dispose();
  });

  /** Bilinear with 8-bit weights, as the kernel has it; the border goes on for ever. */
  function sample({ width, height, data }, x, y) {
    const part = (v, size) => {
      const low = Math.floor(v);
      const inside = low >= 0 && low < size - 1;
      const at = Math.min(Math.max(low, 0), size - 1);
      return [at, Math.min(at + 1, size - 1), inside ? Math.round((v - low) * 256) : 0];
    };
    const [x0, x1, fx] = part(x, width);
    const [y0, y1, fy] = part(y, height);
    const row = (j) => data[j * width + x0] * (256 - fx) + data[j * width + x1] * fx;
    return (row(y0) * (256 - fy) + row(y1) * fy + 32768) >> 16;
  }

  it('counts the windows about a box that the reference lets pass', () => {
    const random = generator(21);
    let passing = 0;
    for (const trees of [false, true])
      for (const [box, width, height] of [
        [{ x: 20, y: 15, width: 40, height: 46 }, 90, 80],
        [{ x: -6, y: 50, width: 33, height: 38 }, 61, 83], // over the border
        [{ x: 3, y: 2, width: 12, height: 14 }, 19, 17],
      ]) {
        const cascade = randomCascade(random, { trees, stages: 2 });
        const image = randomImage(random, width, height);
        const plane = runtime.plane(width, height, 'u8', image.data);
        const [found] = driveNow(runtime, (scope) => library.countWindows(scope, cascade, plane, [box]));
        plane.dispose();
        let expected = 0;
        for (let k = 0; k < 7; k++) {
          const size = 0.84 * 1.06 ** k;
          const [w, h] = [cascade.width + 7, cascade.height + 7];
          const data = new Uint8Array(w * h);
          for (let j = 0; j < h; j++)
            for (let i = 0; i < w; i++)
              data[j * w + i] = sample(
                image,
                box.x + (box.width - 1) / 2 + ((i - (w - 1) / 2) * box.width * size) / cascade.width,
                box.y + (box.height - 1) / 2 + ((j - (h - 1) / 2) * box.height * size) / cascade.height,
              );
          for (let y = 0; y < 8; y++)
            for (let x = 0; x < 8; x++)
              if (judgeWindow(cascade, { width: w, height: h, data }, x, y).stagesPassed === 2) expected++;
        }
        assert.ok(Math.abs(found - expected) <= 2, `${found} windows, the reference ${expected}`);
        passing += expected;
      }
    assert.ok(passing > 100, `only ${passing} windows passed: the test says nothing`);
  });

  it('scores more windows, more confirmed ones and larger boxes higher', () => {
    const { scoreOf } = library;
    for (const [low, high] of [
      [scoreOf(2, 3, 0.01), scoreOf(3, 3, 0.01)],
      [scoreOf(2, 3, 0.01), scoreOf(2, 4, 0.01)],
      [scoreOf(2, 3, 0.01), scoreOf(2, 3, 0.02)],
    ])
      assert.ok(low > 0 && high < 1 && low < high);
  });

  it('is asked unless the caller has a rule of their own', () => {
    const { resolveDetection } = library;
    const of = (given) => {
      const { cascade, verifier, minNeighbors } = resolveDetection(given);
      return [cascade, verifier, minNeighbors];
    };
    assert.deepEqual(of({}), ['frontalface_alt', 'frontalface_alt2', 1]);
    assert.deepEqual(of({ minScore: 0.3 }), ['frontalface_alt', 'frontalface_alt2', 1]);
    assert.deepEqual(of({ verifier: null }), ['frontalface_alt', null, 3]);
    assert.deepEqual(of({ minNeighbors: 5 }), ['frontalface_alt', null, 5]);
    assert.deepEqual(of({ grouping: 'overlap' }), ['frontalface_alt', null, 3]);
    assert.deepEqual(of({ cascade: 'frontalface_default' }), ['frontalface_default', null, 3]);
    assert.deepEqual(of({ cascade: 'a.bin', verifier: 'b.bin', minNeighbors: 2 }), ['a.bin', 'b.bin', 2]);
    assert.throws(() => resolveDetection({ verifier: 7 }), { code: 'invalid-argument' });
    assert.throws(() => resolveDetection({ minScore: 2 }), { code: 'invalid-argument' });
  });

  it('keeps the face of a photograph and says how sure it is; with null, OpenCV has the same boxes', async () => {
    const { cases, read } = await golden();
    const { inputs, expected } = cases.find((c) => c.id.startsWith('12-haar/astronaut_512_alt_1.1'));
    const [height, width] = inputs[0].shape;
    const image = { width, height, data: read(inputs[0]) };
    const blocks = runtime.arena.blocks;
    const [face] = await engine.detectFaces(image);
    assert.ok(Math.abs(face.x + face.width / 2 - 222) < 15 && Math.abs(face.y + face.height / 2 - 113) < 15);
    assert.ok(face.score > 0.9 && face.score < 1 && face.neighbors > 3, JSON.stringify(face));
    assert.deepEqual(await engine.detectFaces(image, { minScore: 1 }), []);
    const plain = await engine.detectFaces(image, { verifier: null, minSize: 30 });
    assert.deepEqual(
      plain.map((b) => [b.x, b.y, b.width, b.height, b.neighbors].join()).sort(),
      read(expected[0])
        .grouped.map(({ rect, neighbours }) => [...rect, neighbours].join())
        .sort(),
    );
    assert.equal(runtime.arena.blocks, blocks);
  });
});
