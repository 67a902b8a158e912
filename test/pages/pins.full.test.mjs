// Scripts of workers by their hash: what lies beside the CDN script under a right name and is another file never runs, and
// what the page can do without it goes on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { disc, heard, pageOf, tracked } from './element-support.mjs';

const script = '/other/foveola-pupil.cdn.js';
const element = `src="${disc}" loop`;
const beside = pageOf(element, { script, tag: '' });
const policy = (text) => ({ 'Content-Security-Policy': text });
const text = (file) => readFileSync(path.join(root, 'dist', file), 'utf8');

/** What /other/ has in place of a file of the package: the file, and what runs besides. */
const changed =
  (file, ran = () => true) =>
  (request, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' })
      .end(text(file) + (ran() ? `fetch('/ran-${file}');` : ''));

describe('files that are not those of the CDN script', () => {
  let site;
  const routes = {};
  /** How often the demuxer was asked for: the first time it is the right one. */
  let asked = 0;
  before(async () => {
    const headersOf = {
      '/strict.html': policy(strictPolicy),
      '/named.html': policy(strictPolicy),
      '/no-connect.html': policy(strictPolicy.replace("connect-src 'self'", "connect-src 'none'")),
      '/recording.html': policy(strictPolicy),
      '/reader.html': policy(strictPolicy),
    };
    Object.assign(routes, {
      '/heard.js': heard,
      '/strict.html': beside,
      '/named.html': pageOf(element, { script, tag: 'data-worker="/other/worker.js"' }),
      '/own.html': pageOf(element, { script, tag: 'data-worker="/own-worker.js"' }),
      '/no-connect.html': pageOf(element, {
        script: script.replace('other', 'dist'),
        tag: 'data-worker="/dist/worker.js"',
      }),
      '/recording.html': pageOf(`${element} save-recordings="agreed"`, {
        script,
        tag: '',
      }),
      '/reader.html': pageOf(element, { script, tag: '' }),
      '/own-worker.js': `import '/dist/worker.js';`,
      '/other/worker.js': changed('worker.js'),
      '/other/recording-writer.js': changed('recording-writer.js'),
      '/other/every-frame.js': changed('every-frame.js', () => asked++ > 0),
    });
    site = await startSite({
      mounts: { '/other/': path.join(root, 'dist') },
      routes,
      headers: (path) => ({ 'Access-Control-Allow-Origin': '*', ...headersOf[path] }),
    });
  });
  after(() => site?.close());

  /** What the element can do, and that nothing ran which is not ours. */
  async function opened(address, work) {
    const { page } = await site.open(address);
    try {
      await tracked(page);
      await work(page, await page.evaluate(() => heard.ready));
      assert.deepEqual(
        site.server.requests.filter((path) => path.startsWith('/ran-')),
        [],
      );
    } finally {
      await page.close();
    }
  }

  it('is its own worker, so that no other file can take its place', () =>
    opened('/strict.html', (_page, { worker }) => assert.equal(worker, true)));

  it('starts no other worker.js under the strict policy, and says why', () =>
    opened('/named.html', (_page, { worker, reasons }) => {
      assert.equal(worker, false);
      assert.match(reasons.join(' '), /main thread.*another version/);
    }));

  it('starts what the page names by another name as it is', () =>
    opened('/own.html', (_page, { worker }) => assert.equal(worker, true)));

  it('starts worker.js where the policy forbids to fetch it, and says that its hash is not known', () =>
    opened('/no-connect.html', async (page, { worker, reasons }) => {
      assert.equal(worker, true);
      assert.match(reasons.join(' '), /hash of .*\/dist\/worker\.js is unknown because connect-src/);
      const reports = await page.evaluate(() => heard.errors.filter(({ code }) => code === 'violation'));
      assert.ok(reports.every(({ message }) => message.startsWith('connect-src')), JSON.stringify(reports)); // prettier-ignore
    }));

  /** Where the element keeps a recording. */
  const kept = (page) =>
    page.$eval('#eye', async (element) => {
      const until = async (what) => {
        while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 50));
      };
      // Tests before this one may have left some on this origin.
      const others = (await element.savedRecordings()).map(({ name }) => name);
      const own = async () => (await element.savedRecordings()).find(({ name }) => !others.includes(name));
      element.record();
      await until(() => heard.results.length > 30);
      element.record();
      await until(own);
      return (await own()).storage;
    });

  it('keeps recordings in the database where recording-writer.js is another one', () =>
    opened('/recording.html', async (page) => assert.equal(await kept(page), 'indexeddb')));

  it('starts the writer from what was checked where the script lies elsewhere', () => {
    const elsewhere = site.server.url.replace('127.0.0.1', 'localhost');
    routes['/elsewhere.html'] = pageOf(`${element} save-recordings="agreed"`, {
      script: `${elsewhere}/dist/foveola-pupil.cdn.js`,
      tag: 'crossorigin',
    });
    return opened('/elsewhere.html', async (page, { worker }) => {
      assert.equal(worker, true);
      assert.equal(await kept(page), 'opfs');
    });
  });

  it('reads on the page where the worker of a reader would get another file than the page did', () =>
    opened('/reader.html', async (page) => {
      const analysis = await page.$eval('#eye', async (element) => {
        element.pause();
        const { complete, everyFrame } = await element.analyse();
        return { complete, everyFrame };
      });
      assert.deepEqual(analysis, { complete: true, everyFrame: true });
      assert.ok(asked > 1, `asked for ${asked} times`);
    }));
});
