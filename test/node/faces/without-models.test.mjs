// Shipped models that are missing, torn or of another version: boxes go on, and the console says once what to change.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { root, serve } from '../../../tools/serve.mjs';
import { library, modelFile, portrait } from './support.mjs';

const picture = portrait();

function ofAnotherVersion(name) {
  const bytes = Buffer.from(modelFile(name));
  bytes.writeUInt16LE(9, 6);
  return bytes;
}

const faults = {
  missing: { answer: () => '', words: /not found at .*HTTP 404\. Copy the folder models/ },
  torn: {
    answer: (name) => Buffer.from(modelFile(name).subarray(0, 3000)),
    words: /bytes but has \d+\. Use the folder models of this version/,
  },
  'of another version': { answer: ofAnotherVersion, words: /version 9, .*Use the folder models of this version/ },
};

describe('without a shipped model', () => {
  let server;
  let engine;
  let lost;
  let requests = 0;
  const warnings = [];
  const { warn } = console;
  before(async () => {
    const models = ['face-judge', 'faces', 'frontalface_alt', 'frontalface_alt2', 'landmarks-network', 'vessels'].map(
      (name) => `${name}.bin`,
    );
    const answer = (name) => (_, response) => {
      if (lost.name === name) requests++;
      const content = lost.name === name ? lost.fault.answer(name) : readFileSync(path.join(root, 'models', name));
      response.writeHead(content.length ? 200 : 404, { 'Content-Type': 'application/octet-stream' }).end(content);
    };
    const routes = Object.fromEntries(models.map((name) => [`/models/${name}`, answer(name)]));
    server = await serve({ folder: path.join(root, 'dist'), routes });
  });
  beforeEach(async () => {
    console.warn = (text) => void warnings.push(text);
    engine = await library.createEngine({ assetBase: server.url });
  });
  afterEach(async () => {
    console.warn = warn;
    warnings.length = 0;
    requests = 0;
    await engine.dispose();
  });
  after(() => server.close());

  /** The face of the portrait in a tracker that waits for landmarks as long as `seen` says no. */
  async function track(seen) {
    const tracker = await engine.createFaceTracker({ detectEvery: 1 });
    let faces;
    const end = Date.now() + 10_000;
    do {
      assert.ok(Date.now() < end, 'neither landmarks nor a warning');
      ({ faces } = await tracker.process(picture));
    } while (!seen(faces));
    return faces;
  }

  for (const [how, fault] of Object.entries(faults)) {
    it(`boxes go on where the landmarks are ${how}, and it is said once`, async () => {
      lost = { name: 'landmarks-network.bin', fault };
      for (let i = 0; i < 2; i++) {
        const [face] = await track(() => warnings.length);
        assert.equal(face.landmarks, null);
      }
      await new Promise((resolve) => setTimeout(resolve, 200)); // the second tracker's word
      assert.equal(warnings.length, 1, warnings.join('\n'));
      assert.match(warnings[0], /^foveola: no face landmarks: /);
      assert.match(warnings[0], fault.words);
    });

    it(`vessels are lines where the network is ${how}, and every result has a warning`, async () => {
      lost = { name: 'vessels.bin', fault };
      const image = { width: 64, height: 48, data: new Uint8Array(64 * 48).map((_, i) => (i % 64 < 30 ? 90 : 120)) };
      const lines = await engine.vessels(image, { variant: 'lines' });
      for (let i = 0; i < 2; i++) {
        const { mask, warnings: told } = await engine.vessels(image);
        assert.deepEqual(mask, lines.mask);
        assert.match(told[0], /learned network could not be used/);
      }
      assert.deepEqual([requests, warnings.length], [1, 1]);
      assert.match(warnings[0], fault.words);
      await assert.rejects(engine.vessels(image, { variant: 'network' }), fault.words);
    });

    it(`the cascades decide where the judge is ${how}, and it is said once`, async () => {
      lost = { name: 'face-judge.bin', fault };
      const faces = await engine.detectFaces(picture, { variant: 'cascades' });
      assert.deepEqual(faces, await engine.detectFaces(picture, { verifier: 'frontalface_alt2' }));
      await engine.detectFaces(picture);
      assert.equal(warnings.length, 1, warnings.join('\n'));
      assert.match(warnings[0], /^foveola: no face verifier: /);
      assert.match(warnings[0], fault.words);
    });
  }

  it('the cascades decide where the network is missing, and it is said once', async () => {
    lost = { name: 'faces.bin', fault: faults.missing };
    const faces = await engine.detectFaces(picture);
    assert.deepEqual(faces, await engine.detectFaces(picture, { variant: 'cascades' }));
    await engine.detectFaces(picture);
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0], /^foveola: no detection of turned faces: /);
  });

  it('nothing is said where all are there, or where a model was set meanwhile', async () => {
    lost = {};
    await track(([{ landmarks }]) => landmarks);
    lost = { name: 'landmarks-network.bin', fault: faults.missing };
    await engine.dispose();
    engine = await library.createEngine({ assetBase: server.url });
    const tracker = await engine.createFaceTracker();
    await tracker.setModel(null);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(warnings, []);
  });
});
