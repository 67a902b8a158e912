// The one-file build on plain static pages: under a strict policy, with Trusted Types, in frames, with and without a
// worker. What the page sends is what a portal would send.
/* global foveola */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itInFull } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { disc, pageOf, heard, tracked } from './element-support.mjs';

const element = `src="${disc}" controls loop`;
const trusted = `${strictPolicy}; require-trusted-types-for 'script'`;
const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Headers by page; the script gets the portal's own policy, which binds what runs in the worker. */
const headersOf = {
  '/strict.html': { 'Content-Security-Policy': strictPolicy },
  '/trusted.html': { 'Content-Security-Policy': trusted },
  '/listed.html': { 'Content-Security-Policy': `${trusted}; trusted-types foveola lit-html` },
  '/all-listed.html': { 'Content-Security-Policy': `${trusted}; trusted-types foveola lit-html` },
  '/blob.html': { 'Content-Security-Policy': strictPolicy.replace("worker-src 'self'", 'worker-src blob:') },
  '/inside-strict.html': { 'Content-Security-Policy': strictPolicy },
  '/no-worker.html': { 'Content-Security-Policy': strictPolicy.replace("worker-src 'self'", "worker-src 'none'") },
  '/isolated.html': { 'Content-Security-Policy': trusted, ...isolated },
  '/dist/foveola.cdn.js': { 'Content-Security-Policy': strictPolicy, 'Cross-Origin-Embedder-Policy': 'require-corp' },
};
const withoutTag = pageOf(element, { tag: '' });
const routes = {
  '/heard.js': heard,
  '/plain.html': pageOf(element),
  '/strict.html': pageOf(element),
  '/trusted.html': pageOf(element),
  '/listed.html': pageOf(element),
  '/isolated.html': pageOf(element),
  '/blob.html': withoutTag,
  '/inside-strict.html': withoutTag,
  '/no-worker.html': withoutTag,
  '/shadowed.html': withoutTag
    .replace('<script src="/dist', '<img name="currentScript" data-worker="/nowhere.js"><script src="/dist')
    .replace(' controls', ''), // whose folder is not known then: no timeline
  '/twice.html': withoutTag.replace('</head>', '<script src="/dist/foveola.cdn.js"></script></head>'),
  '/outer.html':
    '<!doctype html><title>outer</title><iframe src="/trusted-inner.html" width="640" height="640"></iframe>',
  '/trusted-inner.html': pageOf(element),
  '/all-listed.html': `<!doctype html><html lang="en"><title>all</title><script src="/heard.js"></script>
    <script src="/dist/foveola.cdn.js"></script>
    <foveola-pupil ${element}></foveola-pupil><foveola-face src="/test/media/portrait.png" controls></foveola-face>
    <foveola-track ${element} box="100 70 80 60"></foveola-track><foveola-filter ${element}></foveola-filter>
    <foveola-vessels src="/demo/media/fundus.jpg" controls></foveola-vessels>`,
  '/sandbox.html':
    '<!doctype html><title>outer</title><iframe sandbox="allow-scripts" src="/in-sandbox.html" width="640" height="900"></iframe>',
  '/in-sandbox.html': pageOf(element, { tag: '' }).replace(
    '</main>',
    '<foveola-filter src="/test/media/portrait.png"></foveola-filter></main>',
  ),
  '/module.html': `<!doctype html><title>module</title><script src="/heard.js"></script>
    <script type="importmap">{ "imports": { "lit": "/node_modules/lit/index.js", "lit/": "/node_modules/lit/",
      "@lit/reactive-element": "/node_modules/@lit/reactive-element/reactive-element.js",
      "@lit/reactive-element/": "/node_modules/@lit/reactive-element/",
      "lit-html": "/node_modules/lit-html/lit-html.js", "lit-html/": "/node_modules/lit-html/",
      "lit-element/lit-element.js": "/node_modules/lit-element/lit-element.js" } }</script>
    <script type="module" src="/dist/elements.js"></script><foveola-pupil ${element}></foveola-pupil>`,
};
headersOf['/trusted-inner.html'] = headersOf['/trusted.html'];

describe('the element on a static page', () => {
  let site;
  before(async () => {
    // What a frame without an origin may read.
    const shared = { 'Access-Control-Allow-Origin': '*' };
    site = await startSite({ routes, headers: (path) => ({ ...shared, ...headersOf[path] }) });
  });
  after(() => site?.close());

  async function opened(path, work) {
    const { page, errors } = await site.open(path);
    try {
      await tracked(page);
      await work?.(page, await page.evaluate(() => heard.ready));
      assert.deepEqual(await page.evaluate(() => heard.errors), []);
      assert.deepEqual(errors, []);
    } finally {
      await page.close();
    }
  }

  it('tracks at once, in a worker, and asks for the page, the script, its kernels, the video, chart, timeline and tools', async () => {
    const before = site.server.requests.length;
    await opened('/plain.html', async (page, capabilities) => {
      assert.equal(capabilities.crossOriginIsolated, false);
      assert.equal(capabilities.worker, true);
      assert.equal(capabilities.threads, 1);
      assert.equal(await page.evaluate(() => typeof foveola.createEngine), 'function');
    });
    const own = site.server.requests.slice(before).filter((path) => path !== '/favicon.ico');
    assert.equal(own.filter((path) => path === '/dist/foveola.kernels.js').length, 1);
    // After the first frame, so perhaps later than this.
    const later = ['/dist/chart.js', '/dist/player.js', '/dist/tools.js'];
    own.push(...later);
    const asked = [...new Set(own)].sort();
    const first = ['/dist/foveola.cdn.js', '/dist/foveola.kernels.js', '/plain.html', '/heard.js'];
    assert.deepEqual(asked, [disc, ...first, ...later].sort());
  });

  itInFull('works under the strict policy, the worker served with the policy of its own', () =>
    opened('/strict.html', (_page, capabilities) => assert.equal(capabilities.worker, true)),
  );

  it('works under the strict policy with Trusted Types', () =>
    opened('/trusted.html', (_page, capabilities) => assert.equal(capabilities.worker, true)));

  itInFull('works with Trusted Types where the policies are listed', () =>
    opened('/listed.html', (_page, capabilities) => assert.equal(capabilities.worker, true)),
  );

  itInFull('lets nobody else make addresses by its policy', async () => {
    const { page } = await site.open('/listed.html', {
      before: (page) =>
        page.evaluateOnNewDocument(() => {
          const { trustedTypes } = globalThis;
          const { createPolicy } = trustedTypes;
          globalThis.caught = {};
          trustedTypes.createPolicy = function (name, rules) {
            return (globalThis.caught[name] = createPolicy.call(this, name, rules));
          };
        }),
    });
    await tracked(page);
    const made = await page.evaluate(() =>
      ['/dist/worker.js', '/evil.js'].map((url) => {
        try {
          return String(globalThis.caught.foveola.createScriptURL(url));
        } catch ({ name }) {
          return name;
        }
      }),
    );
    assert.deepEqual(made, ['TypeError', 'TypeError']);
    await page.close();
  });

  itInFull('has each element work where the policies are listed', async () => {
    const { page, errors } = await site.open('/all-listed.html');
    for (const name of ['pupil', 'face', 'track', 'vessels', 'filter'])
      await page.waitForFunction((tag) => heard.from.has(tag), { polling: 50, timeout: 60_000 }, `foveola-${name}`);
    assert.deepEqual(await page.evaluate(() => heard.errors), []);
    // Three elements play one address: the browser takes back what it has asked for twice.
    assert.deepEqual(errors.filter((error) => !/sample\.webm net::ERR_ABORTED$/.test(error)), []); // prettier-ignore
    await page.close();
  });

  itInFull('reads what is shared with it in a sandboxed frame, which has no origin', async () => {
    const { page, errors } = await site.open('/sandbox.html');
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    for (const tag of ['foveola-pupil', 'foveola-filter'])
      await frame.waitForFunction((tag) => heard.from.has(tag), { polling: 50, timeout: 30_000 }, tag);
    assert.equal(await frame.evaluate(() => globalThis.origin), 'null');
    assert.equal(await frame.evaluate(() => heard.ready.worker), true);
    assert.deepEqual(await frame.evaluate(() => heard.errors), []);
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('works isolated, with threads, the worker served with COEP', () =>
    opened('/isolated.html', (_page, capabilities) => {
      assert.equal(capabilities.crossOriginIsolated, true);
      assert.equal(capabilities.worker, true);
    }));

  itInFull('uses a blob worker where the policy allows only that, after one report', async () => {
    const { page } = await site.open('/blob.html');
    await tracked(page);
    assert.equal((await page.evaluate(() => heard.ready)).worker, true);
    const reports = await page.evaluate(() => heard.errors.map(({ message }) => message));
    assert.ok(reports.length === 1 && /^worker-src .*foveola\.cdn\.js$/.test(reports[0]), reports.join());
    await page.close();
  });

  itInFull('starts the worker from beside the script at once under the strict policy, with no report', () =>
    opened('/inside-strict.html', (_page, capabilities) => assert.equal(capabilities.worker, true)),
  );

  itInFull('takes no other element for its script tag', () =>
    opened('/shadowed.html', (_page, capabilities) => assert.equal(capabilities.worker, true)),
  );

  it("falls back to the page's own thread where no worker may start, and says so", async () => {
    const { page } = await site.open('/no-worker.html');
    await tracked(page);
    const capabilities = await page.evaluate(() => heard.ready);
    assert.equal(capabilities.worker, false);
    assert.match(capabilities.reasons.join(' '), /main thread.*\(worker-src\).*add 'self' to worker-src/);
    await page.close();
  });

  itInFull('works in a frame', async () => {
    const { page, errors } = await site.open('/outer.html');
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await tracked(frame);
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('warns, and works, when the script is loaded twice', async () => {
    const warnings = [];
    const { page, errors } = await site.open('/twice.html', {
      before: (page) => page.on('console', (message) => message.type() === 'warn' && warnings.push(message.text())),
    });
    await tracked(page);
    assert.match(warnings.join('\n'), /<foveola-pupil> is already defined by version/);
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('works as ES modules', () => opened('/module.html'));
});
