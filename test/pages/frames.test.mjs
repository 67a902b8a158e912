// Every frame of a recording through the built files: the demuxer is a file of its own.
/* global foveola, File */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite } from '../support/pages.mjs';

const clip = '/demo/media/sample.webm';
const { frames: truth } = JSON.parse(readFileSync(new URL('../../demo/media/sample.truth.json', import.meta.url)));
const built = (file) => readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8');
const script = (attributes) =>
  `<!doctype html><title>frames</title><script src="/dist/foveola.cdn.js" ${attributes}></script>`;

describe('every frame of a recording', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/with.html': script('data-assets="/dist/"'),
        '/without.html': script(''),
        '/wrong.html': script('data-assets="/nowhere"'),
        '/changed.html': script('data-assets="/changed"'),
        '/nowhere/foveola.kernels.js': built('foveola.kernels.js'),
        '/changed/foveola.kernels.js': built('foveola.kernels.js'),
        '/changed/every-frame.js': `${built('every-frame.js')}\n;`,
        '/module.html': '<!doctype html><title>module</title>',
      },
    });
  });
  after(() => site?.close());

  /** Tracks every frame of the file and counts. */
  const count = async (address) => {
    const library = globalThis.foveola ?? (await import('/dist/foveola.js'));
    const engine = await library.createEngine({ backend: 'wasm' });
    const tracker = engine.createPupilTracker();
    const file = new File([await (await fetch(address)).arrayBuffer()], 'eye.webm');
    let frames = 0;
    let found = 0;
    try {
      for await (const { frame, timestamp } of library.frames(file, { everyFrame: true })) {
        frames++;
        if ((await tracker.process(frame, { timestamp })).pupils[0].found) found++;
      }
    } catch (error) {
      return { ours: error instanceof library.FoveolaError, code: error.code, message: error.message };
    } finally {
      await engine.dispose();
    }
    return { frames, found, worker: engine.capabilities.worker };
  };

  for (const path of ['/module.html', '/with.html', '/without.html'])
    itKept(path === '/with.html')(`is read and tracked, ${path.slice(1, -5)}`, async () => {
      const { page, errors } = await site.open(path);
      const { frames, found, worker } = await page.evaluate(count, clip);
      assert.equal(frames, truth.length);
      assert.equal(worker, true);
      assert.ok(found > 0.8 * frames, `${found} of ${frames}`);
      assert.deepEqual(errors, []);
      await page.close();
    });

  itInFull('names the file where the demuxer is missing', async () => {
    const { page } = await site.open('/wrong.html');
    const { ours, code, message } = await page.evaluate(count, clip);
    assert.deepEqual([ours, code], [true, 'asset-missing']);
    assert.match(message, /nowhere\/every-frame\.js.*data-assets/);
    await page.close();
  });

  itInFull('refuses a demuxer that is not of its own version', async () => {
    const { page } = await site.open('/changed.html');
    const { ours, code, message } = await page.evaluate(count, clip);
    assert.deepEqual([ours, code], [true, 'asset-missing']);
    assert.match(message, /changed\/every-frame\.js/);
    await page.close();
  });

  itInFull('errors of the loaded part are errors of the library', async () => {
    const { page } = await site.open('/with.html');
    const { ours, code } = await page.evaluate(count, '/with.html');
    assert.deepEqual([ours, code], [true, 'decode-failed']);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
    assert.equal(await page.evaluate(() => foveola.version), version);
    await page.close();
  });
});
