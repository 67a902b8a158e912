// Everything that a page or a person can get wrong: each gives its error, shown and reported, and the next good source works.
/* global File */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itInFull } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { serve } from '../../tools/serve.mjs';
import { blackPng } from './black-png.mjs';
import { disc, firstError, pageOf, heard, tracked } from './element-support.mjs';

/** Its data box says 5000 bytes and has 900; the index would follow it. */
const cutMp4 = Buffer.alloc(920);
cutMp4.writeUInt32BE(20, 0);
cutMp4.write('ftypisom', 4, 'latin1');
cutMp4.writeUInt32BE(5000, 20);
cutMp4.write('mdat', 24, 'latin1');

describe('bad input', () => {
  let site;
  let foreign;
  /** The page that most bad sources are given to, one after the other. */
  let shared;
  before(async () => {
    foreign = await serve();
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/page.html': pageOf('controls loop'),
        '/camera.html': pageOf('controls camera'),
        '/no-wasm.html': pageOf(`src="${disc}" loop`),
        '/text.mp4': 'this is only text',
        '/cut.mp4': cutMp4,
        '/vessels.html': pageOf('controls').replaceAll('foveola-pupil', 'foveola-vessels'),
        '/one.png': blackPng(1, 1),
        '/huge.png': blackPng(20000, 20000),
      },
      headers: (path) =>
        path === '/no-wasm.html' ? { 'Content-Security-Policy': strictPolicy.replace(" 'wasm-unsafe-eval'", '') } : {},
    });
    shared = (await site.open('/page.html')).page;
    await shared.waitForFunction(() => document.querySelector('foveola-pupil').updateComplete);
  });
  after(async () => {
    await site?.close();
    await foreign?.close();
  });

  /** Gives the element of a page a bad source, returns the error; then a good one must be tracked, and is stopped. */
  async function failing(give, argument, page = shared) {
    await page.bringToFront();
    try {
      await page.evaluate(() => {
        heard.errors.length = heard.results.length = 0;
      });
      await page.evaluate(give, argument);
      const error = await firstError(page);
      const shown = await page.evaluate(() => {
        const element = document.querySelector('foveola-pupil');
        return {
          attribute: element.getAttribute('error'),
          text: element.shadowRoot.querySelector('[role=alert]')?.textContent ?? '',
        };
      });
      assert.equal(shown.attribute, error.code);
      assert.ok(shown.text.includes(error.message), `${shown.text} shows ${error.message}`);
      await page.evaluate((src) => {
        const element = document.querySelector('foveola-pupil');
        element.source = null;
        element.src = src;
      }, disc);
      await tracked(page);
      assert.equal(await page.evaluate(() => document.querySelector('foveola-pupil').hasAttribute('error')), false);
      return error;
    } finally {
      await page.evaluate(() => document.querySelector('foveola-pupil').stop());
    }
  }
  const src = (address) => failing((value) => (document.querySelector('foveola-pupil').src = value), address);

  it('a missing file', async () => {
    const { code, message } = await src('/not-there.webm');
    assert.equal(code, 'decode-failed');
    assert.match(message, /not-there\.webm.*404/);
  });

  itInFull('a missing image', async () => {
    const { code, message } = await src('/not-there.png');
    assert.equal(code, 'decode-failed');
    assert.match(message, /not-there\.png/);
  });

  it('a text file named .mp4', async () => {
    const { code, message } = await src('/text.mp4');
    assert.equal(code, 'decode-failed');
    assert.match(message, /text/);
  });

  itInFull('a text file named .mp4, dropped', async () => {
    const { code, message } = await failing(
      () =>
        (document.querySelector('foveola-pupil').source = new File(['only text'], 'eye.mp4', { type: 'video/mp4' })),
    );
    assert.equal(code, 'decode-failed');
    assert.match(message, /eye\.mp4/);
  });

  itInFull('a recording that is cut off is incomplete, and not to be converted', async () => {
    const { code, message } = await src('/cut.mp4');
    assert.equal(code, 'decode-failed');
    assert.match(message, /cut\.mp4 is incomplete: it has 920 of its 5020 bytes/);
    assert.doesNotMatch(message, /[Cc]onvert/);
  });

  itInFull('a text file where a photograph is wanted is no image, and nothing is said of playing it', async () => {
    const { page } = await site.open('/vessels.html');
    await page.evaluate(() => document.querySelector('foveola-vessels').open(new File(['only text'], 'notes.txt')));
    const { code, message } = await firstError(page);
    assert.equal(code, 'decode-failed');
    assert.match(message, /'notes\.txt' is not a supported image or video\. It looks like a text file/);
    assert.doesNotMatch(message, /play/);
    await page.close();
  });

  it('an image of 20000 x 20000', async () => {
    const { code, message } = await src('/huge.png');
    assert.equal(code, 'image-too-large');
    assert.match(message, /20000/);
  });

  itInFull('an image of one pixel has no pupil, and says so or why', async () => {
    const { page } = await site.open('/page.html');
    await page.evaluate(() => (document.querySelector('foveola-pupil').src = '/one.png'));
    await page.waitForFunction(() => heard.results.length + heard.errors.length > 0);
    const { results, errors } = await page.evaluate(() => heard);
    if (results.length) assert.equal(results[0].pupils[0].found, false);
    else assert.match(errors[0].message, /1x1|1 x 1|at least/);
    await page.close();
  });

  itInFull('a video of another origin without CORS', async () => {
    const { code, message } = await src(`${foreign.url}${disc}`);
    assert.equal(code, 'source-tainted');
    assert.match(message, /Access-Control-Allow-Origin/);
  });

  itInFull('a video element of another origin without CORS', async () => {
    const { code, message } = await failing(async (address) => {
      const video = Object.assign(document.createElement('video'), { src: address, id: 'v', muted: true });
      document.body.append(video);
      document.querySelector('foveola-pupil').source = video;
    }, `${foreign.url}${disc}`);
    assert.equal(code, 'source-tainted');
    assert.match(message, /crossorigin|Access-Control-Allow-Origin/);
  });

  it('a setting that does not exist', async () => {
    const { page } = await site.open('/page.html');
    await page.evaluate((address) => {
      const element = document.querySelector('foveola-pupil');
      element.fit = 'square';
      element.src = address;
    }, disc);
    const { code, message } = await firstError(page);
    assert.equal(code, 'invalid-argument');
    assert.match(message, /'ellipse'/);
    await page.evaluate(() => (document.querySelector('foveola-pupil').fit = 'circle'));
    await tracked(page);
    await page.close();
  });

  for (const [name, value] of Object.entries({ 'not a number': 'x', 'out of range': '-3' }))
    itInFull(`a calibration that is ${name}`, async () => {
      const { page } = await site.open('/page.html');
      await page.evaluate(
        ([address, text]) => {
          const element = document.querySelector('foveola-pupil');
          element.setAttribute('millimetres-per-pixel', text);
          element.src = address;
        },
        [disc, value],
      );
      assert.equal((await firstError(page)).code, 'invalid-argument');
      await page.evaluate(() => document.querySelector('foveola-pupil').setAttribute('millimetres-per-pixel', '0.05'));
      await tracked(page);
      await page.close();
    });

  const startCamera = () =>
    document.querySelector('foveola-pupil').shadowRoot.querySelector('[part~=start-camera]').click();

  itInFull('no camera', async () => {
    const { page } = await site.open('/camera.html');
    await page.waitForFunction(() => document.querySelector('foveola-pupil').updateComplete);
    const { code, message } = await failing(startCamera, undefined, page);
    assert.equal(code, 'camera-missing');
    assert.match(message, /[Cc]onnect/);
    await page.close();
  });

  itInFull('a camera that the page around the frame does not pass on', async () => {
    const outer = `<!doctype html><title>outer</title><iframe src="${site.server.url}/camera.html"></iframe>`;
    const other = await serve({ routes: { '/outer.html': outer } });
    const page = await site.browser.newPage();
    await page.goto(`${other.url}/outer.html`);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame.waitForSelector('foveola-pupil');
    await frame.waitForFunction(() =>
      document.querySelector('foveola-pupil').shadowRoot?.querySelector('[part~=start-camera]'),
    );
    await frame.evaluate(startCamera);
    const { code, message } = await firstError(frame);
    assert.equal(code, 'camera-blocked-by-policy');
    assert.match(message, /allow="camera"/);
    await page.close();
    await other.close();
  });

  it('WebAssembly forbidden by the policy', async () => {
    const { page } = await site.open('/no-wasm.html');
    const { code, message } = await page
      .waitForFunction(() => heard.errors.find((error) => error.code !== 'violation'), { polling: 50 })
      .then((handle) => handle.jsonValue());
    assert.equal(code, 'wasm-blocked');
    assert.match(message, /wasm-unsafe-eval/);
    await page.close();
  });

  itInFull('an element removed in mid-frame and put back', async () => {
    const { page, errors } = await site.open('/page.html');
    await page.evaluate((address) => (document.querySelector('foveola-pupil').src = address), disc);
    await tracked(page);
    await page.evaluate(async () => {
      const element = document.querySelector('foveola-pupil');
      const place = element.parentNode;
      for (let i = 0; i < 5; i++) {
        await new Promise((resolve) => element.addEventListener('foveola-result', resolve, { once: true }));
        element.remove();
        if (i % 2) await new Promise((resolve) => setTimeout(resolve, 30));
        place.append(element);
      }
      heard.results.length = 0;
    });
    await tracked(page);
    assert.deepEqual(errors, []);
    assert.deepEqual(await page.evaluate(() => heard.errors), []);
    await page.close();
  });
});

describe('bad machines', () => {
  it('no WebGL2: an error where the GPU is demanded, WebAssembly where it is not', async () => {
    const site = await startSite({
      routes: { '/heard.js': heard, '/gpu.html': pageOf(`backend="gpu" src="${disc}" loop`) },
      args: ['--use-gl=disabled'],
    });
    try {
      const { page } = await site.open('/gpu.html');
      assert.equal((await firstError(page)).code, 'no-webgl2');
      await page.evaluate(() => (document.querySelector('foveola-pupil').backend = 'auto'));
      await tracked(page);
      assert.equal(await page.evaluate(() => heard.ready.backend), 'wasm');
    } finally {
      await site.close();
    }
  });

  itInFull('a camera that is refused', async () => {
    const site = await startSite({
      routes: { '/heard.js': heard, '/camera.html': pageOf('camera controls') },
      args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny'],
    });
    try {
      const { page } = await site.open('/camera.html');
      await page.waitForFunction(() =>
        document.querySelector('foveola-pupil').shadowRoot?.querySelector('[part~=start-camera]'),
      );
      await page.evaluate(() =>
        document.querySelector('foveola-pupil').shadowRoot.querySelector('[part~=start-camera]').click(),
      );
      const { code, message } = await firstError(page);
      assert.equal(code, 'camera-denied');
      assert.match(message, /[Aa]llow/);
    } finally {
      await site.close();
    }
  });
});
