// TIFF and DICOM on plain pages under the strict policy: from ESM, and from the single file with and without
// data-assets. The readers come when they are needed and not before.
/* global foveola */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { serve } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';

const page = (tag) => `<!doctype html><title>test</title>${tag}`;
const cdn = (name, attributes = '') => page(`<script src="/dist/${name}.js" ${attributes}></script>`);

describe('image files on pages under the strict policy', () => {
  let site;
  let elsewhere;
  const [width, height] = [30, 20];
  const data = Array.from({ length: width * height }, (_, i) => (i * 37) % 256);
  before(async () => {
    const { tiffFile } = await importTs('test/support/tiff-writer.ts');
    const { dicomFile, pictureElements, syntaxes, losslessJpeg } = await importTs('test/support/dicom-writer.ts');
    const elements = pictureElements(width, height, {}, [[0x00280030, 'DS', '0.006\\0.006']]);
    const files = {
      '/a.tif': await tiffFile([{ width, height, data, compression: 'deflate' }]),
      '/b.dcm': await dicomFile({
        syntax: syntaxes.lossless,
        elements,
        pixels: [losslessJpeg(width, height, 1, data)],
      }),
      '/cut.tif': (await tiffFile([{ width, height, data }])).slice(0, 300),
    };
    const sent = Object.entries(files).map(([path, bytes]) => [
      path,
      (_, response) => response.end(Buffer.from(bytes)),
    ]);
    elsewhere = await serve({ headers: () => ({ 'Access-Control-Allow-Origin': '*' }) });
    const far = `default-src 'none'; script-src ${elsewhere.url} 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self' ${elsewhere.url}`;
    site = await startSite({
      routes: {
        ...Object.fromEntries(sent),
        '/module.js': "import * as foveola from '/dist/foveola.js'; window.foveola = foveola;",
        '/module.html': page('<script type="module" src="/module.js"></script>'),
        '/cdn.html': cdn('foveola.cdn'),
        '/assets.html': cdn('foveola.cdn', 'data-assets="/dist"'),
        '/far.html': page(`<script src="${elsewhere.url}/dist/foveola.cdn.js" crossorigin></script>`),
        '/wrong.html': cdn('foveola.cdn', 'data-assets="/nowhere/"'),
        '/nowhere/foveola.kernels.js': readFileSync(new URL('../../dist/foveola.kernels.js', import.meta.url), 'utf8'),
      },
      headers: (path) => {
        if (path === '/far.html') return { 'Content-Security-Policy': far };
        return path.endsWith('.html') || path === '/dist/worker.js' ? { 'Content-Security-Policy': strictPolicy } : {};
      },
    });
  });
  after(async () => {
    await site?.close();
    await elsewhere?.close();
  });

  const readIn = (target) =>
    target.evaluate(async () => {
      const file = async (path) => (await fetch(path)).blob();
      const tell = ({ code, message, name }) => ({ code, message, name, ours: true });
      const engine = await foveola.createEngine();
      const tiff = await foveola.readImage(await file('/a.tif')).catch(tell);
      if (tiff.code) return tiff;
      const dicom = await foveola.readImage(await file('/b.dcm'));
      const cut = await foveola.readImage(await file('/cut.tif')).catch((error) => ({
        ...tell(error),
        ours: error instanceof foveola.FoveolaError,
      }));
      const level = await engine.threshold(await file('/b.dcm'), { level: 99 });
      return {
        tiff: [...tiff.image.data],
        dicom: [...dicom.image.data],
        spacing: dicom.spacing.x,
        cut,
        level: [...level.data],
        worker: engine.capabilities.worker,
      };
    });

  for (const name of ['module', 'cdn', 'assets'])
    itKept(name === 'cdn')(`${name}: TIFF and DICOM are read, errors are the library's own`, async () => {
      const start = site.server.requests.length;
      const { page: target, errors } = await site.open(`/${name}.html`);
      await target.waitForFunction(() => window.foveola);
      const chunk = () => site.server.requests.slice(start).some((path) => /image-files|chunk-read/.test(path));
      assert.equal(chunk(), false, 'nothing is loaded before it is needed');
      const result = await readIn(target);
      assert.deepEqual(result.tiff, data);
      assert.deepEqual(result.dicom, data);
      assert.equal(result.spacing, 6);
      assert.deepEqual(
        result.level,
        data.map((value) => (value > 99 ? 255 : 0)),
      );
      assert.equal(result.worker, true);
      assert.deepEqual([result.cut.code, result.cut.ours], ['decode-failed', true]);
      assert.equal(chunk(), true);
      const workers = target.workers().map((worker) => worker.url());
      assert.ok(workers.includes(new URL('/dist/image-files.js', site.server.url).href), workers.join());
      assert.deepEqual(errors, []);
      await target.close();
    });

  itInFull('cdn of another origin: the worker is a blob of what was fetched by its hash', async () => {
    const { page: target, errors } = await site.open('/far.html');
    await target.waitForFunction(() => window.foveola);
    assert.deepEqual((await readIn(target)).tiff, data);
    assert.ok(elsewhere.requests.includes('/dist/image-files.js'));
    const workers = target.workers().map((worker) => worker.url());
    assert.deepEqual(
      workers.map((url) => new URL(url).protocol),
      ['blob:', 'blob:'],
    );
    assert.deepEqual(errors, []);
    await target.close();
  });

  itInFull('a wrong data-assets is named', async () => {
    const { page: target } = await site.open('/wrong.html');
    const { code, message } = await readIn(target);
    assert.equal(code, 'asset-missing');
    assert.match(message, /\/nowhere\/image-files\.js/);
    await target.close();
  });
});
