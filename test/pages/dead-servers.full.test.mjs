// Servers that hang, break off or answer 404 half way: media, files of the package, parts that are loaded later. Each wait ends with
// an error that names the network, and what can go on does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { startSite } from '../support/pages.mjs';
import { clip, firstError, heard, tracked } from './element-support.mjs';

const bytes = readFileSync(path.join(root, clip));
/** What is not there of the recording; its index, at the end, is. */
const GAP = [0.4, 0.9].map((part) => Math.round(part * bytes.length));

function headOf(request, response) {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(from), to ? Number(to) + 1 : bytes.length];
  response.writeHead(request.headers.range ? 206 : 200, {
    ...{
      'Content-Type': 'video/webm',
      'Content-Length': end - start,
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'no-store',
    },
    ...(request.headers.range && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}` }),
  });
  return [start, end];
}
/** Sends what there is, then does as the test says. */
const gapped = (then) => (request, response) => {
  const [start, end] = headOf(request, response);
  if (start >= GAP[1]) response.end(bytes.subarray(start, end));
  else if (start >= GAP[0]) then(response);
  else response.write(bytes.subarray(start, Math.min(end, GAP[0])), () => then(response));
};
const hangs = () => {};
const breaks = (response) => response.destroy();
const gone = (request, response) => {
  const start = Number(/^bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start >= GAP[0] && start < GAP[1]) response.writeHead(404).end('<h1>Not found</h1>');
  else gapped(breaks)(request, response);
};

const modules = (attributes) => `<!doctype html><html lang="en"><title>test</title><script src="/heard.js"></script>
  <script type="module" src="/dist/foveola.elements.js"></script><foveola-pupil loop ${attributes}></foveola-pupil>`;
const script = (
  folder,
  attributes,
) => `<!doctype html><html lang="en"><title>test</title><script src="/heard.js"></script>
  <script src="${folder}foveola-pupil.cdn.js"></script><foveola-pupil loop ${attributes}></foveola-pupil>`;

const routes = {
  '/heard.js': heard,
  '/silent.webm': hangs,
  '/silent.png': hangs,
  '/half.webm': gapped(hangs),
  '/breaks.webm': gapped(breaks),
  '/gone.webm': gone,
  '/media.html': script('/dist/', 'controls'),
  '/no-kernels/kernels.wasm': hangs,
  '/no-kernels.html': modules(`src="${clip}" asset-base="/no-kernels/"`),
  '/no-worker/worker.js': hangs,
  '/no-worker.html': modules(`src="${clip}" asset-base="/no-worker/"`),
  '/no-worker-cdn.html': script('/no-worker/', `src="${clip}"`),
  '/no-player/player.js': hangs,
  '/no-kernels/foveola-pupil.kernels.js': hangs,
  '/no-kernels-cdn.html': script('/no-kernels/', `src="${clip}"`),
  '/no-player.html': script('/no-player/', `src="${clip}" controls`),
};

describe('servers that do not answer', () => {
  let site;
  before(async () => {
    const mounts = Object.fromEntries(
      ['/no-kernels/', '/no-worker/', '/no-player/'].map((folder) => [folder, path.join(root, 'dist')]),
    );
    site = await startSite({ routes, mounts });
  });
  after(() => site?.close());

  /** Opens a page on which the seconds of waits pass quickly. */
  const open = (address) =>
    site.open(address, {
      waitUntil: 'domcontentloaded', // a file that a page waits for may never come
      before: (page) =>
        page.evaluateOnNewDocument(() => {
          const { setInterval: real } = window;
          window.setInterval = (work, every, ...given) => real(work, every === 1000 ? 100 : every, ...given);
        }),
    });
  const element = 'foveola-pupil';

  async function failed(address, { src, records = false } = {}) {
    const { page } = await open(address);
    try {
      await page.waitForFunction(() => document.querySelector('foveola-pupil').updateComplete);
      if (src) await page.$eval(element, (it, value) => (it.src = value), src);
      if (records) {
        await tracked(page);
        await page.$eval(element, (it) => it.record());
      }
      await firstError(page);
      // A later one may say more.
      const error = await page.$eval(element, ({ error: { code, message } }) => ({ code, message }));
      const shown = await page.$eval(element, (it) => [
        it.shadowRoot.querySelector('[role=alert]')?.textContent ?? '',
        it.running && it.error.code === 'network-failed',
        it.recording,
      ]);
      assert.ok(shown[0].includes(error.message), `${shown[0]} shows ${error.message}`);
      assert.deepEqual(shown.slice(1), [false, false]);
      assert.doesNotMatch(error.message, /damaged/);
      return error;
    } finally {
      await page.close();
    }
  }

  for (const [src, why] of [
    ['/silent.webm', /silent\.webm: no data arrived for 15 s.*Check the network/],
    ['/silent.png', /silent\.png: its server sent no data for 15 s.*Check the network/],
  ])
    it(`media that never come: ${src}`, async () => {
      const { code, message } = await failed('/media.html', { src });
      assert.equal(code, 'network-failed');
      assert.match(message, why);
    });

  for (const src of ['/half.webm', '/breaks.webm', '/gone.webm'])
    it(`media that stop half way while they are played: ${src}`, async () => {
      const { code, message } = await failed('/media.html', { src, records: src !== '/gone.webm' }); // of which Chromium may show no frame
      assert.equal(code, 'network-failed', message);
      assert.match(
        message,
        /(no data arrived for 15 s|the connection was interrupted) at \d+\.\d+ s.*Check the network/,
      );
    });

  it('media that stop while they are analyzed: what was done is kept', async () => {
    const { page } = await open('/media.html');
    await page.$eval(element, (it) => (it.src = '/half.webm'));
    await tracked(page);
    const result = await page.$eval(element, async (it) => {
      const { complete, error } = await it.analyse();
      return { complete, code: error.code, message: error.message };
    });
    assert.equal(result.complete, false);
    assert.equal(result.code, 'network-failed');
    assert.match(result.message, /half\.webm: .*sent no data for 15 s/);
    await page.close();
  });

  it('kernels', async () => {
    const { code, message } = await failed('/no-kernels.html');
    assert.equal(code, 'asset-blocked');
    assert.match(message, /kernels\.wasm could not be loaded from \S+: its server sent no data for 15 s/);
  });

  it('kernels of a CDN script', async () => {
    const { code, message } = await failed('/no-kernels-cdn.html');
    assert.equal(code, 'asset-blocked');
    assert.match(message, /no-kernels\/foveola-pupil\.kernels\.js did not load: its server sent no data for 120 s/);
  });

  for (const [page, why] of [
    [
      '/no-worker.html',
      /main thread.*worker's script did not load from \S+\/no-worker\/worker\.js: its server sent no data/,
    ],
    ['/no-worker-cdn.html', null],
  ])
    it(`the worker's script: another way is found (${page})`, async () => {
      const { page: opened } = await open(page);
      await tracked(opened);
      const { worker, reasons } = await opened.evaluate(() => heard.ready);
      assert.equal(worker, why === null, reasons.join());
      if (why) assert.match(reasons.join(), why);
      await opened.close();
    });

  it('the timeline: the element says so, and goes on without', async () => {
    const { code, message } = await failed('/no-player.html');
    assert.equal(code, 'asset-blocked');
    assert.match(message, /^The timeline: \S+\/no-player\/player\.js did not load: its server sent no data for 15 s/);
  });
});
