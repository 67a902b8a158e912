// <foveola-face> on pages as portals have them: under a strict policy, with and without models, by keyboard, in German.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { slowFile } from '../support/slow-file.mjs';
import { heard, settingsShown } from './element-support.mjs';

const photo = '/test/media/portrait.png';

const { packLandmarks, steadyLandmarks } = await importTs('test/node/faces/library.ts');
/** A landmark model that puts one shape into every face. */
const steady = Buffer.from(packLandmarks(steadyLandmarks(), 'exact'));

const pageOf = (attributes, { lang = 'en', tag = ' data-assets="/dist/"' } = {}) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>test</title>
   <script src="/heard.js"></script><script src="/dist/foveola.cdn.js" ${tag}></script></head>
   <body><main><h1>Test</h1><foveola-face id="face" ${attributes}></foveola-face></main></body></html>`;

/** The page that docs/using-elements.md shows for the pupils of a face's eyes, as it stands. */
const snippet = readFileSync(path.join(root, 'docs/using-elements.md'), 'utf8').match(
  /```html\n(<foveola-face id="face"[^]*?)```/,
)[1];

describe('foveola-face', () => {
  let site;
  let slow;
  before(async () => {
    const routes = {
      // The script comes after the snippet has begun, as with `async` or with a bundler's chunks.
      '/late': `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><body>${snippet}
        <script>setTimeout(() => {
          const script = document.createElement('script');
          script.src = '/dist/foveola.cdn.js';
          document.head.append(script);
        }, 300)</script>`,
      '/heard.js': heard,
      '/boxes.html': pageOf(`src="${photo}" model="none" controls rate`),
      '/face.html': pageOf(`src="${photo}" controls`),
      '/german.html': pageOf(`src="${photo}" controls settings-open`, { lang: 'de' }),
      '/hidden.html': pageOf(`src="${photo}" blur`),
      '/landmarks.html': pageOf(`src="${photo}" model="/landmarks.bin" controls`),
      '/landmarks.bin': readFileSync(path.join(root, 'test/media/landmarks.bin')),
      '/steady.bin': steady,
      '/slow.bin': (...call) => slow(...call),
      '/slow.html': pageOf(`src="${photo}" model="/slow.bin" controls`),
      '/missing.html': pageOf(`src="${photo}" model="/nowhere.bin"`),
      '/bare.html': pageOf(`src="${photo}"`, { tag: '' }),
      '/script.html': '<!doctype html><title>test</title><script src="/dist/foveola.cdn.js"></script>',
      '/alone.html': pageOf(`src="${photo}"`, { script: '/dist/foveola-face.cdn.js', tag: '' }),
      '/none.html': pageOf('controls'),
      '/eye.html': pageOf(`src="${photo}" model="/landmarks.bin"`).replace(
        '</main>',
        '<foveola-pupil id="pupil"></foveola-pupil></main>',
      ),
      '/foreign': '<!doctype html><title>test</title><script src="/dist/foveola.cdn.js"></script>',
    };
    site = await startSite({
      routes,
      headers: (file) => (file.endsWith('.html') ? { 'Content-Security-Policy': strictPolicy } : {}),
    });
  });
  after(() => site?.close());
  afterEach(() => site.closePages());

  const found = (page) =>
    page.waitForFunction(() => heard.results.some(({ faces }) => faces.length > 0), { polling: 50, timeout: 30_000 });

  const landmarks = (page) =>
    page.waitForFunction(() => heard.results.at(-1)?.faces[0]?.landmarks, { polling: 50, timeout: 30_000 });

  it('shows a box under a strict policy, and asks for no landmark model where none is wanted', async () => {
    const before = site.server.requests.length;
    const { page, errors } = await site.open('/boxes.html');
    await found(page);
    const { face, hint, tracking } = await page.$eval('foveola-face', (element) => ({
      face: heard.results.at(-1).faces[0],
      hint: element.shadowRoot.querySelector('.hint:not(:empty)')?.textContent,
      tracking: element.hasAttribute('tracking'),
    }));
    assert.ok(
      Math.abs(face.x + face.width / 2 - 222) < 15 && Math.abs(face.y + face.height / 2 - 113) < 15,
      JSON.stringify(face),
    );
    assert.equal(face.landmarks, null);
    assert.equal(hint, undefined);
    assert.equal(tracking, true);
    assert.ok(!site.server.requests.slice(before).some((file) => file.includes('landmarks')));
    const { results } = await page.evaluate(
      () => new Promise((resolve) => window.setTimeout(() => resolve(heard), 400)),
    );
    assert.ok(results.length >= 1);
    assert.deepEqual(errors, []);
  });

  it('shows the landmarks of the shipped model where no other is named', async () => {
    const { page, errors } = await site.open('/face.html');
    await landmarks(page);
    const shape = await page.evaluate(() => [...heard.results.at(-1).faces[0].landmarks]);
    assert.equal(shape.length, 136);
    // The middles of the astronaut's eyes and mouth, read off the picture by hand.
    const middle = (from, to) =>
      [0, 1].map((k) => {
        const values = shape.filter((_, i) => i >> 1 >= from && i >> 1 < to && i % 2 === k);
        return values.reduce((sum, value) => sum + value, 0) / values.length;
      });
    for (const [name, from, to, x, y] of [
      ['left eye', 36, 42, 204, 101],
      ['right eye', 42, 48, 247, 103],
      ['mouth', 48, 68, 224, 146],
    ]) {
      const [a, b] = middle(from, to);
      assert.ok(Math.hypot(a - x, b - y) < 6, `${name}: ${a} ${b}`);
    }
    // She looks into the camera; of one picture nobody knows how far her eyes are open as a rule.
    const { blink, openness, gaze } = await page.evaluate(() => heard.results.at(-1).faces[0]);
    assert.deepEqual([blink, openness], [undefined, undefined]);
    assert.ok(Math.hypot(gaze.yaw, gaze.pitch) < 0.26, JSON.stringify(gaze));
    const figures = () =>
      page.$eval('foveola-face', ({ shadowRoot }) =>
        ['blink', 'gaze-yaw', 'gaze-pitch'].map((name) => shadowRoot.querySelector(`[data-value=${name}]`).textContent),
      );
    await page.waitForFunction(
      () =>
        document.querySelector('foveola-face').shadowRoot.querySelector('[data-value=gaze-yaw]').textContent !== '–',
      { polling: 50, timeout: 10_000 },
    );
    const degrees = (angle) => Math.round((180 * angle) / Math.PI);
    assert.deepEqual(await figures(), ['–', `${degrees(gaze.yaw)}`, `${degrees(gaze.pitch)}`]);
    const [csv, columns] = await page.$eval('foveola-face', async (element) => {
      element.record();
      await element.step();
      element.record();
      return [await element.exportCsv(), JSON.parse(await element.exportCsvJson()).columns];
    });
    const table = csv.split('\n').filter((line) => line && !line.startsWith('#'));
    const cells = Object.fromEntries(table[0].split(',').map((name, i) => [name, table[1].split(',')[i]]));
    const { leftEyeOpenness, rightEyeOpenness, blink: shut, gazeYaw, gazePitch } = cells;
    assert.deepEqual([leftEyeOpenness, rightEyeOpenness, shut], ['', '', '']);
    assert.ok(Math.hypot(gazeYaw, gazePitch) < 0.26, `${gazeYaw} ${gazePitch}`);
    for (const name of ['gazeYaw', 'gazePitch']) assert.equal(columns.find((one) => one.name === name).unit, 'rad');
    assert.deepEqual(errors, []);
  });

  // In German with its settings open, with a picture, without one.
  for (const address of ['/german.html', '/boxes.html', '/none.html'])
    itKept(address === '/german.html')(`is accessible, ${address.slice(1, -5)}`, async () => {
      const { page, errors } = await site.open(address);
      if (address !== '/none.html') await found(page);
      await settingsShown(page);
      await page.evaluate(readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
      const { violations } = await page.evaluate(() => window.axe.run(document));
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' ')}`),
        [],
        address,
      );
      if (address === '/german.html') {
        const text = await page.$eval('foveola-face', (element) => element.shadowRoot.textContent);
        assert.match(text, /Minimale Gesichtsgröße/);
        assert.match(text, /Gesichter/);
      }
      assert.deepEqual(errors, []);
    });

  it('works from the keyboard: points, settings, help', async () => {
    const { page } = await site.open('/boxes.html');
    await found(page);
    const state = () =>
      page.$eval('foveola-face', ({ points, settingsOpen, shadowRoot }) => [
        points,
        settingsOpen,
        shadowRoot.querySelector('.help') !== null,
      ]);
    await page.$eval('foveola-face', (element) => element.shadowRoot.querySelector('.stage').focus());
    assert.deepEqual(await state(), [false, false, false]);
    await page.keyboard.press('p');
    assert.deepEqual(await state(), [true, false, false]);
    await page.keyboard.press('?');
    await page.waitForFunction(() => document.querySelector('foveola-face').shadowRoot.querySelector('.help'));
    await page.keyboard.press('Escape');
    assert.deepEqual((await state())[2], false);
  });

  itInFull('hides faces on request', async () => {
    const { page, errors } = await site.open('/hidden.html');
    await found(page);
    const drawn = await page.$eval('foveola-face', async (element) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const canvas = element.shadowRoot.querySelector('.overlay');
      const image = element.shadowRoot.querySelector('.media');
      const { faces } = heard.results.at(-1);
      const own = canvas.getBoundingClientRect();
      const its = image.getBoundingClientRect();
      // The middle of the face, on the canvas.
      const scale = Math.min(its.width / 512, its.height / 512);
      const x = its.left - own.left + (its.width - 512 * scale) / 2 + (faces[0].x + faces[0].width / 2) * scale;
      const y = its.top - own.top + (its.height - 512 * scale) / 2 + (faces[0].y + faces[0].height / 2) * scale;
      const ratio = canvas.width / own.width;
      return canvas.getContext('2d').getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data[3];
    });
    assert.equal(drawn, 255);
    assert.deepEqual(errors, []);
  });

  itInFull('shows landmarks, records them, and gives crops of the eyes', async () => {
    const { page, errors } = await site.open('/landmarks.html');
    const eyes = page.evaluate(
      () =>
        new Promise((resolve) =>
          document
            .querySelector('foveola-face')
            .addEventListener('foveola-eyes', ({ detail }) => resolve(detail.eyes), { once: true }),
        ),
    );
    await found(page);
    await landmarks(page);
    const result = await page.evaluate(() => heard.results.at(-1).faces[0].landmarks.length);
    assert.equal(result, 136);
    await page.$eval('foveola-face', async (element) => {
      element.record();
      await element.step();
      element.record();
    });
    const csv = await page.$eval('foveola-face', (element) => element.exportCsv());
    assert.match(csv, /,x67,y67/);
    const stream = await page.$eval('foveola-face', async (element) => {
      const own = element.eyeStream('left', { width: 160 });
      await element.step();
      const refused = (() => {
        try {
          element.eyeStream('both');
        } catch ({ code }) {
          return code;
        }
        return null;
      })();
      return { tracks: own.getVideoTracks().length, same: own === element.eyeStream('left'), refused };
    });
    assert.deepEqual(stream, { tracks: 1, same: true, refused: 'invalid-argument' });
    const [left, right] = await eyes;
    assert.deepEqual([left.side, right.side], ['left', 'right']);
    assert.ok(left.x < right.x && left.width > 10 && Math.abs(left.y - right.y) < 20);
    if (process.env.FOVEOLA_FACE_SCREENSHOT) {
      await page.setViewport({ width: 1000, height: 900 });
      await new Promise((resolve) => setTimeout(resolve, 500));
      writeFileSync(process.env.FOVEOLA_FACE_SCREENSHOT, await page.screenshot({ type: 'png' }));
    }
    assert.deepEqual(errors, []);
  });

  itInFull('feeds a foveola-pupil with the crop of an eye', async () => {
    const { page, errors } = await site.open('/eye.html');
    await found(page);
    const { width, height, pupils } = await page.evaluate(async () => {
      const face = document.querySelector('foveola-face');
      const pupil = document.querySelector('foveola-pupil');
      const result = new Promise((resolve) =>
        pupil.addEventListener('foveola-result', ({ detail }) => resolve(detail), { once: true }),
      );
      pupil.source = face.eyeStream('left', { width: 240 });
      // A still gives one picture; the stream shows it when it is drawn.
      const again = setInterval(() => face.step(), 200);
      const { width, height, pupils } = await result;
      clearInterval(again);
      return { width, height, pupils: pupils.length };
    });
    assert.deepEqual([width, height, pupils], [240, 180, 1]);
    assert.deepEqual(errors, []);
  });

  itInFull('gives eye streams as the docs show it, also where the script comes late', async () => {
    const { page, errors } = await site.open('/late');
    const waited = page.waitForFunction(() => document.getElementById('pupil').source instanceof window.MediaStream, {
      polling: 50,
      timeout: 30_000,
    });
    await waited.catch((error) => assert.fail([error.message, ...errors].join('\n')));
    assert.deepEqual(errors, []);
  });

  itInFull('says so when a model of another origin comes without CORS', async () => {
    const { page } = await site.open('/foreign');
    const other = site.server.url.replace('127.0.0.1', 'localhost');
    assert.notEqual(other, site.server.url);
    const failures = await page.evaluate(async (other) => {
      const engine = await window.foveola.createEngine({ worker: false });
      const image = { width: 40, height: 40, data: new Uint8Array(1600) };
      const codeOf = (promise) => promise.then(String, ({ code, message }) => `${code}: ${message}`);
      const failures = [
        await codeOf(engine.detectFaces(image, { cascade: `${other}/dist/models/frontalface_alt.bin` })),
        await codeOf(
          engine.landmarks(image, [{ x: 0, y: 0, width: 30, height: 30 }], { model: `${other}/nowhere.bin` }),
        ),
      ];
      failures.push((await engine.detectFaces(image)).length); // the next good call works
      await engine.dispose();
      return failures;
    }, other);
    for (const failure of failures.slice(0, 2)) assert.match(failure, /^model-load: .*Access-Control-Allow-Origin/);
    assert.equal(failures[2], 0);
  });

  itInFull('names what is wrong with a model', async () => {
    const { page } = await site.open('/missing.html');
    await page.waitForFunction(() => heard.errors.length > 0, { polling: 50, timeout: 30_000 });
    const { code, message } = await page.evaluate(() => heard.errors[0]);
    assert.equal(code, 'model-load');
    assert.match(message, /nowhere\.bin.*HTTP 404/);
  });

  itInFull('keeps its boxes where the model is missing, and takes a good one later', async () => {
    const { page } = await site.open('/missing.html');
    await page.waitForFunction(() => heard.errors.length > 0, { polling: 50, timeout: 30_000 });
    await found(page);
    const shown = () =>
      page.$eval('foveola-face', (element) => ({
        state: element.state,
        tracking: element.tracking,
        attribute: element.getAttribute('error'),
        panel: element.shadowRoot.querySelector('.error')?.textContent.replace(/\s+/g, ' ') ?? null,
        picture: element.shadowRoot.querySelector('.media') !== null,
      }));
    await page.waitForFunction(() =>
      /Check the address/.test(document.querySelector('foveola-face').shadowRoot.querySelector('.error')?.textContent),
    );
    const missing = await shown();
    assert.deepEqual(
      { ...missing, panel: null },
      { state: 'finished', tracking: true, attribute: 'model-load', panel: null, picture: true },
    );
    assert.match(missing.panel, /Check the address of the model.*nowhere\.bin: HTTP 404/);
    await page.$eval('foveola-face', (element) => (element.model = '/steady.bin'));
    await landmarks(page);
    assert.deepEqual(await shown(), { ...missing, attribute: null, panel: null });
    // And away again.
    await page.$eval('foveola-face', (element) => (element.model = 'none'));
    await page.waitForFunction(() => heard.results.at(-1).faces[0].landmarks === null, { polling: 50 });
  });

  itInFull('shows boxes and a bar while a model is loaded, then its landmarks', async () => {
    slow = slowFile(steady);
    const { page, errors } = await site.open('/slow.html', {
      before: (opened) =>
        opened.evaluateOnNewDocument(() => {
          window.loads = [];
          window.addEventListener('foveola-progress', ({ detail }) => window.loads.push(detail), true);
        }),
    });
    await found(page);
    await page.waitForFunction(() => window.loads.some(({ loaded }) => loaded > 0), { polling: 50, timeout: 30_000 });
    const half = await page.$eval('foveola-face', (element) => {
      const { shadowRoot } = element;
      return {
        last: window.loads.at(-1),
        value: shadowRoot.querySelector('progress').value,
        words: shadowRoot.querySelector('.progress').textContent.replace(/\s+/g, ' ').trim(),
        label: shadowRoot.querySelector('progress').getAttribute('aria-label'),
        picture: shadowRoot.querySelector('.media') !== null,
      };
    });
    assert.deepEqual([half.last.total, half.last.done], [steady.length, half.last.loaded / steady.length]);
    assert.ok(half.value > 0 && half.value <= 0.5 && half.picture, JSON.stringify(half));
    assert.match(half.words, /^\d+ % \d\.\d of \d\.\d MB .*Cancel$/);
    assert.equal(half.label, 'Loading model');
    slow.release();
    await landmarks(page);
    const end = await page.$eval('foveola-face', (element) => [
      element.shadowRoot.querySelector('.progress'),
      window.loads.at(-1),
    ]);
    assert.deepEqual(end, [null, { done: 1, loaded: steady.length, total: steady.length }]);
    assert.deepEqual(errors, []);
  });

  for (const [way, cancel] of [
    ['Escape', (page) => page.keyboard.press('Escape')],
    ['its button', (page) => page.$eval('foveola-face', (e) => e.shadowRoot.querySelector('.progress button').click())],
  ])
    itInFull(`cancels the loading of a model by ${way}, and loads it again`, async () => {
      slow = slowFile(steady);
      const { page } = await site.open('/slow.html');
      await found(page);
      await slow.waiting();
      await page.$eval('foveola-face', (element) => element.shadowRoot.querySelector('.stage').focus());
      await cancel(page);
      await slow.closed();
      await page.waitForFunction(
        () =>
          /not loaded/.test(
            document.querySelector('foveola-face').shadowRoot.querySelector('.hint:not(:empty)')?.textContent,
          ),
        { polling: 50 },
      );
      const after = await page.$eval('foveola-face', (element) => [
        element.getAttribute('error'),
        element.tracking,
        element.shadowRoot.querySelector('.progress'),
      ]);
      assert.deepEqual(after, [null, true, null]);
      slow.release();
      await page.$eval('foveola-face', (element) => element.shadowRoot.querySelector('.hint button').click());
      await landmarks(page);
      assert.equal(slow.asked, 2);
    });

  itInFull('fetches cascades from the folder of its script when they are needed, each pinned by its hash', async () => {
    for (const worker of [true, false]) {
      const { page, errors } = await site.open('/script.html');
      const photograph = readFileSync(path.join(root, photo)).toString('base64');
      const before = site.server.requests.length;
      const counts = await page.evaluate(
        async (base64, worker) => {
          const bytes = Uint8Array.from(window.atob(base64), (character) => character.charCodeAt(0));
          const image = await window.createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const engine = await window.foveola.createEngine({ worker });
          const counts = [];
          for (const cascade of ['frontalface_alt', 'frontalface_alt2', 'frontalface_default'])
            counts.push((await engine.detectFaces(image, { cascade })).length);
          await engine.dispose();
          return counts;
        },
        photograph,
        worker,
      );
      assert.ok(
        counts.every((count) => count >= 1),
        counts.join(),
      );
      const requests = site.server.requests.slice(before).filter((file) => file !== '/favicon.ico');
      const cascades = ['alt', 'alt2', 'default'].map((name) => `/dist/models/frontalface_${name}.bin`);
      // The script is its own worker. A part is fetched with its hash before it is imported.
      const first = [...(worker ? ['/dist/foveola.cdn.js'] : []), '/dist/face-search.js'];
      assert.deepEqual([...new Set(requests)].sort(), [...first, ...cascades].sort());
      assert.deepEqual(errors, []);
      await page.close();
    }
    const { page: element, errors } = await site.open('/alone.html');
    await found(element);
    assert.deepEqual(errors, []);
    await element.close();
  });
});
