// extras.js of the CDN scripts, under the strict policy: pupil methods, learned networks, the optic disc; and the error if the
// file is missing.
/* global foveola, eye, fundus, photograph -- of the page */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';

const html = (script) => `<!doctype html><html lang="en"><title>test</title><script src="${script}"></script>`;

/** Helpers of the page: a drawn eye, and a photograph as an image. */
const helpers = `
  self.eye = (x, y) => {
    const data = new Uint8ClampedArray(320 * 240 * 4).fill(255);
    for (let j = 0; j < 240; j++)
      for (let i = 0; i < 320; i++) {
        const r = Math.hypot(i - x, j - y);
        data.fill(r < 30 ? 20 : r < 70 ? 110 : 190, 4 * (320 * j + i), 4 * (320 * j + i) + 3);
      }
    return new ImageData(data, 320, 240);
  };
  self.fundus = () => {
    const data = new Uint8ClampedArray(600 * 600 * 4);
    for (let j = 0; j < 600; j++)
      for (let i = 0; i < 600; i++) {
        const inside = Math.hypot(i - 300, j - 300) < 285;
        const vessel = Math.abs(((j + 20 * Math.sin(i / 60)) % 70) - 35) < 5;
        data.set(inside ? (vessel ? [160, 60, 30, 255] : [180, 100, 40, 255]) : [0, 0, 0, 255], 4 * (600 * j + i));
      }
    return new ImageData(data, 600, 600);
  };
  self.photograph = async (address) => createImageBitmap(await (await fetch(address)).blob());
`;

describe('extras.js of the CDN scripts', () => {
  let site;
  const asked = [];
  before(async () => {
    const names = ['pupil', 'pupil-test', 'face', 'vessels'];
    const routes = { '/helpers.js': helpers };
    routes['/all.html'] = html('/dist/foveola.cdn.js') + '<script src="/helpers.js"></script>';
    for (const name of names) {
      routes[`/${name}.html`] = html(`/dist/foveola-${name}.cdn.js`) + '<script src="/helpers.js"></script>';
      routes[`/without/${name}.html`] = html(`/without/foveola-${name}.cdn.js`) + '<script src="/helpers.js"></script>';
    }
    routes['/without/extras.js'] = (_, response) => response.writeHead(404).end();
    site = await startSite({
      routes,
      mounts: { '/without/': path.join(root, 'dist') },
      headers: (address) => {
        if (address.endsWith('/extras.js')) asked.push(address);
        return address.endsWith('.html') ? { 'Content-Security-Policy': strictPolicy } : {};
      },
    });
  });
  after(() => site?.close());

  async function visit(address, run) {
    asked.length = 0;
    const { page, errors } = await site.open(address);
    try {
      return { result: await page.evaluate(run), errors, asked: [...asked] };
    } finally {
      await page.close();
    }
  }

  it('tracks a pupil by every method, chosen at once or later', async () => {
    const { result, errors } = await visit('/pupil.html', async () => {
      const engine = await foveola.createEngine();
      const found = [];
      const note = ({ pupils: [pupil] }) => found.push(Math.hypot(pupil.x - 160, pupil.y - 120) < 1.5 && pupil.found);
      for (const method of ['starburst', 'hough', 'threshold']) {
        const first = await engine.createPupilTracker({ method });
        note(await first.process(eye(160, 120)));
        first.dispose();
      }
      const smoothed = await engine.createPupilTracker({ method: 'starburst', smoothing: 'median', medianSize: 11 });
      note(await smoothed.process(eye(160, 120)));
      smoothed.dispose();
      const tracker = await engine.createPupilTracker();
      note(await tracker.process(eye(160, 120)));
      for (const method of ['threshold', 'hough', 'robust', 'starburst']) {
        await tracker.setParameters({ method });
        note(await tracker.process(eye(160, 120)));
      }
      engine.dispose();
      return found;
    });
    assert.deepEqual([result, errors], [Array(9).fill(true), []]);
  });

  for (const script of ['pupil', 'pupil-test'])
    it(`asks the eye network for lids and iris, by element and by tracker of ${script}`, async () => {
      const { result, errors } = await visit(`/${script}.html`, async () => {
        const element = document.createElement('foveola-pupil');
        element.settings = { secondOpinion: 'always' };
        element.source = eye(160, 120);
        const shown = new Promise((resolve) => {
          element.addEventListener('foveola-result', ({ detail }) => resolve(detail.pupils[0]), { once: true });
          element.addEventListener('foveola-error', ({ detail }) => resolve(String(detail)), { once: true });
        });
        document.body.append(element);
        const engine = await foveola.createEngine({ backend: 'wasm' });
        const tracker = await engine.createPupilTracker();
        await tracker.setParameters({ secondOpinion: 'always' });
        const { pupils } = await tracker.process(eye(160, 120));
        engine.dispose();
        return [pupils[0], await shown].map(({ coveredByLids, irisDiameter, found }) => [
          found && coveredByLids >= 0 && coveredByLids <= 1,
          irisDiameter,
        ]);
      });
      assert.deepEqual(errors, []);
      for (const [covered, iris] of result) {
        assert.ok(covered);
        assert.ok(Math.abs(iris - 140) < 14, `iris of ${iris} px`);
      }
    });

  itInFull('shares its modules with other parts, whichever loads first', async () => {
    const { result, errors } = await visit('/all.html', async () => {
      const engine = await foveola.createEngine();
      const picture = fundus();
      const { segments } = await engine.vessels(picture, { scales: 'all', measures: true });
      const { depths } = await engine.opticDisc(picture, { segments });
      const { fraction } = await engine.vessels(picture, { variant: 'network' });
      const faces = await engine.detectFaces(await photograph('/test/media/portrait.png'));
      engine.dispose();
      return [depths.some(({ odds }) => Number.isFinite(odds)), fraction > 0.02, faces.length];
    });
    assert.deepEqual([result, errors], [[true, true, 1], []]);
  });

  it('is not loaded by what does not need it', async () => {
    const { result, asked: files } = await visit('/pupil.html', async () => {
      const engine = await foveola.createEngine();
      const tracker = await engine.createPupilTracker();
      const { pupils } = await tracker.process(eye(160, 120));
      engine.dispose();
      return pupils[0].found;
    });
    assert.deepEqual([result, files], [true, []]);
  });

  itInFull('finds faces and landmarks by the networks', async () => {
    const {
      result,
      errors,
      asked: files,
    } = await visit('/face.html', async () => {
      const engine = await foveola.createEngine();
      const image = await photograph('/test/media/portrait.png');
      const faces = await engine.detectFaces(image, { variant: 'network' });
      const [{ landmarks, confidence, errors }] = await engine.landmarkFits(image, faces);
      engine.dispose();
      const [{ points, score, width }] = faces;
      return [points.length, score > 0.65, width > 100, landmarks.length, confidence > 0.9, errors.length];
    });
    assert.deepEqual([result, errors, files.length > 0], [[10, true, true, 136, true, 68], [], true]);
  });

  itInFull('finds vessels by the network, and looks for the optic disc', async () => {
    const { result, errors } = await visit('/vessels.html', async () => {
      const engine = await foveola.createEngine();
      const picture = await photograph('/test/media/photographer.png');
      const { mask } = await engine.vessels(picture, { variant: 'network' });
      const { warnings } = await engine.opticDisc(picture);
      engine.dispose();
      return [mask.width === picture.width, warnings.length > 0];
    });
    assert.deepEqual([result, errors], [[true, true], []]);
  });

  itInFull('is named by the error when it is missing, and what does not need it goes on', async () => {
    const { result } = await visit('/without/pupil.html', async () => {
      const engine = await foveola.createEngine();
      const error = await engine
        .createPupilTracker({ method: 'hough' })
        .process(eye(160, 120))
        .then(String, ({ code, message }) => [code, message]);
      const tracker = await engine.createPupilTracker();
      const change = await tracker.setParameters({ method: 'threshold' }).then(String, ({ code }) => code);
      const { pupils } = await tracker.process(eye(160, 120));
      engine.dispose();
      return { error, change, found: pupils[0].found };
    });
    assert.equal(result.error[0], 'asset-missing');
    assert.match(result.error[1], /extras\.js of this version/);
    assert.deepEqual([result.change, result.found], ['asset-missing', true]);
  });
});
