import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cdnBudgets, checkBudgets, firstPupil, laterFiles } from '../../tools/build.mjs';
import { integrity } from '../../tools/integrity.mjs';
import { root } from '../../tools/serve.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { disc } from './element-support.mjs';

const dist = path.join(root, 'dist');
const scripts = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.js'));
const text = (file) => readFileSync(path.join(dist, file), 'latin1');

describe('the built files', () => {
  it('CDN scripts are all there and within their budgets', () => {
    assert.deepEqual(Object.keys(checkBudgets()), Object.keys(cdnBudgets));
  });

  it('a page fetches at most the budget until its first pupil, each file once', async () => {
    const site = await startSite({
      routes: {
        '/first.js': `addEventListener('foveola-result', ({ detail }) => {
          if (detail.pupils[0].found) window.foundAt ??= performance.now();
        }, true);`,
        '/page.html': `<!doctype html><html lang="en"><title>test</title><script src="/first.js"></script>
          <script src="/dist/foveola-pupil.cdn.js"></script><foveola-pupil src="${disc}" loop></foveola-pupil>`,
      },
      headers: { 'Content-Security-Policy': strictPolicy },
    });
    try {
      const { page, errors } = await site.open('/page.html');
      await page.waitForFunction(() => window.foundAt, { polling: 50, timeout: 30_000 });
      const fetched = await page.evaluate(() => {
        const files = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < window.foundAt);
        return files.map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/dist/'));
      });
      const files = [...new Set(fetched)].map((file) => file.replace('/dist/', ''));
      assert.deepEqual(files.sort(), [...firstPupil.files].sort());
      const asked = site.server.requests.filter((file) => file === `/dist/${firstPupil.files[1]}`);
      assert.equal(asked.length, 1);
      const bytes = files.map((file) => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length);
      assert.ok(bytes.reduce((a, b) => a + b) <= firstPupil.budget, `${files.join()}: ${bytes.join()} bytes`);
      assert.deepEqual(errors, []);
    } finally {
      await site.close();
    }
  });

  it('CDN scripts and foveola.js hold nothing of what goes into a record', () => {
    assert.match(text('reports.js'), /DiagnosticReport/);
    for (const file of scripts.filter((name) => name !== 'reports.js'))
      assert.doesNotMatch(text(file), /DiagnosticReport/, file);
  });

  it('CDN scripts are ASCII: pages in any encoding show their words', () => {
    for (const file of Object.keys(cdnBudgets)) assert.doesNotMatch(text(file), /[^\0-\x7f]/, file);
  });

  it('hold nothing of the machine that built them', () => {
    for (const file of scripts) {
      assert.doesNotMatch(text(file), /file:\/\//, file);
      assert.ok(!text(file).includes(root), file);
    }
  });

  const forNode = ['node.js', 'node-thread.js', 'node-codecs.js', 'bin/foveola.js', 'bin/convert-model.js'];

  it("name Node's modules where Node is meant, and nowhere else", () => {
    for (const file of scripts) assert.equal(/(from|import) ?["']node:/.test(text(file)), forNode.includes(file), file);
  });

  it('name their files by static addresses, all in the modules beside the files', () => {
    const named = scripts.filter((file) => !forNode.includes(file) && /\bimport\.meta\b/.test(text(file)));
    assert.ok(text('node.js').includes('new URL("./node-thread.js",import.meta.url)'));
    // Scripts of workers lie beside the file that starts them, or are that file.
    const workers = { 'every-frame.js': 'every-frame.js', 'image-files.js': 'image-files.js' };
    workers['image-codecs.js'] = 'image-codecs.js';
    workers['kept-recordings.js'] = 'recording-writer.js';
    assert.deepEqual(named, ['assets.js', ...Object.keys(workers)].sort());
    for (const [file, worker] of Object.entries(workers))
      assert.ok(text(file).includes(`new URL("./${worker}",import.meta.url)`), file);
    const module = text('assets.js');
    for (const file of ['kernels.wasm', ...readdirSync(path.join(dist, 'models')).map((name) => `models/${name}`)])
      assert.ok(module.includes(`new URL("./${file}", import.meta.url)`), file);
    // Through the Trusted Types policy: within `new Worker(new URL(...))` no policy could pass the address.
    assert.match(
      module,
      /new Worker\(trusted\(new URL\("\.\/worker\.js", import\.meta\.url\)\.href\), \{ type: "module"/,
    );
  });

  it('have their hashes in sri.json', () => {
    const hashes = JSON.parse(text('sri.json'));
    for (const file of [...Object.keys(cdnBudgets), 'worker.js', 'every-frame.js', 'models/frontalface_alt.bin'])
      assert.equal(hashes[file], integrity(readFileSync(path.join(dist, file))), file);
  });

  it('need no bare specifier where Lit is inside', () => {
    const own = scripts.filter((file) => file.startsWith('foveola.elements'));
    assert.ok(own.length > 0);
    for (const file of [...own, ...laterFiles])
      for (const [, specifier] of text(file).matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*["']([\w@./-]+)["']/g))
        assert.match(specifier, /^\.\//, file);
  });
});
