// Loading models: progress by bytes, cancel, and boxes that do not wait for landmarks.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { integrity } from '../../../tools/integrity.mjs';
import { serve } from '../../../tools/serve.mjs';
import { slowFile } from '../../support/slow-file.mjs';
import { generator, library, makeRuntime, randomImage } from './support.mjs';

const model = Buffer.from(library.packLandmarks(library.steadyLandmarks(), 'exact'));
const cascade = library.packCascade(library.credulousCascade());
const image = randomImage(generator(3), 80, 80);
const box = { x: 10, y: 10, width: 60, height: 60 };
/** One face, which fills the picture. */
const oneFace = { cascade, minSize: 60, minNeighbors: 0, grouping: 'overlap', detectEvery: 1, model: null };

describe('loading a model', () => {
  let server;
  let engine;
  let slow;
  let dumb;
  const at = (path) => `${server.url}${path}`;
  before(async () => {
    const routes = {
      '/model.bin': model,
      '/slow.bin': (...call) => slow(...call),
      '/dumb.bin': (...call) => dumb(...call),
      '/page.bin': '<!doctype html><title>the portal</title>',
    };
    server = await serve({ routes });
  });
  beforeEach(async () => {
    slow = slowFile(model);
    dumb = slowFile(model, { length: false });
    engine = await library.createEngine(); // remembers no model
  });
  afterEach(() => {
    slow.release();
    dumb.release();
    return engine.dispose();
  });
  after(() => server.close());

  /** Calls what loads; resolves when it has heard of some bytes. */
  function begin(call) {
    const heard = [];
    let some;
    const begun = new Promise((resolve) => (some = resolve));
    const onProgress = (done, { loaded, total } = {}) => {
      heard.push({ done, loaded, total });
      if (loaded) some();
    };
    const work = call(onProgress);
    work.catch(() => {});
    return { heard, work, begun: Promise.race([begun, work.then(() => assert.fail('done too early'))]) };
  }

  const calls = {
    createFaceTracker: (options) => engine.createFaceTracker({ cascade, model: at('/slow.bin'), ...options }),
    landmarks: (options) => engine.landmarks(image, [box], { model: at('/slow.bin'), ...options }),
    setModel: async (options) => {
      const tracker = await engine.createFaceTracker({ cascade, model: null });
      await tracker.setModel(at('/slow.bin'), options);
      return tracker;
    },
  };

  for (const [name, call] of Object.entries(calls)) {
    it(`tells ${name} how far it is, by bytes`, async () => {
      const { heard, work, begun } = begin((onProgress) => call({ onProgress }));
      await begun;
      const first = heard.find(({ loaded }) => loaded);
      assert.equal(first.total, model.length);
      assert.equal(first.done, first.loaded / first.total);
      assert.ok(first.done <= 0.5, `${first.done}`);
      slow.release();
      await work;
      const loads = heard.filter(({ loaded }) => loaded);
      assert.deepEqual(loads.at(-1), { done: 1, loaded: model.length, total: model.length });
      assert.ok(loads.every(({ loaded }, i) => i === 0 || loaded >= loads[i - 1].loaded));
    });

    it(`is ended with ${name}`, async () => {
      const abort = new AbortController();
      const { work, begun } = begin((onProgress) => call({ onProgress, signal: abort.signal }));
      await begun;
      abort.abort();
      await assert.rejects(work, { code: 'aborted' });
      await slow.closed(); // nothing more is sent
      // The next one starts again, and is not taken for the one that was ended.
      slow.release();
      await call({});
      assert.equal(slow.asked, 2);
    });
  }

  it('is ended before it has begun', async () => {
    await assert.rejects(calls.createFaceTracker({ signal: AbortSignal.abort() }), { code: 'aborted' });
    assert.equal(slow.asked, 0);
  });

  it('goes on while somebody waits for the same model', async () => {
    const abort = new AbortController();
    const one = begin((onProgress) => calls.landmarks({ onProgress, signal: abort.signal }));
    const two = begin((onProgress) => calls.setModel({ onProgress }));
    await Promise.all([one.begun, two.begun]);
    abort.abort();
    await assert.rejects(one.work, { code: 'aborted' });
    slow.release();
    await two.work;
    assert.equal(slow.asked, 1);
  });

  it('counts bytes where the server does not say how many there are', async () => {
    const { heard, work, begun } = begin((onProgress) =>
      engine.createFaceTracker({ cascade, model: at('/dumb.bin'), onProgress }),
    );
    await begun;
    const first = heard.find(({ loaded }) => loaded);
    assert.deepEqual([first.done, first.total], [0, null]);
    dumb.release();
    await work;
    assert.deepEqual(heard.at(-1), { done: 1, loaded: model.length, total: model.length });
  });

  it('does not make frames wait, and gives landmarks when it is there', async () => {
    const tracker = await engine.createFaceTracker(oneFace);
    const { work, begun } = begin((onProgress) => tracker.setModel(at('/slow.bin'), { onProgress }));
    await begun;
    const { faces: boxes } = await tracker.process(image, { timestamp: 0 });
    assert.equal(boxes.length, 1);
    assert.equal(boxes[0].landmarks, null);
    slow.release();
    await work;
    const { faces } = await tracker.process(image, { timestamp: 40 });
    assert.deepEqual([faces[0].id, faces[0].landmarks.length], [boxes[0].id, 136]);
    await tracker.setModel(null);
    const { faces: again } = await tracker.process(image, { timestamp: 80 });
    assert.deepEqual([again[0].id, again[0].landmarks], [boxes[0].id, null]);
  });

  it('fails without harm: boxes go on, and a good model brings landmarks', async () => {
    const tracker = await engine.createFaceTracker(oneFace);
    for (const [path, code, words] of [
      ['/nowhere.bin', 'model-load', /nowhere\.bin: HTTP 404/],
      ['/page.bin', 'model-', /./],
    ]) {
      await assert.rejects(tracker.setModel(at(path)), (error) => {
        assert.ok(error.code.startsWith(code), error.code);
        assert.match(error.message, words);
        return true;
      });
      assert.equal((await tracker.process(image)).faces.length, 1);
    }
    await assert.rejects(tracker.setModel(5), { code: 'invalid-argument' });
    await assert.rejects(tracker.setModel(at('/model.bin'), { signal: 1 }), { code: 'invalid-argument' });
    await tracker.setModel(new URL(at('/model.bin')));
    assert.equal((await tracker.process(image)).faces[0].landmarks.length, 136);
  });

  it('gives the landmarks of the shipped model where none is named', async () => {
    const tracker = await engine.createFaceTracker({ ...oneFace, model: undefined });
    let faces;
    do ({ faces } = await tracker.process(image));
    while (!faces[0].landmarks);
    const named = await engine.createFaceTracker({ ...oneFace, model: 'landmarks-68' });
    assert.deepEqual((await named.process(image)).faces[0].landmarks.length, faces[0].landmarks.length);
    const [trees, own] = [{ variant: 'trees' }, { model: 'landmarks-68' }];
    assert.deepEqual(await engine.landmarks(image, [box], trees), await engine.landmarks(image, [box], own));
    const [fit] = await engine.landmarkFits(image, [box]);
    const [points] = await engine.landmarks(image, [box]);
    assert.deepEqual([...fit.landmarks], [...points]);
    assert.ok(fit.confidence >= 0 && fit.confidence <= 1);
    assert.equal(fit.errors.length, 68);
    assert.ok(faces[0].landmarkConfidence >= 0 && faces[0].landmarkConfidence <= 1);
    assert.notDeepEqual(
      await engine.landmarks(image, [box], trees),
      await engine.landmarks(image, [box], { model: 'landmarks-network' }),
    );
    await assert.rejects(engine.landmarks(image, [box], { model: 'landmarks-5' }), {
      code: 'model-load',
      message: /landmarks-network, landmarks-68/,
    });
  });

  it('keeps to the model that is set before the shipped one is there', async () => {
    const tracker = await engine.createFaceTracker({ ...oneFace, model: undefined });
    await tracker.setModel(null);
    for (let i = 0; i < 5; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal((await tracker.process(image)).faces[0].landmarks, null);
    }
  });

  it('takes the model of the last call', async () => {
    const tracker = await engine.createFaceTracker(oneFace);
    const { work, begun } = begin((onProgress) => tracker.setModel(at('/slow.bin'), { onProgress }));
    await begun;
    await tracker.setModel(null);
    await assert.rejects(work, { code: 'aborted' });
    await slow.closed();
    assert.equal((await tracker.process(image)).faces[0].landmarks, null);
  });

  it('ends with the tracker and with the engine', async () => {
    const tracker = await engine.createFaceTracker(oneFace);
    const one = begin((onProgress) => tracker.setModel(at('/slow.bin'), { onProgress }));
    await one.begun;
    await tracker.dispose();
    await assert.rejects(one.work, { code: 'disposed' });
    await slow.closed();
    slow = slowFile(model);
    const two = begin((onProgress) => calls.createFaceTracker({ onProgress }));
    await two.begun;
    await engine.dispose();
    await assert.rejects(two.work, { code: 'disposed' });
    await slow.closed();
  });
});

describe('a model whose connection breaks', () => {
  let server;
  let file;
  let runtime;
  const at = () => `${server.url}/torn.bin`;
  before(async () => (server = await serve({ routes: { '/torn.bin': (...call) => file(...call) } })));
  afterEach(() => {
    file.release();
    runtime?.dispose();
    runtime = null;
  });
  after(() => server.close());

  /** Loads it, and breaks the connection when some of it is there; gives what was heard. */
  async function load(options, source = at(), places = {}) {
    file = slowFile(model, options);
    runtime?.dispose();
    runtime = await makeRuntime({ places });
    const heard = [];
    const report = (state) => {
      heard.push(state.loaded);
      if (heard.length === 1) file.release();
    };
    const { points } = await library.loadLandmarks(runtime, source, { report });
    assert.equal(points, 68);
    return heard;
  }

  const version = () => '"one"';
  const pinned = (hash) => ({ models: { 'landmarks-68': { url: at(), integrity: hash } } });

  it('goes on where it broke off', async () => {
    const heard = await load({ breaks: 1, version });
    assert.match(file.ranges[1], /^bytes=[1-9]\d*-$/);
    assert.equal(file.known[1], version());
    assert.ok(
      heard.every((loaded, i) => i === 0 || loaded >= heard[i - 1]),
      heard.join(),
    );
    assert.equal(heard.at(-1), model.length);
  });

  it('goes on in a file that does not say how long it is', async () => {
    await load({ breaks: 1, length: false, version });
    assert.match(file.ranges[1], /^bytes=/);
  });

  it('starts again where the file is another one meanwhile, or has no version', async () => {
    await load({ breaks: 1, version: () => `"${file.asked}"` });
    assert.match(file.ranges[1], /^bytes=/);
    await load({ breaks: 1 });
    assert.deepEqual(file.ranges, ['', '']);
    await load({ breaks: 1, version: () => 'W/"weak"' });
    assert.deepEqual(file.ranges, ['', '']);
  });

  it('asks another origin for no more than it allows', async () => {
    globalThis.location = new URL('https://portal.example/');
    try {
      await load({ breaks: 1, version });
      assert.match(file.ranges[1], /^bytes=/);
      assert.equal(file.known[1], undefined); // If-Range needs leave
      const another = load({ breaks: 1, version: () => `"${file.asked}"` });
      await assert.rejects(another, { code: 'model-load', message: /was interrupted/ });
    } finally {
      delete globalThis.location;
    }
  });

  it('says that it broke off where it breaks again, and can be loaded again', async () => {
    await assert.rejects(load({ breaks: 2, version }), ({ code, message }) => {
      assert.equal(code, 'model-load');
      const [, there, all] = /torn\.bin was interrupted after (\d+) of (\d+) bytes\. Load it again\.$/.exec(message);
      assert.ok(there > 0 && there < model.length, there);
      assert.equal(Number(all), model.length);
      return true;
    });
    assert.equal(file.asked, 2);
    await library.loadLandmarks(runtime, at());
    await assert.rejects(load({ breaks: 2, length: false }), {
      message: /was interrupted after \d+ bytes\. Load it again/,
    });
  });

  it('is held against its hash, also in two parts', async () => {
    const named = 'landmarks-68';
    const heard = await load({ breaks: 1, version }, named, pinned(integrity(model)));
    assert.match(file.ranges[1], /^bytes=/);
    assert.ok(heard[0] < model.length, 'progress');
    await assert.rejects(load({ breaks: 2, version }, named, pinned(integrity(model))), {
      code: 'model-load',
      message: /was interrupted after/,
    });
    await assert.rejects(load({}, named, pinned(integrity('another'))), {
      code: 'model-load',
      message: /torn\.bin is not of this version/,
    });
  });

  it('is held against its hash by fetch where the page cannot', async () => {
    const { subtle } = globalThis.crypto;
    Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined, configurable: true });
    try {
      file = slowFile(model);
      file.release();
      const other = await makeRuntime({ places: pinned(integrity('another')) });
      await assert.rejects(library.loadLandmarks(other, 'landmarks-68'), {
        message: /match this version, be complete/,
      });
      other.dispose();
    } finally {
      delete globalThis.crypto.subtle;
    }
    assert.equal(globalThis.crypto.subtle, subtle);
  });
});
